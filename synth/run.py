#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesizes the RTL for OSU 0.18 µm and iCE40, and writes tables of area, clock and critical path."""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import flow
import modules


def log(text, end="\n"):
    print(text, end=end, file=sys.stderr, flush=True)



def used_by(module):
    """The RTL of a module: its file, and those of all modules and packages that it uses, directly or through others."""
    files = {path.stem: path for path in flow.sources()}
    found, waiting = {}, [module]
    while waiting:
        name = waiting.pop()
        if name in files and name not in found:
            found[name] = files[name]
            waiting += re.findall(r"\bweft_\w+", files[name].read_text())
    return sorted(found.values())


def look_only():
    """Selects one recipe and no placement. This takes a fraction of the time; more recipes may raise the clock a little."""
    flow.RECIPES = flow.RECIPES[-1:]
    flow.ice40 = lambda case, out, ports: {"why": "not placed"}


def fingerprint(case):
    """Hash of everything that the result depends on. Cases with an unchanged fingerprint are not synthesized again."""
    digest = hashlib.sha256(repr((case.module, case.parameters, str(flow.LIBERTY))).encode())
    scripts = [path for folder in ("osu018", "ice40") for path in (flow.HERE / folder).rglob("*.*")]
    for path in [*used_by(case.module), *sorted(flow.RTL.glob("*.svh")), flow.HERE / "flow.py", *sorted(scripts)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def synthesise(case, build, again, look):
    """The result of a case. An earlier result is used if nothing has changed and it has at least as many recipes."""
    out = build / case.name
    out.mkdir(parents=True, exist_ok=True)
    kept = out / "result.json"
    mark = fingerprint(case)
    if kept.exists() and not again:
        result = json.loads(kept.read_text())
        if result["fingerprint"] == mark and (look or not result.get("look")):
            return result
    started = time.monotonic()
    ports, gate_ports, memories, aliases = flow.front(case, out)
    result = {
        "module": case.module, "variant": case.variant, "words": case.words, "parameters": case.parameters,
        "latency": case.latency, "memories": memories,
        "memory_bits": sum(size * width for size, width in memories.values()),
        "osu018": flow.osu018(case, out, gate_ports, aliases, memories), "ice40": flow.ice40(case, out, ports),
        "seconds": round(time.monotonic() - started), "fingerprint": mark,
        "look": look,
    }
    write(kept, json.dumps(result, indent=2) + "\n")
    return result


def write(path, text):
    """Writes a file atomically."""
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)


def versions(look):
    """First line of the version output of each tool."""
    commands = {"yosys": ["yosys", "-V"], "OpenSTA": ["sta", "-version"]}
    if not look:
        commands["nextpnr-ice40"] = ["nextpnr-ice40", "--version"]
    found = {}
    for tool, command in commands.items():
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        except FileNotFoundError:
            raise flow.Failure(f"{command[0]} is not installed (run.sh installs it on Debian)") from None
        found[tool] = done.stdout.strip().splitlines()[0]
    return found


def one_line(text):
    """The end of a path for a cell of the table, without the index of a bit."""
    return re.sub(r"(\[\d+\])+$", "", text)


def clock(asic):
    """Clock in MHz; if there are memories, also with their access time in the paths."""
    late = asic["clock_with_memories_mhz"]
    return f"{asic['clock_mhz']}" + (f", {late} with memories" if late is not None else "")


