# SPDX-License-Identifier: Apache-2.0
"""The measurements as small CSV files: points/NAME.csv has a row for each part, design and scenario, and
points/NAME_parts.csv a row for each part and design."""

import csv

import netlists

FOLDER = netlists.HERE / "points"
EVENTS = ("cycle", "in_flit", "in_head", "in_toggle", "out_flit", "out_head", "out_toggle", "word", "packet", "raw")


def rows_of(data, fitted, held, held_scenarios, predicted):
    for design, entry in data.items():
        for scenario, point in enumerate(entry["points"]):
            unused = design in held or scenario >= len(entry["points"]) - held_scenarios
            for part, energy in point["energy"].items():
                clock, moving = predicted(fitted[part], part, point, entry["shape"])
                events = (point["events"].get(event, "") for event in EVENTS)
                yield [design, scenario, part, int(unused), *events, round(energy), round(clock), round(moving)]


def write(name, data, fitted, held, held_scenarios, predicted):
    FOLDER.mkdir(exist_ok=True)
    with open(FOLDER / f"{name}.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["design", "scenario", "part", "held_out", *EVENTS, "energy_fj", "fitted_clock_fj", "fitted_events_fj"])
        out.writerows(rows_of(data, fitted, held, held_scenarios, predicted))
    with open(FOLDER / f"{name}_parts.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["design", "part", "cells", "flip_flops", "area_um2", "leakage_nw", "period_ps", "clock_fj"])
        for design, entry in data.items():
            for part, values in entry["parts"].items():
                out.writerow([design, part, *(values[key] for key in ("cells", "flip_flops", "area", "leakage")),
                              values["period"] or "", entry["clock"][part]])
            if entry.get("whole_period"):
                out.writerow([design, "router", "", "", "", "", entry["whole_period"], ""])
