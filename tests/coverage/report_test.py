#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that tb/coverage/report.py sums the models' files and detects planted faults: an uncovered point, a covered
point that is listed as unreachable, and an empty folder. Exit status 1 if it does not."""

import subprocess
import sys
import tempfile
from pathlib import Path

REPORT = Path(__file__).resolve().parent.parent.parent / "tb" / "coverage" / "report.py"
LINES = ("module weft_example;", "if (a) begin", "b = c;", "`WEFT_COVER(Full, full, \"it is full\")", "endmodule")


def point(rtl, line, kind, name, count, parameters=""):
    fields = {"f": f"{rtl}/nic/weft_example.sv", "l": line, "n": 3, "page": f"v_{kind}/weft_example{parameters}", "o": name,
              "h": "top.weft_example"}
    return "C '" + "".join(f"\x01{key}\x02{value}" for key, value in fields.items()) + f"' {count}\n"


def main():
    failed = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        rtl, written, unreached = folder / "rtl", folder / "written", folder / "unreached.tsv"
        (rtl / "nic").mkdir(parents=True)
        written.mkdir()
        (rtl / "nic" / "weft_example.sv").write_text("\n".join(LINES) + "\n")
        reason = f"nic/weft_example.sv\telse\t{LINES[1]}\tit cannot be\n"

        def expect(what, status, printed, listed=""):
            unreached.write_text("# file\tkind\ttext\twhy\n" + listed)
            done = subprocess.run([sys.executable, "-B", REPORT, written, "--rtl", rtl, "--unreached", unreached],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode != status or printed not in done.stdout:
                failed.append(f"{what}: status {done.returncode}, {done.stdout}")

        expect("no files", 1, "run the tests first")
        # One parameter set covers what another one does not.
        (written / "1.dat").write_text(point(rtl, 2, "branch", "if", 0) + point(rtl, 2, "branch", "else", 7)
                                       + point(rtl, 4, "user", "cover", 2) + point("/elsewhere", 2, "branch", "if", 0))
        (written / "2.dat").write_text(point(rtl, 2, "branch", "if", 3, "__W8"))
        expect("all is reached", 0, "| example | 2 | 2 |  | 1 | 1 |")
        expect("a reason too many", 1, "it is reached, or gone", reason)
        (written / "1.dat").write_text(point(rtl, 2, "branch", "else", 0) + point(rtl, 4, "user", "cover", 0))
        expect("a branch is not reached", 1, f"not reached: rtl/nic/weft_example.sv:2: else: {LINES[1]}")
        expect("a cover point is not reached", 1, f"weft_example.sv:4: cover: {LINES[3]}", reason)
        (written / "1.dat").write_text(point(rtl, 2, "branch", "else", 0))
        expect("it is out of reach", 0, "| example | 2 | 1 | 1 |  |  |", reason)
    print("\n".join(failed) or "every planted gap is found")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
