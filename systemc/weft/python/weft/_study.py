# SPDX-License-Identifier: Apache-2.0
"""Sweeps, searches for the saturation load, and curves, which the command simulates in parallel."""
import csv
import io
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from ._command import execute
from ._configuration import Configuration, Source, wrong, yaml_text
from ._errors import Error
from ._plots import axes, module

Axis = Mapping[str, Union[str, Iterable[Any]]]
"""Values by key: a list, or a range "first:last:step" as a text."""
Directory = Optional[Union[str, "os.PathLike[str]"]]
LOAD = "workload.injection.load"


def _number(cell: str) -> Any:
    """A cell of a table: a number, a truth value, a text, or None if it is empty."""
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return {"": None, "true": True, "false": False}.get(cell, cell)


class Sweep:
    """The points of a sweep, with a row for each point."""

    def __init__(self, csv_text: str, keys: Tuple[str, ...]) -> None:
        self.csv: str = csv_text
        """The table of the command, as CSV."""
        self.keys: Tuple[str, ...] = keys
        """The swept keys, which are the first columns."""

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """The rows as dictionaries by column. A value that was not measured is None."""
        return [{name: _number(cell) for name, cell in row.items()} for row in csv.DictReader(io.StringIO(self.csv))]

    def frame(self) -> Any:
        """The table as a pandas.DataFrame. Raises Error without pandas."""
        return module("pandas", "python3-pandas").read_csv(io.StringIO(self.csv), float_precision="round_trip")

    def plot(self, y: str = "latency_mean", ax: Any = None) -> Any:
        """Plots the column `y` over the first swept key, with a line for each combination of the others. Points without
        a value, and latencies of loads that the network does not carry, are left out. Returns the axes."""
        if not self.keys:
            raise Error("nothing is swept, so there is nothing to plot over; give the argument over")
        x, *others = self.keys
        units = {"latency": "cycles", "network_latency": "cycles", "offered": "flits/node/cycle",
                 "accepted": "flits/node/cycle", "carried": "flits/node/cycle"}
        name = re.sub(r"_(mean|min|max|p[\d_]+|half_width)$", "", y)
        ax = axes(ax, x + (" in flits/node/cycle" if x == LOAD else ""), f"{y} in {units[name]}" if name in units else y, "")
        lines: Dict[str, List[Tuple[Any, Any]]] = {}
        for row in self.rows:
            if row.get(y) is None or ("latency" in y and not _carries(row)):
                continue
            label = ", ".join(f"{key.split('.')[-1]} {row[key]}" for key in others)
            lines.setdefault(label, []).append((row[x], row[y]))
        for label, points in lines.items():
            ax.plot(*zip(*sorted(points)), marker="o", label=label or None)
        if others and lines:
            ax.legend()
        return ax

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<weft.{type(self).__name__} of {len(self)} points over {', '.join(self.keys) or 'nothing'}>"


class Curve(Sweep):
    """The points of curves of latency over load. The first column is the load in flits per node and cycle."""


class Saturation:
    """The results of searches for the saturation load, one for each combination of the swept keys."""

    def __init__(self, json_text: str) -> None:
        self.json: str = json_text
        """The text of NAME.saturation.json."""
        self.searches: List[Dict[str, Any]] = json.loads(json_text)["searches"]
        """The searches, each with `keys`, `saturation`, `loads` (their number), `outcome` and `error`."""

    @property
    def low(self) -> Optional[float]:
        """Highest load that the network carries, in flits per node and cycle, of the first search; None if no load was
        measured."""
        return self.searches[0]["saturation"]["low"]  # type: ignore[no-any-return]

    @property
    def high(self) -> Optional[float]:
        """Lowest load that the network does not carry, of the first search; None if it carries every load."""
        return self.searches[0]["saturation"]["high"]  # type: ignore[no-any-return]

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """A row for each search: the swept keys, low, high, uncertainty, accepted_most, loads, outcome, error."""
        rows = []
        for search in self.searches:
            row = {key: _number(value) for key, value in search["keys"].items()}
            row.update({name: value for name, value in search["saturation"].items() if name != "unit"})
            row.update({name: search[name] for name in ("loads", "outcome", "error")})
            rows.append(row)
        return rows

    def frame(self) -> Any:
        """The rows as a pandas.DataFrame. Raises Error without pandas."""
        return module("pandas", "python3-pandas").DataFrame(self.rows)

    def __repr__(self) -> str:
        return f"<weft.Saturation of {len(self.searches)} searches>"


