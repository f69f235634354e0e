# SPDX-License-Identifier: Apache-2.0
"""weft.sweep(), weft.saturation() and weft.curve(): the tables of the command."""
import json
import os

import weft
from support import SMALL, TestCase, needs, read, write

LOAD = "workload.injection.load"
VCS = "network.router.vcs"


class Study(TestCase):
    def setUp(self):
        super().setUp()
        write("small.yaml", json.dumps(SMALL))

    def test_a_sweep_equals_the_command(self):
        self.command("sweep", "small.yaml", "-q", "--over", f"{VCS}=1,2", "--over", f"{LOAD}=0.1:0.3:0.1")
        sweep = weft.sweep("small.yaml", {VCS: [1, 2], LOAD: "0.1:0.3:0.1"})
        self.assertEqual(sweep.csv, read("results/small.sweep.csv"))
        self.assertEqual((len(sweep), sweep.keys), (6, (VCS, LOAD)))
        self.assertEqual([row[VCS] for row in sweep.rows], [1, 1, 1, 2, 2, 2])

    def test_a_sweep_takes_linked_values_samples_and_replicates(self):
        self.command("sweep", "small.yaml", "-q", "--linked", f"{VCS}=2,4", "--linked", "network.router.depth=8,4",
                     "--sample", f"{LOAD}=0.05:0.2", "--samples", "2", "--replicates", "2")
        sweep = weft.sweep("small.yaml", linked={VCS: [2, 4], "network.router.depth": [8, 4]},
                           sample={LOAD: "0.05:0.2"}, samples=2, replicates=2, jobs=1)
        self.assertEqual(sweep.csv, read("results/small.sweep.csv"))

    def test_a_dictionary_can_be_swept(self):
        sweep = weft.sweep(SMALL, {"workload.pattern.kind": ["uniform", "transpose"], "network.topology.shape": [[4, 4], [2, 2]]})
        self.assertEqual([row["network.topology.shape"] for row in sweep.rows], ["[4, 4]", "[2, 2]"] * 2)
        self.assertEqual(sweep.rows[0]["latency_mean"], weft.run(SMALL).latency)

    def test_the_section_sweep_of_a_configuration_counts(self):
        self.assertEqual(len(weft.sweep({**SMALL, "sweep": {"over": {VCS: [1, 2, 4]}}})), 3)

    def test_infeasible_points_have_rows(self):
        rows = weft.sweep(SMALL, {VCS: [2, 99]}).rows
        self.assertEqual([row["outcome"] for row in rows], ["complete", "infeasible"])
        self.assertIn("expected an integer from 1 to 16", rows[1]["error"])
        self.assertIsNone(rows[1]["latency_mean"])
        with self.assertRaisesRegex(weft.ConfigurationError, "99"):
            weft.sweep(SMALL, {VCS: [99]})

    def test_a_directory_keeps_the_store(self):
        first = weft.sweep("small.yaml", {LOAD: [0.1]}, directory="out")
        self.assertIn("points.sqlite", os.listdir("out"))
        second = weft.sweep("small.yaml", {LOAD: [0.1, 0.2]}, directory="out")
        self.assertEqual(second.rows[0], first.rows[0])
        self.assertEqual(read("out/small.sweep.csv"), second.csv)

    def test_a_saturation_equals_the_command(self):
        self.command("saturation", "small.yaml", "-q", "--width", "0.05", "--over", f"{VCS}=1,4")
        saturation = weft.saturation("small.yaml", {VCS: [1, 4]}, width=0.05)
        self.assertEqual(saturation.json, read("results/small.saturation.json"))
        self.assertEqual([row[VCS] for row in saturation.rows], [1, 4])
        self.assertLess(saturation.low, saturation.high)
        self.assertLessEqual(saturation.rows[0]["low"], saturation.rows[1]["low"])

    def test_a_curve_equals_the_command(self):
        self.command("curve", "small.yaml", "-q", "--points", "4", "--width", "0.1")
        curve = weft.curve("small.yaml", points=4, width=0.1)
        self.assertEqual(curve.csv, read("results/small.curve.csv"))
        self.assertEqual(curve.keys, (LOAD,))

    def test_numbers_have_types(self):
        row = weft.sweep(SMALL, {LOAD: [0.1]}).rows[0]
        self.assertEqual([type(row[name]) for name in (LOAD, "seed", "outcome", "latency_mean", "stationary")],
                         [float, int, str, float, bool])

    @needs("pandas")
    def test_frames_contain_the_rows(self):
        frame = weft.sweep(SMALL, {VCS: [1, 2], LOAD: [0.1, 0.2]}).frame()
        self.assertEqual(frame.shape[0], 4)
        self.assertEqual(frame.groupby(VCS)["accepted"].max().index.tolist(), [1, 2])
        self.assertEqual(weft.saturation(SMALL, width=0.2).frame()["outcome"].tolist(), ["found"])

    @needs("matplotlib")
    def test_plots_have_labels_units_and_a_line_for_each_combination(self):
        sweep = weft.sweep(SMALL, {LOAD: [0.1, 0.2, 0.95], VCS: [1, 2]})
        ax = sweep.plot()
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), (f"{LOAD} in flits/node/cycle", "latency_mean in cycles"))
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()], ["vcs 1", "vcs 2"])
        self.assertEqual([len(line.get_xdata()) for line in ax.get_lines()], [2, 2])  # without saturated points
        self.assertEqual([len(line.get_xdata()) for line in sweep.plot("accepted").get_lines()], [3, 3])
