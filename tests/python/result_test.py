# SPDX-License-Identifier: Apache-2.0
"""weft.Result: statistics, arrays, frames, pictures and files."""
import copy
import pickle

import numpy as np
import weft
from support import SMALL, TestCase, needs, read


class Result(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = weft.run(SMALL)

    def test_finds_statistics_by_path(self):
        self.assertEqual(self.result["latency.packet.mean"], self.result.latency)
        self.assertAlmostEqual(self.result.offered, 0.2, delta=0.05)
        self.assertEqual(self.result.accepted, self.result.data["throughput"]["accepted"]["mean"])
        self.assertEqual(self.result.outcome, "complete")
        self.assertEqual(self.result["latency.packet.percentiles.99.9"], self.result.data["latency"]["packet"]["percentiles"]["99.9"])

    def test_names_the_statistics_that_exist(self):
        with self.assertRaisesRegex(KeyError, "latency.packet.meen: there is no 'meen' here; expected one of count, mean"):
            self.result["latency.packet.meen"]
        with self.assertRaisesRegex(KeyError, "seed is not a list of rows; expected one of .*channels"):
            self.result.rows("seed")

    def test_arrays_contain_the_lists(self):
        channels = self.result.array("channels")
        self.assertEqual(channels.shape, (len(self.result["channels"]),))
        self.assertEqual(channels["flits"].dtype, np.int64)
        self.assertEqual(channels["flits"].sum(), sum(one["flits"] for one in self.result["channels"]))
        self.assertEqual((channels["to_node"] >= 0).sum(), 16)
        np.testing.assert_allclose(channels["utilisation"], channels["flits"] / 2000)

    def test_has_no_latency_if_nothing_was_delivered(self):
        self.assertIsNone(weft.run(SMALL, workload__injection__load=0).latency)

    def test_can_be_pickled_and_copied(self):
        for other in (pickle.loads(pickle.dumps(self.result)), copy.deepcopy(self.result)):
            self.assertEqual(other, self.result)
            self.assertEqual(other.data, self.result.data)
        self.assertNotEqual(self.result, weft.run(SMALL, simulation__seed=2))

    def test_saves_the_files_of_the_command(self):
        self.result.save("out")
        self.assertEqual(read("out/configuration.json"), self.result.json)
        self.assertEqual(read("out/configuration.csv"), self.result.csv)

    def test_prints_a_summary_with_units(self):
        self.assertRegex(str(self.result), r"configuration: complete\n  latency   [\d.]+ cycles\n.* flits/node/cycle\n")

    @needs("pandas")
    def test_frames_contain_the_rows(self):
        self.assertEqual(self.result.frame()["latency_mean"][0], self.result.latency)
        self.assertEqual(len(self.result.frame("routers")), 16)
        self.assertEqual(self.result.frame("routers")["flits"].sum(), self.result.array("routers")["flits"].sum())

    @needs("matplotlib")
    def test_plots_have_labels_with_units(self):
        for plot, unit in ((self.result.plot_distance, "cycles"), (self.result.plot_links, "flits per cycle")):
            ax = plot()
            self.assertIn(unit, ax.get_ylabel())
            self.assertTrue(ax.get_xlabel())
            self.assertIs(plot(ax=ax), ax)
        self.assertEqual(self.result.plot_map().get_xlabel(), "x")

    @needs("matplotlib")
    def test_rejects_a_map_of_a_network_without_a_plane(self):
        result = weft.run(SMALL, network__topology__shape=[2, 2, 2])
        with self.assertRaisesRegex(weft.Error, "a map requires routers with two coordinates; use plot_links"):
            result.plot_map()
