# SPDX-License-Identifier: Apache-2.0
"""Clang's JSON dump of C++: the declarations of one namespace, including template instances."""
import json
import re
import subprocess

TEMPLATES = ("ClassTemplateDecl", "FunctionTemplateDecl")
RECORDS = ("CXXRecordDecl", "ClassTemplateSpecializationDecl")
FUNCTIONS = ("FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXConversionDecl", "CXXDestructorDecl")


class Broken(Exception):
    """The source does not compile."""


class Locations:
    """Adds file and line to all locations: clang gives them only if they differ from the previous location."""

    def __init__(self):
        self.file, self.line = None, 0

    def __call__(self, node):
        if "offset" not in node:
            return node
        self.file, self.line = node.get("file", self.file), node.get("line", self.line)
        return self.file, self.line


def dump(root, source, flags, namespace):
    """The nodes of all parts of `namespace` in `source`."""
    command = ["clang++", *flags, "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang",
               f"-ast-dump-filter={namespace}", source]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise Broken(next((line for line in done.stderr.split("\n") if " error: " in line), done.stderr.strip()))
    decoder = json.JSONDecoder(object_hook=Locations())
    blanks = re.compile(r"\s*")
    nodes, at = [], 0
    while at < len(done.stdout):
        node, at = decoder.raw_decode(done.stdout, at)
        nodes.append(node)
        at = blanks.match(done.stdout, at).end()
    return nodes


def children(node):
    """The existing children of a node: clang writes {} for an absent one."""
    return [child for child in node.get("inner", ()) if "kind" in child]


def place(node):
    """(file, line) of a node, outside of macros."""
    for where in (node.get("loc"), node.get("range", {}).get("begin")):
        if isinstance(where, dict):
            where = where.get("expansionLoc")
        if isinstance(where, tuple) and where[0]:
            return where
    return None, 0


def type_of(node):
    """The type in clang's spelling, without aliases."""
    kind = node.get("type", {})
    return kind.get("desugaredQualType", kind.get("qualType", ""))


def name_of(node):
    return node.get("name", f"a {node['kind']} without a name")


def stripped(node):
    """An expression without the casts, brackets and temporaries around it."""
    while node["kind"] in ("ImplicitCastExpr", "ParenExpr", "CXXStaticCastExpr", "CXXFunctionalCastExpr", "CStyleCastExpr", "ConstantExpr",
                           "MaterializeTemporaryExpr", "ExprWithCleanups", "CXXBindTemporaryExpr",
                           "SubstNonTypeTemplateParmExpr") and children(node):
        node = children(node)[-1]
    return node


class Source:
    """The functions and records of a dump, by id and by name."""

    def __init__(self, nodes):
        self.declared = {}  # id → node
        self.functions = {}  # id of any of its declarations → node with the body
        self.records = {}  # name → node
        self.owner = {}  # id of a field or function → name of its record
        for node in nodes:
            self._read(node, "")
        bodies = [node for node in self.declared.values()
                  if node["kind"] in FUNCTIONS and any(c["kind"] == "CompoundStmt" for c in children(node))]
        for node in bodies:
            before = node
            while before is not None:
                self.functions[before["id"]] = node
                if before["id"] in self.owner:
                    self.owner[node["id"]] = self.owner[before["id"]]
                before = self.declared.get(before.get("previousDecl"))

    def _read(self, node, scope):
        kind = node["kind"]
        if "id" not in node:
            return
        self.declared[node["id"]] = node
        if kind == "NamespaceDecl":
            scope = f"{scope}{node.get('name', '(anonymous namespace)')}::"
        elif kind in RECORDS and node.get("name"):
            arguments = [str(c["value"]) if "value" in c else c.get("type", {}).get("qualType", "")
                         for c in children(node) if c["kind"] == "TemplateArgument"]
            scope += node["name"] + (f"<{', '.join(arguments)}>" if arguments else "")
            if node.get("completeDefinition"):
                self.records[scope] = node
            scope += "::"
        elif kind in FUNCTIONS or kind == "FieldDecl":
            self.owner[node["id"]] = scope[:-2]
        elif kind not in TEMPLATES + ("FriendDecl", "VarDecl", "EnumDecl", "EnumConstantDecl", "LinkageSpecDecl"):
            return
        inner = children(node)
        if kind in TEMPLATES:  # the instances, not the pattern
            pattern = next((c for c in inner if c["kind"] in RECORDS + FUNCTIONS), None)
            inner = [c for c in inner if c is not pattern]
        if kind not in FUNCTIONS:
            for child in inner:
                self._read(child, scope)
        else:
            self.declared.update((child["id"], child) for child in inner if child["kind"] == "ParmVarDecl")

    def record_names(self, text):
        """The records in the spelling of a type."""
        names = re.findall(r"weft(?:::(?:\(anonymous namespace\)|\w+(?:<(?:[^<>]|<[^<>]*>)*>)?))+", text.replace("U>", ">"))
        return [name for name in names if name in self.records]

    def fields(self, name):
        """The fields that the source declares: clang adds one for an anonymous union."""
        return [child for child in children(self.records[name]) if child["kind"] == "FieldDecl" and not child.get("isImplicit")]

    def methods(self, name):
        """The functions that a record declares, including template instances."""
        for child in children(self.records[name]):
            if child["kind"] in FUNCTIONS:
                yield child
            elif child["kind"] == "FunctionTemplateDecl":
                yield from [inner for inner in children(child) if inner["kind"] in FUNCTIONS][1:]
