# SPDX-License-Identifier: Apache-2.0
"""Checks the subset of C++ for hardware modules, which compilers from SystemC to Verilog accept and translate correctly."""
import re

from checks import syntax, tools
from checks.calls import bounding, recursive
from checks.constructs import REMEDIES
from checks.expressions import callee, every
from checks.hardware import SOURCE, bases, is_module, is_plain, lineage, modules_left_out, simulation_only
from checks.statements import Statements
from checks.syntax import children, name_of, place, stripped, type_of
from checks.tree import Finding

BEFORE_SIMULATION = ("before_end_of_elaboration", "end_of_elaboration", "start_of_simulation")


class Reader(Statements):
    """Finds the violations in the code that the processes of a source's modules reach."""

    def __init__(self, source, left_out=()):
        """\\param left_out files whose modules are for simulation only"""
        super().__init__(source)
        self.found = {}  # (path, line, construct) → what
        self.types = set()  # records that are used
        self.users = {}  # name of a module → {id of a field: {id of a process: its name}}
        modules = [name for name in source.records if is_module(source, name)]
        self.left_out = {name for name in modules if place(source.records[name])[0] in left_out}
        for name in modules:
            if name not in self.left_out:
                self.module(name)
        for name in self.users:
            self.shared(name)
        seen = set()
        while self.types - seen:
            for name in sorted(self.types - seen):
                seen.add(name)
                self.record(name)
        self.calls_together()

    def add(self, node, construct, what):
        path, line = place(node)
        if path and path.startswith("systemc/"):
            self.found.setdefault((path, line, construct), what)

    def use(self, kind):
        self.types.update(name for name in self.source.record_names(kind) if not is_module(self.source, name))

    def calls_together(self):
        for function in recursive(self.reached):
            node = self.source.functions[function]
            self.add(node, "recursion", f"{node['name']} calls itself")
        found = bounding(self.bounds, self.arguments, self.constants)
        for parameter, argument in self.arguments:
            if parameter["id"] in found and not self.constants.is_bound(argument):
                self.add(argument, "loop", f"data as {name_of(parameter)}, which is the bound of a loop")
        for parameter in found & set(self.changes):
            self.add(self.changes[parameter], "loop", "a change of a parameter that is the bound of a loop")

    # Modules and records

    def fields(self, name):
        return [field for part in lineage(self.source, name) for field in self.source.fields(part)]

    def module(self, name):
        """Reads the processes that the constructors of a module register, and the fields that these processes name."""
        constructors = [node for part in lineage(self.source, name) for node in self.source.methods(part)
                        if node["kind"] == "CXXConstructorDecl" or node["name"] in BEFORE_SIMULATION]
        for field in self.fields(name):
            for other in self.left_out.intersection(self.source.record_names(type_of(field))):
                self.add(field, "simulation-only", f"{other.replace('weft::', '')} is marked as simulation only")
        processes = {}
        for node in constructors:
            body = self.source.functions.get(node["id"])
            if body is not None:
                self.registered(body, processes)
        if not processes:
            return
        for part in lineage(self.source, name):
            self.unions(part)
        for field in self.fields(name):
            self.use(type_of(field))
            if not any(is_module(self.source, other) for other in self.source.record_names(type_of(field))):
                self.container(field)
        users = self.users[name] = {}
        for process in processes.values():
            for field in self.fields_of([process["id"]]):
                users.setdefault(field, {})[process["id"]] = process["name"]

    def shared(self, name):
        """Reports fields that two processes of a module name, or a process of it and one of a submodule."""
        own = {field["id"] for field in self.fields(name)}
        for field, processes in self.users[name].items():
            node = self.source.declared.get(field, {})
            if node.get("kind") != "FieldDecl" or not is_module(self.source, self.source.owner[field]):
                continue
            if type_of(node).endswith("&"):
                self.add(node, "reference", f"{node['name']} is a reference")
            if field not in own:
                processes = {**processes, **{process: of for other in self.users if field in {f["id"] for f in self.fields(other)}
                                             for process, of in self.users[other].get(field, {}).items()}}
            if len(processes) > 1 and is_plain(self.source, type_of(node)):
                self.add(node, "shared-variable", f"{node['name']} is accessed by processes {' and '.join(sorted(processes.values()))}")

    def registered(self, constructor, processes):
        """Adds to `processes` the methods whose address the constructor takes, itself or in a method that it calls. Reports
        methods that are sensitive to an edge."""
        whole = list(self.of_constructor(constructor))
        for method in self.methods_named(whole):
            body = self.source.functions.get(method["id"])
            if body is not None:
                processes[body["id"]] = body
        made = [child.get("name") or child.get("referencedDecl", {}).get("name") for child in whole
                if child["kind"] in ("MemberExpr", "DeclRefExpr")]
        edges = [name for name in made if name in ("pos", "neg", "posedge_event", "negedge_event")]
        if len(edges) > made.count("create_cthread_process") or "create_thread_process" in made or "sc_spawn" in made:
            self.add(constructor, "method", "a method that is sensitive to an edge, or a thread without a clock")

    def of_constructor(self, constructor):
        """The nodes of a constructor, and of the methods that it calls on its own module."""
        seen, open_functions = set(), [constructor]
        while open_functions:
            function = open_functions.pop()
            if function["id"] in seen:
                continue
            seen.add(function["id"])
            for node in every(function):
                yield node
                if node["kind"] == "CXXMemberCallExpr" and any(child["kind"] == "CXXThisExpr" for child in every(children(node)[0])):
                    called = self.source.functions.get(callee(node).get("id"))
                    open_functions += [called] if called else []

    def methods_named(self, nodes):
        for node in nodes:
            if node["kind"] == "UnaryOperator" and node["opcode"] == "&":
                named = stripped(children(node)[0])
                if named.get("referencedDecl", {}).get("kind") == "CXXMethodDecl":
                    yield named["referencedDecl"]

    def record(self, name):
        self.unions(name)
        for base in bases(self.source, name):
            self.use(base)
        for field in self.source.fields(name):
            kind = type_of(field)
            self.container(field)
            self.use(kind)
            if kind.endswith("&"):
                self.add(field, "reference", f"{field['name']} is a reference")
            if self.source.record_names(kind):
                self.add(field, "nested-record", f"{name_of(field)} is a record within {name.replace('weft::', '')}")
            if kind.startswith("std::array") and field.get("hasInClassInitializer"):
                self.add(field, "array-initialiser", f"the array {field['name']} has an initialiser")
        self.fields_of(self.called_unseen(name))

    def called_unseen(self, name):
        """Functions that are called implicitly: the destructor of a record, and functions in the initializers of its fields."""
        self.calls, self.named = [], []
        for field in self.source.fields(name):
            for initial in children(field):
                self.statement(initial, None)
        return self.calls + [node["id"] for node in self.source.methods(name) if node["kind"] == "CXXDestructorDecl"]

    def unions(self, name):
        for part in [self.source.records[name], *children(self.source.records[name])]:
            if part.get("tagUsed") == "union":
                self.add(part, "reinterpretation", f"{name_of(part)} of {name.replace('weft::', '')} is a union")

    def container(self, field):
        for kind in re.findall(r"\bstd::(?!array\b|u?int\d+_t\b|size_t\b|ptrdiff_t\b)\w+", type_of(field)):
            self.add(field, "container", f"{name_of(field)} is or has a {kind}")

    def fields_of(self, functions):
        """Ids of the fields that functions name, directly or through functions that they call."""
        fields, open_functions, seen = set(), list(functions), set()
        while open_functions:
            function = self.source.functions.get(open_functions.pop())
            if function is None or function["id"] in seen:
                continue
            seen.add(function["id"])
            if function["id"] not in self.reached:
                self.reached[function["id"]] = ([], [])
                self.function(function)
            calls, named = self.reached[function["id"]]
            open_functions += calls
            fields.update(named)
        return fields


def subset(tree):
    """Hardware modules use only the subset of C++ that is known to be translated, and share no variables."""
    tools.need("clang++", "clang")
    if SOURCE not in tree.files:
        return
    yield from modules_left_out(tree)
    try:
        nodes = syntax.dump(tree.root, SOURCE, tools.FLAGS + ["-DWEFT_SYNTHESIS", "-DNDEBUG"], "weft")
    except syntax.Broken as error:
        yield Finding(SOURCE, 0, f"does not compile: {error}", "Fix it")
        return
    for (path, line, construct), what in sorted(Reader(syntax.Source(nodes), simulation_only(tree)).found.items()):
        yield Finding(path, line, f"{what} [{construct}]", REMEDIES[construct])
