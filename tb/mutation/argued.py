#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arguments why an uncaught mutation has no effect: argued.tsv.

    argued.py --check                    status 1 if a text in argued.tsv is not in the RTL any more
    argued.py LIST NUMBER MODULE         prints the argument for mutation NUMBER of LIST (of mutate.sh), if there is one

Columns of argued.tsv: the module; a regular expression for the mutation, "KIND of PORT bit N in CELL"; the file in rtl/ and
the text there, a whole line or a part of one, that identifies the position, or - for any; the argument. A line may move.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
RTL = HERE.parent.parent / "rtl"
PLACE = re.compile(r"(\S+?\.sv):(\d+)(?:\.(\d+)-(\d+)\.(\d+))?")


def arguments():
    for line in (HERE / "argued.tsv").read_text(encoding="utf-8").splitlines():
        yield line.split("\t")


def texts(places):
    """(file, text) for each FILE:LINE.COLUMN-LINE.COLUMN in PLACES: the line, and the text between the columns."""
    for file, first, begin, last, end in PLACE.findall(places):
        source = next((path for path in RTL.rglob("*.sv") if path.as_posix().endswith("/" + file.split("$")[-1])), None)
        if source is None:
            continue
        lines = source.read_text(encoding="utf-8").splitlines()
        if int(first) > len(lines):
            continue
        name, line = source.relative_to(RTL).as_posix(), lines[int(first) - 1]
        yield name, line.strip()
        if begin and first == last:
            yield name, line[int(begin) - 1:int(end) - 1]


def check():
    wrong = 0
    for row, (_, _, file, text, _) in enumerate(arguments(), start=1):
        if file != "-" and text not in (RTL / file).read_text(encoding="utf-8"):
            print(f"argued.tsv:{row}: rtl/{file} no longer has this text: {text}\n  update the row, or remove it", file=sys.stderr)
            wrong = 1
    return wrong


def argue(mutations, number, module):
    for line in pathlib.Path(mutations).read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if fields[0] == number:
            break
    else:
        sys.exit(f"argued.py: {mutations} has no mutation {number}")
    _, kind, cell, port, bit, *places = fields
    what = f"{kind} of {port} bit {bit} in {cell}"
    where = set(texts(" ".join([*places, cell])))
    for of, mutation, file, text, argument in arguments():
        if module.startswith(of) and re.search(mutation, what) and (file == "-" or (file, text) in where):
            print(argument)
            return


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    argue(*sys.argv[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
