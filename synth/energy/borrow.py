# SPDX-License-Identifier: Apache-2.0
"""Estimates designs that a technology has not measured from those of a reference technology.

The netlists of both have the same flip-flops and the same events. For each part, the ratios of idle energy, energy above
idle, area, leakage and period between the technologies are means over the designs that both have measured; an estimated
design is the one of the reference times these ratios. Only fits use estimated designs, errors are those of measured ones.
"""

import numpy

ENOUGH = 6  # measured designs, from which on nothing is estimated


def idle_of(entry, part):
    point = next(p for p in entry["points"] if not any(value for event, value in p["events"].items() if event != "cycle"))
    return point["energy"][part] / point["events"]["cycle"]


def above_of(entry, part):
    """Energy above idle of all points."""
    return sum(p["energy"][part] - idle_of(entry, part) * p["events"]["cycle"] for p in entry["points"])


def ratios(part, pairs):
    """Ratios of a part: PAIRS has (measured, reference) for each common design."""
    def mean(value):
        found = [value(own) / value(other) for own, other in pairs if value(other)]
        return float(numpy.exp(numpy.mean(numpy.log(found)))) if found else 1.0
    scale = {key: mean(lambda entry, key=key: entry["parts"][part][key]) for key in ("area", "leakage", "period")}
    return {**scale, "idle": mean(lambda entry: idle_of(entry, part)), "above": mean(lambda entry: above_of(entry, part))}


def estimated(entry, scales, whole):
    """The design ENTRY of the reference in the technology with SCALES."""
    points = []
    for point in entry["points"]:
        energy = {}
        for part, scale in scales.items():
            idle = idle_of(entry, part) * point["events"]["cycle"]
            energy[part] = idle * scale["idle"] + (point["energy"][part] - idle) * scale["above"]
        points.append({"events": point["events"], "energy": energy})
    parts = {part: {**values, **{key: values[key] * scales[part][key] for key in ("area", "leakage", "period")}}
             for part, values in entry["parts"].items()}
    period = entry.get("whole_period")
    return {**entry, "points": points, "parts": parts, "whole_period": period * whole if period and whole else None}


def missing(data, reference):
    """The designs of REFERENCE that DATA does not have, estimated; none if DATA has enough."""
    common = [(data[design], reference[design]) for design in data if design in reference]
    if not common or len(data) >= ENOUGH:
        return {}
    scales = {part: ratios(part, common) for part in common[0][0]["parts"]}
    wholes = [own["whole_period"] / other["whole_period"] for own, other in common
              if own.get("whole_period") and other.get("whole_period")]
    whole = sum(wholes) / len(wholes) if wholes else None
    return {design: estimated(entry, scales, whole) for design, entry in reference.items() if design not in data}
