# SPDX-License-Identifier: Apache-2.0
"""Common part of the pages on HNC: the command with stored results, groups."""

import hashlib
import json
import math
import pathlib
import subprocess
import sys

ROUTER = {
    "network.router.pipeline": 3,
    "network.router.vcs": 4,
    "network.router.depth": 8,
    "network.router.flow_control": "virtual_cut_through",
    "simulation.level": "engine",
}


class Weft:
    """The command, with stored results."""

    def __init__(self, command, directory):
        self.command = str(pathlib.Path(command).resolve())
        self.directory = pathlib.Path(directory).resolve()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.empty = self.directory / "empty.yaml"
        self.empty.write_text("# All is said on the command line.\n")

    def collective(self, settings, analyse=False, file=None):
        """Simulates a collective and returns the results, or only counts its hops."""
        settings = settings if file else {**ROUTER, **settings}
        words = [
            f"{key}={json.dumps(value) if isinstance(value, (list, bool)) else value}"
            for key, value in sorted(settings.items())
        ]
        name = hashlib.sha1(json.dumps([words, analyse, str(file)]).encode()).hexdigest()[:16]
        result = self.directory / f"{name}.json"
        if not result.exists():
            arguments = [self.command, "collective", str(file or self.empty), "--quiet"]
            if analyse:
                arguments += ["--analyse", "--json", str(result)]
            else:
                words += [f"output.directory={self.directory}", f"output.name={name}", "output.csv=false"]
            for word in words:
                arguments += ["--set", word]
            print(
                settings["collective.algorithm"] if not file else file.name,
                *settings.get("network.topology.shape", []),
                name,
                file=sys.stderr,
            )
            done = subprocess.run(arguments, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return json.loads(result.read_text())

    def play(self, k, algorithm, barriers=False, **settings):
        return self.collective(grid(k, settings.pop("torus", False), algorithm, barriers=barriers, **settings))

    def count(self, k, algorithm, **settings):
        """Hops by step, and in `total`."""
        answer = self.collective(grid(k, settings.pop("torus", False), algorithm, **settings), analyse=True)
        hops = {step["step"]: step["hops"] for step in answer["algorithms"][0]["steps"]}
        hops["total"] = answer["algorithms"][0]["hops"]
        return hops


def grid(k, torus, algorithm, **settings):
    keys = {
        "network.topology.kind": "torus" if torus else "mesh",
        "network.topology.shape": settings.pop("shape", [k, k]),
        "collective.algorithm": algorithm,
    }
    keys.update(
        {f"collective.{key}": value for key, value in settings.items() if not (key == "barriers" and not value)}
    )
    return keys


def shapes(k):
    """Group shapes with sides of powers of two, except one node and the whole network; of two mirrored shapes, the wide one."""
    sides = [1 << i for i in range(int(math.log2(k)) + 1)]
    return [[a, b] for a in sides for b in sides if b <= a and 1 < a * b < k * k]


class Best:
    """Shape and placement with the fewest hops, and the number of hops."""

    def __init__(self, weft, k, algorithm, candidates=None, **settings):
        self.hops, self.shape, self.placement = min(
            (weft.count(k, algorithm, group=shape, placement=placement, **settings)["total"], shape, placement)
            for shape in candidates or shapes(k)
            for placement in PLACEMENTS
        )

    def text(self):
        return f"{self.hops:,} ({'x'.join(map(str, self.shape))})"


def cycles(result):
    return result["cycles"]["execution"]


def maxima(result):
    """The time as the paper counts it: the sum of the longest latencies of all steps."""
    return result["cycles"]["sum_of_step_maxima"]


def latency(result):
    return result["total"]["latency"]["mean"]


def fastest_shape(weft, k, algorithm, **settings):
    """The nearly square groups with the least time."""
    return min(
        (cycles(weft.play(k, algorithm, group=squarest(1 << e), placement="mirror", **settings)), squarest(1 << e))
        for e in range(1, int(2 * math.log2(k)))
    )[1]


PLACEMENTS = ["mirror", "centre", "corner", "optimum"]
MESHES = [4, 8, 16, 32]
LARGE = MESHES + [64, 128, 256]
AT_ONCE = {"inner": "all_at_once", "outer": "all_at_once"}
FLOOR = {k: k * k * (k * k - 1) for k in LARGE}  # N (N - 1): every node receives every datum over a channel
PRINTED_BY_GROUP = {2: 398464, 4: 250560, 8: 166656, 16: 137280, 32: 116000, 64: 123536, 128: 118320}


def squarest(size):
    """HNC's shape for groups of `size` nodes: as close to a square as possible, wide."""
    exponent = int(math.log2(size))
    return [1 << (exponent + 1) // 2, 1 << exponent // 2]


def lattice(sources):
    """SOURCES nodes (a power of two) of a 16-ary 2-mesh on a lattice, each in the middle of its part."""
    exponent = int(math.log2(sources))
    columns, rows = 1 << (exponent + 1) // 2, 1 << exponent // 2
    middle = [[(2 * i + 1) * 8 // n for i in range(n)] for n in (columns, rows)]
    return [x + 16 * y for y in middle[1] for x in middle[0]]


def longest_paths(k, shape):
    """Hops of the longest paths of a k-ary 2-mesh: inside a group, and between intermediates that face the center."""
    return sum(side - 1 for side in shape), sum(0 if side == k else k + 1 - 2 * side for side in shape)


def less(new, old):
    return f"{100 * (1 - new / old):.1f} %"
