# SPDX-License-Identifier: Apache-2.0
"""The two synthesis flows: they compute the metrics of a module of rtl/. The tools' scripts are templates in this folder."""

import json
import os
import re
import signal
import subprocess
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RTL = ROOT / "rtl"
LIBERTY = Path(os.environ.get("WEFT_LIBERTY", "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"))
RECIPES = sorted((HERE / "osu018" / "recipes").glob("*.abc"))
FALLBACK = HERE / "osu018" / "fallback" / "shallow_plain_4.abc"
CLOCK, RESET = "clk_i", "rst_ni"
LIMIT = 3600  # seconds for each run of Yosys


class Failure(Exception):
    """A tool failed. The message contains the tool, the error, and the path of the log."""


def run_tool(what, command, log, limit):
    """Runs a tool and returns its output. Raises Failure if it fails, or runs for more than LIMIT seconds."""
    with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True) as tool:
        try:
            output, _ = tool.communicate(timeout=limit)
        except BaseException as reason:  # the tool and the processes that it started: Yosys runs ABC in its own process
            os.killpg(tool.pid, signal.SIGKILL)
            if isinstance(reason, subprocess.TimeoutExpired):
                raise Failure(f"{what}: not finished after {limit} s") from None
            raise
    log.write_text(output)
    if tool.returncode != 0:
        reason = [line for line in output.splitlines() if "error" in line.lower()]
        raise Failure(f"{what}: {reason[-1].strip() if reason else f'exit status {tool.returncode}'} (log: {log})")
    return output


def fill(template, out, **values):
    """Writes a script from its template, with @NAME@ replaced by values, and returns its path."""
    text = template.read_text()
    values.setdefault("ACCESS", "")
    for name, value in {"HERE": HERE, "LIBERTY": LIBERTY, "OUT": out, **values}.items():
        text = text.replace(f"@{name}@", str(value))
    left = re.search(r"@[A-Z]+@", text)
    assert left is None, f"{template}: {left.group()} is not filled in"
    script = out / template.name
    script.write_text(text)
    return script


def sources():
    """The files of rtl/files.f, as Yosys reads them."""
    files = []
    for line in (RTL / "files.f").read_text().splitlines():
        line = line.split("//")[0].strip()
        if line and not line.startswith("+"):
            files.append(RTL / line)
    return files


def read_command():
    return "\n".join(f"read_verilog -sv -I{RTL} {path}" for path in sources())


def bits_of(ports, direction):
    """(name, index or None) of every bit of the ports of a direction, without clock and reset."""
    found = []
    for name, port in ports.items():
        if port["direction"] != direction or name in (CLOCK, RESET):
            continue
        width = len(port["bits"])
        found += [(name, None)] if width == 1 else [(name, index) for index in range(width)]
    return found


def bit_name(name, index):
    return name if index is None else f"{name}[{index}]"


# ----------------------------------------------------------------------------------------------------------------------
# OSU 0.18 µm


def cell_areas():
    """Area of every cell of the library, µm²."""
    return {name: float(area) for name, area in
            re.findall(r"^\s*cell\s*\((\w+)\)\s*\{[^{}]*?\barea\s*:\s*([\d.]+)", LIBERTY.read_text(), re.M)}


