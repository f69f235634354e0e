# SPDX-License-Identifier: Apache-2.0
"""COMPRESS: the thresholds of Algorithm 1, and integers in a network."""

import json

from compression_tools import ASSUMED, LOW, NEVER, NONE, QUEUE, SELECTIVE, with_gain
from paper_tools import table

MIDDLE = 0.2
TABLE_ONE = {"integer_code": "table"}
CLASSIC = {"integer_code": "classic"}


def settings(study, recordings, claims, values):
    thresholds(study, claims, values)
    integers(study, recordings, claims, values)


def thresholds(study, claims, values):
    """L_th, N_th, Q_th and the window, on uniform traffic."""
    none = study.curve(NONE)

    def row(title, compression, nic=None):
        of = study.curve({**QUEUE, **compression}, nic=nic)
        return (
            title,
            *(f"{of.latency(load):.0f}" for load in (LOW, MIDDLE)),
            *(f"{100 * of.share(load):.0f} %" for load in (LOW, MIDDLE)),
            with_gain(of.settled(), none.settled()),
            with_gain(of.most(), none.most()),
        ), of

    lengths = {flits: row(f"L ≥ {flits} or Q > 0", {"length_threshold": flits}) for flits in (50, 100, 150, 200)}
    rows = [cells for cells, _ in lengths.values()]
    for flits in (0, 50, 100, 250, 400):
        rows.append(row(f"N > {flits} or Q > 0", {"received_threshold": flits})[0])
    for flits in (0, 100, 250):
        rows.append(row(f"N > {flits}", {"received_threshold": flits, "queue_threshold": NEVER})[0])
    for packets in (0, 1, 2, 4, 8):
        rows.append(row(f"Q > {packets}", {"queue_threshold": packets})[0])
    for window, buckets in ((100, 1), (1000, 1), (1000, 10), (10000, 1)):
        slides = f", sliding by {window // buckets}" if buckets > 1 else ""
        title = f"N > {window // 4} in {window:,} cycles{slides}, or Q > 0"
        rows.append(row(title, {"received_threshold": window // 4}, {"window": window, "buckets": buckets})[0])
    loads = [f"latency at {LOW}", f"at {MIDDLE}", f"compressed at {LOW}", f"at {MIDDLE}"]
    values["thresholds"] = table(["compressed if", *loads, "settles", "accepts at most"], rows)
    low = {flits: of.latency() for flits, (_, of) in lengths.items()}
    claims.add(
        "Sect. III-B",
        "Equation 1 gives a length threshold of about 200 flits",
        "latency at low load with L_th = " + ", ".join(f"{flits}: {cycles:.0f}" for flits, cycles in low.items()),
        low[200] == min(low.values()) and low[50] > low[200],
        "lower thresholds increase latency, but also throughput",
    )


def integers(study, recordings, claims, values):
    """Integers in a network with the real codecs. recordings: files of MPI_INT, by title."""
    none = study.curve(NONE)
    payloads = {"small integers": {"kind": "small_integers"}}
    payloads.update({title: {"kind": "file", "file": str(file)} for title, file in recordings.items()})
    rows = [("", "none", "", round(none.latency()), f"{none.settled():.3f}", f"{none.most():.3f}")]
    best = {}
    for title, payload in payloads.items():
        codes = {"Table I": TABLE_ONE, "classic": CLASSIC}
        if "file" in payload:
            codes["tuned"] = {"integer_code": "table", "table": tuned(study, payload["file"])}
        for code, setting in codes.items():
            of = study.curve({"mode": "always", **setting}, payload=payload)
            best[title, code] = of
            rows.append(row(title, f"always, {code}, hardware", of, none))
    small = payloads["small integers"]
    for title, setting in (
        ("Q > 0, Table I, hardware", {**SELECTIVE, **TABLE_ONE}),
        ("always, Table I, 100 cycles", {"mode": "always", "latency": ASSUMED["latency"], **TABLE_ONE}),
        ("Q > 0, Table I, 100 cycles", {**SELECTIVE, "latency": ASSUMED["latency"], **TABLE_ONE}),
    ):
        rows.append(row("small integers", title, study.curve(setting, payload=small), none))
    values["integers"] = table(
        ["payload", "compression", f"fewer flits, at {MIDDLE}", f"latency at {LOW}", "settles", "accepts at most"], rows
    )


def row(payload, title, of, none):
    travelled = of.at(MIDDLE, "travelled_share")
    return (
        payload,
        title,
        f"{1 / travelled:.2f} times",
        round(of.latency()),
        with_gain(of.settled(), none.settled()),
        with_gain(of.most(), none.most()),
    )


def tuned(study, file):
    """The best six run lengths for a recording."""
    codecs = json.loads(study.invoke("codec", "--tune", "--json", "-", file))[0]["codecs"]
    return next(codec["runs"] for codec in codecs if codec.get("table") == "tuned")
