# SPDX-License-Identifier: Apache-2.0
"""Recognizes `for` loops that count, and their bounds."""
from checks.expressions import callee, changed, counts, every, named_by, only_read
from checks.syntax import children, stripped, type_of

COMPARISONS = ("<", "<=", ">", ">=", "!=")


def is_thread(node):
    """Whether a loop is `while (true)` with a wait(): the loop of a clocked thread."""
    condition, body = children(node)
    return condition["kind"] == "CXXBoolLiteralExpr" and any(
        child["kind"] == "CXXMemberCallExpr" and callee(child).get("name") == "wait" for child in every(body))


def start(head, counter):
    """The initial value of a loop's counter in its head; None: it declares no counter, or a reference to one."""
    for variable in children(head):
        if variable["kind"] == "VarDecl" and variable["id"] in counter and not type_of(variable).endswith("&"):
            return (children(variable) or [None])[0]
    return None


def end(condition, counter):
    """The bound of a loop's counter; None: its condition does not compare the counter."""
    condition = stripped(condition) if condition else {}
    if condition.get("kind") == "BinaryOperator" and condition["opcode"] in COMPARISONS:
        left, right = children(condition)
        return right if named_by(left) & counter else left if named_by(right) & counter else None
    return None


def fault(node, constants):
    """(violation of a `for`, the expressions between which it counts)."""
    head, _, condition, step, body = node["inner"]
    if step.get("kind") != "UnaryOperator" or not counts(step):
        return "a for loop whose step is not one", ()
    counter = changed(step)
    bounds = [start(head, counter), end(condition, counter)]
    if None in bounds:
        return "a for loop without a counter that is compared with a bound", ()
    if not all(constants.is_bound(bound) for bound in bounds):
        return "a for loop from or up to data", ()
    return None if only_read(head, counter) and only_read(body, counter) else "a for loop whose body changes the counter", bounds