def front(case, out):
    """Synthesizes RTL to gates. Returns the ports, the ports of the gates (including those of memories), the memories, and
    for each name of a net the most descriptive one."""
    parameters = " ".join(f"-set {name} {value}" for name, value in case.parameters.items())
    parameters = f"chparam {parameters} {case.module}" if parameters else ""
    script = fill(HERE / "osu018" / "front.ys", out, READ=read_command(), TOP=case.module, PARAMETERS=parameters)
    run_tool("yosys", ["yosys", "-q", "-e", ".*", "-s", script], out / "front.log", LIMIT)
    coarse = json.loads((out / "coarse.json").read_text())["modules"][case.module]
    memories = {}
    for cell in coarse["cells"].values():
        if cell["type"] == "$mem_v2" and "0" not in cell["parameters"]["RD_CLK_ENABLE"]:
            size, width = (int(cell["parameters"][key], 2) for key in ("SIZE", "WIDTH"))
            name = cell["parameters"]["MEMID"].lstrip("\\")
            memories[name] = [size, width]
            enables = cell["connections"]["WR_EN"]
            assert all(len(set(enables[low:low + width])) == 1 for low in range(0, len(enables), width)), name
    gates = json.loads((out / "front.json").read_text())["modules"][case.module]
    names = {}
    for net, entry in gates["netnames"].items():
        for index, bit in enumerate(entry["bits"]):
            full = net if len(entry["bits"]) == 1 else f"{net}[{index}]"
            names.setdefault(bit, []).append(full)
    aliases = {}
    for group in names.values():
        registers = [name for name in group if re.search(r"_q(\[\d+\])*$", name)]
        best = min(registers or group, key=lambda name: (name.startswith("$"), len(name)))
        aliases.update(dict.fromkeys(group, best))
    return coarse["ports"], gates["ports"], memories, aliases


def write_harness(case, ports, path):
    """Writes a top with a flip-flop before every input and after every output, so that all paths are between flip-flops."""
    lines = [f"module harness({CLOCK}, {RESET}, from_outside, to_outside);"]
    inputs, outputs = bits_of(ports, "input"), bits_of(ports, "output")
    lines += [f"  input {CLOCK}, {RESET};", f"  input [{max(len(inputs) - 1, 0)}:0] from_outside;",
              f"  output [{max(len(outputs) - 1, 0)}:0] to_outside;"]
    pins = [f".{name}({name})" for name in (CLOCK, RESET) if name in ports]
    for number, (name, index) in enumerate(inputs):
        bit = bit_name(name, index)
        lines += [f"  wire \\in:{bit} ;",
                  f"  DFFPOSX1 \\from:{bit} (.D(from_outside[{number}]), .CLK({CLOCK}), .Q(\\in:{bit} ));"]
        pins.append(f".\\{bit} (\\in:{bit} )")
    for number, (name, index) in enumerate(outputs):
        bit = bit_name(name, index)
        lines += [f"  wire \\out:{bit} ;",
                  f"  DFFPOSX1 \\to:{bit} (.D(\\out:{bit} ), .CLK({CLOCK}), .Q(to_outside[{number}]));"]
        pins.append(f".\\{bit} (\\out:{bit} )")
    lines += [f"  {case.module} dut ({', '.join(pins)});", "endmodule", ""]
    path.write_text("\n".join(lines))


def sta_report(what, work, access=""):
    """OpenSTA's report of the slowest path, and the least period for it, ns."""
    report = run_tool(what, ["sta", "-no_splash", "-exit", fill(HERE / "osu018" / "time.tcl", work, ACCESS=access)],
                      work / "time.log", 600)
    slack = re.search(r"^slack (\S+)", report, re.M)
    if "not found" in report:
        raise Failure(f"{what}: unknown pin name (log: {work / 'time.log'})")
    if slack is None:
        raise Failure(f"{what}: no path found (log: {work / 'time.log'})")
    return report, 1.0 - float(slack.group(1))


