# SPDX-License-Identifier: Apache-2.0
"""Recognizes hardware modules and their parts."""
import re

from checks import tools
from checks.syntax import type_of
from checks.tree import Finding

SOURCE = "tests/levels/synthesis_subset.cpp"  # instantiates all hardware modules
SYSTEMC_TYPE = re.compile(r"\b(sc_core|sc_dt)::")


def is_plain(source, kind):
    """Whether a field of type `kind` holds a value that processes can write."""
    names = source.record_names(kind)
    if kind.startswith("const ") or "sc_core::" in kind or any(is_module(source, name) for name in names):
        return False
    return not names or any(is_plain(source, type_of(field)) for name in names for field in source.fields(name))


def bases(source, name):
    return [base["type"].get("desugaredQualType", base["type"]["qualType"]) for base in source.records[name].get("bases", ())]


def is_module(source, name):
    return any("sc_core::sc_module" in base or any(is_module(source, other) for other in source.record_names(base))
               for base in bases(source, name))


def lineage(source, name):
    """The bases of a module or record, and itself: hardware has the fields and processes of all of them."""
    for base in (other for text in bases(source, name) for other in source.record_names(text)):
        yield from lineage(source, base)
    yield name


def is_virtual(source, function):
    """Whether a function, or one that it overrides, is declared virtual."""
    node = source.declared[function]
    return node["kind"] == "CXXMethodDecl" and any(
        method.get("virtual") and (method["name"], method["type"]["qualType"]) == (node["name"], node["type"]["qualType"])
        for part in lineage(source, source.owner[function]) for method in source.methods(part))


def simulation_only(tree):
    """Headers whose comment contains "Simulation only": they are not hardware."""
    return [path for path in tree.named(".h", under="systemc/weft/pin/")
            if "Simulation only" in tree.text(path).split("#pragma once")[0]]


def modules_left_out(tree):
    """Headers with a hardware module that SOURCE does not instantiate."""
    seen = tools.closure(tree, SOURCE) | set(simulation_only(tree))
    for path in tree.named(".h", under="systemc/weft/pin/"):
        module = re.search(r"^class (\w+) : public (sc_core::sc_module|\w+<PayloadBits>)", tree.text(path), re.MULTILINE)
        if module and path not in seen:
            yield Finding(path, 0, f"{SOURCE} does not include the module {module[1]}", "Instantiate it there")
