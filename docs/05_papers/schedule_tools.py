# SPDX-License-Identifier: Apache-2.0
"""Common part of the pages on schedules: the command with stored results, networks, tables, comparisons."""

import concurrent.futures
import copy
import hashlib
import json
import math
import pathlib
import re
import subprocess
import sys
import threading

from paper_tools import table
from schedule_known import pareto, question

ONE, ALL = "one", "all"
COLLECTIVES = ("oab", "aab", "oas", "aas")
COMBINED = 6  # factor of the time limit for combined messages


class Network:
    """A topology by its keys, and the ports of its nodes: ONE, ALL, or as built."""

    def __init__(self, name, ports="as_built", **keys):
        self.name, self.ports, self.keys = name, ports, keys

    def with_one_port(self):
        return Network(self.name, ONE, **self.keys)


def ring(routers, direction="two_way"):
    title = f"{'one' if direction == 'one_way' else 'two'}-way ring {routers}"
    return Network(title, ONE, kind="ring", shape=[routers], direction=direction)


def rings(levels, representative="same"):
    nodes = 4**levels
    title = f"H-rings {nodes}" + (", corners" if representative == "corner" else "")
    return Network(title, ONE, kind="hierarchical_ring", rings=[4] * levels, representative=representative)


def mesh(rows, columns, ports=ONE):
    return Network(f"mesh {rows}x{columns}", ports, kind="mesh", shape=[columns, rows])


def tree(name, children, parents):
    return Network(name, kind="fat_tree", children=children, parents=parents)


FAT_OCTAGON = Network("fat Octagon", ONE, kind="octagon", nodes_per_router=2)
FT8 = tree("FT-8", [2, 4], [1, 2])
GFT9 = tree("GFT-9", [3, 3], [3, 3])
XGFT12 = tree("XGFT-12", [3, 4], [1, 2])
GFT16 = tree("GFT-16", [4, 4], [2, 2])
FT32 = tree("FT-32", [2, 2, 2, 4], [1, 2, 2, 2])
FT8_2 = tree("FT(8, 2), 32 cores", [4, 8], [1, 4])


class Answer:
    """The output of `weft schedule --json`."""

    def __init__(self, content, paths, file):
        self.content = content
        self.file = file  # file of the schedule
        found = content["found"]
        self.R, self.TCO, self.by = found["R"], found["TCO"], found["by"]
        self.paths = paths
        self.bound = content["bounds"]["R"]["value"]
        self.bound_text = content["bounds"]["R"]["by"]
        self.least_TCO = content["bounds"]["TCO"]["value"]
        self.least_TCO_of_R = found["least_TCO_of_R"]
        self.combining = content["combining"]
        self.cost = self.replayable = (self.R, self.TCO)  # replayable: the cost of the schedule in the file
        self.costs = {self.cost} | {(a["R"], a["TCO"]) for a in content["attempts"] if a["R"]}
        self.seconds = sum(attempt["seconds"] for attempt in content["attempts"])

    def found(self):
        """The result as the papers print it: R, or R/TCO for combined messages."""
        return f"{self.R}/{self.TCO}" if self.combining else f"{self.R}"

    def bounds(self):
        return f"{self.bound}/{self.least_TCO_of_R}" if self.combining else f"{self.bound}"

    def refuted(self):
        return self.content["refuted_below"] >= self.R and self.R > self.bound

    def proof(self):
        if self.R <= self.bound:
            text = f"bound, {self.bound_text}"
        elif self.refuted():
            text = f"no {self.R - 1} steps {self.content['refuted']}"
        else:
            text = f"open, {self.R - self.bound} above the bound"
        if not self.combining:
            return text
        above = self.TCO - self.least_TCO_of_R
        return text + (f"; TCO {above} above its bound" if above else "; TCO least")

    def time_class(self):
        for limit in (0.1, 1, 10):
            if self.seconds < limit:
                return f"< {limit}"
        return "> 10"

    def time(self, length, start_up=10, unit=1):
        """Time of the fastest schedule that any method found."""
        steps, occupancy = self.fastest(length, start_up, unit)
        return steps * start_up + length * unit * occupancy

    def fastest(self, length, start_up=10, unit=1):
        return min(self.costs, key=lambda cost: (cost[0] * start_up + length * unit * cost[1], cost))

    def join(self, other):
        """The better one, with the costs of both."""
        better = self
        if other.cost < self.cost or (other.cost == self.cost and other.refuted()):
            better = other
        better.costs = self.costs | other.costs
        better.seconds = self.seconds + other.seconds
        return better

    def including(self, weaker):
        """The answer with the schedules of a question that permits less. They also solve this one."""
        answer = copy.copy(self)
        answer.costs = self.costs | weaker.costs
        if weaker.cost < self.cost:
            answer.R, answer.TCO = answer.cost = weaker.cost
            answer.by, answer.paths = weaker.by, weaker.paths
            answer.least_TCO_of_R = self.least_TCO
        return answer

    def including_known(self, costs, best):
        """The answer with schedules that earlier runs found. best: method, paths and least TCO of the one with the fewest steps."""
        answer = copy.copy(self)
        answer.costs = self.costs | costs
        if min(costs) < self.cost:
            answer.R, answer.TCO = answer.cost = min(costs)
            answer.by, answer.paths = best["by"], best["paths"]
            if answer.R < self.R:
                answer.least_TCO_of_R = best["least_TCO_of_R"]
        return answer

    def replayed(self):
        """Which schedule a replay simulates: the file is that of the latest run, which may have found less than earlier ones."""
        if self.replayable == self.cost:
            return self.found()
        steps, occupancy = self.replayable
        return (f"{steps}/{occupancy}" if self.combining else f"{steps}") + f" (best known: {self.found()})"

    def pareto(self):
        """The costs that no other one dominates, by ascending R."""
        return pareto(self.costs)


