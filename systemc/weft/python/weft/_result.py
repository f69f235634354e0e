# SPDX-License-Identifier: Apache-2.0
"""The result of a run."""
import io
import json
import os
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

import numpy as np

from ._errors import Error
from ._plots import axes, module


def flat(value: Dict[str, Any], around: str = "") -> Dict[str, Any]:
    """`value` without inner dictionaries: {"to": {"router": 1}} becomes {"to_router": 1}."""
    result: Dict[str, Any] = {}
    for name, inner in value.items():
        if isinstance(inner, dict):
            result.update(flat(inner, f"{around}{name}_"))
        else:
            result[around + name] = inner
    return result


def structured(rows: List[Dict[str, Any]]) -> "np.ndarray[Any, np.dtype[np.void]]":
    """A structured array of rows. A missing number is -1 in a column of whole numbers, and nan in others; a missing text
    is empty."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns, types = [], []
    for name in names:
        values = [row.get(name) for row in rows]
        given = [value for value in values if value is not None]
        if given and all(isinstance(value, int) for value in given):
            column = np.array([-1 if value is None else value for value in values], dtype=np.int64)
        elif all(isinstance(value, (int, float)) for value in given):
            column = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
        elif all(isinstance(value, str) for value in given):
            column = np.array([value or "" for value in values])
        else:
            continue  # lists have no fixed length
        columns.append(column)
        types.append((name, column.dtype))
    table = np.empty(len(rows), dtype=types)
    for (name, _), column in zip(types, columns):
        table[name] = column
    return table


class Result:
    """The result of a run: the contents of the files NAME.json and NAME.csv of the command.

    `result["latency.packet.mean"]` is any statistic by its path; the page docs/02_user/statistics.md lists them.
    Results can be compared and pickled.
    """

    def __init__(self, json_text: str, csv: str) -> None:
        self.json: str = json_text
        """The text of NAME.json."""
        self.csv: str = csv
        """The text of NAME.csv: a header line and one row."""
        self.data: Dict[str, Any] = json.loads(json_text)
        """The contents of NAME.json as a dictionary."""

    def __getitem__(self, path: str) -> Any:
        found: Any = self.data
        rest = path
        while not isinstance(found, dict) or rest not in found:
            name, _, rest = rest.partition(".")
            if not rest or not isinstance(found, dict) or name not in found:
                known = ", ".join(found) if isinstance(found, dict) else "nothing"
                raise KeyError(f"{path}: there is no {name!r} here; expected one of {known}")
            found = found[name]
        return found[rest]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and (self.json, self.csv) == (other.json, other.csv)

    def __hash__(self) -> int:
        return hash(self.json)

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return str(self.data["name"])

    @property
    def outcome(self) -> str:
        """How the run ended: "complete", "saturated", "deadlock" and others, see docs/02_user/results.md."""
        return str(self.data["outcome"])

    @property
    def latency(self) -> Optional[float]:
        """Mean packet latency in cycles, from creation to the delivery of the tail; None if nothing was delivered."""
        packet = self.data["latency"].get("packet") or {}
        return packet.get("mean") if packet.get("count") else None

    @property
    def offered(self) -> float:
        """Mean offered load in flits per node and cycle."""
        return float(self["throughput.offered.mean"])

    @property
    def accepted(self) -> float:
        """Mean accepted load in flits per node and cycle."""
        return float(self["throughput.accepted.mean"])

    def rows(self, name: str) -> List[Dict[str, Any]]:
        """A list of the result, such as "channels", "routers", "nodes", "by_routers" or "by_length", as flat
        dictionaries. Raises KeyError if the result has no such list."""
        found = self[name]
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            lists = [key for key, value in self.data.items() if isinstance(value, list) and value and isinstance(value[0], dict)]
            raise KeyError(f"{name} is not a list of rows; expected one of {', '.join(lists)}")
        return [flat(row) for row in found]

    def array(self, name: str) -> "np.ndarray[Any, np.dtype[np.void]]":
        """The rows of a list as a structured array of shape (rows,), with a field for each number and text: "channels"
        has the fields router, port, to_router, to_node, flits (in the window) and utilisation (flits per cycle).
        Missing whole numbers are -1."""
        return structured(self.rows(name))

    def frame(self, name: Optional[str] = None) -> Any:
        """The rows of a list as a pandas.DataFrame; without a name, the one row of NAME.csv. Raises Error without
        pandas."""
        pandas = module("pandas", "python3-pandas")
        return pandas.read_csv(io.StringIO(self.csv), float_precision="round_trip") if name is None else pandas.DataFrame(self.rows(name))

    def save(self, directory: Union[str, "os.PathLike[str]"]) -> None:
        """Writes NAME.json and NAME.csv to the folder, which is created if it does not exist."""
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        for suffix, text in ((".json", self.json), (".csv", self.csv)):
            (folder / (self.name + suffix)).write_text(text, encoding="utf-8")

    def plot_distance(self, ax: Any = None) -> Any:
        """Plots the mean latency over the number of routers that a packet passes. Returns the axes."""
        table = self.array("by_routers")
        ax = axes(ax, "routers passed", "mean latency in cycles", f"{self.name}: latency over distance")
        ax.plot(table["routers"], table["mean_latency"], marker="o")
        return ax

    def plot_links(self, most: int = 20, ax: Any = None) -> Any:
        """Plots the utilisation of the `most` busiest channels. Returns the axes."""
        table = np.sort(self.array("channels"), order="utilisation")[::-1][:most]
        ax = axes(ax, "channel: router and port", "utilisation in flits per cycle", f"{self.name}: busiest channels")
        ax.bar(np.arange(len(table)), table["utilisation"])
        ax.set_xticks(np.arange(len(table)))
        ax.set_xticklabels([f"{row['router']} {row['port']}" for row in table], rotation=90)
        return ax

    def plot_map(self, ax: Any = None) -> Any:
        """Plots the flits per cycle of each router of a two-dimensional network as a map. Returns the axes. Raises Error
        for other networks."""
        routers = self["routers"]
        if any(len(router.get("coordinates", ())) != 2 for router in routers):
            raise Error("a map requires routers with two coordinates; use plot_links()")
        x, y = np.array([router["coordinates"] for router in routers]).T
        load = np.full((y.max() + 1, x.max() + 1), np.nan)
        load[y, x] = [router["flits_per_cycle"] for router in routers]
        ax = axes(ax, "x", "y", f"{self.name}: load of routers")
        ax.figure.colorbar(ax.imshow(load, origin="lower"), ax=ax, label="flits per cycle")
        return ax

    def __str__(self) -> str:
        def number(value: Optional[float], unit: str) -> str:
            return "not measured" if value is None else f"{value:.4g} {unit}"

        lines = [f"{self.name}: {self.outcome}",
                 f"  latency   {number(self.latency, 'cycles')}",
                 f"  offered   {number(self.offered, 'flits/node/cycle')}",
                 f"  accepted  {number(self.accepted, 'flits/node/cycle')}"]
        return "\n".join(lines + [f"  warning: {text}" for text in self.data["warnings"]])

    def __repr__(self) -> str:
        return f"<weft.Result {self.name}: {self.outcome}>"
