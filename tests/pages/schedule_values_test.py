# SPDX-License-Identifier: Apache-2.0
"""The stored values of the pages on schedules agree with each other: a question that permits more never needs more."""
import re
import unittest

from support import PAPERS, cost_of, costs_of, is_as_good, rows_of, stored
from fat_tree_claims import conclusions
from schedule_tools import break_even, break_even_text

BREAK_EVENS = (("fat_tree_combining", "break_even", "direct"), ("rings", "times", "single"))


def title(row, *columns):
    return " ".join(row[column] for column in columns)


def value_of(page, name):
    return int(stored(page)[name])


class Schedules:
    """The schedules in a cell of a table, in place of an answer of the command."""

    def __init__(self, cell):
        self.costs = costs_of(cell)

    def time(self, length):
        return min(10 * steps + length * occupancy for steps, occupancy in self.costs)


class Monotonicity(unittest.TestCase):
    def assert_as_good(self, costs, other, where):
        self.assertTrue(is_as_good(costs, cost_of(other)), f"{where}: {sorted(costs)} against {other}")

    def test_combining_allowed_is_never_worse(self):
        for page, name, single in BREAK_EVENS:
            for row in rows_of(page, name):
                self.assert_as_good(costs_of(row["combined"]), row[single], title(row, "network", "1"))

    def test_more_ports_are_never_worse_with_combined_messages(self):
        all_ports = {title(row, "network", "1"): costs_of(row["combined"]) for row in rows_of("fat_tree_combining", "break_even")}
        compared = 0
        for row in rows_of("fat_tree_combining", "combining"):
            name = title(row, "network, one port", "1")
            for costs in (all_ports[n] for n in (name, f"{name} corner") if n in all_ports):
                compared += 1
                self.assert_as_good(costs, row["found"], name)
        self.assertGreaterEqual(compared, 9)

    def test_more_ports_are_never_worse_with_single_messages(self):
        one_port = {title(row, "network", "1"): row["found"] for row in rows_of("rings", "bounds")}
        compared = 0
        for row in rows_of("fat_tree", "table_two"):
            name = title(row, "network, all ports", "1").replace(" corner", "")
            if name in one_port and " edge" not in name and " inner" not in name:
                compared += 1
                self.assert_as_good({cost_of(row["found"])}, one_port[name], name)
        self.assertGreaterEqual(compared, 4)

    def test_longer_paths_are_never_worse(self):
        shortest, any_paths = rows_of("octagon", "fig_three")
        self.assertLessEqual(int(any_paths["found"]), int(shortest["found"]))
        scatter = {title(row, "0", "1"): row["found"] for row in rows_of("octagon", "table_two")}["8 to the same 8 MNS"]
        self.assertLessEqual(int(scatter), int(rows_of("octagon", "minimal")[0]["found"]))

    def test_no_schedule_has_fewer_steps_than_a_bound(self):
        for row in rows_of("fat_tree", "table_two") + rows_of("rings", "bounds"):
            self.assertGreaterEqual(int(row["found"]), int(row["bound"]), row)


class BreakEvens(unittest.TestCase):
    def test_use_all_schedules_of_both_sides(self):
        for page, name, single in BREAK_EVENS:
            rows = rows_of(page, name)
            self.assertGreaterEqual(len(rows), 16)
            for row in rows:
                expected = break_even_text(break_even(costs_of(row[single]), costs_of(row["combined"])))
                self.assertEqual(row["break-even m t1/ts"], expected, row)

    def test_list_no_schedule_that_another_one_beats(self):
        for page, name, _ in BREAK_EVENS:
            for row in rows_of(page, name):
                costs = costs_of(row["combined"])
                for cost in costs:
                    self.assertFalse(is_as_good(costs - {cost}, cost), row)

    def test_list_every_schedule_that_the_page_reports(self):
        lists = {title(row, "network", "1"): costs_of(row["combined"]) for row in rows_of("rings", "times")}
        for row in rows_of("rings", "combined"):
            self.assertTrue(is_as_good(lists[title(row, "network", "1")], cost_of(row["found"])), row)


