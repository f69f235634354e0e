#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks constraints against the RTL:

    check.py [FOLDER]             those of every top of rtl/, in this folder
    check.py --network FOLDER     that of a network, as `weft topology --verilog FOLDER` writes it

OpenSTA reads each file with the ports of its top, as Yosys finds them, and a register without delays behind each port. The
program checks that every name is that of a port, that every output and every input except constants has a delay, that every
reset is checked for recovery and removal, and that source and sink of a FIFO together take at most a period for a path.
Every top must have the file that make.py writes. Exit status 1 if not. Needs yosys and sta (Debian: yosys, opensta)."""

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
    """The ports of each top, a module of rtl/ or of the files in `more`, from Yosys' JSON output."""
    files = " ".join(map(str, [*make.modules().values(), *more]))
    script = [f"read_verilog -sv -defer -I{make.RTL} {make.RTL / 'weft_pkg.sv'}",
              f"read_verilog -sv -defer -I{make.RTL} {files}", "design -save all"]
    for top in tops:
        script += ["design -load all", f"hierarchy -check -top {top}", "blackbox *", f"write_json {top}.json"]
    (folder / "ports.ys").write_text("\n".join(script) + "\n")
    run(["yosys", "-q", "ports.ys"], folder)
    return {top: json.loads((folder / f"{top}.json").read_text())["modules"][top]["ports"] for top in tops}


def clocks_of(top, ports):
    """The port of the clock of each port; ports whose clock has no port are left out."""
    alike = make.TWO_CLOCKS[top].values() if sum(name.endswith("clk_i") for name in ports) == 2 else [" ".join(ports)]
    return {name: clock for names in map(str.split, alike) for clock in names if clock.endswith("clk_i") for name in names}


def write_shell(top, ports, path):
    """Writes a netlist with the ports and, for ports with a clock, a register behind each bit; a reset resets its register."""
    lines = [f"module {top} ({', '.join(ports)});"]
    clocks = clocks_of(top, ports)
    for name, port in ports.items():
        width = len(port["bits"])
        lines.append(f"  {port['direction']} {f'[{width - 1}:0] ' if width > 1 else ''}{name};")
        clock = clocks.get(name)
        if clock is None or name == clock:
            continue
        pin = "RN" if name.endswith("rst_ni") else {"input": "D", "output": "Q"}[port["direction"]]
        lines += [f"  REGISTER \\{name}:{bit} (.CLK({clock}), .{pin}({name}{f'[{bit}]' if width > 1 else ''}));"
                  for bit in range(width)]
    path.write_text("\n".join([*lines, "endmodule", ""]))


def without_delay(report, direction):
    """Ports without a delay in the report of check_setup."""
    found = re.search(rf"{direction} ports? missing set_{direction}_delay\.\n((?:  .*\n)*)", report)
    return {re.sub(r"\[\d+\]$", "", name) for name in found.group(1).split()} if found else set()


def reports_of(file, ports, folder):
    """OpenSTA's output for a file: while reading it, of check_setup, and of the checks of the shell."""
    top = file.stem
    write_shell(top, ports, folder / f"{top}.v")
    commands = [f"read_liberty {HERE / 'register.lib'}", f"read_verilog {top}.v", f"link_design {top}", f"source {file.resolve()}",
                "puts {= read}", "check_setup -verbose", "check_setup -no_output_delay -verbose", "puts {= setup}"]
    for name in ports:
        if name.endswith("rst_ni"):
            commands += [f"puts {{= {name}}}", *(f"report_checks -from {name} -path_delay {way}" for way in ("max", "min"))]
        if name.startswith(make.HALF_TO_HALF):
            way = "-from" if name.endswith("_i") else "-to"
            commands += [f"puts {{= {name}}}", f"foreach path [find_timing_paths {way} [get_ports {name}*]] {{",
                         "  puts [get_property $path slack]", "}"]
    (folder / f"{top}.tcl").write_text("\n".join([*commands, "puts {= end}", ""]))
    printed = run(["sta", "-no_splash", "-exit", f"{top}.tcl"], folder)
    reading, *parts = re.split(r"^= (\S+)\n", printed, flags=re.MULTILINE)
    return reading, dict(zip(parts[::2], parts[1::2]))


def wrong_in(reading, printed):
    """Errors in OpenSTA's output."""
    wrong = [line for line in reading.splitlines() if line.strip()]
    if "end" not in printed:
        wrong.append("OpenSTA stops while it reads this file")
    for way in ("input", "output"):
        missing = without_delay(printed.get("read", ""), way) - set(make.CONSTANT)
        wrong += [f"{way} {name} has no delay" for name in sorted(missing)]
    wrong += [f"{name} is not checked for {what}" for name, report in printed.items() if name.endswith("rst_ni")
              for what in ("recovery", "removal") if f"({what} check against" not in report]
    wrong += [f"{name} is not timed" for name, report in printed.items() if name.startswith(make.HALF_TO_HALF)
              and not report]
    return wrong


def wrong_between(shares):
    """Errors for paths between two halves whose shares exceed a period: (file, text)."""
    period = min(make.PERIODS.values())
    for path, of_path in shares.items():
        together = sum(share for _, share in of_path)
        if together > period + 1e-3:
            yield from ((file, f"path {path} may take {together:.2f} ns in both halves together, but the period is {period} ns") for file, _ in of_path)


def findings(files, more):
    """(file, error) for each error in the files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ports = ports_of([file.stem for file in files], more, folder)
        shares = {}
        for file in files:
            reading, printed = reports_of(file, ports[file.stem], folder)
            yield from ((file, what) for what in wrong_in(reading, printed))
            for port, slack in printed.items():
                if port.startswith(make.HALF_TO_HALF) and slack:
                    shares.setdefault(port[:-len("_i")], []).append((file, float(slack)))
        yield from wrong_between(shares)


def of_rtl(folder):
    """Findings in the constraints of rtl/."""
    for part in sorted(make.PARTS.keys() & {case.module for case in modules.CASES}):
        yield folder, f"{part} is synthesized alone, so it is a top; remove it from PARTS"
    files = sorted(folder.glob("*.sdc"))
    for path, text in make.made().items():
        file = folder / path.name
        if file not in files:
            yield file, "is missing; run make.py"
        elif file.read_text() != text:
            yield file, "differs from the output of make.py; run make.py"
    tops = make.tops()
    yield from ((file, "does not belong to a top; delete it") for file in files if file.stem not in tops)
    yield from findings([file for file in files if file.stem in tops], [])


def of_network(folder):
    """Findings in the constraints of a network, which must be equal to those that make.py makes for its top."""
    (file,) = folder.glob("*.sdc")
    sources = sorted(folder.glob("*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path.name))
    ports = make.ports_in(file.with_suffix(".sv").read_text())
    body = [text.split("\n", 2)[2] for text in (file.read_text(), make.constraints_of(file.stem, ports))]
    if body[0] != body[1]:
        yield file, "differs from the output of make.py for its top"
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
