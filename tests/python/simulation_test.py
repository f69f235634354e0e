# SPDX-License-Identifier: Apache-2.0
"""weft.Simulation: steps, injected packets, and events in batches."""
import numpy as np
import weft
from support import EXAMPLES, SMALL, TestCase, read

QUIET = {**SMALL, "workload": {"injection": {"load": 0}}}


class Simulation(TestCase):
    def record(self, sim, kind):
        batches = []
        getattr(sim, f"on_{kind}")(batches.append)
        return batches

    def test_an_injected_packet_has_the_zero_load_latency(self):
        for settings in ({}, {"network.router.pipeline": 3}, {"network.router.pipeline": 7, "network.link.cycles": 2}):
            config = {"network": {"topology": {"shape": [2]}}, "workload": {"injection": {"load": 0}, "length": 5}}
            parts = weft.Network(config, **settings).metrics["zero_load_parts"]
            sim = weft.Simulation(config, **settings)
            deliveries = self.record(sim, "deliveries")
            sim.step(10)
            packet = sim.inject(0, 1, flits=5)
            sim.step(100)
            row, = np.concatenate(deliveries)
            self.assertEqual((row["packet"], row["created"], row["routers"]), (packet, 11, 2))
            self.assertEqual(row["cycle"] - row["created"], sum(parts.values()))

    def test_injected_packets_have_consecutive_numbers_and_their_cycles(self):
        sim = weft.Simulation(QUIET)
        created, delivered = self.record(sim, "creations"), self.record(sim, "deliveries")
        first = sim.inject(3, 12, flits=2, cycle=50)
        second = sim.inject(3, 12, flits=1, cycle=20)
        self.assertEqual(second, first + 1)
        sim.step(200)
        self.assertEqual([tuple(row) for row in np.concatenate(created)], [(20, second, 3, 12, 1), (50, first, 3, 12, 2)])
        self.assertEqual(np.concatenate(delivered)["packet"].tolist(), [second, first])

    def test_injected_packets_join_those_of_the_workload(self):
        sim = weft.Simulation(SMALL)
        delivered = self.record(sim, "deliveries")
        numbers = [sim.inject(node, 15 - node, flits=3, cycle=100 + node) for node in range(16)]
        sim.step(2000)
        rows = np.concatenate(delivered)
        self.assertTrue(set(numbers) < set(rows["packet"].tolist()))
        self.assertGreater(len(rows), 500)

    def test_steps_of_any_length_give_the_same_events(self):
        lists = []
        for steps in ([1000], [1] * 100 + [900], [333, 333, 334]):
            sim = weft.Simulation(SMALL, batch=50)
            flits = self.record(sim, "flits")
            for cycles in steps:
                sim.step(cycles)
            self.assertEqual(sim.cycle, 1000)
            lists.append(np.concatenate(flits))
        self.assertGreater(len(lists[0]), 4000)
        for other in lists[1:]:
            np.testing.assert_array_equal(other, lists[0])

    def test_steps_give_the_statistics_of_the_whole_run(self):
        run = weft.run(SMALL)
        sim = weft.Simulation(SMALL)
        while sim.cycle < run["cycles.simulated"]:
            sim.step(77 if sim.cycle + 77 <= run["cycles.simulated"] else 1)
        result = sim.result()
        for part in ("outcome", "cycles", "packets", "throughput", "latency", "channels", "routers", "nodes", "by_routers"):
            self.assertEqual(result[part], run[part], part)

    def test_the_result_so_far_does_not_change_the_simulation(self):
        sim, other = weft.Simulation(SMALL), weft.Simulation(SMALL)
        for cycles in (100, 500, 1000, 5000):
            sim.step(cycles)
            outcome = sim.result().outcome
            other.step(cycles)
        self.assertEqual(outcome, "complete")
        self.assertEqual(sim.result(), other.result())

    def test_flits_equal_the_event_log_of_the_command(self):
        for name in ("quickstart", "compression", "request_reply"):
            with self.subTest(name):
                settings = {"simulation.warmup": 0, "simulation.measure": 500, "simulation.level": "engine"}
                weft.run(EXAMPLES / f"{name}.yaml", directory=".", output__event_log=True, output__name="log", **settings)
                lines = [line.split() for line in read("log.events").splitlines()[1:]]
                sim = weft.Simulation(EXAMPLES / f"{name}.yaml", batch=64, **settings)
                flits = self.record(sim, "flits")
                sim.step(500)
                rows = [[str(row["cycle"]), ("inject", "eject")[row["ejected"]], str(row["node"]), str(row["vc"]),
                         str(row["packet"]), str(row["sequence"])] for row in np.concatenate(flits)]
                self.assertGreater(len(rows), 500)
                self.assertEqual(rows, [line for line in lines if int(line[0]) < 500])

    def test_deliveries_equal_the_packet_answers_of_the_command(self):
        weft.run(SMALL, directory=".", output__answers=True, output__name="log")
        answers = {}
        for line in read("log.answers").splitlines():
            if not line.startswith("#"):
                packet, _, _, tail, routers = map(int, line.split())
                answers[packet] = (tail, routers)
        sim = weft.Simulation(SMALL)
        deliveries = self.record(sim, "deliveries")
        sim.step(2100)
        rows = np.concatenate(deliveries)
        measured = rows[rows["created"] >= 200]
        self.assertGreater(len(measured), 500)
        for row in measured:
            self.assertEqual((row["cycle"], row["routers"]), answers[int(row["packet"])])

    def test_events_of_each_kind_agree(self):
        sim = weft.Simulation(SMALL, batch=10)
        created, flits, delivered = (self.record(sim, kind) for kind in ("creations", "flits", "deliveries"))
        sim.step(1000)
        created, flits, delivered = map(np.concatenate, (created, flits, delivered))
        totals = sim.totals
        self.assertEqual(created["flits"].sum(), totals["flits_created"])
        self.assertEqual(delivered["flits"].sum() + 0, flits["ejected"].sum() - self.flits_of_started(flits, delivered))
        self.assertEqual(len(delivered), totals["packets_delivered"])
        self.assertEqual((delivered["cycle"] - delivered["created"]).sum(), totals["latency_sum"])
        self.assertEqual(totals["packets_under_way"], len(created) - len(delivered))
        for rows in (created, flits, delivered):
            self.assertTrue((np.diff(rows["cycle"].astype(np.int64)) >= 0).all())

    def flits_of_started(self, flits, delivered):
        """Flits that have left the network, of packets whose tail has not."""
        left = flits[flits["ejected"] == 1]
        return (~np.isin(left["packet"], delivered["packet"])).sum()

    def test_state_has_one_number_for_each_part(self):
        sim = weft.Simulation(SMALL, workload__injection__load=0.9)
        sim.step(500)
        self.assertEqual((sim.queued.shape, sim.buffered.shape), ((16,), (16,)))
        self.assertIn(sim.queued.sum() - sim.totals["packets_queued"], range(17))  # each node may be a packet ahead
        self.assertGreater(sim.buffered.sum(), 0)
        self.assertEqual(sim.channel_flits.dtype.names, ("router", "port", "flits"))
        self.assertGreater(sim.channel_flits["flits"].sum(), 1000)

    def test_an_exception_of_an_observer_ends_the_step(self):
        sim = weft.Simulation(SMALL, batch=100)

        def fail(rows):
            raise LookupError("found")

        sim.on_flits(fail)
        with self.assertRaisesRegex(LookupError, "found"):
            sim.step(1000)
        self.assertEqual(sim.cycle, 100)

    def test_several_simulations_do_not_affect_each_other(self):
        alone = weft.Simulation(SMALL)
        alone.step(600)
        first, second = weft.Simulation(SMALL), weft.Simulation(SMALL, simulation__seed=9)
        for _ in range(6):
            first.step(100)
            second.step(50)
        self.assertEqual(first.totals, alone.totals)
        self.assertNotEqual(first.totals, second.totals)

    def test_rejects_wrong_arguments(self):
        sim = weft.Simulation(QUIET)
        sim.step(10)
        for call, key, text in (
                (lambda: sim.step(-1), "cycles", "expected a whole number from 0 to "),
                (lambda: sim.step(1.5), "cycles", "expected a whole number, got 1.5"),
                (lambda: sim.inject(0, 16), "destination", "expected a node from 0 to 15, got 16"),
                (lambda: sim.inject(-1, 0), "source", "expected a whole number from 0 to "),
                (lambda: sim.inject(0, 1, flits=0), "flits", "expected a length from 1 to 65536, got 0"),
                (lambda: sim.inject(0, 1, cycle=10), "cycle", "expected a cycle from 11 to"),
                (lambda: sim.inject(0, 1, message_class=1), "message_class", "expected a class from 0 to 0, got 1"),
                (lambda: sim.on_flits(3), None, "observer: expected a function, got int"),
                (lambda: weft.Simulation(QUIET, batch=0), "batch", "expected a whole number from 1 to 4294967295, got 0"),
                (lambda: weft.Simulation(QUIET, simulation__warmup="auto"), "simulation.warmup", "expected a number")):
            with self.subTest(text), self.assertRaises(weft.ConfigurationError) as caught:
                call()
            self.assertEqual(caught.exception.key, key)
            self.assertIn(text, str(caught.exception))

    def test_rejects_packets_besides_requests_and_replies(self):
        with self.assertRaisesRegex(weft.ConfigurationError, "requests wait for replies"):
            weft.Simulation(EXAMPLES / "request_reply.yaml").inject(0, 1)

    def test_rejects_packets_that_no_buffer_holds(self):
        sim = weft.Simulation(QUIET, network__router__flow_control="virtual_cut_through")
        sim.inject(0, 1, flits=8)
        with self.assertRaisesRegex(weft.ConfigurationError, "depth"):
            sim.inject(0, 1, flits=9)