def access_time(size, width, out):
    """Time from the clock edge to the data of a memory in ns, by the model of README.md: registered address, buffers that
    drive four each, a tree of multiplexers. The timed path is that of the lowest bit of the address."""
    lines = ["module harness(clk_i, rst_ni, d, q);", "  input clk_i, rst_ni, d;", "  output q;",
             "  DFFPOSX1 address (.D(d), .CLK(clk_i), .Q(n0));"]
    driven, stage = max(size * width // 2, 1), 0
    while driven > 4:
        lines += [f"  BUFX4 drive{stage} (.A(n{stage}), .Y(n{stage + 1}));",
                  *(f"  BUFX4 load{stage}_{i} (.A(n{stage}), .Y());" for i in range(3))]
        driven, stage = driven / 4, stage + 1
    lines += [f"  MUX2X1 load{stage}_{i} (.A(d), .B(d), .S(n{stage}), .Y());" for i in range(3)]
    lines.append(f"  MUX2X1 choose0 (.A(d), .B(d), .S(n{stage}), .Y(m0));")
    levels = max((size - 1).bit_length(), 1)
    lines += [f"  MUX2X1 choose{level} (.A(m{level - 1}), .B(d), .S(d), .Y(m{level}));" for level in range(1, levels)]
    lines += [f"  DFFPOSX1 data (.D(m{levels - 1}), .CLK(clk_i), .Q(q));", "endmodule", ""]
    work = out / f"memory_{size}_{width}"
    work.mkdir(exist_ok=True)
    (work / "netlist.v").write_text("")
    (work / "harness.v").write_text("\n".join(lines))
    report, _ = sta_report(f"sta of a memory of {size} x {width}", work)
    return float(re.search(r"^ +([\d.]+) +data arrival time$", report, re.M).group(1))


def late_data(memories, ports, out):
    """Commands for OpenSTA that give the access time to the flip-flops of the harness that represent data of memories."""
    lines = []
    for memory, (size, width) in memories.items():
        access = access_time(size, width, out)
        for name, index in bits_of(ports, "input"):
            if name == f"{memory}.RD_DATA":
                cell = f"from:{bit_name(name, index)}"
                pin = re.sub(r"([\[\]/])", r"\\\1", cell)
                lines.append(f"set_assigned_delay -cell -from [get_pins {{{pin}/CLK}}] -to [get_pins {{{pin}/Q}}] {access:.3f}")
    return "\n".join(lines)


def critical_path(report, registers, aliases):
    """Start, end and logic levels of the path in OpenSTA's report."""
    def place(instance):
        name = instance.replace("\\", "")
        if name.startswith(("from:", "to:")):
            side, bit = name.split(":", 1)
            return f"{'input' if side == 'from' else 'output'} {bit}"
        net = registers.get(name.removeprefix("dut/"), name)
        return aliases.get(net, net)
    start = re.search(r"^Startpoint: (\S+)", report, re.M).group(1)
    end = re.search(r"^Endpoint: (\S+)", report, re.M).group(1)
    gates = re.findall(r"^.*[v^] \S+/\S+ \((\w+)\)$", report, re.M)
    return place(start), place(end), sum(1 for gate in gates if not gate.startswith("DFF"))


def mapped(case, out, ports, aliases, memories, recipe):
    """Area, clock and critical path of a module, mapped with a recipe."""
    work = out / recipe.stem
    work.mkdir(exist_ok=True)
    script = fill(HERE / "osu018" / "map.ys", work, RECIPE=recipe, FRONT=out / "front.il")
    run_tool(f"yosys with {recipe.stem}", ["yosys", "-q", "-s", script], work / "map.log", LIMIT)
    write_harness(case, ports, work / "harness.v")
    access = late_data(memories, ports, out)
    with_memories = sta_report(f"sta with {recipe.stem} and memories", work, access)[1] if access else None
    report, period = sta_report(f"sta with {recipe.stem}", work)
    netlist = json.loads((work / "netlist.json").read_text())["modules"][case.module]
    kinds = Counter(cell["type"] for cell in netlist["cells"].values())
    areas = cell_areas()
    net_of = {bit: net for net, entry in netlist["netnames"].items() for bit in entry["bits"]}
    registers = {name: net_of.get(cell["connections"]["Q"][0], name)
                 for name, cell in netlist["cells"].items() if cell["type"].startswith("DFF")}
    start, end, levels = critical_path(report, registers, aliases)
    return {
        "area_um2": round(sum(areas[kind] * count for kind, count in kinds.items())), "cells": sum(kinds.values()),
        "flip_flops": len(registers), "period_ns": round(period, 3), "clock_mhz": round(1000 / period),
        "clock_with_memories_mhz": round(1000 / with_memories) if access else None,
        "start": start, "end": end, "levels": levels, "recipe": recipe.stem,
    }


def osu018(case, out, ports, aliases, memories):
    """Maps a module with every recipe and returns the fastest result."""
    results, failures = [], []
    for recipe in [*RECIPES, FALLBACK]:
        if recipe == FALLBACK and not failures:
            break
        try:
            results.append(mapped(case, out, ports, aliases, memories, recipe))
        except Failure as failure:  # ABC's mapper crashes on some designs
            failures.append(str(failure))
    if not results:
        raise Failure("; ".join(failures))
    return min(results, key=lambda result: (result["period_ns"], result["area_um2"]))


# ----------------------------------------------------------------------------------------------------------------------
# iCE40


def write_chain(case, ports, path):
    """Writes a top that connects all inputs and outputs to shift registers, so that any module fits on the pins of a
    device, and all paths are between flip-flops. Returns the number of bits of the shift registers."""
    inputs, outputs = bits_of(ports, "input"), bits_of(ports, "output")
    pins = [f".{name}({name})" for name in (CLOCK, RESET) if name in ports]
    parameters = ", ".join(f".{name}({value})" for name, value in case.parameters.items())
    offset = 0
    for name, port in ports.items():
        if port["direction"] == "input" and name not in (CLOCK, RESET):
            pins.append(f".{name}(from_q[{offset}+:{len(port['bits'])}])")
            offset += len(port["bits"])
    offset = 0
    for name, port in ports.items():
        if port["direction"] == "output":
            pins.append(f".{name}(result[{offset}+:{len(port['bits'])}])")
            offset += len(port["bits"])
    path.write_text(f"""module chain (
  input logic {CLOCK}, input logic {RESET}, input logic data_i, input logic load_i, output logic data_o
);
  logic [{len(inputs) - 1}:0] from_q;
  logic [{len(outputs) - 1}:0] to_q, result;
  always_ff @(posedge {CLOCK}) begin
    from_q <= {{from_q, data_i}};
    to_q <= load_i ? result : to_q >> 1;
  end
  assign data_o = to_q[0];
  {case.module} {f"#({parameters}) " if parameters else ""}dut (
    {", ".join(pins)}
  );
endmodule
""")
    return len(inputs) + len(outputs)


def placed(case, chain, out, carries):
    """Logic cells of the module alone, block memories, clock; or the reason why there is no result."""
    work = out / ("ice40_carries" if carries else "ice40_luts")
    work.mkdir(exist_ok=True)
    script = fill(HERE / "ice40" / "synth.ys", work, READ=read_command(), CHAIN=out / "chain.sv",
                  CARRIES="" if carries else "-nocarry")
    run_tool("yosys for iCE40", ["yosys", "-q", "-e", ".*", "-s", script], work / "synth.log", LIMIT)
    netlist = json.loads((work / "netlist.json").read_text())["modules"]["chain"]
    kinds = Counter(cell["type"] for cell in netlist["cells"].values())
    for kind, what, there in (("SB_LUT4", "LUTs", 7680), ("SB_RAM40_4K", "BRAMs", 32)):
        if kinds[kind] > there:
            return {"why": f"too large: {kinds[kind]:,} {what} of {there:,}"}
    report = work / "report.json"
    run_tool("nextpnr-ice40", ["nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", work / "netlist.json",
                               "--seed", "1", "--timing-allow-fail", "--pcf-allow-unconstrained", "--freq", "100",
                               "--quiet", "--report", report], work / "nextpnr.log", 600)
    used = json.loads(report.read_text())
    return {
        "logic_cells": used["utilization"]["ICESTORM_LC"]["used"] - chain,
        "brams": used["utilization"]["ICESTORM_RAM"]["used"],
        "clock_mhz": round(max(clock["achieved"] for clock in used["fmax"].values())),
    }


def ice40(case, out, ports):
    """Places a module with and without carry chains and returns the faster result. (With them, nextpnr 0.4 does not end
    the routing of some modules.)"""
    chain = write_chain(case, ports, out / "chain.sv")
    results, failures = [], []
    for carries in (True, False):
        try:
            results.append(placed(case, chain, out, carries))
        except Failure as failure:
            failures.append(str(failure))
    if not results:
        return {"why": "; ".join(failures)}
    return max(results, key=lambda result: result.get("clock_mhz", 0))
