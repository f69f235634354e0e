# SPDX-License-Identifier: Apache-2.0
"""No run replaces a better stored schedule by a worse one, and the stored pages have all known schedules."""
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from support import PAPERS, answer, cost_of, costs_of, is_as_good, rows_of
from schedule_fat_tree import OAS_SOURCES
from schedule_known import Known, question
from schedule_tools import Weft, mesh

NAME = question(mesh(8, 8), "aab", {"combining": True})


class Finds(Weft):
    """The command with searches that always find the same."""

    def run(self, network, collective, paths, seconds, **options):
        return answer((10, 209), (12, 125))


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "known.json"

    def run_that_finds(self, *costs, by="greedy"):
        """A run with the known schedules of the earlier ones."""
        known, found = Known(self.file), answer(*costs)
        found.by = by
        found = known.keep(NAME, found)
        known.store()
        return found

    def test_keep_better_schedules_of_earlier_runs(self):
        self.run_that_finds((9, 185), (14, 63), by="combining_pareto")
        later = self.run_that_finds((10, 209), (12, 125))
        self.assertEqual(later.pareto(), [(9, 185), (12, 125), (14, 63)])
        self.assertEqual((later.cost, later.by), ((9, 185), "combining_pareto"))
        self.assertEqual(later.replayed(), "10/209 (best known: 9/185)")
        self.assertEqual(json.loads(self.file.read_text())[NAME]["costs"], [[9, 185], [12, 125], [14, 63]])

    def test_keep_the_lower_tco_of_the_same_number_of_steps(self):
        self.run_that_finds((5, 40))
        self.assertEqual(self.run_that_finds((5, 41)).cost, (5, 40))

    def test_replace_worse_schedules_of_earlier_runs(self):
        self.run_that_finds((10, 209))
        later = self.run_that_finds((9, 185), by="combining_pareto")
        self.assertEqual((later.pareto(), later.by, later.replayed()), ([(9, 185)], "combining_pareto", "9/185"))

    def test_add_known_schedules_only_to_the_best_of_all_methods(self):
        self.run_that_finds((9, 185), by="combining_pareto")
        weft = Finds("weft", self.file.parent, 1, 20, Known(self.file))
        with contextlib.redirect_stderr(io.StringIO()):
            costs = [weft.answer(mesh(8, 8), "aab", combining=True, **more).cost for more in ({}, {"keep": False}, {"method": "sat"})]
        self.assertEqual(costs, [(9, 185), (10, 209), (10, 209)])

    def test_reject_known_schedules_that_contradict_the_answer(self):
        self.file.write_text(json.dumps({NAME: {"costs": [[0, 3]], "by": "greedy", "paths": "minimal", "least_TCO_of_R": 1}}))
        with self.assertRaisesRegex(ValueError, "below a bound"):
            self.run_that_finds((4, 4))
        with self.assertRaisesRegex(ValueError, "found nothing"):
            Known(self.file).keep(NAME, None)

    def test_share_a_question_whatever_their_time_limit(self):
        self.assertEqual(NAME, "mesh 8x8, ports one, aab, combining True")
        self.assertEqual(NAME, question(mesh(8, 8), "aab", {"combining": True, "limit": 5}))


class StoredPages(unittest.TestCase):
    known = {name: {tuple(cost) for cost in entry["costs"]} for name, entry in
             json.loads((PAPERS / "schedules_known.json").read_text()).items()}

    def assert_has_all(self, costs, name):
        for cost in self.known[name]:
            self.assertTrue(is_as_good(costs, cost), f"{name}: {sorted(costs)} lacks {cost}")

    def test_list_all_known_combined_schedules(self):
        for row in rows_of("rings", "times"):
            self.assert_has_all(costs_of(row["combined"]), f"{row['network']}, ports one, {row['1'].lower()}, combining True")
        for row in rows_of("fat_tree_combining", "break_even"):
            network, collective = row["network"], row["1"].split()[0].lower()
            ports = "all" if network.startswith("mesh") else "as_built"
            root = f", root {OAS_SOURCES[network][1]}" if collective == "oas" and network in OAS_SOURCES else ""
            self.assert_has_all(costs_of(row["combined"]), f"{network}, ports {ports}, {collective}, combining True{root}")

    def test_report_the_known_schedule_of_the_fewest_steps(self):
        for row in rows_of("rings", "formulas") + rows_of("rings", "combined"):
            name = f"{row['network']}, ports one, {row['1'].lower()}, combining True"
            self.assertLessEqual(cost_of(row["found"]), min(self.known[name]), name)
        for row in rows_of("rings", "bounds"):
            name = f"{row['network']}, ports one, {row['1'].lower()}"
            self.assertLessEqual(cost_of(row["found"]), min(self.known[name]), name)


if __name__ == "__main__":
    unittest.main()