class Results(unittest.TestCase):
    def test_impossible_names_its_senders_if_others_reach_the_printed_number(self):
        reached = rows_of("octagon", "sets")
        qualified = 0
        for row in rows_of("octagon", "table_two"):
            if "impossible" not in row["result"]:
                continue
            steps = [int(r["found"]) for r in reached if r["2"] == row["1"] and r["1"] == row["0"].removeprefix("8 ")]
            depends = min(steps) <= int(row["printed"])
            qualified += depends
            self.assertEqual("with these senders" in row["result"], depends, row)
        self.assertGreaterEqual(qualified, 1)

    def test_searches_close_to_the_bound_are_counted(self):
        searches = rows_of("octagon", "searches")
        for row in rows_of("octagon", "closeness"):
            cells = [(int(one["bound"].replace(",", "")), one[row["0"]]) for one in searches if one[row["0"]] != "–"]
            found = [int(re.match(r"\d+", cell)[0]) / bound for bound, cell in cells if cell != "none"]
            counts = [len(cells), sum(gap <= 1 for gap in found), sum(1 < gap <= 1.1 for gap in found)]
            self.assertEqual([int(row[name]) for name in ("problems", "bound met", "at most 10 % above")], counts, row)

    def test_the_length_from_which_a_schedule_is_faster_agrees_with_the_cycles(self):
        faster = 0
        for row in rows_of("schedules_replayed", "by_length"):
            first = row["faster from"]
            first = 10**9 if first.startswith("above") else int(first.split()[0])
            for length in (4, 16, 64, 256):
                schedule, ordinary = (int(cycles.replace(",", "")) for cycles in row[f"{length} flits"].split(" / "))
                if length >= first:
                    faster += 1
                    self.assertLessEqual(schedule, ordinary, row)
                if length == 256 and first > 256:
                    self.assertGreater(schedule, ordinary, row)
        self.assertGreaterEqual(faster, 10)

    def test_the_table_of_all_entries_has_the_combined_ones(self):
        rows = rows_of("schedules_table", "papers")
        self.assertEqual(len(rows), value_of("schedules_table", "papers_all") + value_of("schedules_table", "combined_all"))
        titles = [title(row, "network", "1") for row in rows]
        for row in rows_of("fat_tree_combining", "break_even"):
            self.assertIn(f"{row['network']}, all ports, combining {row['1']}", titles)
        for row in rows_of("fat_tree_combining", "combining"):
            self.assertIn(f"{row['network, one port']}, combining {row['1']}", titles)

    def test_combining_is_faster_in_as_many_rows_of_rings_as_stated(self):
        rows = rows_of("rings", "times")
        kinds = [row["faster"].split(",")[0] for row in rows]
        for row, kind in zip(rows, kinds):
            one, other = (min(10 * r + 4 * t for r, t in costs_of(row[side])) for side in ("single", "combined"))
            self.assertEqual(kind, "combined" if other < one else "same", row)
        stated = stored("rings")
        self.assertIn(f"faster in {kinds.count('combined')}", stated["faster"])
        self.assertEqual(stated["always_faster"], "**not reproduced**" if "single" in kinds else "reproduced")


    def test_the_conclusions_of_fattree_follow_from_the_listed_schedules(self):
        single, combined = {}, {}
        for row in rows_of("fat_tree_combining", "break_even"):
            collective, _, kind = row["1"].partition(" ")
            key = (row["network"], collective.lower(), kind)
            single[key], combined[key] = Schedules(row["direct"]), Schedules(row["combined"])
        values = {}
        conclusions(single, combined, {key: break_even(single[key].costs, combined[key].costs) for key in single}, values)
        self.assertEqual(values["conclusions"].splitlines(), stored("fat_tree_combining")["conclusions"])


class Pages(unittest.TestCase):
    def test_have_no_none(self):
        for file in [*PAPERS.glob("*.json"), *PAPERS.glob("*.in.md"), *(PAPERS.parent / "figures").glob("*.json")]:
            self.assertIsNone(re.search(r"\b(None|nan|inf)\b", file.read_text()), file)


if __name__ == "__main__":
    unittest.main()
