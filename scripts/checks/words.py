# SPDX-License-Identifier: Apache-2.0
"""Checks of words: names and prose use the terms of the table in the style page. The texts of programs, which users
read, are no part of it."""
import re

from checks.cpp import blanked
from checks.tree import Finding

STYLE = "docs/04_developer/style.md"
ROW = re.compile(r"^\| ([^|]+) \| [^|]+ \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)
NAME = re.compile(r"[A-Za-z_]\w*")
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
SV_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
PY_TEXT = re.compile(r"\"\"\".*?\"\"\"|#[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
CPP_TEXT = re.compile(r"R\"(?P<mark>[^()\s\"]*)\(.*?\)(?P=mark)\"|" + SV_TEXT.pattern + r"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
TEXTS = {".h": CPP_TEXT, ".cpp": CPP_TEXT, ".sv": SV_TEXT, ".svh": SV_TEXT, ".py": PY_TEXT}
SPANS = re.compile(r"`[^`]*`|\"[^\"\n]*\"")  # code and quotations in prose
FENCED = re.compile(r"^ *```.*?^ *```|^    .*?$", re.DOTALL | re.MULTILINE)
EXEMPT = (STYLE, "scripts/checks/", "tests/check/")  # they name what is banned
PAPERS = "docs/05_papers/"  # papers say things
PEOPLE = r"(?<!\byou )(?<!\buser )(?<!\busers )(?<!\breader )"  # people may want and know


def terms(tree, column):
    """{words, as in the table: the term to use} of one column of the table of terms."""
    found = {}
    for row in ROW.finditer(tree.text(STYLE)):
        for words in re.findall(r"`([^`]+)`", row[column]):
            found[words] = row[1]
    return found


def blank(match):
    """As many lines of blanks."""
    return re.sub(r"[^\n]", " ", match[0])


def suffix(path):
    return path[path.rfind("."):] if "." in path else ""


def code_of(tree, path):
    """The file without comments and literals, in the same lines."""
    text = tree.text(path)
    return blanked(text) if TEXTS[suffix(path)] is CPP_TEXT else TEXTS[suffix(path)].sub(blank, text)


def prose_of(tree, path):
    """The comments of a source, or a page without its code, in the same lines."""
    text = tree.text(path)
    if path.endswith(".md"):
        return SPANS.sub(blank, FENCED.sub(blank, text))
    kept, end = [], 0
    for match in TEXTS[suffix(path)].finditer(text):
        kept.append(re.sub(r"[^\n]", " ", text[end:match.start()]))
        is_comment = match[0].startswith(("//", "/*", "#", '"""'))
        kept.append(SPANS.sub(blank, match[0].strip('"')) if is_comment else blank(match))
        end = match.end()
    return "".join(kept)


def parts(name):
    """`snake_case` and `UpperCamelCase` as a text of words: "_snake_case_"."""
    return "_" + "_".join(part.lower() for part in PART.findall(name)) + "_"


def names(tree):
    """No name of code has a word of the column "not in names"."""
    banned = terms(tree, 2)
    if not banned:
        return
    pattern = re.compile("_(" + "|".join(sorted(banned, key=len, reverse=True)) + ")_")
    for path in tree.files:
        if suffix(path) not in TEXTS or path.startswith(EXEMPT):
            continue
        seen = set()
        for number, line in enumerate(code_of(tree, path).splitlines(), 1):
            for name in NAME.findall(line):
                match = pattern.search(parts(name))
                if match and name not in seen:
                    seen.add(name)
                    yield Finding(path, number, f"the name '{name}' has '{match[1]}'", f"Use the term {banned[match[1]]}")


def prose(tree):
    """No comment and no page has a word of the column "not in prose"."""
    banned = terms(tree, 3)
    if not banned:
        return
    pattern = re.compile(PEOPLE + r"\b(" + "|".join(sorted(banned, key=len, reverse=True)) + r")\b", re.IGNORECASE)
    for path in tree.files:
        if suffix(path) not in TEXTS and not path.endswith(".md") or path.startswith((*EXEMPT, PAPERS)):
            continue
        for number, line in enumerate(prose_of(tree, path).splitlines(), 1):
            for match in pattern.finditer(line):
                yield Finding(path, number, f"the text has '{match[0]}'", f"Use the term {banned[match[1].lower()]}")
