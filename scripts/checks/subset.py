# SPDX-License-Identifier: Apache-2.0
"""The subset of C++ that hardware modules are written in: what a compiler from SystemC to Verilog takes, and translates rightly."""
import re

from checks import syntax, tools
from checks.calls import data_as_bounds, recursive
from checks.constructs import REMEDIES
from checks.expressions import assigns, callee, changed, is_bound, is_changeable, is_constant, is_fixed, is_indexed
from checks.hardware import FOREIGN, SOURCE, is_module, is_plain, lineage, modules_left_out, simulation_only
from checks.syntax import children, place, stripped, type_of
from checks.tree import Finding

LOOPS = ("ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt")
CALLS = ("CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr")


class Reader:
    """The violations in all that the processes of the modules of a source reach."""

    def __init__(self, source, left_out=()):
        """\p left_out files whose modules are for simulation only"""
        self.source = source
        self.found = {}  # (path, line, construct) → what
        self.reached = {}  # id of a function → ids of those that it calls, ids of fields that it names
        self.types = set()  # records that are used
        self.values = {}  # id of a local constant → its initial value
        self.bounds, self.arguments = [], []  # of loops; (parameter, argument) of calls
        self.left_out = {name for name in source.records if is_module(source, name) and place(source.records[name])[0] in left_out}
        for name in [name for name in source.records if is_module(source, name)]:
            if name not in self.left_out:
                self.module(name)
        self.calls_together()
        seen = set()
        while self.types - seen:
            for name in sorted(self.types - seen):
                seen.add(name)
                self.record(name)

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
        for parameter, argument in data_as_bounds(self.bounds, self.arguments, self.values):
            self.add(argument, "loop", f"data as {parameter['name']}, up to which a loop counts")

    # Modules and records

    def module(self, name):
        """The processes that the constructors of a module register, and what two of them share."""
        fields = {}  # name of a field → processes that name it
        whole = list(lineage(self.source, name))
        constructors = [node for part in whole for node in children(self.source.records[part])
                        if node["kind"] == "CXXConstructorDecl"]
        all_fields = [field for part in whole for field in self.source.fields(part)]
        for field in all_fields:
            for other in self.left_out.intersection(self.source.record_names(type_of(field))):
                self.add(field, "simulation-only", f"{other.replace('weft::', '')} says that it is for simulation only")
        processes = {}
        for node in constructors:
            body = self.source.functions.get(node["id"])
            if body is not None:
                self.registered(body, processes)
        if not processes:
            return
        for field in all_fields:
            self.use(type_of(field))
            if not any(is_module(self.source, other) for other in self.source.record_names(type_of(field))):
                self.container(field)
        for process, node in processes.items():
            for field in self.fields_of(node):
                fields.setdefault(field, set()).add(process)
        own = {field["id"]: field for field in all_fields}
        for field, users in fields.items():
            if field in own and type_of(own[field]).endswith("&"):
                self.add(own[field], "reference", f"{own[field]['name']} is a reference")
            if len(users) > 1 and field in own and is_plain(self.source, type_of(own[field])):
                self.add(own[field], "shared-variable", f"{own[field]['name']} is accessed by processes {' and '.join(sorted(users))}")

    def registered(self, node, processes):
        """Adds to `processes` the methods whose address is taken; a method with a clock among what it is sensitive to is none."""
        for method in self.methods_named(node):
            body = self.source.functions.get(method["id"])
            if body is not None:
                processes[method["name"]] = body
        made = [child["name"] for child in self.every(node) if child["kind"] == "MemberExpr"]
        edges = sum(1 for name in made if name in ("pos", "neg"))
        if edges and "create_cthread_process" not in made:
            self.add(node, "method", "a method that is sensitive to an edge")

    def methods_named(self, node):
        for child in self.every(node):
            if child["kind"] == "UnaryOperator" and child["opcode"] == "&":
                named = stripped(children(child)[0])
                if named.get("referencedDecl", {}).get("kind") == "CXXMethodDecl":
                    yield named["referencedDecl"]

    def every(self, node):
        yield node
        for child in children(node):
            yield from self.every(child)

    def record(self, name):
        for field in self.source.fields(name):
            kind = type_of(field)
            self.container(field)
            self.use(kind)
            if self.source.record_names(kind):
                self.add(field, "nested-record", f"{field['name']} is a record within {name.replace('weft::', '')}")
            if kind.startswith("std::array") and field.get("hasInClassInitializer"):
                self.add(field, "array-initialiser", f"the array {field['name']} has an initialiser")

    def container(self, field):
        for kind in re.findall(r"\bstd::(?!array\b|u?int\d+_t\b)\w+", type_of(field)):
            self.add(field, "container", f"{field['name']} is or has a {kind}")

    # Functions

    def fields_of(self, process):
        """The fields that a process names, through all that it calls."""
        fields, open_functions, seen = set(), [process["id"]], set()
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

    def function(self, function):
        if function.get("isImplicit") or function.get("explicitlyDefaulted"):
            return
        kind = function["type"]["qualType"]
        self.is_void = kind.startswith("void ")
        self.calls, self.named = self.reached[function["id"]]
        if re.search(r"^[^(]*& *\(", kind) and function["name"] != "operator=":
            self.add(function, "reference", f"{function['name']} returns a reference")
        self.returns(kind)
        if kind.startswith("std::array<"):
            self.add(function, "array-parameter", f"{function['name']} returns an array")
        for parameter in children(function):
            if parameter["kind"] == "ParmVarDecl" and "std::array<" in type_of(parameter):
                self.add(function, "array-parameter", f"{function['name']} takes an array")
            if parameter["kind"] == "ParmVarDecl" and not parameter.get("name"):
                self.add(function, "unnamed-parameter", f"{function['name']} has a parameter without a name")
        self.last = self.last_statements(function)
        for child in children(function):
            self.statement(child, None)

    def last_statements(self, function):
        """Behind which nothing more of a function is done."""
        bodies = [child for child in children(function) if child["kind"] == "CompoundStmt"]
        last, open_statements = set(), bodies
        while open_statements:
            node = open_statements.pop()
            last.add(node["id"])
            if node["kind"] == "CompoundStmt":
                open_statements += children(node)[-1:]
            elif node["kind"] == "IfStmt":
                open_statements += children(node)[1:]
        return last

    def returns(self, kind):
        self.use(kind.split("(")[0])

    def statement(self, node, loop):
        """\\p loop the loop or switch that the statement is in."""
        kind = node["kind"]
        check = getattr(self, f"on_{kind}", None)
        if check is not None:
            check(node, loop)
        if kind in CALLS:
            self.call(node)
        if re.fullmatch(r"(const )?(float|(long )?double)", node.get("type", {}).get("qualType", "")):
            self.add(node, "floating-point", "a number with a point")
        inner = children(node)
        if kind == "LambdaExpr":
            inner = [child for child in inner if child["kind"] == "CompoundStmt"]
        if kind == "CXXForRangeStmt":  # the loop that the compiler makes of it is not the author's
            inner = inner[-1:]
        for child in inner:
            self.statement(child, node if kind in LOOPS or kind == "SwitchStmt" else None if kind == "LambdaExpr" else loop)

    def call(self, node):
        named = callee(node)
        if named.get("id") in self.source.functions:
            self.calls.append(self.source.functions[named["id"]]["id"])
            if self.source.declared[named["id"]].get("virtual"):
                self.add(node, "virtual", f"{named['name']} is virtual")
            if node["kind"] != "CXXOperatorCallExpr":
                parameters = [child for child in children(self.source.functions[named["id"]]) if child["kind"] == "ParmVarDecl"]
                for parameter, argument in zip(parameters, children(node)[1:]):
                    self.refer(parameter, argument)
                    self.arguments.append((parameter, argument))
            return
        name = named.get("name", "")
        declared = self.source.declared.get(named.get("id"), {})
        if declared.get("kind") in syntax.FUNCTIONS and not declared.get("isImplicit") and not declared.get("explicitlyDefaulted"):
            self.add(node, "unseen", f"{name} is called, of which the body is in another source")
        if declared or name in ("operator()", ""):
            return  # of the compiler's making, or a lambda, which is found where it is written
        inner = children(node)
        of = inner[1] if node["kind"] == "CXXOperatorCallExpr" else stripped(inner[0])
        if node["kind"] == "CXXMemberCallExpr" and children(of):
            of = children(of)[0]
        kind = type_of(of)
        if name.startswith("__builtin"):
            self.add(node, "builtin", f"{name} is called")
        elif FOREIGN.search(kind) or (name == "operator[]" and "std::array" in kind) or (name == "wait" and "weft::" in kind):
            self.use(kind)
        elif not self.source.record_names(kind) or name not in ("operator=", "operator=="):
            self.add(node, "foreign-call", f"{name} of another library is called")

    def on_CXXConstructExpr(self, node, _):
        for name in self.source.record_names(type_of(node)):
            if is_module(self.source, name):
                continue
            self.use(name)
            for child in children(self.source.records[name]):
                if child["kind"] == "CXXConstructorDecl" and child["type"]["qualType"] == node["ctorType"]["qualType"]:
                    self.calls.append(child["id"])
        if node.get("list"):
            self.add(node, "list-initialiser", "an initialiser in braces")

    on_CXXTemporaryObjectExpr = on_CXXConstructExpr

    def on_LambdaExpr(self, node, _):
        self.add(node, "lambda", "a lambda")

    def on_ReturnStmt(self, node, loop):
        if loop is not None:
            self.add(node, "return-in-loop", "a return within a loop or a switch")
        elif self.is_void or node["id"] not in self.last:
            self.add(node, "early-return", "a return before the end of a function")
        if children(node) and self.is_made_here(children(node)[0]):
            self.add(node, "returned-record", "a record is made in a return")

    def is_made_here(self, node):
        """Whether an expression is a record that is constructed of something else than its like."""
        node = stripped(node)
        records, inner = self.source.record_names(type_of(node)), children(node)
        return bool(records) and node["kind"] in ("CXXConstructExpr", "CXXTemporaryObjectExpr") and (
            len(inner) != 1 or self.source.record_names(type_of(inner[0])) != records)

    def on_CXXForRangeStmt(self, node, _):
        self.add(node, "range-for", "a loop over a range")

    def on_WhileStmt(self, node, _):
        if not self.is_thread(node):
            self.add(node, "loop", "a while loop")

    def is_thread(self, node):
        """`while (true)` with a wait(): the loop of a clocked thread."""
        condition, body = children(node)
        return condition["kind"] == "CXXBoolLiteralExpr" and any(
            child["kind"] == "CXXMemberCallExpr" and callee(child).get("name") == "wait" for child in self.every(body))

    def on_DoStmt(self, node, _):
        self.add(node, "loop", "a do loop")

    def on_ForStmt(self, node, _):
        _, _, condition, step, _ = node["inner"]
        if step.get("kind") != "UnaryOperator" or step["opcode"] not in ("++", "--"):
            self.add(node, "loop", "a for loop whose step is not one")
        elif condition.get("kind") != "BinaryOperator" or not is_bound(children(condition)[1], self.values):
            self.add(node, "loop", "a for loop up to data")
        else:
            self.bounds.append(children(condition)[1])
        if changed(step) & {counter for child in self.every(node["inner"][4]) for counter in changed(child)}:
            self.add(node, "loop", "a for loop whose body changes the counter")

    def on_BinaryOperator(self, node, _):
        left, right = children(node)
        if assigns(node) and assigns(right):
            self.add(node, "chained-assignment", "a chained assignment")
        if node["opcode"] in ("/", "%", "/=", "%=") and not is_constant(right, self.values):
            self.add(node, "division", f"{node['opcode']} by data")
        if node["opcode"] in (".*", "->*"):
            self.add(node, "pointer", "a pointer to a member")
        if node["opcode"] in ("&&", "||") and not is_fixed(left, self.values):
            self.effects(right)

    on_CompoundAssignOperator = on_BinaryOperator

    def on_ConditionalOperator(self, node, _):
        if self.source.record_names(type_of(node)):
            self.add(node, "conditional-record", "a record is chosen by ?:")
        condition, *choices = children(node)
        if is_fixed(condition, self.values):  # one is chosen when hardware is built
            return
        for choice in choices:
            self.effects(choice)

    def effects(self, operand):
        """What changes something, where it depends on a condition that C++ looks at first."""
        for call in self.every(operand):
            if assigns(call) or (call["kind"] == "UnaryOperator" and call["opcode"] in ("++", "--")):
                self.add(call, "effect", "an assignment within a condition")
            named = callee(call) if call["kind"] in ("CallExpr", "CXXMemberCallExpr") else {}
            function = self.source.functions.get(named.get("id"))
            if function is None:
                continue
            is_method = call["kind"] == "CXXMemberCallExpr" and not re.search(r"\) const\b", function["type"]["qualType"])
            if is_method or any(is_changeable(child) for child in children(function)):
                self.add(call, "effect", f"{named['name']} is called within a condition")

    def on_UnaryOperator(self, node, _):
        of_this = stripped(children(node)[0])["kind"] == "CXXThisExpr"
        if node["opcode"] == "&" or node["opcode"] == "*" and not of_this:
            self.add(node, "pointer", "a pointer")

    def on_ArraySubscriptExpr(self, node, _):
        if "*" in type_of(stripped(children(node)[0])):
            self.add(node, "pointer", "a pointer with an index")

    def on_CXXOperatorCallExpr(self, node, _):
        if assigns(node) and assigns(children(node)[-1]):
            self.add(node, "chained-assignment", "a chained assignment")

    def on_InitListExpr(self, node, _):
        if type_of(node).startswith("std::array") or type_of(node).endswith("]"):
            self.add(node, "array-initialiser", "an array with an initialiser")
        else:
            self.add(node, "list-initialiser", "an initialiser in braces")

    def on_GotoStmt(self, node, _):
        self.add(node, "goto", "a goto")

    def on_CXXNewExpr(self, node, _):
        self.add(node, "allocation", "memory is asked for")

    def on_CXXDeleteExpr(self, node, _):
        self.add(node, "allocation", "memory is given back")

    def on_CXXThrowExpr(self, node, _):
        self.add(node, "exception", "an exception")

    def on_CXXReinterpretCastExpr(self, node, _):
        self.add(node, "reinterpretation", "bits are taken for those of another type")

    on_CXXConstCastExpr = on_CXXReinterpretCastExpr

    def outlives(self, named):
        """A variable of a namespace or of a class: \p named by its identity."""
        variable = self.source.declared.get(named, {})
        return variable.get("kind") == "VarDecl" and not type_of(variable).startswith("const ")

    def on_DeclRefExpr(self, node, _):
        if self.outlives(node["referencedDecl"]["id"]):
            self.add(node, "static-variable", f"{node['referencedDecl']['name']} outlives the module")

    def on_VarDecl(self, node, _):
        if type_of(node).startswith("const ") and not type_of(node).endswith("&"):
            self.values[node["id"]] = children(node)[0] if children(node) else node
        if node.get("storageClass") == "static" and not type_of(node).startswith("const "):
            self.add(node, "static-variable", f"{node['name']} outlives the function")
        self.use(type_of(node))
        if children(node):
            self.refer(node, children(node)[0])

    def refer(self, name, to):
        if type_of(name).endswith("&") and is_indexed(to):
            self.add(to, "indexed-reference", f"{name['name']} refers to one of several")

    def on_MemberExpr(self, node, _):
        of_this = stripped(children(node)[0])["kind"] == "CXXThisExpr"
        if self.outlives(node["referencedMemberDecl"]):
            self.add(node, "static-variable", f"{node['name']} outlives the module")
        if node["name"] and of_this:
            self.named.append(node["referencedMemberDecl"])
        if node["isArrow"] and not of_this:
            self.add(node, "pointer", "a pointer to a record")


def subset(tree):
    """Hardware modules keep to the subset of C++ that is known to be translated, and share no variables."""
    tools.need("clang++", "clang")
    if SOURCE not in tree.files:
        return
    yield from modules_left_out(tree)
    try:
        nodes = syntax.dump(tree.root, SOURCE, tools.FLAGS + ["-DWEFT_SYNTHESIS", "-DNDEBUG"], "weft")
    except syntax.Broken as error:
        yield Finding(SOURCE, 0, f"does not compile: {error}", "Mend it")
        return
    for (path, line, construct), what in sorted(Reader(syntax.Source(nodes), simulation_only(tree)).found.items()):
        yield Finding(path, line, f"{what} [{construct}]", REMEDIES[construct])
