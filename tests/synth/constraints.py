#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the constraints match the RTL, and that those of networks match the tops that the command WEFT writes.
Also checks that synth/sdc/check.py detects a port that does not exist, a missing one, an unchecked reset, a clock
with another name, halves of a FIFO that take more than a period, another unit, an incomplete file, and a top without
a file. Exit status 1 if a check fails.

    constraints.py WEFT"""

import subprocess
import sys
import tempfile
from pathlib import Path

SDC = Path(__file__).resolve().parent.parent.parent / "synth" / "sdc"
# File, a text in it, its replacement, and the expected report of the check for that file.
PLANTED = (
    ("weft_link.sdc", "credit_i*", "credits_i*", "port 'credits_i*' not found"),
    ("weft_router.sdc", "credit_o* flit_o*", "flit_o*", "output credit_o has no delay"),
    ("weft_nic.sdc", "tick_i ", "", "input tick_i has no delay"),
    ("weft_compressor.sdc", "-clock clk", "-clock clock", "'clock'"),
    ("weft_async_fifo.sdc", "[get_clocks read_clk]", "[get_clocks {read_clk]", "incomplete command"),
    ("weft_async_fifo_sink.sdc", "set_input_delay $weft_handover", "set_input_delay $weft_outside",
     "async_write may take 5.60 ns in both halves together, but the period is 3.1"),
    ("weft_async_fifo_source.sdc", "[expr {$weft_crossing - $weft_handover}]", "$weft_outside",
     "async_data may take 5.60 ns in both halves together, but the period is 3.1"),
    ("weft_crossbar.sdc", "{rst_ni ", "{", "input rst_ni has no delay"),
    ("weft_ejector.sdc", "\nset_output", "\nset_false_path -from [get_ports rst_ni]\nset_output",
     "rst_ni is not checked for recovery"),
    ("weft_injector.sdc", "\nset_output", "\nset_false_path -hold -from [get_ports rst_ni]\nset_output",
     "rst_ni is not checked for removal"),
    ("weft_input_unit.sdc", "-time ns", "-time ps", "does not match library scale"),
)
MISSING = ("weft_xor_encoder.sdc", "is missing")
# Networks: configuration, the modules at the nodes, a text in the constraints, its replacement, and the expected
# report.
NETWORKS = (
    ("topology: {shape: [2, 2]}", [], "flit_i* ", "", "input flit_i has no delay"),
    ("topology: {kind: fat_tree, children: [2, 2], parents: [1, 2]}", ["--nics", "streams", "--set",
     "nic.ejection_depth=4", "--set", "nic.coding.enabled=true"], "flush_i* ", "", "input flush_i has no delay"),
    ("topology: {shape: [2, 1]}", ["--nics", "axi", "--set", "nic.ejection_depth=4"], "m_axis_tid_o*", "m_axis_tid*",
     "differs from the output of make.py for its top"),
)


def check(*arguments):
    done = subprocess.run([sys.executable, "-B", SDC / "check.py", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def found(said, name, expected):
    return any(f"{name}: " in line and expected in line for line in said.splitlines())


def replace(path, old, new, to):
    text = path.read_text()
    assert old in text, (path, old)
    to.write_text(text.replace(old, new))


def wrong_of_rtl():
    """Unexpected and missing reports of the check for the constraints of rtl/."""
    status, said = check()
    if status != 0:
        yield said
    with tempfile.TemporaryDirectory() as folder:
        for name, old, new, _ in PLANTED:
            replace(SDC / name, old, new, Path(folder) / name)
        _, said = check(folder)
    for name, expected in [*((name, expected) for name, *_, expected in PLANTED), MISSING]:
        if not found(said, name, expected):
            yield f"{name}: the report does not contain {expected!r}:\n{said}"


def wrong_of_network(weft, network, options, old, new, expected):
    """The same for a network."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "run.yaml").write_text(f"network: {{{network}}}\n")
        subprocess.run([weft, "topology", "run.yaml", "--verilog", "top", *options], cwd=folder, check=True)
        status, said = check("--network", folder / "top")
        if status != 0:
            yield said
        (constraints,) = (folder / "top").glob("*.sdc")
        replace(constraints, old, new, constraints)
        _, said = check("--network", folder / "top")
        if not found(said, constraints.name, expected):
            yield f"{network}: the report does not contain {expected!r}:\n{said}"


def main():
    weft = Path(sys.argv[1]).resolve()
    wrong = [*wrong_of_rtl(), *(what for network in NETWORKS for what in wrong_of_network(weft, *network))]
    for what in wrong:
        print(what)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