def table(results):
    """The results as Markdown: the allocators, then everything by module and K."""
    rows = [
        "| module | K | cycles | area µm² | cells | flip-flops | memory bits | MHz | of the slower allocator | "
        "critical path (levels) | hx8k: logic cells | BRAMs | MHz |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    yardsticks = {case.name for case in modules.ALLOCATORS}
    slower = min((r["osu018"]["clock_mhz"] for name, r in results.items() if name in yardsticks), default=None)
    for result in results.values():
        asic, fpga = result["osu018"], result["ice40"]
        name = result["module"].removeprefix("weft_") + (f", {result['variant']}" if result["variant"] else "")
        share = f"{100 * asic['clock_mhz'] / slower:.0f} %" if slower else ""
        rows.append(
            f"| {name} | {result['words'] or ''} | {result['latency']} | {asic['area_um2']:,} | {asic['cells']:,} | "
            f"{asic['flip_flops']:,} | {result['memory_bits']:,} | {clock(asic)} | {share} | "
            f"{one_line(asic['start'])} → {one_line(asic['end'])} ({asic['levels']}) | "
            + (f"{fpga['logic_cells']:,} | {fpga['brams']} | {fpga['clock_mhz']} |" if "clock_mhz" in fpga
               else f"{re.sub(r' .log: [^)]*.', '', fpga['why'])} | | |"))
    return "\n".join(rows) + "\n"


BEGIN, END = "<!-- table: synth/run.sh --readme -->\n", "<!-- end of table -->\n"


def update_readme(text):
    path = flow.HERE / "README.md"
    before, rest = path.read_text().split(BEGIN)
    write(path, before + BEGIN + "\n" + text + "\n" + rest[rest.index(END):])


def main():
    names = sorted({case.module.removeprefix("weft_") for case in modules.CASES})
    parser = argparse.ArgumentParser(prog="synth/run.sh", description=__doc__, allow_abbrev=False)
    parser.add_argument("modules", nargs="*", default=["all"], metavar="MODULE",
                        help="all (the default), " + ", ".join(names) + ", or one case of them, such as bit_packer-k2")
    parser.add_argument("--words", type=int, action="append", choices=modules.WORDS, metavar="K",
                        help="only modules for flits of K words, and modules without this parameter; may be repeated")
    parser.add_argument("--look", action="store_true",
                        help="synthesize with one recipe only and without iCE40, unless there is a result already")
    parser.add_argument("--again", action="store_true", help="also synthesize modules that have not changed since the last run")
    parser.add_argument("--build", type=Path, default=flow.ROOT / "build" / "synth", help="folder of the results; default: build/synth")
    parser.add_argument("--readme", action="store_true", help="put the table into synth/README.md; needs all results")
    arguments = parser.parse_args()

    if arguments.look:
        look_only()
    chosen = []
    for name in arguments.modules:
        found = [case for case in modules.CASES if name in ("all", case.name, case.module, case.module[5:])]
        if not found:
            parser.error(f"unknown module {name}; expected one of {', '.join(names)}")
        chosen += [case for case in found if case not in chosen]
    if arguments.words:
        chosen = [case for case in chosen if case.words in (0, *arguments.words)]
    if arguments.readme and len(chosen) != len(modules.CASES):
        parser.error("--readme requires all modules and all K")
    if not flow.LIBERTY.exists():
        parser.error(f"{flow.LIBERTY} is not found; install qflow-tech-osu018, or set WEFT_LIBERTY")

    results, failed = {}, []
    try:
        tools = versions(arguments.look)
        for number, case in enumerate(chosen, 1):
            log(f"[{number:2}/{len(chosen)}] {case.name} … ", end="")
            try:
                result = synthesise(case, arguments.build, arguments.again, arguments.look)
            except flow.Failure as failure:
                log(str(failure))
                failed.append(case.name)
                continue
            results[case.name] = result
            asic, fpga = result["osu018"], result["ice40"]
            log(f"{asic['area_um2']:,} µm², {asic['clock_mhz']} MHz; hx8k {fpga.get('logic_cells', fpga.get('why'))} "
                f"cells, {fpga.get('clock_mhz', '-')} MHz ({result['seconds']} s)")
    except flow.Failure as failure:
        log(f"synth/run.sh: {failure}")
        return 1
    except KeyboardInterrupt:
        log("interrupted; completed results are kept")
        return 130
    arguments.build.mkdir(parents=True, exist_ok=True)
    write(arguments.build / "results.json", json.dumps({"tools": tools, "results": results}, indent=2) + "\n")
    write(arguments.build / "table.md", table(results))
    log(f"results: {arguments.build / 'results.json'}, {arguments.build / 'table.md'}")
    if failed:
        log(f"failed: {', '.join(failed)}")
        return 1
    if arguments.readme:
        update_readme(table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
