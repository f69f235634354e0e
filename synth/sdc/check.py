#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Constraints against the RTL: check.py [FOLDER of *.sdc, this one]. OpenSTA reads each file with the ports of its top, as
Yosys finds them: every name is that of a port, and every input and output has a delay, but for resets and constants.
Exit status 1 if not. Needs yosys and sta (Debian: yosys, opensta)."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RTL = HERE.parent.parent / "rtl"


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"check.py: {command[0]} failed:\n{done.stdout}")
    return done.stdout


def ports_of(tops, folder):
    """Of each top its ports as Yosys writes them in JSON."""
    files = " ".join(str(RTL / line) for line in (RTL / "files.f").read_text().split() if line.endswith(".sv"))
    script = [f"read_verilog -sv -defer -I{RTL} {RTL / 'weft_pkg.sv'}",
              f"read_verilog -sv -defer -I{RTL} {files.replace(str(RTL / 'weft_pkg.sv'), '')}", "design -save all"]
    for top in tops:
        script += ["design -load all", f"hierarchy -check -top {top}", "blackbox *", f"write_json {top}.json"]
    (folder / "ports.ys").write_text("\n".join(script) + "\n")
    run(["yosys", "-q", "ports.ys"], folder)
    return {top: json.loads((folder / f"{top}.json").read_text())["modules"][top]["ports"] for top in tops}


def write_shell(top, ports, path):
    """A netlist with the ports and nothing behind them."""
    lines = [f"module {top} ({', '.join(ports)});"]
    for name, port in ports.items():
        width = len(port["bits"])
        lines.append(f"  {port['direction']} {f'[{width - 1}:0] ' if width > 1 else ''}{name};")
    path.write_text("\n".join([*lines, "endmodule", ""]))


def without_delay(report, direction):
    """Ports that check_setup says have no delay."""
    found = re.search(rf"{direction} ports missing set_{direction}_delay\.\n((?:  .*\n)*)", report)
    return {re.sub(r"\[\d+\]$", "", name) for name in found.group(1).split()} if found else set()


def wrong_in(file, ports, folder):
    """What OpenSTA says of a file that it should not."""
    top = file.stem
    write_shell(top, ports, folder / f"{top}.v")
    (folder / f"{top}.tcl").write_text(
        f"read_verilog {top}.v\nlink_design {top}\nsource {file.resolve()}\nputs {{= read}}\ncheck_setup -verbose\n"
        "check_setup -no_output_delay -verbose\n")
    said = run(["sta", "-no_splash", "-exit", f"{top}.tcl"], folder)
    reading, _, report = said.partition("= read\n")
    text = file.read_text()
    timeless = set(re.findall(r"\w+", " ".join(re.findall(r"set_false_path -from \[get_ports (.*?)\]", text, re.DOTALL))))
    wrong = [line for line in reading.splitlines() if line.strip()]
    if not report:
        wrong.append("OpenSTA stops within it")
    wrong += [f"input {name} has no delay" for name in sorted(without_delay(report, "input") - timeless)]
    wrong += [f"output {name} has no delay" for name in sorted(without_delay(report, "output"))]
    return wrong


def main():
    files = sorted((Path(sys.argv[1]) if len(sys.argv) > 1 else HERE).glob("*.sdc"))
    if not files:
        sys.exit("check.py: no constraints there")
    found = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ports = ports_of([file.stem for file in files], folder)
        for file in files:
            for what in wrong_in(file, ports[file.stem], folder):
                print(f"{file}: {what}")
                found += 1
    print(f"synth/sdc/check.py: {len(files)} files, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
