#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the CMake list of the verilated models in a table, and the C++ lists of the variants that tests run on.

    models.py OUT TABLE    TABLE is models.txt, which describes its rows

OUT/models.cmake adds the models and sets, for each SECTION, SECTION_models (their libraries) and SECTION_sources (the C++
lists OUT/SECTION/MODULEs.cpp). Section `soak` consists of all variants of the sections that have rows for the soak tests.
MODULE_names are the names of all variants of a module, in the order of that section.
"""

import collections
import dataclasses
import pathlib
import re
import sys

# The member of a variant (variants.h) that a parameter of the RTL determines.
MEMBERS = {"Words": "words = {}", "Classic": "codec.classic = {}", "Exact": "codec.exact = {}",
           "Table": "codec.table.runs = {{{}}}", "Depth": "depth = {}", "Packets": "packets = {}",
           "Overhead": "overhead = {}", "Entries": "entries = {}", "MostWords": "most_words = {}"}

# First template argument of the SystemC module around a model, with the number of words; {} for the other modules.
ARGUMENTS = {"compressor": "32 * {}, ", "decompressor": "32 * {}, ", "xor_encoder": "32 * {}, ",
             "xor_decoder": "32 * {}, ", "compression_selector": ""}

LIST = """// Made by tests/lockstep/models.py.
#include "lockstep/variants.h"

{includes}
#include "weft/cosim/verilated_modules.h"

namespace weft::lockstep {{

std::vector<variant> {module}s() {{
  std::vector<variant> all;
{variants}  return all;
}}

}}  // namespace weft::lockstep
"""

VARIANT = """  {{
    variant v;
    v.name = "{name}";
{members}    v.make = make_module<tb::verilated_{module}<{argument}{type}>>;
    all.push_back(std::move(v));
  }}
"""


@dataclasses.dataclass
class Model:
    section: str
    soak: bool  # only the soak tests build it
    module: str
    name: str
    is_variant: bool
    parameters: dict
    library: str
    headers: list
    type: str  # C++ class
    commands: list  # CMake commands that add the library


def rows(table):
    """(section, words) for each row of a table."""
    section = ""
    text = re.sub(r"#.*", "", pathlib.Path(table).read_text(encoding="utf-8"))
    for line in re.sub(r"\n +", " ", text).splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line:
            yield section, line.split()


def verilog(parameters):
    """The parameters as Verilator and Yosys read them. Each run length of a table has six bits."""
    for name, value in parameters.items():
        if name == "Table":
            value = f"36'd{sum(int(run) << 6 * i for i, run in enumerate(value.split(',')))}"
        yield f"{name}={value}"


def parameters_of(words):
    return dict(word.split("=", 1) for word in words if not word.startswith("+"))


def command(name, *arguments):
    """A command of CMake."""
    return f"{name}({' '.join(arguments)})"


def models_of(table):
    for section, (modules, name, *words) in rows(table):
        parameters = parameters_of(words)
        is_variant = name.startswith("k*")
        for module in modules.split(","):
            for width in parameters["Words"].split(",") if is_variant else [""]:
                own = {**parameters, "Words": width} if is_variant else parameters
                yield model_of(section, module, name.replace("*", width), is_variant, own, words)


def model_of(section, module, name, is_variant, parameters, words):
    section, _, soak = section.partition(" ")
    library = module if name == "-" else f"{module}_{name}"
    arguments = [word for word in words if word.startswith("+")]
    options = [*verilog(parameters), *(["ARGS"] if arguments else []), *arguments]
    if module == "router":
        commands = [command("weft_router_model", library, *options)]
    else:
        commands = [command("weft_verilate", library, "TOP", f"weft_{module}", "PARAMETERS", *options)]
    if soak:
        commands.append(command("set_target_properties", library, "PROPERTIES EXCLUDE_FROM_ALL ON"))
    return Model(section, bool(soak), module, name, is_variant, parameters, library, [f"V{library}.h"], f"V{library}", commands)


def variant_list(module, variants):
    includes = "".join(f'#include "{header}"\n' for v in variants for header in v.headers)
    text = ""
    for v in variants:
        members = "".join(f"    v.{MEMBERS[name].format(value)};\n" for name, value in v.parameters.items())
        argument = ARGUMENTS.get(module, "{}, ").format(v.parameters["Words"])
        text += VARIANT.format(name=v.name, members=members, module=module, argument=argument, type=v.type)
    return LIST.format(includes=includes, module=module, variants=text)


def write(path, text):
    """Leaves a file that has this text unchanged, so that nothing is compiled again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def sections_of(models):
    """The models of each section. The last one is `soak`."""
    sections = collections.defaultdict(list)
    for model in models:
        if not model.soak:
            sections[model.section].append(model)
    with_soak = {model.section for model in models if model.soak}
    sections["soak"] = [model for model in models if model.section in with_soak]
    return sections


def write_models(out, models, more=()):
    """Writes the C++ lists and OUT/models.cmake, with the commands MORE at its end."""
    commands = [line for model in models for line in model.commands]
    for section, members in sections_of(models).items():
        variants = collections.defaultdict(list)
        for model in members:
            if model.is_variant:
                variants[model.module].append(model)
        for module, of_module in variants.items():
            write(out / section / f"{module}s.cpp", variant_list(module, of_module))
            commands.append(command("set", f"{module}_names", *(variant.name for variant in of_module)))
        commands.append(command("set", f"{section}_models", *(model.library for model in members)))
        commands.append(command("set", f"{section}_sources", *(f"{out}/{section}/{module}s.cpp" for module in variants)))
    write(out / "models.cmake", "\n".join([*commands, *more, ""]))


if __name__ == "__main__":
    write_models(pathlib.Path(sys.argv[1]), list(models_of(sys.argv[2])))
