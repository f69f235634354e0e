# SPDX-License-Identifier: Apache-2.0
"""Networks as data."""
import copy
import functools
import json
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Union

import numpy as np

from . import _weft
from ._configuration import Configuration, Source, wrong
from ._errors import reported
from ._plots import module

Node = Any  # of a graph


class Network:
    """The network of a configuration: its routers, channels and nodes, and what `weft topology` computes of them.

    config     path, YAML text or dictionary
    overrides  values of further keys

    Raises ConfigurationError if the configuration is not valid. This includes networks in which packets can deadlock,
    unless network.routing.allow_deadlock is set; the details of the error are the cycle of channels.
    """

    def __init__(self, config: Configuration, **overrides: Any) -> None:
        source = Source(config, overrides)
        with reported(source.origin):
            self._core = _weft.NetworkView(source.load())
        self.config: Configuration = config
        """The configuration, for weft.run() and the other functions."""

    @property
    def description(self) -> str:
        """A few words, such as "8x8 mesh, dimension_order routing"."""
        return self._core.description()

    @property
    def shape(self) -> List[int]:
        """Sides of the grid; empty if the network is no grid."""
        return self._core.shape()

    @property
    def router_names(self) -> List[str]:
        """Name of each router; empty texts for routers without names."""
        return [name for name, _, _ in self._core.routers()]

    @property
    def port_names(self) -> List[List[str]]:
        """Names of the ports of each router."""
        return [ports for _, _, ports in self._core.routers()]

    @property
    def coordinates(self) -> Optional["np.ndarray[Any, np.dtype[np.int64]]"]:
        """Coordinates of the routers, of shape (routers, dimensions); None if they have none."""
        all_coordinates = [coordinates for _, coordinates, _ in self._core.routers()]
        sizes = {len(one) for one in all_coordinates}
        return np.array(all_coordinates, dtype=np.int64) if len(sizes) == 1 and sizes != {0} else None

    @property
    def links(self) -> "np.ndarray[Any, np.dtype[np.void]]":
        """The directed channels between routers: a structured array with the fields from_router, from_port, to_router,
        to_port, cycles (latency) and phits (parts into which the channel cuts a flit)."""
        return self._core.links()

    @property
    def nodes(self) -> "np.ndarray[Any, np.dtype[np.void]]":
        """The ports of the nodes, at least one for each node: a structured array with the fields node, router, port and
        cycles (latency of the channels to and from the router)."""
        return self._core.nodes()

    @property
    def loads(self) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """Load of each link in flits per cycle if every node injects one flit per cycle of uniform traffic, of shape
        (links,). A link with the load 2 limits the network to 1/2 flit per node and cycle."""
        return self._core.loads()

    @functools.cached_property
    def metrics(self) -> Dict[str, Any]:
        """The metrics that `weft topology` prints.

        routers, nodes, links       numbers; links are directed, between routers
        min_degree, max_degree      links that leave a router
        diameter, mean_distance, mean_route  in hops; is_sampled states that only some nodes were examined
        bisection                   links each way; bisection_method describes the halves
        ideal_throughput            of uniform traffic, in flits per node and cycle; throughput_method is the limit
        accepted_bound              the same if some nodes send less than others
        pattern_ideal_throughput    of the pattern of the workload; pattern_limit is the limit
        offered                     load of a traffic matrix, otherwise None
        zero_load_latency           in cycles, mean of all packets; zero_load_parts are its parts
        vcs_needed                  VCs with which the routing is free of deadlock; 0: none; None: too large to search
        """
        return self._core.metrics()

    @property
    def deadlock(self) -> List[str]:
        """The cycle of channels in which packets can deadlock, a line for each channel; empty if they cannot."""
        return self._core.dependency_cycle()

    def route(self, source: int, destination: int) -> "np.ndarray[Any, np.dtype[np.uint32]]":
        """The routers on the path from node to node, including both ends. If the routing has choices, this is the path
        of the first choice."""
        count = int(self.nodes["node"].max()) + 1
        for name, node in (("source", source), ("destination", destination)):
            if not 0 <= node < count:
                raise wrong(name, f"expected a node from 0 to {count - 1}, got {node}")
        return self._core.route(source, destination)

    def json(self) -> str:
        """The network as the text of a network file, which topology.file can name."""
        return self._core.json()

    def to_networkx(self) -> Any:
        """The network as a networkx.MultiDiGraph. Its vertices are the numbers of the routers, with the attributes name,
        coordinates and nodes (their number). Its edges have the link's number as key and the attributes cycles, phits,
        load, from_port and to_port. Raises Error without networkx."""
        graph = module("networkx", "python3-networkx").MultiDiGraph()
        at_router = np.bincount(np.unique(self.nodes[["node", "router"]])["router"], minlength=len(self.router_names))
        for number, (name, coordinates, _) in enumerate(self._core.routers()):
            graph.add_node(number, name=name, coordinates=tuple(coordinates), nodes=int(at_router[number]))
        for number, (link, load) in enumerate(zip(self.links, self.loads)):
            graph.add_edge(int(link["from_router"]), int(link["to_router"]), number, cycles=int(link["cycles"]),
                           phits=int(link["phits"]), load=float(load), from_port=int(link["from_port"]), to_port=int(link["to_port"]))
        return graph

    @classmethod
    def from_networkx(cls, graph: Any, config: Optional[Mapping[str, Any]] = None, *,
                      routing: Union[str, Mapping[str, Any]] = "up_down", file: Union[None, str, Path] = None,
                      **overrides: Any) -> "Network":
        """Makes a network from a graph of networkx: each vertex is a router, each undirected edge two channels, and each
        directed edge one channel.

        graph      vertices may have the attributes name, coordinates, and nodes (number of nodes; default 1). Edges may
                   have the attributes cycles (latency; default 1) and phits (parts of a flit on a narrow link; default
                   1). Routers have the order of the vertices
        config     a dictionary with the other keys of the configuration
        routing    "up_down", "shortest", or another value of `routing` in a network file
        file       where to write the network file; None: a temporary file, which exists as long as this object
        overrides  values of further keys

        The attribute config of the result is the complete configuration. Raises ConfigurationError if the graph is no
        network, for example if a router has more than 16 ports.
        """
        text = json.dumps(_network_file(graph, routing), indent=1)
        folder = tempfile.mkdtemp(prefix="weft_") if file is None else None
        path = Path(folder) / "network.json" if folder else Path(file or "")
        whole = copy.deepcopy(dict(config or {}))
        whole["network"] = {**whole.get("network", {}), "topology": {"kind": "file", "file": str(path.resolve())}}
        made = cls.__new__(cls)
        if folder:
            weakref.finalize(made, shutil.rmtree, folder)
        path.write_text(text, encoding="utf-8")
        cls.__init__(made, whole, **overrides)
        return made

    def __repr__(self) -> str:
        return f"<weft.Network {self.description}>"


def _network_file(graph: Any, routing: Union[str, Mapping[str, Any]]) -> Dict[str, Any]:
    """The contents of the network file of a graph; see docs/03_reference/topology.md."""
    number: Dict[Node, int] = {vertex: i for i, vertex in enumerate(graph.nodes)}
    if not number:
        raise wrong("graph", "expected at least one vertex")
    routers, nodes, links = [], [], []
    for vertex, attributes in graph.nodes(data=True):
        router: Dict[str, Any] = {"name": str(attributes.get("name") or vertex)}
        if len(attributes.get("coordinates", ())) > 0:
            router["coordinates"] = [int(one) for one in attributes["coordinates"]]
        routers.append(router)
        nodes += [number[vertex]] * int(attributes.get("nodes", 1))
    for a, b, attributes in graph.edges(data=True):
        link: Dict[str, Any] = {key: int(attributes.get(key, 1)) for key in ("cycles", "phits")}
        if graph.is_directed():
            link.update({"from": number[a], "to": number[b]})
        else:
            link["between"] = [number[a], number[b]]
        links.append(link)
    return {"format": "weft-topology-1", "routers": routers, "links": links, "nodes": nodes,
            "routing": routing if isinstance(routing, str) else dict(routing)}
