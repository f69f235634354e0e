#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the constraints of every top of rtl/ from the ports that it declares: *.sdc in this folder."""

import re
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
RTL = HERE.parent.parent / "rtl"

# Modules that are not tops, and the reason.
PARTS = {
    "weft_fpc_measure": "of the FPC decoders",
    "weft_fpc_lookahead": "of the decompressor",
    "weft_lsb_cut_plan": "of the LSB-cut decoder",
    "weft_lsb_cut_reader": "of the LSB-cut decoder",
    "weft_bit_window": "of unpacker and decompressor",
    "weft_packet_memory": "a memory, which a library has in its place",
    "weft_xor_names": "of the XOR decoder",
    "weft_round_robin_arbiter": "of allocators and NIC",
    "weft_send_path": "of the NIC",
    "weft_receive_path": "of the NIC",
    "weft_synchroniser": "of the asynchronous FIFO; its input is of another clock",
    "weft_input_port": "of the input unit",
    "weft_grid_route": "of route computation",
    "weft_tree_route": "of route computation",
    "weft_cube_route": "of route computation",
}

# Inputs that do not change while the network runs.
CONSTANT = ("depth_i", "phits_i", "rule_i", "path_ids_i")

# Ports of tops with two clocks. A clock without a port is that of the other half.
TWO_CLOCKS = {
    "weft_async_fifo": {"write_clk": "write_clk_i write_rst_ni valid_i ready_o data_i",
                        "read_clk": "read_clk_i read_rst_ni valid_o ready_i data_o"},
    "weft_async_fifo_source": {"write_clk": "clk_i rst_ni valid_i ready_o data_i",
                               "read_clk": "async_data_o async_write_o async_read_i"},
    "weft_async_fifo_sink": {"write_clk": "async_data_i async_write_i async_read_o",
                             "read_clk": "clk_i rst_ni valid_o ready_i data_o"},
}
HALF_TO_HALF = "async_"  # prefix of ports between the halves
PERIODS = {"clk": 3.1, "write_clk": 3.1, "read_clk": 3.7}

HEAD = """# SPDX-License-Identifier: Apache-2.0
# Constraints of {top}, made by synth/sdc/make.py: see README.md there.
set_units -time ns
"""
CONSTANTS = """
# Constant while the network runs.
set_false_path -from [get_ports {ports}]
"""
CROSSING = """
# Between the clocks: their edges have no relation. The bits of a pointer must arrive within one period, so that at most
# one appears to change at a time, and data must arrive before the pointer that announces them.
set_max_delay $weft_crossing -ignore_clock_latency -from [get_clocks write_clk] -to [get_clocks read_clk]
set_max_delay $weft_crossing -ignore_clock_latency -from [get_clocks read_clk] -to [get_clocks write_clk]
set_false_path -hold -from [get_clocks write_clk] -to [get_clocks read_clk]
set_false_path -hold -from [get_clocks read_clk] -to [get_clocks write_clk]
"""


def modules():
    """The modules of rtl/files.f, and their files."""
    return {Path(line).stem: RTL / line for line in (RTL / "files.f").read_text().split()
            if line.endswith(".sv") and line != "weft_pkg.sv"}


def tops():
    """The modules that a user may instantiate as a top."""
    return [name for name in modules() if name not in PARTS]


def ports_in(text):
    """Inputs and outputs of the module in a text, as patterns of get_ports: vectors and structs end in a star."""
    declared = re.findall(r"^  (input|output) +(?:wire )?(logic|\w+::\w+) +(\[.*\])? *(\w+),?(?: *//.*)?$", text, re.MULTILINE)
    return {direction: [name + ("*" if vector or kind != "logic" else "") for way, kind, vector, name in declared
                        if way == direction] for direction in ("input", "output")}


def delay(way, clock, ports):
    """The delay command for these ports of a clock, on several lines if it is long."""
    outside = "$weft_outside"
    if ports[0].startswith(HALF_TO_HALF):
        outside = "$weft_handover" if way == "input" else "[expr {$weft_crossing - $weft_handover}]"
    command = f"set_{way}_delay {outside} -clock {clock} [get_ports {braced(ports)}]\n"
    if len(command) <= 121:
        return command
    names = textwrap.fill(" ".join(ports), 120, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return command.replace(braced(ports), f"{{\n{names}\n}}")


def braced(ports):
    return ports[0] if len(ports) == 1 else f"{{{' '.join(ports)}}}"


def constraints_of(top, ports):
    """The text of the file for a top with these ports."""
    every = [port for ports_of_way in ports.values() for port in ports_of_way]
    clocks = {clock: names.split() for clock, names in TWO_CLOCKS.get(top, {"clk": " ".join(every).replace("*", "")}).items()}
    constant = [port for port in every if port.rstrip("*") in CONSTANT]
    period = {clock: f"weft_{clock}".removesuffix("clk") + "period" for clock in clocks}
    text = HEAD.format(top=top)
    defaults = [*((period[clock], PERIODS[clock]) for clock in clocks), ("weft_outside", 0.3)]
    for name, value in defaults:
        text += f"if {{![info exists {name}]}} {{ set {name} {value} }}\n"
    if len(clocks) == 2:
        text += "set weft_crossing [expr {min($weft_write_period, $weft_read_period)}]\n"
    if any(port.startswith(HALF_TO_HALF) for port in every):
        text += "if {![info exists weft_handover]} { set weft_handover [expr {$weft_crossing / 2.0}] }\n"
    text += "\n"
    for clock, names in clocks.items():
        ticks = [name for name in names if name.endswith("clk_i")]
        text += f"create_clock -name {clock} -period ${period[clock]}" + (f" [get_ports {ticks[0]}]\n" if ticks else "\n")
    for clock, names in clocks.items():
        for way, of_way in ports.items():
            timed = [port for port in of_way if port.rstrip("*") in names and port not in constant and not port.endswith("clk_i")]
            if timed:
                text += delay(way, clock, timed)
    if constant:
        text += CONSTANTS.format(ports=braced(constant))
    return text + (CROSSING if len(clocks) == 2 else "")


def made():
    """Path and text of each file."""
    files = modules()
    return {HERE / f"{top}.sdc": constraints_of(top, ports_in(files[top].read_text())) for top in tops()}


def main():
    for path, text in made().items():
        path.write_text(text)


if __name__ == "__main__":
    main()
