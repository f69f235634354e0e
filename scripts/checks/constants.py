# SPDX-License-Identifier: Apache-2.0
"""What of a module is known when hardware is built."""
from checks.hardware import is_module
from checks.syntax import children, stripped, type_of

COMPUTED = ("BinaryOperator", "UnaryOperator", "ConditionalOperator", "CallExpr", "CXXConstructExpr", "CXXTemporaryObjectExpr",
            "InitListExpr", "ImplicitValueInitExpr")


def is_const(kind):
    return kind.startswith("const ") and not kind.endswith(("&", "*"))


class Constants:
    """Which expressions are known when hardware is built."""

    def __init__(self, source):
        self.source = source
        self.values = {}  # id of a local constant, or a constant reference → its initial value

    def is_constant(self, node):
        """Literals, constants, parameters of templates, and what is made of them."""
        node = stripped(node)
        if node["kind"].endswith("Literal") or node["kind"] in ("CXXBoolLiteralExpr", "CXXDefaultArgExpr", "UnaryExprOrTypeTraitExpr"):
            return True
        if node["kind"] == "DeclRefExpr":
            named = node["referencedDecl"]
            if named["id"] in self.values:
                return self.is_constant(self.values[named["id"]])
            return named["kind"] in ("EnumConstantDecl", "FunctionDecl") or (named["kind"] == "VarDecl" and is_const(type_of(named)))
        return node["kind"] in COMPUTED and all(self.is_constant(child) for child in children(node))

    def is_made_of(self, node, is_part, operators):
        """Whether an expression is made by such operators of constants and of what `is_part` takes."""
        node = stripped(node)
        if node["kind"] in operators:
            return all(self.is_made_of(child, is_part, operators) for child in children(node))
        return is_part(node) or self.is_constant(node)

    def is_of_module(self, node):
        """Whether it is a constant of the module, or a part of one."""
        if node["kind"] != "MemberExpr":
            return False
        of = stripped(children(node)[0])
        if of["kind"] != "CXXThisExpr":
            return self.is_of_module(of)
        field = node["referencedMemberDecl"]
        return is_const(type_of(self.source.declared.get(field, {}))) and is_module(self.source, self.source.owner.get(field, ""))

    def is_bound(self, node):
        """Whether a loop may count up to it: a constant, a constant of the module, or what the caller says."""

        def is_part(node):
            if node["kind"] == "MemberExpr":
                return self.is_of_module(node) or is_part(stripped(children(node)[0]))
            named = node["referencedDecl"] if node["kind"] == "DeclRefExpr" else {}
            if named.get("id") in self.values:
                return self.is_bound(self.values[named["id"]])
            return named.get("kind") == "ParmVarDecl"

        return self.is_made_of(node, is_part, ("BinaryOperator", "ConditionalOperator", "CXXConstructExpr"))

    def is_fixed(self, node):
        """Whether a condition is known when hardware is built: made of constants, those of the module included."""
        return self.is_made_of(node, self.is_of_module, ("BinaryOperator",))

    def parameters_in(self, node):
        """Identities of the parameters of a function that an expression is made of, by way of local constants, too."""
        node = stripped(node)
        if node["kind"] == "DeclRefExpr":
            named = node["referencedDecl"]
            if named["id"] in self.values:
                return self.parameters_in(self.values[named["id"]])
            return {named["id"]} if named["kind"] == "ParmVarDecl" else set()
        return {parameter for child in children(node) for parameter in self.parameters_in(child)}
