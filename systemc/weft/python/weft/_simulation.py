# SPDX-License-Identifier: Apache-2.0
"""Step-by-step simulation."""
import operator
import threading
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar

import numpy as np

from . import _weft
from ._configuration import Configuration, Source, wrong
from ._errors import Error, reported
from ._result import Result

T = TypeVar("T")
Observer = Callable[[Any], object]


class Simulation:
    """An experiment in the engine that the program advances.

        sim = weft.Simulation("my.yaml", workload__injection__load=0)
        packet = sim.inject(0, 63, flits=5)
        sim.on_deliveries(print)
        sim.step(1000)

    config     path, YAML text or dictionary; `simulation.level` has no effect, because all levels have the same events
    batch      number of cycles after which step() calls the observers
    overrides  values of further keys

    Several simulations may exist, each in a thread of its own. Only one thread at a time can use a simulation. The
    simulation has no end: it ignores `simulation.drain`, and does not search for deadlocks. `simulation.warmup` and
    `simulation.measure` set the window in which packets are measured.

    Raises ConfigurationError if the configuration is not valid.
    """

    def __init__(self, config: Configuration, *, batch: int = 10_000, **overrides: Any) -> None:
        self._batch = whole("batch", batch, 1)
        source = Source(config, overrides)
        source.settings.append(("simulation.level", "engine"))
        loaded = source.load()
        if not loaded.has_fixed_warmup():
            raise wrong("simulation.warmup", "the end of the transient is not searched for in steps; expected a number")
        self._origin = source.origin
        self._lock = threading.Lock()
        with reported(self._origin):
            self._core = _weft.Stepped(loaded)
        self._observers: Dict[str, List[Observer]] = {"flits": [], "creations": [], "deliveries": []}

    @property
    def cycle(self) -> int:
        """Number of cycles simulated so far; the next step begins with this cycle."""
        return self._use(self._core.now)

    def step(self, cycles: int = 1) -> None:
        """Simulates `cycles` cycles, at least 0, and calls the observers. Ctrl-C raises KeyboardInterrupt; the
        simulation can be continued. Raises Error if a flit was lost or changed, which is an error of Weft."""
        end = self.cycle + whole("cycles", cycles, 0)
        is_observed = any(self._observers.values())
        while self.cycle < end:
            self._use(self._core.step, min(self._batch, end - self.cycle) if is_observed else end - self.cycle)
            self._notify()

    def inject(self, source: int, destination: int, *, flits: int = 1, cycle: Optional[int] = None,
               message_class: int = 0) -> int:
        """Creates a packet besides those of the workload, and returns its number.

        source, destination  nodes, from 0
        flits                length, including head and tail, from 1 to 65,536
        cycle                cycle in which the packet enters the source queue; None: the next possible one, which is
                             cycle + 1
        message_class        class of the VCs that it uses, below network.router.classes

        Raises ConfigurationError for a value out of range, and for workloads whose requests wait for replies.
        """
        created = self.cycle + 1 if cycle is None else whole("cycle", cycle, 0)
        with reported(self._origin):
            return self._use(self._core.inject, whole("source", source, 0), whole("destination", destination, 0),
                             whole("flits", flits, 0), created, whole("message_class", message_class, 0))

    def on_flits(self, observer: Observer) -> None:
        """From now on, calls `observer` with the flits that enter and leave the network in each batch: a structured
        array with the fields cycle, ejected (0: injected, 1: ejected), node, vc, packet and sequence. The rows have the
        order of the event log."""
        self._observe("flits", observer)

    def on_creations(self, observer: Observer) -> None:
        """From now on, calls `observer` with the packets that enter a source queue in each batch: a structured array
        with the fields cycle, packet, source, destination and flits, by cycle and packet."""
        self._observe("creations", observer)

    def on_deliveries(self, observer: Observer) -> None:
        """From now on, calls `observer` with the packets that are delivered in each batch: a structured array with the
        fields cycle (in which the tail reached the node), packet, source, destination, flits, created and routers, by
        cycle and packet. The latency is cycle - created."""
        self._observe("deliveries", observer)

    @property
    def totals(self) -> Dict[str, int]:
        """Counts since cycle 0: flits_created, flits_received, packets_delivered, packets_queued (in source queues
        now), packets_under_way (created but not delivered), and latency_sum in cycles of the delivered packets."""
        return self._use(self._core.totals)

    @property
    def queued(self) -> "np.ndarray[Any, np.dtype[np.uint64]]":
        """Packets in the source queue of each node, of shape (nodes,). May include packets of the cycle that follows."""
        return self._use(self._core.queued)

    @property
    def buffered(self) -> "np.ndarray[Any, np.dtype[np.uint64]]":
        """Flits in the buffers of each router, of shape (routers,)."""
        return self._use(self._core.buffered)

    @property
    def channel_flits(self) -> "np.ndarray[Any, np.dtype[np.void]]":
        """Flits that each output port has sent since cycle 0: a structured array with the fields router, port, flits."""
        return self._use(self._core.channel_counts)

    def result(self) -> Result:
        """The result so far, with the statistics of a run. Its outcome is "interrupted" until all packets of the window
        have been delivered."""
        return Result(*self._use(self._core.result))

    def _observe(self, kind: str, observer: Observer) -> None:
        if not callable(observer):
            raise wrong(None, f"observer: expected a function, got {type(observer).__name__}")
        self._observers[kind].append(observer)
        self._use(self._core.record, *(bool(self._observers[name]) for name in ("flits", "creations", "deliveries")))

    def _notify(self) -> None:
        takes: Tuple[Tuple[str, Callable[[], Any]], ...] = (
            ("creations", self._core.take_creations), ("flits", self._core.take_flits),
            ("deliveries", self._core.take_deliveries))
        for kind, take in takes:
            if self._observers[kind]:
                rows = self._use(take)
                for observer in self._observers[kind]:
                    observer(rows)

    def _use(self, call: Callable[..., T], *arguments: Any) -> T:
        """Calls a function of the compiled part, which runs without the global lock."""
        if not self._lock.acquire(blocking=False):
            raise Error("another thread is using this simulation; use one simulation for each thread")
        try:
            return call(*arguments)
        finally:
            self._lock.release()

    def __repr__(self) -> str:
        return f"<weft.Simulation at cycle {self.cycle:,}>"


def whole(name: str, value: Any, least: int) -> int:
    """`value` as a whole number of at least `least`."""
    most = 2**63 - 1 if name in ("cycle", "cycles") else 2**32 - 1
    try:
        number = operator.index(value)
    except TypeError:
        raise wrong(name, f"expected a whole number, got {value!r}") from None
    if not least <= number <= most:
        raise wrong(name, f"expected a whole number from {least} to {most}, got {number}")
    return number
