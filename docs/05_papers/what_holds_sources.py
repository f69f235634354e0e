# SPDX-License-Identifier: Apache-2.0
"""The claims of the five papers, from the stored values of their pages. A claim is a row of a table of claims, or a whole table whose
rows are printed entries."""

import collections
import json
import re
from dataclasses import dataclass, field

from paper_tools import HERE

HOLDS, SIZE, FALSE, IMPOSSIBLE = "holds", "holds with another size", "does not hold", "impossible"


class Pages:
    """The stored values of the pages, which a measurement may replace."""

    def __init__(self):
        self.loaded = {}

    def __getitem__(self, page):
        if page not in self.loaded:
            self.loaded[page] = json.loads((HERE / f"{page}.json").read_text())
        return self.loaded[page]

    def rows(self, page, name):
        """The rows of a table, without its header."""
        return [cells(line) for line in self[page][name][2:]]

    def replace(self, page, measured, claims=()):
        """Replaces values by measured ones, and the rows of the table of claims with the same place and text."""
        for name, value in measured.items():
            self[page][name] = value.split("\n") if "\n" in value else value
        for line in claims:
            same = [i for i, old in enumerate(self[page]["claims"]) if cells(old)[:2] == cells(line)[:2]]
            self[page]["claims"][same[0]] = line


@dataclass
class Source:
    """page and tables: where the stored values come from."""

    where: str
    printed: str
    found: str
    result: str
    page: str
    tables: list = field(default_factory=list)


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def result_of(text):
    """The result in the words of this page, of a result in the words of the pages on the papers."""
    text = text.replace("*", "")
    if text.startswith(("reproduced only", "only", "holds in part", "in part")):
        return "holds only " + re.sub(r"^(reproduced only|only|holds in part|in part)", "", text).strip(" ,")
    if text == "impossible with these senders":
        return "holds only with other senders"
    if text.startswith("holds for the"):
        return "holds only " + text.removeprefix("holds ")
    for begin, result in (
        ("reproduced", HOLDS),
        ("holds", HOLDS),
        ("beaten", SIZE),
        ("weak", SIZE),
        ("not reproduced", FALSE),
        ("does not hold", FALSE),
        ("no bound", FALSE),
        ("impossible", IMPOSSIBLE),
    ):
        if text.startswith(begin):
            return result
    raise ValueError(f"unknown result: {text}")


def claim_rows(pages, page):
    """The claims of a table of claims."""
    for where, printed, found, result, why in pages.rows(page, "claims"):
        yield Source(where, printed, "; ".join(filter(None, (found, why.replace(", see below", "")))), result_of(result), page, ["claims"])


def entries(pages, where, printed, page, name, columns, more=()):
    """One claim for a table of printed entries. columns: those of the entry's printed value, of the value found, and of the result;
    more: further tables of this claim."""
    by_result = collections.defaultdict(list)
    rows = pages.rows(page, name)
    for row in rows:
        old, new, result = (row[column] for column in columns)
        title = " ".join(row[:1] if 1 in columns else row[:2]).strip()
        by_result[result_of(result)].append(f"{title} {old} → {new}")
    counts = {result: len(list_) for result, list_ in by_result.items()}
    texts = [f"{counts.get(HOLDS, 0)} of {len(rows)} entries hold"]
    texts += [f"{result.removeprefix('holds ')}: {', '.join(list_)}" for result, list_ in by_result.items() if result != HOLDS]
    if len(counts) == 1:
        outcome = next(iter(counts))
    else:
        outcome = ", ".join(f"{count} {short(result)}" for result, count in counts.items())
    return Source(where, printed, "; ".join(texts), outcome, page, [name, *more])


def short(result):
    """The result of several entries."""
    return {HOLDS: "hold", SIZE: "with another size", FALSE: "do not hold"}.get(result, result.removeprefix("holds "))


def rings(pages):
    yield entries(pages, "first Table 2", "lower bounds on the number of steps, 40 entries", "rings", "bounds", (2, 5, 3))
    yield entries(pages, "Table 3", "R/TCO of schedules called non-combining", "rings", "single", (2, 3, 4))
    yield entries(pages, "Fig. 3", "a broadcast on H-rings 16 takes 4 steps from any node", "rings", "sources", (1, 2, 3))
    yield entries(pages, "second Table 2", "R and TCO of combined messages by formulas", "rings", "formulas", (3, 4, 6))
    yield entries(pages, "Table 3", "R/TCO of combined messages", "rings", "combined", (2, 5, 3))
    yield entries(pages, "Table 4", "times in ns of messages of 4 bytes", "rings", "times", (2, 3, 5))
    # The statements are in the template, because most of their text is the paper's.
    values = pages["rings"]
    for line in (HERE / "rings.in.md").read_text().splitlines():
        if line.startswith(("| section ", "| conclusions ")) and "RINGS" not in line:
            filled = re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], line)
            where, printed, found, result = cells(filled)
            yield Source(where, printed, found, result_of(result), "rings")


