# SPDX-License-Identifier: Apache-2.0
"""Constants of a module: values that are fixed when hardware is built."""
from checks.hardware import is_module
from checks.syntax import children, stripped, type_of

COMPUTED = ("BinaryOperator", "UnaryOperator", "ConditionalOperator", "CallExpr", "CXXConstructExpr", "CXXTemporaryObjectExpr",
            "InitListExpr", "ImplicitValueInitExpr")


def is_const(kind):
    return kind.startswith("const ") and not kind.endswith(("&", "*"))


class Constants:
    """Decides whether expressions are constant when hardware is built."""

    def __init__(self, source):
        self.source = source
        self.values = {}  # id of a local constant, or a constant reference → its initial value

    def is_constant(self, node):
        """Whether an expression consists of literals, constants and template parameters."""
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
        """Whether an expression consists of these operators, constants, and operands that `is_part` accepts."""
        node = stripped(node)
        if node["kind"] in operators:
            return all(self.is_made_of(child, is_part, operators) for child in children(node))
        return is_part(node) or self.is_constant(node)

    def is_of_module(self, node):
        """Whether an expression is a constant of the module, or a part of one."""
        if node["kind"] != "MemberExpr":
            return False
        of = stripped(children(node)[0])
        if of["kind"] != "CXXThisExpr":
            return self.is_of_module(of)
        field = node["referencedMemberDecl"]
        return is_const(type_of(self.source.declared.get(field, {}))) and is_module(self.source, self.source.owner.get(field, ""))

    def is_bound(self, node):
        """Whether an expression may be the bound of a loop: a constant, a constant of the module, or a parameter."""

        def is_part(node):
            if node["kind"] == "MemberExpr":
                return self.is_of_module(node) or is_part(stripped(children(node)[0]))
            named = node["referencedDecl"] if node["kind"] == "DeclRefExpr" else {}
            if named.get("id") in self.values:
                return self.is_bound(self.values[named["id"]])
            return named.get("kind") == "ParmVarDecl"

        return self.is_made_of(node, is_part, ("BinaryOperator", "ConditionalOperator", "CXXConstructExpr"))

    def is_fixed(self, node):
        """Whether a condition is fixed when hardware is built: it consists of constants, including those of the module."""
        return self.is_made_of(node, self.is_of_module, ("BinaryOperator",))

    def parameters_in(self, node):
        """Ids of the function parameters in an expression, also through local constants."""
        node = stripped(node)
        if node["kind"] == "DeclRefExpr":
            named = node["referencedDecl"]
            if named["id"] in self.values:
                return self.parameters_in(self.values[named["id"]])
            return {named["id"]} if named["kind"] == "ParmVarDecl" else set()
        return {parameter for child in children(node) for parameter in self.parameters_in(child)}
