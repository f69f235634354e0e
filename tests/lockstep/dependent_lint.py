#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks Verilator's warnings about a design that depends on rtl/weft.core: none about Weft's modules, all about its
own.

The files are those that FuseSoC passes to Verilator for a core that depends on Weft: the file sets of the default
target. Exit status 1 if a warning is missing or surplus."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RTL = ROOT / "rtl"


def files_of_default_target():
    """Waivers and sources of the default target of rtl/weft.core; waivers first, as FuseSoC's backend has them."""
    text = (RTL / "weft.core").read_text(encoding="utf-8")
    filesets = text[text.index("filesets:"):text.index("targets:")]
    names = re.findall(r"\w+", re.search(r"default: .*?filesets: \[(.*?)\]", text, re.DOTALL).group(1).replace(
        "tool_verilator ?", ""))
    files = {name: re.findall(r"^      - (\S+\.(?:sv|vlt))$", body, re.MULTILINE)
             for name, body in re.findall(r"^  (\w+):\n((?:    .*\n)+)", filesets, re.MULTILINE)}
    listed = [RTL / file for name in names for file in files[name]]
    return sorted(listed, key=lambda file: file.suffix != ".vlt")


def warnings_of(top, *options):
    done = subprocess.run(["verilator", "--lint-only", "-Wall", "--assert", *options, f"-I{RTL}", *files_of_default_target(),
                           Path(__file__).with_name(f"{top}.sv"), "--top-module", top],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return sorted(set(re.findall(r"^%Warning-(\w+)", done.stdout, re.MULTILINE))), done


def main():
    expected = [("dependent", (), []), ("dependent", ("+define+WEFT_SYNC_RESET",), []),
                ("dependent", ("+define+SYNTHESIS",), []),
                ("dependent_mistake", (), ["SYNCASYNCNET", "UNUSEDSIGNAL"]),
                ("dependent_mistake", ("+define+SYNTHESIS",), ["SYNCASYNCNET", "UNUSEDSIGNAL"])]
    failed = 0
    for top, options, kinds in expected:
        found, done = warnings_of(top, *options)
        if found != kinds or (not kinds and done.returncode != 0):
            failed += 1
            print(f"{top} {' '.join(options)}: expected warnings {kinds}, found {found}:\n{done.stdout}")
    print(f"{len(expected)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