def fattree(pages):
    yield lower_bounds(pages)
    yield entries(pages, "Table II", "steps of direct schedules, 62 entries", "fat_tree", "table_two", (2, 5, 3))
    yield entries(pages, "Tables III, IV", "R/TCO of combined messages by formulas", "fat_tree_combining", "combining", (3, 6, 4))
    yield entries(pages, "Table V", "times in ns of messages of 8 bytes", "fat_tree", "times", (2, 3, 4))
    yield entries(pages, "Table VI", "times in ns of messages of 64 bytes", "fat_tree", "times", (5, 6, 7))
    yield from threshold_equations(pages)
    yield embedded_meshes(pages)
    for where, printed, formulas, found, result in pages.rows("fat_tree_combining", "conclusions"):
        quantity = "m t1/ts " if where.startswith("conclusion") else ""
        text = f"{quantity}by the paper's formulas: {formulas}; by the schedules found: {found}"
        yield Source(where, printed, text, result_of(result), "fat_tree_combining", ["conclusions"])


def lower_bounds(pages):
    """The formulas that are not valid or weak; the page lists only these."""
    source = entries(pages, "Table I", "lower bounds by formulas, for the networks of Table II", "fat_tree", "table_one", (3, 5, 4))
    listed = source.found.partition("; ")[2]
    source.found = f"all but these hold; {listed}. Table II itself does not use the formula with the sum of hops for trees"
    return source


def threshold_equations(pages):
    for equation in ("8", "10"):
        rows = [row for row in pages.rows("fat_tree_combining", "thresholds") if row[0].endswith(f"eq. {equation}")]
        wrong = [f"{network} {collective} {old} → {new}" for _, network, collective, old, new, why in rows if "denominator" in why]
        reversed_ = sum("printed with <=" in row[5] for row in rows)
        found = f"the sign is reversed in {reversed_} of {len(rows)} cases (the others have no limit)"
        found += f"; wrong denominator: {', '.join(wrong)}" if wrong else "; the values follow from the formulas"
        printed = "direct messages are faster than combined ones if m t1/ts is at most this value"
        yield Source(f"Eq. {equation}", printed, found, FALSE if wrong else SIZE, "fat_tree_combining", ["thresholds"])


def embedded_meshes(pages):
    rows = pages.rows("fat_tree_combining", "congestion")
    better = [f"{row[0]} {row[1]} {row[4]} → {row[6]}" for row in rows if row[6].split(", ")[0] != row[4]]
    found = f"{len(rows) - len(better)} of {len(rows)} schedules hold; {SIZE.removeprefix('holds ')}: {'; '.join(better)}"
    return Source("Eq. 11, 12", "R/TCO of meshes embedded in trees", found, SIZE if better else HOLDS, "fat_tree_combining", ["congestion"])


def octagon(pages):
    yield entries(pages, "Table 2", "steps of many-to-many broadcast and scatter", "octagon", "table_two", (3, 6, 4), more=["sets"])
    rows = pages.rows("octagon", "table_two")
    valid = sum(row[2].endswith("holds") for row in rows)
    weak = [f"{row[0]} {row[1]} {row[2].split(',')[0]} → {row[5]}" for row in rows if not row[2].endswith("holds")]
    yield Source(
        "Table 2", "lower bounds of these", f"{valid} of {len(rows)} hold; with another size: {', '.join(weak)}", SIZE, "octagon", ["table_two"]
    )
    yield entries(pages, "Table 2", "8 to the same 8, scatter by shortest paths: 10 steps", "octagon", "minimal", (1, 4, 2))
    yield entries(pages, "Fig. 3", "scatter on a 4x4 mesh: 6 steps by shortest paths, 5 by any", "octagon", "fig_three", (1, 4, 2))
    by_formula, by_example = pages.rows("octagon", "example")
    yield Source(
        "section 3", f"T1 + T2 of the example is {by_example[3]}",
        f"with Q² as in eq. 8, it is {by_formula[3]}; neither is a bound, because both parts may overlap in time", FALSE, "octagon", ["example"],
    )
    yield from searches(pages)
    yield Source("Eq. 12", "τ steps take τ ts + m t1", "τ (ts + m t1), because each step sends m units", FALSE, "octagon")


def searches(pages):
    rows = pages.rows("octagon", "searches")
    close = [(int(row[0]), int(row[-1].split(",")[0]) / int(row[3].replace(",", "")) <= 1.1) for row in rows]
    limit = max(nodes for nodes, _ in close if all(near for n, near in close if n <= nodes))
    shown = ", ".join(f"{row[0]} nodes {row[2]} {row[-1].split(',')[0]}/{row[3]}" for row in rows)
    yield Source(
        "section 7", "upper bounds are equal or close to the lower bounds; the searches reach their limits around 64 to 128 nodes",
        f"found/bound: {shown}", HOLDS if limit >= 64 else f"holds only up to {limit} nodes", "octagon", ["searches"],
    )
    by_method = {row[0].strip("`"): row for row in pages.rows("octagon", "closeness")}
    found = [f"`{m}` {int(by_method[m][2]) + int(by_method[m][3])} of {by_method[m][1]}" for m in ("hgsa", "estimation")]
    yield Source(
        "section 5", "the two evolutionary searches find these schedules",
        f"at most 10 % above the bound: {', '.join(found)} problems, in one run of 20 s each", FALSE, "octagon", ["closeness"],
    )


def sources(paper, pages):
    """The claims of a paper, in the order of the page."""
    return {
        "hnc": lambda: claim_rows(pages, "network_coding"),
        "compress": lambda: claim_rows(pages, "compression"),
        "rings": lambda: rings(pages),
        "fattree": lambda: fattree(pages),
        "octagon": lambda: octagon(pages),
    }[paper]()
