# SPDX-License-Identifier: Apache-2.0
"""Properties of C++ expressions in clang's dump."""
import re

from checks.syntax import children, stripped, type_of

ASSIGNING = re.compile(r"operator(|[-+*/%&|^]|<<|>>)=")
REINTERPRETING = ("BitCast", "LValueBitCast", "LValueToRValueBitCast", "IntegralToPointer", "PointerToIntegral", "BaseToDerived")


def every(node):
    yield node
    for child in children(node):
        yield from every(child)


def assignments_in(node):
    """The assignments that the evaluation of an expression makes."""
    if assigns(node):
        yield node
    for child in children(node) if node["kind"] != "LambdaExpr" else ():
        yield from assignments_in(child)


def assigns(node):
    node = stripped(node)
    if node["kind"] == "CXXOperatorCallExpr":
        return ASSIGNING.fullmatch(callee(node).get("name", "")) is not None
    return node["kind"] == "CompoundAssignOperator" or (node["kind"] == "BinaryOperator" and node["opcode"] == "=")


def counts(node):
    if node["kind"] == "CXXOperatorCallExpr":
        return callee(node).get("name") in ("operator++", "operator--")
    return node["kind"] == "UnaryOperator" and node["opcode"] in ("++", "--")


def changed(node):
    """Ids of the variables that an expression changes itself: it assigns to them, or counts them."""
    node = stripped(node)
    if assigns(node) or counts(node):
        return named_by(children(node)[1 if node["kind"] == "CXXOperatorCallExpr" else 0])
    return set()


def named_by(node):
    """Id of the variable that an expression is, or is a part of."""
    node = stripped(node)
    while node["kind"] == "MemberExpr":
        node = stripped(children(node)[0])
    return {node["referencedDecl"]["id"]} if node["kind"] == "DeclRefExpr" else set()


def only_read(node, variables):
    """Whether a statement only reads the values of these variables: it does not change one, or bind a reference to it."""
    for child in children(node):
        if child["kind"] == "DeclRefExpr" and child["referencedDecl"]["id"] in variables:
            kind = node.get("castKind")
            if kind not in ("LValueToRValue", "ToVoid") and not (kind == "NoOp" and type_of(node).startswith("const ")):
                return False
        elif not only_read(child, variables):
            return False
    return True


def callee(call):
    """The declaration of the called function, as far as clang's dump contains it: id, name."""
    if not children(call):
        return {}
    named = stripped(children(call)[0])
    if named["kind"] == "MemberExpr":
        return {"id": named["referencedMemberDecl"], "name": named["name"]}
    return named.get("referencedDecl", {})


def is_changeable(name):
    """Whether a parameter or a variable is a reference to a non-const object."""
    kind = type_of(name)
    return kind.endswith("&") and not kind.startswith("const ")


def is_const_method(call):
    """Whether the called method is const: then clang casts the object to const."""
    return type_of(children(stripped(children(call)[0]))[0]).startswith("const ")


def returned(function):
    """The return type of a function."""
    kind = type_of(function)
    return kind.rpartition(" -> ")[2] if kind.startswith("auto ") else kind.split("(")[0].strip()


def is_made_by_compiler(function):
    return bool(function.get("isImplicit") or function.get("explicitlyDefaulted"))


def parameters_of(function):
    return [child for child in children(function) if child["kind"] == "ParmVarDecl"]


def is_indexed(node):
    """Whether an expression is an element of an array (of ports, of a memory), a part of an element, or a value read from one."""
    node = stripped(node)
    if node["kind"] == "ConditionalOperator":
        return any(is_indexed(choice) for choice in children(node)[1:])
    while node["kind"] == "MemberExpr" and stripped(children(node)[0])["kind"] != "CXXThisExpr":
        node = stripped(children(node)[0])
    if node["kind"] == "CXXMemberCallExpr" and callee(node).get("name") == "read":
        node = stripped(children(stripped(children(node)[0]))[0])
    return node["kind"] == "ArraySubscriptExpr" or (node["kind"] == "CXXOperatorCallExpr" and callee(node).get("name") == "operator[]")


def reinterprets(cast):
    """Whether a cast reinterprets bits as another type, or removes const."""
    before = children(cast)[0]
    loses_const = cast.get("valueCategory") == before.get("valueCategory") == "lvalue" and (
        type_of(before).startswith("const ") and not type_of(cast).startswith("const "))
    return cast.get("castKind") in REINTERPRETING or loses_const
