#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Constraints against the RTL:

    check.py [FOLDER]             those of every top of rtl/, in this folder
    check.py --network FOLDER     that of a network, as `weft topology --verilog FOLDER` writes it

OpenSTA reads each file with the ports of its top, as Yosys finds them, for both kinds of reset: every name is that of a
port, and every input and output has a delay, but for constants and asynchronous resets. Every top has a file, which is
what make.py makes of it. Exit status 1 if not. Needs yosys and sta (Debian: yosys, opensta)."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import make  # noqa: E402
import modules  # noqa: E402


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"check.py: {command[0]} failed:\n{done.stdout}")
    return done.stdout


def ports_of(tops, more, folder):
    """Of each top, one of rtl/ or in the files of `more`, its ports as Yosys writes them in JSON."""
    files = " ".join(map(str, [*make.modules().values(), *more]))
    script = [f"read_verilog -sv -defer -I{make.RTL} {make.RTL / 'weft_pkg.sv'}",
              f"read_verilog -sv -defer -I{make.RTL} {files}", "design -save all"]
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
    found = re.search(rf"{direction} ports? missing set_{direction}_delay\.\n((?:  .*\n)*)", report)
    return {re.sub(r"\[\d+\]$", "", name) for name in found.group(1).split()} if found else set()


def wrong_in(file, ports, sync_reset, folder):
    """What OpenSTA says of a file that it should not."""
    top = file.stem
    write_shell(top, ports, folder / f"{top}.v")
    (folder / f"{top}.tcl").write_text(
        f"read_verilog {top}.v\nlink_design {top}\nset weft_sync_reset {sync_reset}\nsource {file.resolve()}\n"
        "puts {= read}\ncheck_setup -verbose\ncheck_setup -no_output_delay -verbose\n")
    said = run(["sta", "-no_splash", "-exit", f"{top}.tcl"], folder)
    reading, _, report = said.partition("= read\n")
    timeless = {name for name in ports if name in make.CONSTANT or (name.endswith("rst_ni") and not sync_reset)}
    wrong = [line for line in reading.splitlines() if line.strip()]
    if not report:
        wrong.append("OpenSTA stops within it")
    wrong += [f"input {name} has no delay" for name in sorted(without_delay(report, "input") - timeless)]
    wrong += [f"output {name} has no delay" for name in sorted(without_delay(report, "output"))]
    return wrong


def findings(files, more):
    """Of each file what is wrong in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ports = ports_of([file.stem for file in files], more, folder)
        for file in files:
            wrong = [what for sync_reset in (0, 1) for what in wrong_in(file, ports[file.stem], sync_reset, folder)]
            yield from ((file, what) for what in dict.fromkeys(wrong))


def of_rtl(folder):
    """Findings in the constraints of rtl/."""
    for part in sorted(make.PARTS.keys() & {case.module for case in modules.CASES}):
        yield folder, f"{part} is synthesised alone, so it is a top: take it out of PARTS"
    files = sorted(folder.glob("*.sdc"))
    for path, text in make.made().items():
        file = folder / path.name
        if file not in files:
            yield file, "is missing; run make.py"
        elif file.read_text() != text:
            yield file, "is not what make.py makes of it"
    tops = make.tops()
    yield from ((file, "is not of a top") for file in files if file.stem not in tops)
    yield from findings([file for file in files if file.stem in tops], [])


def of_network(folder):
    """Findings in the constraints of a network, which are what make.py would make of its top."""
    (file,) = folder.glob("*.sdc")
    sources = sorted(folder.glob("*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path.name))
    ports = make.ports_in(file.with_suffix(".sv").read_text())
    body = [text.split("\n", 2)[2] for text in (file.read_text(), make.constraints_of(file.stem, ports))]
    if body[0] != body[1]:
        yield file, "is not what make.py makes of its top"
    yield from findings([file], sources)


def main():
    network = sys.argv[1:2] == ["--network"]
    arguments = sys.argv[1 + network:]
    folder = Path(arguments[0]) if arguments else HERE
    found = list(of_network(folder) if network else of_rtl(folder))
    for file, what in found:
        print(f"{file}: {what}")
    print(f"synth/sdc/check.py: {folder}: {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
