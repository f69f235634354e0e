# SPDX-License-Identifier: Apache-2.0
"""What an expression of C++ is, as clang's dump of it tells."""
from checks.syntax import children, stripped, type_of


def assigns(node):
    node = stripped(node)
    if node["kind"] == "CXXOperatorCallExpr":
        return callee(node).get("name") == "operator="
    return node["kind"] == "CompoundAssignOperator" or (node["kind"] == "BinaryOperator" and node["opcode"] == "=")


def changed(node):
    """The variables that an expression changes itself, by identity: it assigns to them, or counts them."""
    node = stripped(node)
    if assigns(node) or (node["kind"] == "UnaryOperator" and node["opcode"] in ("++", "--")):
        of = stripped(children(node)[1 if node["kind"] == "CXXOperatorCallExpr" else 0])
        if of["kind"] == "DeclRefExpr":
            return {of["referencedDecl"]["id"]}
    return set()


def callee(call):
    """The declaration that a call names, as far as clang tells: id, name."""
    named = stripped(children(call)[0])
    if named["kind"] == "MemberExpr":
        return {"id": named["referencedMemberDecl"], "name": named["name"]}
    return named.get("referencedDecl", {})


def is_changeable(parameter):
    """Whether a function may change what it is given for it."""
    kind = type_of(parameter)
    return parameter["kind"] == "ParmVarDecl" and kind.endswith("&") and not kind.startswith("const ")


def is_indexed(node):
    """Whether an expression is an element of several, a part of it, or what is read from one: of ports, of a memory."""
    node = stripped(node)
    while node["kind"] == "MemberExpr" and stripped(children(node)[0])["kind"] != "CXXThisExpr":
        node = stripped(children(node)[0])
    if node["kind"] == "CXXMemberCallExpr" and callee(node).get("name") == "read":
        node = stripped(children(stripped(children(node)[0]))[0])
    return node["kind"] == "ArraySubscriptExpr" or (node["kind"] == "CXXOperatorCallExpr" and callee(node).get("name") == "operator[]")


def is_constant(node, values):
    """Whether an expression is known when hardware is built: literals, constants, parameters of templates, and what is made of them.

    `values` has the initial value of each local constant by its identity."""
    node = stripped(node)
    if node["kind"].endswith("Literal") or node["kind"] == "CXXDefaultArgExpr":
        return True
    if node["kind"] == "DeclRefExpr":
        named = node["referencedDecl"]
        kind = named.get("type", {}).get("qualType", "")
        if named["id"] in values:
            return is_constant(values[named["id"]], values)
        return named["kind"] in ("EnumConstantDecl", "FunctionDecl") or (named["kind"] == "VarDecl" and kind.startswith("const "))
    if node["kind"] in ("BinaryOperator", "UnaryOperator", "ConditionalOperator", "CallExpr"):
        return all(is_constant(child, values) for child in children(node))
    return False


def is_made_of(node, is_part, operators, values):
    """Whether an expression is made by such operators of constants and of what `is_part` takes."""
    node = stripped(node)
    if node["kind"] in operators:
        return all(is_made_of(child, is_part, operators, values) for child in children(node))
    return is_part(node) or is_constant(node, values)


def is_bound(node, values):
    """Whether a loop may count up to it: a constant, a constant of the module, or what the caller says."""

    def is_part(node):
        if node["kind"] == "MemberExpr":
            return node["type"]["qualType"].startswith("const ")
        named = node["referencedDecl"] if node["kind"] == "DeclRefExpr" else None
        if named is not None and named["id"] in values:
            return is_bound(values[named["id"]], values)
        return named is not None and (named["kind"] == "ParmVarDecl" or named["type"]["qualType"].startswith("const "))

    return is_made_of(node, is_part, ("BinaryOperator", "ConditionalOperator"), values)


def is_fixed(node, values):
    """Whether a condition is known when hardware is built: made of constants, those of the module included."""

    def is_part(node):
        of_module = node["kind"] == "MemberExpr" and stripped(children(node)[0])["kind"] == "CXXThisExpr"
        return of_module and node["type"]["qualType"].startswith("const ")

    return is_made_of(node, is_part, ("BinaryOperator",), values)