class Merged:
    """The future answer of a question, with the schedules of questions that permit less. own: without these; only its file can
    be replayed, because a file of a schedule has the ports of its question."""

    def __init__(self, own, weaker):
        self.own, self.weaker = own, weaker

    def result(self):
        answer = self.own.result()
        for other in self.weaker:
            answer = answer.including(other.result())
        return answer


class Weft:
    """The command, with stored results, and JOBS processes in parallel. known: the schedules of earlier runs."""

    def __init__(self, command, directory, jobs, seconds, known=None):
        self.command = str(pathlib.Path(command).resolve())
        self.directory = pathlib.Path(directory).resolve()
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / "schedule.yaml").write_text("# The command line gives everything.\n")
        self.seconds, self.known = seconds, known
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.lock = threading.Lock()
        self.futures = {}
        self.requested = self.answered = 0

    def invoke(self, network, words):
        """The output of the command with --json, and the file of the schedule. Results are stored and reused."""
        words = ["--ports", network.ports] + words
        for key, value in network.keys.items():
            words += ["--set", f"network.topology.{key}={value}"]
        name = hashlib.sha1(json.dumps(words).encode()).hexdigest()[:16]
        outputs = {"json": self.directory / f"{name}.json"}
        if "--check" not in words:
            outputs["output"] = self.directory / f"{name}.ccsched"
        if not all(path.exists() for path in outputs.values()):
            words = [self.command, "schedule", str(self.directory / "schedule.yaml"), "-q"] + words
            for option, path in outputs.items():
                words += [f"--{option}", str(path)]
            done = subprocess.run(words, capture_output=True, text=True)
            if done.returncode > 1 or not outputs["json"].exists():
                sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
            if done.returncode == 1:
                print(" ".join(words), done.stderr, sep="\n", file=sys.stderr)
        return json.loads(outputs["json"].read_text()), outputs.get("output")

    def run(self, network, collective, paths, seconds, **options):
        """One search; None if it finds nothing."""
        words = ["--collective", collective, "--paths", paths, "--seconds", str(seconds), "--jobs", "1"]
        for key, value in options.items():
            words += [f"--{key}"] + ([] if value is True else [str(value)])
        content, schedule = self.invoke(network, words)
        return Answer(content, paths, schedule) if content["found"] else None

    def vcs_needed(self, network):
        """How many VCs the default routing of a network needs to be free from deadlock."""
        words = [self.command, "topology", str(self.directory / "schedule.yaml")]
        for key, value in network.keys.items():
            words += ["--set", f"network.topology.{key}={value}"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        return int(re.search(r"VCs needed +(\d+)", done.stdout)[1])

    def replay(self, network, answer, level, length=None):
        """Simulates the schedule of the answer on the network. length: flits of a message; None: the default."""
        words = ["--check", str(answer.file), "--replay", "--set", f"simulation.level={level}"]
        words += ["--length", str(length)] if length else []
        if network.ports == ALL:
            words += ["--set", "nic.ports=4"]  # ports of a router of a mesh
        return self.invoke(network, words)[0]["replay"]

    def answer(self, network, collective, limit=None, **options):
        """Searches with shortest paths. If the result does not meet the bound: single messages with any paths, combined ones
        with the search only and more time. paths: search with these only. Adds the schedules of earlier runs, except if the
        question is what this run finds: by one method, or with keep=False."""
        limit = limit or self.seconds
        name = question(network, collective, options)
        keep = options.pop("keep", True) and "method" not in options
        only = options.pop("paths", None)
        best = self.run(network, collective, only or "minimal", limit, **options)
        if not only and (best is None or best.R > best.bound):
            if options.get("combining"):
                more = {**options, "method": "combining_pareto"}
                other = self.run(network, collective, "minimal", COMBINED * limit, **more)
            else:
                other = self.run(network, collective, "any", limit, **options)
            best = best.join(other) if best and other else best or other
        if self.known and keep:
            best = self.known.keep(name, best)
        with self.lock:
            self.answered += 1
            print(
                f"{self.answered}/{self.requested} {network.name} {collective}",
                *(f"{key}={value}" for key, value in options.items()),
                f"{best.found()} bound {best.bounds()} by {best.by}" if best else "nothing found",
                file=sys.stderr,
            )
        return best

    def submit(self, network, collective, **options):
        """Begins the search unless it has begun; result() of the returned future waits for the answer."""
        key = json.dumps([network.keys, network.ports, collective, sorted(options.items())])
        with self.lock:
            if key not in self.futures:
                self.requested += 1
                self.futures[key] = self.pool.submit(self.answer, network, collective, **options)
            return self.futures[key]

    def submit_combined(self, network, collective, **options):
        """The same for combined messages, with the schedules of single messages and, for nodes with all ports, of one port."""
        weaker = [self.submit(network, collective, **options)]
        if network.ports == ALL:
            weaker.append(self.submit(network.with_one_port(), collective, combining=True, **options))
        return Merged(self.submit(network, collective, combining=True, **options), weaker)


def compare_with_printed(printed, answer):
    """Compares the number of steps that a paper prints with the answer."""
    if printed < answer.bound:
        return "**impossible**"
    if answer.R == printed:
        return "reproduced"
    return "**beaten**" if answer.R < printed else "**not reproduced**"


def compare_cost_with_printed(printed, answer):
    """Compares the printed R/TCO with the answer: reproduced or beaten only if one schedule is at least as good in both."""
    if printed[0] < answer.bound or printed[1] < answer.least_TCO:
        return "**impossible**"
    as_good = [cost for cost in answer.costs if cost[0] <= printed[0] and cost[1] <= printed[1]]
    if not as_good:
        return f"**not reproduced**; found {costs_text(answer.pareto())}"
    return "reproduced" if min(as_good) == printed else "**beaten**"


def break_even(single, combined):
    """m t1 / ts from which on the schedules of single messages are at least as fast as all combined ones, whatever their cost.
    Both are sets of (R, TCO), that of single messages with R = TCO. 0: at any length; infinity: at no length."""
    steps, occupancy = min(single)
    faster = [(r, t) for r, t in combined if r < steps or t < occupancy]
    return max(((steps - r) / (t - occupancy) if t > occupancy else math.inf for r, t in faster), default=0)


def break_even_text(value):
    if value == math.inf:
        return "combined at any length"
    return number(value) if value else "single at any length"


def costs_text(costs):
    return ", ".join(f"{r}/{t}" for r, t in costs)


def number(value):
    return "–" if value is None else f"{value:.3g}"


def details(answer):
    """The last cells of a row in every table of entries."""
    paths = "" if answer.paths == "minimal" else ", any paths"
    return [answer.bounds(), answer.found(), answer.proof(), answer.by + paths, answer.time_class()]


DETAILS = ["bound", "found", "optimal", "method", "seconds"]


PIN_NODES = 16  # networks of up to this number of nodes are also simulated at the pin level


def cycles_or_outcome(replay, run):
    """The cycles of a run, or its outcome if it did not complete, such as **deadlock**."""
    return replay[run] if replay["outcomes"][run] == "complete" else f"**{replay['outcomes'][run]}**"


LENGTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)  # flits
SHOWN = (4, 16, 64, 256)


