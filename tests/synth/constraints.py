#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The constraints fit the RTL, and synth/sdc/check.py finds a port that there is not, one that is forgotten, a clock of
another name, and a file that breaks off. Exit status 1 if not."""

import subprocess
import sys
import tempfile
from pathlib import Path

SDC = Path(__file__).resolve().parent.parent.parent / "synth" / "sdc"
# File, a text in it, what to put there, and what the check must say of that file.
PLANTED = (
    ("weft_link.sdc", "credit_i*", "credits_i*", "port 'credits_i*' not found"),
    ("weft_router.sdc", "flit_o* credit_o*", "flit_o*", "output credit_o has no delay"),
    ("weft_nic.sdc", "tick_i ", "", "input tick_i has no delay"),
    ("weft_compressor.sdc", "-clock clk", "-clock clock", "'clock'"),
    ("weft_async_fifo.sdc", "[get_clocks read_clk]", "[get_clocks {read_clk]", "incomplete command"),
)


def check(folder):
    done = subprocess.run([sys.executable, "-B", SDC / "check.py", folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def main():
    status, said = check(SDC)
    print(said, end="")
    wrong = status != 0
    with tempfile.TemporaryDirectory() as folder:
        for name, old, new, _ in PLANTED:
            text = (SDC / name).read_text()
            assert old in text, (name, old)
            (Path(folder) / name).write_text(text.replace(old, new))
        status, said = check(folder)
    for name, old, new, expected in PLANTED:
        if status != 1 or not any(f"{name}: " in line and expected in line for line in said.splitlines()):
            print(f"{name}, {old!r} -> {new!r}: exit status {status}, not a word of {expected!r}:\n{said}")
            wrong = True
    return wrong


if __name__ == "__main__":
    sys.exit(main())
