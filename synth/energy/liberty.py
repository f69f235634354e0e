# SPDX-License-Identifier: Apache-2.0
"""Reads cell libraries (Liberty), and writes one smaller library for Yosys, ABC and OpenSTA.

The smaller library has only the cells that the technology uses, without current-source models, and without the internal
power of the ground pin: where a library gives internal power for both supply pins (ASAP7), the same charge flows through
both, so their sum counts it twice.
"""

import gzip
import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z0-9_.$+\-*!&|^\[\]<>%/]+|[(){}:;,\']', re.S)
DROPPED = {"output_current_rise", "output_current_fall", "receiver_capacitance", "receiver_capacitance1_rise",
           "receiver_capacitance1_fall", "receiver_capacitance2_rise", "receiver_capacitance2_fall", "ccsn_first_stage",
           "ccsn_last_stage", "leakage_current", "output_current_template", "define", "dc_current",
           "normalized_driver_waveform", "dynamic_current", "intrinsic_parasitic", "gate_leakage", "library_features"}


@dataclass
class Group:
    """A group of a Liberty file: `name (arguments) { attributes, groups }`."""
    name: str
    arguments: list
    attributes: list = field(default_factory=list)  # (name, value) or (name, list of values)
    groups: list = field(default_factory=list)

    def of(self, name):
        return [group for group in self.groups if group.name == name]

    def get(self, name, default=None):
        return next((value for key, value in self.attributes if key == name), default)


def _statement(tokens, at, parent):
    """Reads one statement. Returns the position behind it."""
    name = tokens[at]
    if tokens[at + 1] == ":":
        end = tokens.index(";", at)
        parent.attributes.append((name, " ".join(tokens[at + 2:end])))
        return end + 1
    if tokens[at + 1] != "(":
        return at + 1
    end = tokens.index(")", at)
    arguments = [token for token in tokens[at + 2:end] if token != ","]
    at = end + 1
    if at < len(tokens) and tokens[at] == "{":
        group = Group(name, arguments)
        at += 1
        while tokens[at] != "}":
            at = _statement(tokens, at, group)
        if name not in DROPPED:
            parent.groups.append(group)
        return at + 1
    if name not in DROPPED:
        parent.attributes.append((name, arguments))
    return at + 1 if at < len(tokens) and tokens[at] == ";" else at


def read(path):
    """The library group of a file, which may be compressed."""
    with (gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)) as file:
        text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S).replace("\\\n", " ")
    text = re.sub(r"^(\s*\w+\s*:\s*[^;{}\n]+?)[ \t]*$", r"\1;", text, flags=re.M)  # ASAP7 omits some semicolons
    tokens = TOKEN.findall(text)
    root = Group("", [])
    at = 0
    while at < len(tokens):
        at = _statement(tokens, at, root)
    return root.of("library")[0]


def _lines(group, indent):
    pad = "  " * indent
    arguments = ", ".join(group.arguments)
    yield f"{pad}{group.name} ({arguments}) {{"
    last = [entry for entry in group.attributes if entry[0] == "default_operating_conditions"]
    for name, value in group.attributes:
        if name == "default_operating_conditions":
            continue
        if isinstance(value, list):
            yield f"{pad}  {name} ({', '.join(value)});"
        else:
            yield f"{pad}  {name} : {value};"
    for inner in group.groups:
        yield from _lines(inner, indent + 1)
    for name, value in last:  # after the group that it refers to
        yield f"{pad}  {name} : {value};"
    yield f"{pad}}}"


def _ground_power(group):
    pin = group.get("related_pg_pin", "").strip('"')
    return group.name in ("internal_power", "leakage_power") and pin in ("VSS", "VGND", "GND")


def merge(libraries, used):
    """One library of several with the same units; USED(name): whether a cell is used."""
    first = libraries[0]
    seen, merged = set(), Group("library", first.arguments, first.attributes)
    for library in libraries:
        for group in library.groups:
            key = (group.name, tuple(group.arguments))
            if key in seen or (group.name == "cell" and not used(group.arguments[0].strip('"'))):
                continue
            seen.add(key)
            merged.groups.append(group)
            if group.name == "cell":
                group.groups = [inner for inner in group.groups if not _ground_power(inner)]
                for pin in group.of("pin"):
                    pin.groups = [inner for inner in pin.groups if not _ground_power(inner)]
    return merged


def write(library, path):
    path.write_text("\n".join(_lines(library, 0)) + "\n")


def exchange_set_and_reset(library):
    """Exchanges clear and preset of flip-flops that store the inverted input. Yosys 0.23 connects the reset of such a cell
    (DFFASRHQN of ASAP7) to the set input, and a register would start with 1 instead of 0."""
    for cell in library.of("cell"):
        for group in cell.of("ff"):
            clear, preset = group.get("clear"), group.get("preset")
            if clear and preset and group.get("next_state").strip('"( ').startswith("!"):
                exchanged = {"clear": preset, "preset": clear}
                group.attributes = [(name, exchanged.get(name, value)) for name, value in group.attributes]
