#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the complete documentation: the repository's pages, with the pages and figures that programs write.

    docs/make_pages.py WEFT WAVES FOLDER

WEFT: the command, e.g. build/release/weft. WAVES: the folder of the waveforms that contract_waves.py has drawn. FOLDER:
is written anew. It has the files of the repository at their places, pages as copies and others as symbolic links, so that
relative links work. Beside them are

- the pages and figures of docs/made.toml, written by the weft command;
- the page X.md of each template X.in.md, whose names in {{braces}} are replaced by the values in X.json;
- the drawing X.svg of each docs/figures/X.json, drawn by gnuplot;
- the waveforms."""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HOME = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(HOME / "scripts"))
from checks.docs import MADE, TEMPLATE, made  # noqa: E402
from checks.tree import Tree  # noqa: E402


def written(weft, command):
    """What a shell command writes in an empty folder."""
    environment = {**os.environ, "PATH": f"{weft.parent}:{os.environ['PATH']}", "examples": str(HOME / "examples")}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["sh", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"make_pages.py: {command}\n{done.stderr}")
    return done.stdout


def filled(template):
    """The page of a template."""
    stored = json.loads(template.with_name(template.name.replace(TEMPLATE, ".json")).read_text())
    values = {name: value if isinstance(value, str) else "\n".join(value) for name, value in stored.items()}
    text = template.read_text()
    names = set(re.findall(r"\{\{(\w+)\}\}", text))
    if different := names ^ set(values):
        sys.exit(f"make_pages.py: {template.name}: only in the template or only in the values: {', '.join(sorted(different))}")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text)


# Of gnuplot's colors, the fifth is a yellow that is hardly visible on white, and from the ninth on they repeat.
COLORS = "set linetype 5 linecolor rgb 'black'; set linetype 8 linecolor rgb '#8b4513'; set linetype 9 linecolor rgb '#808080'"


def drawn(file):
    """A figure as SVG, with one or several panels of lines."""
    figure = json.loads(file.read_text())
    width, height = figure["size"]
    panels, columns = figure["panels"], figure["columns"]
    script = f"set terminal svg size {width},{height} font 'sans,11' background rgb 'white'\n{COLORS}\nset grid; set key top left samplen 2\n"
    if len(panels) > 1:
        script += f"set multiplot layout {-(-len(panels) // columns)},{columns}\n"
    for panel in panels:
        data = "\n\n\n".join("\n".join(f"{x} {y}" for x, y in points) for _, points in panel["series"])
        titles = [title.replace("'", "''") for title, _ in panel["series"]]  # quotes in gnuplot's strings are doubled
        curves = ", ".join(f"$data index {i} with linespoints pointsize 0.6 title '{title}'" for i, title in enumerate(titles))
        title = f"set title '{panel['title']}' noenhanced\n" if panel["title"] else ""
        script += (f"$data << END\n{data}\nEND\n{title}set xlabel '{panel['xlabel']}'; set ylabel '{panel['ylabel']}'\n"
                   f"{panel['options']}\nplot {curves}\n")
    return subprocess.run(["gnuplot", "--default-settings"], input=script, capture_output=True, text=True, check=True).stdout


def mirror(tree, folder):
    """The files of the repository: pages as copies, others as symbolic links."""
    for path in tree.files:
        here = folder / path
        here.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith(".md") and not path.endswith(TEMPLATE):
            shutil.copyfile(HOME / path, here)
        else:
            here.symlink_to(os.path.relpath(HOME / path, here.parent))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    weft, waves, folder = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    tree = Tree(HOME)
    texts = {f"docs/figures/{file.name}": file.read_text() for file in waves.glob("*.svg")}
    texts.update({path.replace(TEMPLATE, ".md"): filled(HOME / path) for path in tree.named(TEMPLATE, under="docs/")})
    commands = tomllib.loads(tree.text(MADE))
    figures = [HOME / path for path in tree.named(".json", under="docs/figures/")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        texts.update(zip((f"docs/{name}" for name in commands), pool.map(lambda c: written(weft, c), commands.values())))
        texts.update(zip((f"docs/figures/{file.stem}.svg" for file in figures), pool.map(drawn, figures)))
    if lacking := sorted(made(tree) - set(texts)):
        sys.exit(f"make_pages.py: not made: {', '.join(lacking)}")
    shutil.rmtree(folder, ignore_errors=True)
    mirror(tree, folder)
    for path, text in texts.items():
        (folder / path).write_text(text)


if __name__ == "__main__":
    main()