def fastest_algorithm(replay):
    """Cycles of the fastest algorithm of weft collective; None if none completes."""
    return min((a["cycles"] for a in replay["algorithms"] if a["cycles"]), default=None)


def crossing(pairs):
    """The first length from which on the schedule is at least as fast, up to the last one; None if it never is."""
    first = None
    for length, (schedule, ordinary) in pairs.items():
        first = None if ordinary is not None and schedule > ordinary else first or length
    return first


def cycles_by_length(weft, network, answer):
    """Cycles of the schedule with barriers and of the fastest ordinary algorithm, by the length of a message."""
    replays = {length: weft.replay(network, answer, "engine", length) for length in LENGTHS}
    return {length: (r["with_barriers"], fastest_algorithm(r)) for length, r in replays.items()}


def length_table(cycles):
    """cycles: by title, those of cycles_by_length()."""
    rows = []
    for title, pairs in cycles.items():
        first = crossing(pairs)
        cells = [f"{pairs[length][0]:,} / {pairs[length][1]:,}" for length in SHOWN]
        rows.append([title, *cells, f"{first} flits" if first else f"above {LENGTHS[-1]} flits"])
    return table(["schedule", *(f"{length} flits" for length in SHOWN), "faster from"], rows)


def simulation_table(weft, requests):
    """The table of simulated schedules. requests: (title, network, future answer). Levels with equal results share a row."""
    rows = []
    for title, network, future in requests:
        answer = future.result()
        seen = {}  # levels by result
        for level in ("engine", "pin") if answer.content["nodes"] <= PIN_NODES else ("engine",):
            r = weft.replay(network, answer, level)
            shown = [answer.replayed(), "no" if r["kept"] else f"**{r['waits']} packets**"]
            shown += [number(r["start_up"]), number(r["per_flit"])]
            shown += [cycles_or_outcome(r, run) for run in ("with_barriers", "without_barriers")]
            shown.append(fastest_algorithm(r) or "–")
            seen.setdefault(tuple(shown), []).append(level)
        rows += [[title, ", ".join(levels), *shown] for shown, levels in seen.items()]
    header = ["schedule", "levels", "R", "packets wait", "ts", "t1", "cycles", "no barriers", "best ordinary algorithm"]
    return table(header, rows)
