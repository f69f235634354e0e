#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every claim of the five papers, with its result: the values of what_holds.in.md. The claims, the printed numbers and the numbers
found come from the stored values of the pages on the papers, what turns a result comes from what_holds.toml.

    docs/05_papers/what_holds.py         stores what_holds.json

scripts/paper prints and measures single claims."""

import collections
import re
import sys
import tomllib

sys.dont_write_bytecode = True
from paper_tools import HERE, store_page, table  # noqa: E402
from what_holds_sources import Pages, sources  # noqa: E402

PAPERS = {"hnc": "HNC", "compress": "COMPRESS", "rings": "RINGS", "fattree": "FATTREE", "octagon": "OCTAGON"}
PAGES = {"hnc": "network_coding", "compress": "compression", "rings": "rings", "fattree": "fat_tree", "octagon": "octagon"}
KINDS = ("holds", "holds with another size", "holds only", "does not hold", "impossible")
PLACE = re.compile(r"(?:first |second )?(Figs?\.|Tables?|Sect\.|Eq\.|Algorithm|section|conclusion) ([\w.-]+)$")
SIGNS = {"impossible": "impossible", "not hold": "does not hold", "only": "holds only", "another size": "holds with another size"}


class Claim:
    """A claim: where it is printed, its text with the printed number, the number found, the result, and what turns the result."""

    def __init__(self, paper, source, note):
        self.paper, self.where, self.printed, self.found = paper, source.where, source.printed, source.found
        self.page, self.tables = source.page, source.tables
        self.stated = source.result  # of the page on the paper
        self.result = note.get("result", self.stated)
        self.turned = note["turned"]
        self.names = names_of(self.where)

    def kind(self):
        """One of KINDS; of a claim on a table of entries, the kind of its worst entry."""
        return next((kind for sign, kind in SIGNS.items() if sign in self.result), KINDS[0])

    def command(self):
        return f"`scripts/paper {self.paper} {self.names[-1]}`"


def names_of(where):
    """The names under which a claim is found: "abstract, Figs. 2, 5" has abstract, fig2 and fig5."""
    names, kind = [], ""
    for part in where.split(", "):
        if place := PLACE.match(part):
            kind = place[1].lower().rstrip(".").removesuffix("s")
            part = place[2]
        elif not re.fullmatch(r"[IVX\d]+", part):
            names.append(part.lower().replace(" ", "-"))
            continue
        first, _, last = part.partition("-")
        numbers = range(int(first), int(last) + 1) if first.isdigit() and last.isdigit() else [part.lower()]
        names += [f"{kind}{number}" for number in numbers]
    return names


def notes_of(paper):
    return tomllib.loads((HERE / "what_holds.toml").read_text())[paper]


def claims_of(paper, pages):
    """All claims of a paper, in its order. Each has exactly one note, whose key begins its place and text."""
    notes, claims = dict(notes_of(paper)), []
    for source in sources(paper, pages):
        title = f"{source.where}: {source.printed}"
        keys = [key for key in notes if title.startswith(key)]
        if len(keys) != 1:
            raise ValueError(f"what_holds.toml, [{paper}]: {len(keys)} notes for the claim \"{title}\"")
        claims.append(Claim(paper, source, notes.pop(keys[0])))
    if notes:
        raise ValueError(f"what_holds.toml, [{paper}]: no claim for {', '.join(notes)}")
    return claims


def values():
    """The tables of what_holds.in.md."""
    stored, counts, pages = {}, [], Pages()
    for paper, title in PAPERS.items():
        claims = claims_of(paper, pages)
        kinds = collections.Counter(claim.kind() for claim in claims)
        counts.append([f"[{title}]({PAGES[paper]}.md)", len(claims), *(kinds[kind] for kind in KINDS)])
        stored[paper] = table(
            ["where", "claim", "found", "result", "what turns it", "command"],
            [[c.where, c.printed, c.found, c.result, c.turned, c.command()] for c in claims],
        )
    sums = [sum(row[i] for row in counts) for i in range(1, 2 + len(KINDS))]
    parts = [f"{count} {kind}" for count, kind in zip(sums[1:], ("hold", "hold with another size", "hold only under a condition", "do not hold"))]
    stored["summary"] = f"Of {sums[0]} claims, {', '.join(parts)}, and {sums[-1]} are impossible in at least one entry."
    stored["counts"] = table(["paper", "claims", *KINDS], counts)
    return stored


if __name__ == "__main__":
    store_page("what_holds", values())
