# SPDX-License-Identifier: Apache-2.0
"""Fits the model to measured points (nonnegative least squares). Writes technologies/NAME.yaml, and points/NAME.csv and
points/NAME_parts.csv with the measurements.

`fit.py asap7,osu018` reads build/synth/energy/DESIGN/TECHNOLOGY/points.json of all designs that measure.py measured.
"""

import json
import subprocess
import sys

import numpy
import scipy.optimize

import borrow
import designs
import flow
import links
import model
import netlists
import points
import technology

HELD_OUT_SCENARIOS = 4  # the last ones
REFERENCE = "osu018"  # technology of the designs that another one has not measured
PAYLOADS_DIFFER = (2, 4)  # random and zero payload, at the same load and length
EVENTS = ("flit", "head", "toggle", "word", "raw")


def starting(data, prefix):
    return {design: entry for design, entry in data.items() if design.startswith(prefix)}


def measured(name):
    """The measured designs of a technology: design -> content of points.json."""
    found = {}
    for design in designs.ALL:
        path = netlists.BUILD / design / name / "points.json"
        if path.exists():
            found[design] = json.loads(path.read_text())
    return found


def events_of(part, point):
    """Events of a part in a point."""
    events = point["events"]
    if "out_flit" not in events:
        return events
    side = "in" if part in model.INPUT_PARTS else "out"
    return {"cycle": events["cycle"], **{event: events[f"{side}_{event}"] for event in ("flit", "head", "toggle")}}


def nonnegative(rows, targets, sizes=None):
    """Coefficients that are at least 0 with the least error relative to SIZES, or to the targets. ROWS: values of the
    monomials for each target."""
    rows, targets = numpy.asarray(rows, float), numpy.asarray(targets, float)
    scale = numpy.abs(rows).max(axis=0)
    scale[scale == 0] = 1
    sizes = targets if sizes is None else numpy.asarray(sizes, float)
    weights = 1 / numpy.maximum(sizes, sizes.max() * 1e-3)
    found, _ = scipy.optimize.nnls(rows / scale * weights[:, None], targets * weights)
    return found / scale


def fit_static(monomials, shapes, values):
    """Terms for a quantity with one value per netlist. Some monomials get no share."""
    rows = [[model.value(monomial, shape) for monomial in monomials] for shape in shapes]
    return terms(monomials, nonnegative(rows, values))


def terms(monomials, factors):
    return {monomial: float(f"{factor:.4g}") for monomial, factor in zip(monomials, factors) if factor > 0}


def fit_part(form, part, data, shapes):
    """Terms of a part. DATA: for each design, its points that are used.

    The terms of the clock come from idle points, those of `toggle` from two scenarios with different payloads, and the
    others from the rest of all points.
    """
    idle = {design: next(point["energy"][part] / point["events"]["cycle"] for point in points if idle_point(point))
            for design, points in data.items()}
    found = {"cycle": fit_static(form["cycle"], [shapes[design] for design in data], list(idle.values()))}

    def above(design, point):
        return point["energy"][part] - idle[design] * point["events"]["cycle"]
    if form.get("toggle"):
        pairs = [(design, *(points[scenario] for scenario in PAYLOADS_DIFFER)) for design, points in data.items()]
        rows, targets = [], []
        for design, one, other in pairs:
            first, second = events_of(part, one), events_of(part, other)
            flits = (first["flit"], second["flit"])
            toggles = first["toggle"] / flits[0] - second["toggle"] / flits[1]
            rows.append([toggles * model.value(monomial, shapes[design]) for monomial in form["toggle"]])
            targets.append(above(design, one) / flits[0] - above(design, other) / flits[1])
        found["toggle"] = terms(form["toggle"], nonnegative(rows, targets))
    columns = [(event, monomial) for event in EVENTS for monomial in form.get(event, []) if event != "toggle"]
    rows, targets, sizes = [], [], []
    for design, points in data.items():
        for point in points:
            if idle_point(point) or not columns:
                continue
            events = events_of(part, point)
            rows.append([events.get(event, 0) * model.value(monomial, shapes[design]) for event, monomial in columns])
            sizes.append(above(design, point))
            targets.append(sizes[-1] - events.get("toggle", 0) * model.evaluate(found.get("toggle", {}), shapes[design]))
    factors = nonnegative(rows, targets, sizes) if rows else []
    for event in EVENTS:
        if event in form and event != "toggle":
            own = [(monomial, factor) for (e, monomial), factor in zip(columns, factors) if e == event]
            found[event] = terms([monomial for monomial, _ in own], [factor for _, factor in own])
    return {key: found.get(key, {}) for key in ("cycle", *EVENTS) if key in form}


def idle_point(point):
    return not any(value for event, value in point["events"].items() if event != "cycle")


def predicted(found, part, point, shape):
    """Energy of a part by the model: of its clock cycles, and of its events."""
    events = events_of(part, point)
    moving = sum(events.get(event, 0) * model.evaluate(found.get(event, {}), shape) for event in EVENTS)
    return events["cycle"] * model.evaluate(found["cycle"], shape), moving


def errors(found, names, data, shapes):
    """Relative errors of the sum of parts: of the whole energy, and of the energy above that of an idle design."""
    whole, above = [], []
    for design, (points, idle) in data.items():
        for point in points:
            clock = moving = actual = rest = 0.0
            for part in names:
                one, two = predicted(found[part], part, point, shapes[design])
                clock, moving = clock + one, moving + two
                actual += point["energy"][part]
                rest += point["energy"][part] - idle[part] * point["events"]["cycle"]
            whole.append(abs(clock + moving - actual) / actual)
            if rest > 0 and not idle_point(point):
                above.append(abs(moving - rest) / rest)
    return whole, above


