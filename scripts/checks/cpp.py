# SPDX-License-Identifier: Apache-2.0
"""A C++ scanner that recognizes scopes. It finds functions and namespaces without a compiler."""
import re
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      |(?P<raw>\bR"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)")
      |(?P<string>"(?:\\.|[^"\\\n])*")
      |(?P<char>(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')
      |(?P<directive>^[ ]*\#(?:\\\n|//[^\n]*|[^\n])*)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)


def blanked(text):
    """`text` without comments, literals and directives; lines and columns stay the same."""
    def blank(match):
        spaces = re.sub(r"[^\n]", " ", match[0])
        return f'"{spaces[2:]}"' if match.lastgroup in ("raw", "mark", "string") and "\n" not in spaces else spaces
    return TOKEN.sub(blank, text)


class Scope(NamedTuple):
    kind: str    # "namespace", "type", "function" or "other"
    name: str
    first: int   # line of the first word of the declaration
    last: int    # line of the closing brace
    depth: int   # number of enclosing scopes


class Unbalanced(Exception):
    """Braces do not match. The message contains the unmatched brace and its line."""


NAMESPACE = re.compile(r"(?:inline\s+)?namespace\b\s*([\w:]*)")
TYPE = re.compile(r"(?:template\s*<.*>\s*)?(?:typedef\s+)?(?:class|struct|union|enum)\b(?:\s+class)?"
                  r"(?:\s*(?:alignas\s*\([^()]*\)|\[\[.*?\]\]))*\s*([\w:]*)", re.DOTALL)
INITIALISERS = re.compile(r"\)[\w\s]*(?<!:):(?!:)")
FUNCTION = re.compile(r"(operator\s*\(\s*\)|operator\s*[^\s(]+|[\w:~]+)\s*\(")
# A lambda introducer at a position of a value, parameters, and what may follow them.
LAMBDA = re.compile(r"(?:(?:(\w+)\s*)?=|^|[(,{?:&|])\s*\[(?:[^\[\]]|\[[^\[\]]*\])*\]\s*"
                    r"(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*)?(?:(?:mutable|constexpr|noexcept)\b\s*)*(?:->[^=;{}]*)?$")


def kind_of(head, enclosing):
    """Kind and name of the scope that the brace after `head` opens."""
    head = re.sub(r"^\s*((public|private|protected)\s*:\s*|\[\[.*?\]\]\s*)*", "", head)
    if match := NAMESPACE.match(head):
        return "namespace", match[1]
    if re.match(r'extern\s*"', head) and "(" not in head:
        return "namespace", "extern"
    if enclosing == "function":
        return "other", ""
    if (match := TYPE.match(head)) and "(" not in head[match.end():].partition(":")[0]:
        return "type", match[1]  # not a function that returns one
    last = head.rstrip()[-1:]
    if INITIALISERS.search(head) and (last.isalnum() or last in "_>"):
        return "other", ""  # initializer of a member in a constructor
    match = FUNCTION.search(re.sub(r"^template\s*<[^{}]*?>\s*(?=[\w\[])", "", head))
    if match and last not in "=,(":
        return "function", match[1]
    return "other", ""


def scopes(text):
    """All namespaces, types and functions of a source; inner scopes precede outer ones."""
    plain = blanked(text)
    found, open_scopes, start, line = [], [], None, 1
    head_from = 0
    for position, char in enumerate(plain):
        if char == "\n":
            line += 1
        elif char == "{":
            head = plain[head_from:position]
            enclosing = open_scopes[-1][0] if open_scopes else ""
            within = any(scope[0] in ("function", "lambda") for scope in open_scopes)
            if not within and (match := LAMBDA.search(head.strip())):
                kind, name = "lambda", match[1] or "lambda"
            else:
                kind, name = ("other", "") if within or enclosing == "other" else kind_of(head, enclosing)
            first = line if start is None else start
            open_scopes.append((kind, name, first, head_from))
            head_from, start = position + 1, None
        elif char == "}":
            if not open_scopes:
                raise Unbalanced(line)
            kind, name, first, resumed = open_scopes.pop()
            if kind != "other":
                found.append(Scope("function" if kind == "lambda" else kind, name, first, line, len(open_scopes)))
            if kind not in ("other", "lambda"):
                head_from, start = position + 1, None
            elif not open_scopes or open_scopes[-1][0] in ("namespace", "type"):
                head_from, start = resumed, first  # an initializer: the declaration continues
        elif char == ";":
            head_from, start = position + 1, None
        elif start is None and not char.isspace():
            start = line
    if open_scopes:
        raise Unbalanced(open_scopes[-1][2])
    return found


def functions(text):
    """(name, first line, number of lines) of each function, including lambdas; a function includes its inner functions."""
    return [(s.name, s.first, s.last - s.first + 1) for s in scopes(text) if s.kind == "function"]


def outside(text):
    """First lines of declarations outside of all named namespaces."""
    plain = blanked(text).splitlines()
    for scope in scopes(text):
        if scope.kind == "namespace" and scope.name not in ("", "extern") and scope.depth == 0:
            plain[scope.first - 1:scope.last] = [""] * (scope.last - scope.first + 1)
    before = ""
    for number, line in enumerate(plain, 1):
        if line.strip() and not before.strip():
            yield number
        before = line


def opened(text):
    """(line, name) of each namespace that `using namespace` opens."""
    for number, line in enumerate(blanked(text).splitlines(), 1):
        if match := re.search(r"\busing\s+namespace\s+([\w:]+)", line):
            yield number, match[1]


def includes(text):
    """(line, name, whether in quotes) of each #include."""
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line):
            yield number, match[2], match[1] == '"'
