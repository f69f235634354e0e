# SPDX-License-Identifier: Apache-2.0
"""Checks of pages and figures."""
import os
import re
import urllib.parse

from checks.tree import Finding

LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|<img[^>]*src=\"([^\"]+)\"")
HOME = "docs/README.md"


def prose(text):
    """(number, line) without code: links in code are no links."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, re.sub(r"`[^`]*`", lambda code: "`" * len(code[0]), line)


def anchors(text):
    """The anchors of a page's headings, as the usual renderers make them."""
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


def links(tree):
    """Links in pages lead somewhere; every page can be reached from docs/README.md; every figure is shown."""
    pages = tree.named(".md")
    folders = {os.path.dirname(path) for path in tree.files}
    folders |= {parent for folder in folders for parent in parents(folder)}
    targets, shown = {page: set() for page in pages}, set()
    for page in pages:
        for number, line in prose(tree.text(page)):
            for match in LINK.finditer(line):
                link = match[1] or match[2]
                if re.match(r"[a-z]+:", link):
                    continue
                path, _, anchor = urllib.parse.unquote(link).partition("#")
                target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                if target not in tree.files and target not in folders:
                    yield Finding(page, number, f"a link to {link}, which does not exist", "Link to what there is")
                elif anchor and target.endswith(".md") and anchor not in anchors(tree.text(target)):
                    yield Finding(page, number, f"a link to {link}, but {target} has no such heading",
                                  "Link to a heading that it has")
                targets[page].add(target)
                shown.add(target)
    yield from unreachable(pages, targets)
    for figure in tree.named(".svg", under="docs/figures/"):
        if figure not in shown:
            yield Finding(figure, 0, "no page shows this figure", "Show it where it explains something, or delete it")


def parents(folder):
    while folder:
        folder = os.path.dirname(folder)
        yield folder or "."


def unreachable(pages, targets):
    reached, open_pages = set(), [HOME]
    while open_pages:
        page = open_pages.pop()
        if page in targets and page not in reached:
            reached.add(page)
            open_pages.extend(targets[page])
    for page in pages:
        if page.startswith("docs/") and not page.endswith(".in.md") and page not in reached:
            yield Finding(page, 0, f"no link leads here from {HOME}", "Add one where a reader would look for it")