def summary(values):
    return {"mean": round(float(numpy.mean(values)), 4), "worst": round(float(max(values)), 4)} if values else {}


def fit_group(forms, data, held_designs, reference):
    """All parts of a group (router, or one part of the NIC): the terms, and what the held-out points show. REFERENCE: the
    same designs in another technology, for those that are not measured."""
    own, data = data, {**data, **borrow.missing(data, reference)}
    shapes = {design: entry["shape"] for design, entry in data.items()}
    used = {design: entry["points"][:-HELD_OUT_SCENARIOS] for design, entry in data.items() if design not in held_designs}
    still = {design: next(filter(idle_point, entry["points"])) for design, entry in data.items()}
    idle = {design: {part: point["energy"][part] / point["events"]["cycle"] for part in forms} for design, point in still.items()}
    rest = {design: (entry["points"] if design in held_designs else entry["points"][-HELD_OUT_SCENARIOS:], idle[design])
            for design, entry in own.items()}
    found, report = {}, {}
    for part, form in forms.items():
        found[part] = fit_part(form, part, used, shapes)
        unwritten = found[part].pop("raw", None)
        for key in ("leakage", "area"):
            values = [data[design]["parts"][part][key] for design in used]
            found[part][key] = fit_static(form["static"], [shapes[design] for design in used], values)
        timed = [design for design in used if period_of(data[design], part)]
        logs = model.LOGS if "ports" in shapes[next(iter(used))] else ["1", "payload_bits"]
        values = [period_of(data[design], part) for design in timed]
        found[part]["period"] = fit_static(logs, [shapes[design] for design in timed], values) if timed else {}
        whole, above = errors(found, [part], rest, shapes)
        found[part]["error"] = {**summary(whole), "points": len(whole)}
        report[part] = {**entry_of(used, held_designs, own, whole, above), **({"raw": unwritten} if unwritten else {})}
    whole, above = errors(found, list(forms), rest, shapes)
    report["all"] = entry_of(used, held_designs, own, whole, above)
    return found, report


def period_of(entry, part):
    """Period of a part. The slowest path of a router passes the switch allocator, whose period is that of the router."""
    return entry.get("whole_period") if part == "switch_allocator" else entry["parts"][part]["period"]


def entry_of(used, held_designs, data, whole, above):
    own = [design for design in used if design in data]
    return {"netlists": len(own), "estimated": len(used) - len(own), "held_out_netlists": len([d for d in data if d in held_designs]),
            "points": sum(len(used[design]) for design in own), "held_out_points": len(whole), "error": summary(whole),
            "error_above_idle": summary(above)}


def flow_terms(entry):
    return "{" + ", ".join(f'"{key}": {value:.4g}' for key, value in entry.items()) + "}"


def yaml_of_parts(found, indent):
    lines = []
    for part, entry in found.items():
        lines.append(f"{indent}{part}:")
        for key, value in entry.items():
            if key == "error":
                text = "{" + ", ".join(f"{name}: {number}" for name, number in value.items()) + "}"
            else:
                text = flow_terms(value)
            lines.append(f"{indent}  {key}: {text}")
    return lines


def write_yaml(chosen, groups, ranges, commit, counts):
    """Writes the technology file. COUNTS: report of the router, with its numbers of netlists."""
    used = f"{counts['netlists']} netlists of the router"
    if counts["estimated"]:
        used += f", {counts['estimated']} more estimated from {REFERENCE}"
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             "# Written by synth/energy/fit.py. README.md there describes what the numbers are.",
             "format: weft-technology-1", f"name: {chosen.name}", f'description: "{chosen.description}"',
             f'source: "synth/energy/fit.py, RTL of commit {commit}, Yosys 0.23, {used}, {chosen.origin}"',
             f"supply: {chosen.supply:.2f}",
             "units: {energy: fJ, power: nW, area: um2, period: ps, capacitance: fF/mm, resistance: ohm/mm}", "range:"]
    lines += [f"  {key}: [{low}, {high}]" for key, (low, high) in ranges.items()]
    for group, parts in groups.items():
        if parts:
            lines += [f"{group}:", *yaml_of_parts(parts, "  ")]
    lines += ["link:", *links.lines(chosen)]
    path = netlists.HERE / "technologies" / f"{chosen.name}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def fit(name):
    """Fits one technology."""
    chosen = technology.TECHNOLOGIES[name]
    data = measured(name)
    held = {design.name for design in designs.HELD_OUT}
    routers = starting(data, "router_")
    other = measured(REFERENCE)
    groups, report = {"router": {}, "nic": {}, "codec": {}}, {}
    groups["router"], report["router"] = fit_group(model.ROUTER, routers, held, starting(other, "router_"))
    for group, forms in (("nic", model.NIC), ("codec", model.CODEC)):
        for part, form in forms.items():
            own = starting(data, f"{part}_")
            if own:
                found, shown = fit_group({part: form}, own, held, starting(other, f"{part}_"))
                groups[group].update(found)
                report[part] = shown[part]
    shapes = [entry["shape"] for design, entry in routers.items() if design not in held]
    ranges = {key: (min(shape[key] for shape in shapes), max(shape[key] for shape in shapes))
              for key in ("ports", "vcs", "depth", "payload_bits")}
    command = ["git", "-C", str(flow.ROOT), "log", "-1", "--format=%h", "--", "rtl"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    write_yaml(chosen, groups, ranges, commit, report["router"]["all"])
    fitted = {part: entry for parts in groups.values() for part, entry in parts.items()}
    points.write(name, data, fitted, held, HELD_OUT_SCENARIOS, predicted)
    return report


def main():
    for name in sys.argv[1].split(","):
        for group, report in fit(name).items():
            print(name, group, json.dumps(report, indent=None))
    return 0


if __name__ == "__main__":
    sys.exit(main())
