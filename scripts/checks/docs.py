# SPDX-License-Identifier: Apache-2.0
"""Checks of pages and figures."""
import os
import re
import tomllib
import urllib.parse

from checks.tree import Finding

# The patterns match only the end of a link, `](target)` or `][label]`; the text before it may have several lines.
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|<img[^>]*src=\"([^\"]+)\"")
BY_LABEL = re.compile(r"\[([^\[\]]+)\](?:\[([^\[\]]*)\])?")
DEFINITION = re.compile(r"^ {0,3}\[(?!\^)([^\[\]]+)\]:\s*<?([^\s>]+)>?", re.MULTILINE)
CODE = re.compile(r"(?<!`)(`+)(?!`)(?:[^\n]|\n(?!\s*\n))*?(?<!`)\1(?!`)")
MODULE = re.compile(r"^class (\w+)\b[^;{]*: public (?:sc_core::sc_module|packet_stage<)", re.MULTILINE)
HOME = "docs/README.md"
MADE = "docs/made.toml"
WAVES = "docs/figures/contract_waves.toml"
TEMPLATE = ".in.md"
SNIPPET = re.compile(r"^<!-- of (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def prose(text):
    """`text` without code, in which links do not count; lines stay the same."""
    fenced, kept = False, []
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        # Four blanks begin code only after an empty line or after code.
        code = fence or fenced or (line.startswith("    ") and not (kept and kept[-1].strip()))
        fenced = fenced != fence
        kept.append("" if code else line)
    return CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), "\n".join(kept))


def line_at(text, position):
    return text.count("\n", 0, position) + 1


def links_of(plain):
    """(line, target) of each link in prose, and of each label."""
    for match in LINK.finditer(plain):
        yield line_at(plain, match.end()), match[1] or match[2]
    for match in DEFINITION.finditer(plain):
        yield line_at(plain, match.end()), match[2]


def wrong_labels(plain):
    """(line, label, error, remedy) of labels without a target, and of labels that no link uses."""
    def normal(label):
        return " ".join(label.lower().split())

    unused = {normal(match[1]): match for match in DEFINITION.finditer(plain)}
    defined = set(unused)
    for match in BY_LABEL.finditer(DEFINITION.sub(lambda line: re.sub(r"[^\n]", " ", line[0]), plain)):
        label = normal(match[2] or match[1])
        unused.pop(label, None)
        if match[2] is not None and label not in defined:  # brackets without a label may be plain text
            yield line_at(plain, match.end()), label, "has no target", f"Add a line `[{label}]: TARGET`"
    for label, match in unused.items():
        yield line_at(plain, match.start()), label, "is used by no link", "Delete its line"


def anchors(text):
    """The anchors of a page's headings, as common renderers make them."""
    found, fenced = set(), False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced or not (match := re.match(r"#{1,6}\s+(.*?)\s*#*$", line)):
            found.update(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
            continue
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number, name = 0, anchor
        while name in found:
            number += 1
            name = f"{anchor}-{number}"
        found.add(name)
    return found


def made(tree):
    """The pages and figures that docs/make_pages.py makes."""
    def table(path):
        return tomllib.loads(tree.text(path)) if path in tree.files else {}

    found = {f"docs/{name}" for name in table(MADE)}
    found |= {f"docs/figures/wave_{name}.svg" for name in table(WAVES).get("figures", {})}
    found |= {path.replace(TEMPLATE, ".md") for path in tree.named(TEMPLATE, under="docs/")}
    return found | {path.replace(".json", ".svg") for path in tree.named(".json", under="docs/figures/")}


def pages_of(tree):
    """The file of each page: a page that is not made yet is represented by its template."""
    files = {path.replace(TEMPLATE, ".md"): path for path in tree.named(TEMPLATE)}
    files.update({path: path for path in tree.named(".md") if not path.endswith(TEMPLATE)})
    return files


def links(tree):
    """Links in pages have targets; docs/README.md leads to every page; a page shows every figure, and every module has one."""
    pages, files = pages_of(tree), made(tree).union(tree.paths)
    folders = {os.path.dirname(path) for path in tree.paths}
    folders |= {parent for folder in folders for parent in parents(folder)}
    targets, shown = {path: set() for path in files if path.endswith(".md") and not path.endswith(TEMPLATE)}, set()
    for page, file in pages.items():
        plain = prose(tree.text(file))
        for number, label, what, remedy in wrong_labels(plain):
            yield Finding(file, number, f"the label [{label}] {what}", remedy)
        for number, link in links_of(plain):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = urllib.parse.unquote(link).partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if target not in files and target not in folders:
                yield Finding(file, number, f"a link to {link}, which does not exist", "Correct the link")
            elif anchor and target in pages and anchor not in anchors(tree.text(pages[target])):
                yield Finding(file, number, f"a link to {link}, but {target} has no such heading",
                              "Link to an existing heading")
            targets[page].add(target)
            shown.add(target)
    yield from unreachable(targets)
    modules = {name for path in tree.named(".h", under="systemc/weft/pin/") for name in MODULE.findall(tree.text(path))}
    for page in pages:
        if os.path.basename(page)[:-3] in modules and not any(target.endswith(".svg") for target in targets[page]):
            yield Finding(page, 0, "the page of a module shows no figure", "Add a drawing of the module")
    for figure in sorted(files):
        if figure.startswith("docs/figures/") and figure.endswith(".svg") and figure not in shown:
            yield Finding(figure, 0, "no page shows this figure", "Show it where it explains something, or delete it")


def snippets(tree):
    """Code after `<!-- of PATH -->` in a page is in that file, except for indentation, so that pages show compiled code."""
    def lines(text):
        return "".join(f"{line.strip()}\n" for line in text.splitlines() if line.strip())

    for page in tree.named(".md"):
        text = tree.text(page)
        for match in SNIPPET.finditer(text):
            path, number = match[1], line_at(text, match.start())
            if path not in tree.paths:
                yield Finding(page, number, f"code of {path}, which does not exist", "Name an existing file")
            elif f"\n{lines(match[2])}" not in f"\n{lines(tree.text(path))}":
                yield Finding(page, number, f"this code is not in {path}", "Copy it from there")


def parents(folder):
    while folder:
        folder = os.path.dirname(folder)
        yield folder or "."


def unreachable(targets):
    reached, open_pages = set(), [HOME]
    while open_pages:
        page = open_pages.pop()
        if page in targets and page not in reached:
            reached.add(page)
            open_pages.extend(targets[page])
    for page in sorted(targets):
        if page.startswith("docs/") and page not in reached:
            yield Finding(page, 0, f"no link leads here from {HOME}", "Add one where a reader expects it")
