#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage of the RTL by its tests: report.py FOLDER [--unreached FILE] [--rtl FOLDER]

Adds up the files that verilated models have written (*.dat), over all their parameters and instances, and prints a table
by module: points of lines and branches, and cover points. A point that no test reached is printed with its line, unless
the list of unreachable points contains it with a reason. Exit status 1 if a point is not reached, or if a point of the
list is reached, so the list only shrinks.
"""

import argparse
import csv
import re
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
POINT = re.compile(r"^C '(.*)' (\d+)$")


def points_of(text):
    """((file, line, column, kind, name of a cover point or ""), count) for each point in the text of a model's file."""
    for line in text.splitlines():
        found = POINT.match(line)
        if not found:
            continue
        fields = dict(part.split("\x02", 1) for part in found[1].split("\x01") if "\x02" in part)
        kind = fields["page"].split("/")[0].removeprefix("v_")
        yield (fields["f"], int(fields["l"]), int(fields["n"]), kind, fields["o"]), int(found[2])


def read(folder, rtl):
    """How often each point of the RTL was reached."""
    times = defaultdict(int)
    files = sorted(Path(folder).glob("*.dat"))
    if not files:
        sys.exit(f"coverage: no *.dat in {folder}; run the tests first")
    for path in files:
        for (file, *rest), count in points_of(path.read_text(encoding="latin-1")):
            file = Path(file).resolve()
            if rtl in file.parents:
                times[(str(file.relative_to(rtl)), *rest)] += count
    return times


def read_unreached(path):
    """Reasons by (file, kind, text of the line)."""
    with open(path, encoding="utf-8", newline="") as rows:
        return {(file, kind, text): reason
                for file, kind, text, reason in csv.reader(rows, delimiter="\t", quoting=csv.QUOTE_NONE) if not file.startswith("#")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--unreached", type=Path, default=HERE / "unreached.tsv")
    parser.add_argument("--rtl", type=Path, default=HERE.parent.parent / "rtl")
    options = parser.parse_args()
    rtl = options.rtl.resolve()
    times = read(options.folder, rtl)
    reasons = read_unreached(options.unreached)
    lines = {file: (rtl / file).read_text().splitlines() for file in {point[0] for point in times}}

    rows = defaultdict(lambda: [0, 0, 0, 0, 0])  # points reached, all, out of reach; cover points reached, all
    missing, used = [], set()
    for point, count in sorted(times.items()):
        file, line, _, kind, name = point
        row = rows[Path(file).stem.removeprefix("weft_")]
        text = lines[file][line - 1].strip()
        what = "cover" if kind == "user" else name
        key = (file, what, text)
        if kind == "user":
            row[4] += 1
            row[3] += count > 0
        else:
            row[1] += 1
            row[0] += count > 0
        if count > 0:
            continue
        if key in reasons:
            used.add(key)
            row[2] += 1
        else:
            missing.append(f"{file}:{line}: {what}: {text}")

    print("| module | lines and branches | reached | out of reach | cover points | reached |")
    print("|---|---|---|---|---|---|")
    for module, (reached, all_points, out, covered, covers) in sorted(rows.items()):
        print(f"| {module} | {all_points} | {reached} | {out or ''} | {covers or ''} | {covered if covers else ''} |")
    sums = [sum(row[i] for row in rows.values()) for i in range(5)]
    print(f"| all | {sums[1]} | {sums[0]} | {sums[2]} | {sums[4]} | {sums[3]} |")

    for point in missing:
        print(f"not reached: rtl/{point}", file=sys.stderr)
    stale = [key for key in reasons if key not in used]
    for file, kind, text in stale:
        print(f"{options.unreached.name}: rtl/{file}: {kind}: {text} is listed as unreachable, but it is reached, or gone; remove it",
              file=sys.stderr)
    return 1 if missing or stale else 0


if __name__ == "__main__":
    sys.exit(main())
