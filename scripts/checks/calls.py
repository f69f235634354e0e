# SPDX-License-Identifier: Apache-2.0
"""Analysis of all calls together: recursive functions, and loops whose bound is an argument."""


def recursive(reached):
    """Functions that call themselves, directly or through others. `reached`: id → (ids of the functions that it calls, …)."""
    for function in reached:
        seen, waiting = set(), list(reached[function][0])
        while waiting:
            called = waiting.pop()
            if called not in seen:
                seen.add(called)
                waiting += reached.get(called, ((), ()))[0]
        if function in seen:
            yield function


def bounding(bounds, arguments, constants):
    """Ids of the parameters that are bounds of loops, in the function itself or in functions that it calls.

    `bounds`: expressions between which loops count; `arguments`: (parameter, argument) of every call."""
    found = {parameter for bound in bounds for parameter in constants.parameters_in(bound)}
    handed = True
    while handed:
        handed = {passed for parameter, argument in arguments if parameter["id"] in found
                  for passed in constants.parameters_in(argument)} - found
        found |= handed
    return found
