#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the CMake list of the mutated netlists, and the C++ that makes the lockstep tests run on them.

    netlists.py OUT MODELS TABLE    MODELS is models.txt of tests/lockstep; TABLE is netlists.txt, which describes its rows

OUT has the files that models.py writes for models, here for netlists, and a header VMODEL.h for each replaced model. In
OUT/models.cmake, other_models are the models that the tests use besides the netlists.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests/lockstep"))
import models

REPLACEMENT = """// Made by tb/mutation/netlists.py.
#include "V{netlist}.h"
#include "tb/mutation/mutant.h"
using V{original} = weft::mutation::mutant<V{netlist}>;
"""


def netlist_of(section, row, originals):
    mutated, name, permille, test, *words = row
    module = mutated.split(".")[0]
    library = f"mutant_{module}_{name}"
    is_variant = test == "-"
    original = f"{module}_{name}" if is_variant else replaced_by(module, name)
    parameters = models.parameters_of(words) if words else originals[original].parameters
    suite, case = (f"lockstep_{module}", name) if is_variant else test.split(".")
    add = models.command("add_netlist", library, mutated, permille, suite, case, *models.verilog(parameters))
    return models.Model(section, False, module, name, is_variant, parameters, library,
                        [f"V{library}.h", "tb/mutation/mutant.h"], f"mutation::mutant<V{library}>", [add])


def replaced_by(module, name):
    """The model that the netlist of_NAME replaces."""
    return module + name.removeprefix("of")


def main(out, table_of_models, table):
    originals = {model.library: model for model in models.models_of(table_of_models)}
    netlists = [netlist_of(section, row, originals) for section, row in models.rows(table)]
    replaced = {replaced_by(netlist.module, netlist.name): netlist for netlist in netlists if not netlist.is_variant}
    for original, netlist in replaced.items():
        models.write(out / f"V{original}.h", REPLACEMENT.format(netlist=netlist.library, original=original))
    mutated = {netlist.module for netlist in netlists}
    # The test of the router also includes other headers of the models that are replaced.
    other = [model.library for model in originals.values() if model.module in mutated and not model.is_variant
             and (model.library not in replaced or model.module == "router")]
    models.write_models(out, netlists, [models.command("set", "other_models", *other)])


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3])
