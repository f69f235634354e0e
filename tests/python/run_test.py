# SPDX-License-Identifier: Apache-2.0
"""weft.run(): the same results as `weft run`, byte for byte."""
import json
import os

import numpy as np
import weft
from support import EXAMPLES, SMALL, TestCase, read, write

SHORT = {"simulation.warmup": 200, "simulation.measure": 1500}


class Run(TestCase):
    def assert_equals_command(self, file, settings):
        words = [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]
        self.command("run", file, "-q", *words)
        result = weft.run(file, **settings)
        self.assertEqual(result.json, read(f"results/{result.name}.json"))
        self.assertEqual(result.csv, read(f"results/{result.name}.csv"))
        return result

    def test_equals_the_command_at_engine_level(self):
        for name in ("quickstart", "torus", "fat_tree", "hotspot", "request_reply", "compression",
                     "memory_controllers", "custom_network", "transpose_bursty"):
            with self.subTest(name):
                result = self.assert_equals_command(EXAMPLES / f"{name}.yaml", {"simulation.level": "engine", **SHORT})
                self.assertGreater(result["packets.measured"], 100)

    def test_equals_the_command_at_pin_level(self):
        for name in ("quickstart", "compression"):
            with self.subTest(name):
                result = self.assert_equals_command(EXAMPLES / f"{name}.yaml",
                                                    {**SHORT, "network.topology.shape": [3, 3]})
                self.assertEqual(result["configuration.simulation.level"], "pin")

    def test_equals_the_command_for_packet_lists(self):
        result = self.assert_equals_command(EXAMPLES / "packet_list.yaml", {
            "simulation.level": "engine", "output.event_log": False, "output.answers": False})
        self.assertEqual(result.outcome, "complete")

    def test_equals_the_command_with_time_series_matrix_and_breakdown(self):
        result = self.assert_equals_command(EXAMPLES / "quickstart.yaml", {
            "simulation.level": "engine", **SHORT, "output.interval": 100, "output.matrix": True, "output.breakdown": True})
        self.assertIn("time_series", result.data)

    def test_equals_the_command_near_saturation(self):
        result = self.assert_equals_command(EXAMPLES / "quickstart.yaml",
                                            {"simulation.level": "engine", "workload.injection.load": 0.9, **SHORT})
        self.assertEqual(result.outcome, "saturated")

    def test_pin_level_has_the_numbers_of_the_engine(self):
        pin = weft.run(SMALL, simulation__level="pin")
        engine = weft.run(SMALL)
        self.assertEqual(pin.csv, engine.csv)

    def test_a_dictionary_equals_its_file(self):
        write("same.yaml", json.dumps({**SMALL, "output": {"name": "same"}}))
        from_file = weft.run("same.yaml")
        self.assertEqual(weft.run({**SMALL, "output": {"name": "same"}}), from_file)
        self.assertEqual(weft.run({**SMALL, "output": {"name": "same"}}, simulation__level="pin").csv, from_file.csv)

    def test_a_text_equals_its_file(self):
        text = "output: {name: same}\nnetwork: {topology: {shape: [4, 4]}}\nsimulation: {level: engine, measure: 1000}\n"
        write("same.yaml", text)
        self.assertEqual(weft.run(text), weft.run("same.yaml"))

    def test_overrides_have_two_spellings(self):
        first = weft.run(SMALL, network__router__vcs=2, simulation__seed=7)
        second = weft.run(SMALL, **{"network.router.vcs": 2, "simulation.seed": 7})
        self.assertEqual(first, second)
        self.assertEqual(first["configuration.network.router.vcs"], 2)
        self.assertNotEqual(first.csv, weft.run(SMALL).csv)

    def test_accepts_values_of_numpy_and_tuples(self):
        config = {**SMALL, "network": {"topology": {"shape": (np.int64(3), np.int32(3))}}}
        result = weft.run(config, workload__injection__load=np.float64(0.1), network__router__vcs=np.uint8(2))
        self.assertEqual(result, weft.run(SMALL, network__topology__shape=np.array([3, 3]),
                                          workload__injection__load=0.1, network__router__vcs=2))

    def test_does_not_change_the_dictionary(self):
        before = json.dumps(SMALL)
        weft.run(SMALL, network__router__vcs=2)
        self.assertEqual(json.dumps(SMALL), before)

    def test_relative_paths_start_at_the_working_directory(self):
        write("list.txt", "0 1 0 15 4\n1 2 3 4 1\n")
        config = {"network": {"topology": {"shape": [4, 4]}}, "workload": {"packet_list": "list.txt"}}
        for level in ("engine", "pin"):
            self.assertEqual(weft.run(config, simulation__level=level)["packets.delivered"], 2)

    def test_writes_files_only_to_a_given_directory(self):
        weft.run(SMALL)
        self.assertEqual(os.listdir(), [])
        result = weft.run(SMALL, directory="out", output__event_log=True, output__answers=True, output__name="mine")
        self.assertEqual(sorted(os.listdir("out")), ["mine.answers", "mine.csv", "mine.events", "mine.json"])
        self.assertEqual(read("out/mine.json"), result.json)

    def test_a_deadlock_is_an_outcome(self):
        result = weft.run({"network": {"topology": {"kind": "ring", "shape": [8]}, "router": {"vcs": 1, "depth": 2},
                                       "routing": {"algorithm": "source", "allow_deadlock": True}},
                           "workload": {"injection": {"load": 0.9}, "length": 8},
                           "simulation": {"level": "engine", "warmup": 0, "measure": 5000}})
        self.assertEqual(result.outcome, "deadlock")
        self.assertTrue(result["explanation"])

    def test_repeats_its_results(self):
        self.assertEqual(weft.run(SMALL), weft.run(SMALL))
