# SPDX-License-Identifier: Apache-2.0
"""What only all calls together tell: functions that call themselves, and loops whose bound a caller hands over."""
from checks.expressions import is_bound
from checks.syntax import children, stripped


def recursive(reached):
    """Functions that call themselves, through others or not. `reached`: id → (ids of what it calls, …)."""
    for function in reached:
        seen, waiting = set(), list(reached[function][0])
        while waiting:
            called = waiting.pop()
            if called not in seen:
                seen.add(called)
                waiting += reached.get(called, ((), ()))[0]
        if function in seen:
            yield function


def parameters_in(node, values):
    """Identities of the parameters of a function that an expression is made of, by way of local constants, too."""
    node = stripped(node)
    if node["kind"] == "DeclRefExpr":
        named = node["referencedDecl"]
        if named["id"] in values:
            return parameters_in(values[named["id"]], values)
        return {named["id"]} if named["kind"] == "ParmVarDecl" else set()
    return {parameter for child in children(node) for parameter in parameters_in(child, values)}


def data_as_bounds(bounds, arguments, values):
    """Arguments that are data, where the parameter is the bound of a loop, in what is called or in what that calls.

    `bounds`: expressions up to which loops count; `arguments`: (parameter, argument) of every call."""
    bounding = {parameter for bound in bounds for parameter in parameters_in(bound, values)}
    handed = True
    while handed:
        handed = {passed for parameter, argument in arguments if parameter["id"] in bounding
                  for passed in parameters_in(argument, values)} - bounding
        bounding |= handed
    for parameter, argument in arguments:
        if parameter["id"] in bounding and not is_bound(argument, values):
            yield parameter, argument