def sweep(config: Configuration, over: Optional[Axis] = None, *, linked: Optional[Axis] = None,
          sample: Optional[Axis] = None, samples: Optional[int] = None, replicates: Optional[int] = None,
          jobs: Optional[int] = None, directory: Directory = None, **overrides: Any) -> Sweep:
    """Simulates an experiment at many points, as the command `weft sweep` does.

    config      path, YAML text or dictionary; its section `sweep` may define points, which the arguments override
    over        {key: values}: all combinations; the last key varies fastest
    linked      {key: values}: the lists advance together
    sample      {key: "low:high" or values}: drawn at random, `samples` times
    replicates  runs of each point, with consecutive seeds
    jobs        points to simulate at a time; None: the number of processors
    directory   folder of the tables and of the store of results, so that a later sweep runs only the missing points;
                None: nothing is kept
    overrides   values of further keys

    A point that failed or that is infeasible has a row with the outcome and the error. Raises ConfigurationError if the
    configuration is not valid or no point is feasible.
    """
    words = _axes("--over", over) + _axes("--linked", linked) + _axes("--sample", sample)
    words += _option("--samples", samples) + _option("--replicates", replicates)
    table = _study("sweep", config, overrides, words, jobs, directory, ".sweep.csv")
    return Sweep(table, _keys_of(table))


def saturation(config: Configuration, over: Optional[Axis] = None, *, most: float = 1, width: float = 0.01,
               linked: Optional[Axis] = None, jobs: Optional[int] = None, directory: Directory = None,
               **overrides: Any) -> Saturation:
    """Finds the highest load that the network carries, as the command `weft saturation` does.

    most   highest load to try, in flits per node and cycle, from 0.001 to 16
    width  width of the interval of the saturation load, from 0.0001 to 1

    The other arguments and the errors are those of sweep(). With keys in `over` or `linked`, there is a search for each
    combination.
    """
    words = _axes("--over", over) + _axes("--linked", linked) + _option("--most", most) + _option("--width", width)
    return Saturation(_study("saturation", config, overrides, words, jobs, directory, ".saturation.json"))


def curve(config: Configuration, over: Optional[Axis] = None, *, points: int = 16, most: float = 1, width: float = 0.01,
          linked: Optional[Axis] = None, jobs: Optional[int] = None, directory: Directory = None,
          **overrides: Any) -> Curve:
    """Simulates a curve of latency over load, with more points where it bends, as the command `weft curve` does.

    points  number of points of a curve below its saturation load, from 3 to 1000

    The other arguments and the errors are those of saturation().
    """
    words = _axes("--over", over) + _axes("--linked", linked) + _option("--points", points)
    words += _option("--most", most) + _option("--width", width)
    table = _study("curve", config, overrides, words, jobs, directory, ".curve.csv")
    return Curve(table, _keys_of(table))


def _study(command: str, config: Configuration, overrides: Mapping[str, Any], words: List[str], jobs: Optional[int],
           directory: Directory, suffix: str) -> str:
    """Runs the command, and returns the content of its file with this suffix."""
    source = Source(config, overrides)
    name = source.load(checked=False).name()
    with tempfile.TemporaryDirectory(prefix="weft_") as temporary:
        folder = Path(temporary if directory is None else directory)
        execute([command, *source.words(name), *words, *_option("--jobs", jobs), "-q", "-o", str(folder)], source)
        return Path(str(folder / name) + suffix).read_text(encoding="utf-8")


def _option(name: str, value: Optional[float]) -> List[str]:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise wrong(None, f"{name[2:]}: expected a number, got {type(value).__name__}")
    return [] if value is None else [name, repr(value)]


def _axes(option: str, axis: Optional[Axis]) -> List[str]:
    words = []
    for key, values in (axis or {}).items():
        if not isinstance(values, (str, Iterable)):
            raise wrong(key, f"expected a list of values or a range as a text, got {type(values).__name__}")
        words += [option, f"{key}={values if isinstance(values, str) else ','.join(_value(v, key) for v in values)}"]
    return words


def _value(value: Any, key: str) -> str:
    """A value of an axis. Commas separate values, unless they are in brackets."""
    if not isinstance(value, str):
        return yaml_text(value, key)
    if "," in value:
        raise wrong(key, f"expected values without commas, got {value!r}; use the section sweep of the configuration")
    return value if re.fullmatch(r"[\w.:/-]+", value) else yaml_text(value, key)


def _carries(row: Dict[str, Any]) -> bool:
    """Whether the network carries the load of this point, so that its latency does not depend on the length of the
    run."""
    return row["outcome"] == "complete" and row["stationary"] is not False


def _keys_of(table: str) -> Tuple[str, ...]:
    """The swept keys of a table: its columns before `name`."""
    columns = next(csv.reader(io.StringIO(table)))
    return tuple(columns[:columns.index("name")])
