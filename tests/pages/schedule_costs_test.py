# SPDX-License-Identifier: Apache-2.0
"""The comparisons of schedules on the pages of RINGS, FATTREE and OCTAGON."""
import math
import random
import unittest

from support import answer
from fat_tree_thresholds import mesh_cost, on_cube, on_embedded_mesh, on_mesh
from schedule_tools import break_even, crossing


class BreakEven(unittest.TestCase):
    def test_is_the_greatest_over_all_combined_schedules(self):
        # The mesh 8x8 of RINGS: the schedule of fewest steps alone gives 0.037.
        self.assertAlmostEqual(break_even({(128, 128)}, {(11, 3286)}), 117 / 3158)
        self.assertAlmostEqual(break_even({(128, 128)}, {(11, 3286), (32, 256)}), 96 / 128)

    def test_names_the_cases_without_a_limit(self):
        self.assertEqual(break_even({(7, 7)}, {(3, 7)}), math.inf)
        self.assertEqual(break_even({(4, 4)}, {(4, 4), (4, 8)}), 0)
        self.assertEqual(break_even({(8, 8)}, {(9, 7)}), math.inf)  # faster for long messages

    def test_separates_the_lengths_at_which_a_combined_schedule_is_faster(self):
        rng = random.Random(1)
        checked = 0
        for _ in range(2000):
            single = rng.randint(2, 40)
            combined = {(rng.randint(1, 40), rng.randint(single, 200)) for _ in range(rng.randint(1, 5))}
            even = break_even({(single, single)}, combined)
            if even in (0, math.inf):
                continue
            checked += 1

            def faster(length):
                return min(r + length * t for r, t in combined) < single + length * single - 1e-9

            self.assertTrue(faster(even * 0.99))
            self.assertFalse(faster(even * 1.01))
        self.assertGreater(checked, 500)


class Answers(unittest.TestCase):
    def test_include_the_schedules_of_questions_that_permit_less(self):
        combined = answer((6, 15), (8, 8)).including(answer((4, 15)))
        self.assertEqual(combined.cost, (4, 15))
        self.assertEqual(combined.pareto(), [(4, 15), (8, 8)])
        self.assertEqual(answer((4, 15)).including(answer((6, 15))).cost, (4, 15))

    def test_list_only_costs_that_no_other_one_beats(self):
        self.assertEqual(answer((4, 32), (6, 48), (16, 16), (16, 20)).pareto(), [(4, 32), (16, 16)])


class Crossing(unittest.TestCase):
    def test_is_the_first_length_from_which_on_the_schedule_is_as_fast(self):
        self.assertEqual(crossing({4: (9, 5), 8: (10, 10), 16: (12, 20)}), 8)
        self.assertEqual(crossing({4: (5, 9), 8: (11, 10), 16: (12, 20)}), 16)
        self.assertIsNone(crossing({4: (5, 9), 8: (11, 10)}))
        self.assertEqual(crossing({4: (5, None)}), 4)


class Formulas(unittest.TestCase):
    def test_give_the_values_of_the_equations_of_fattree(self):
        self.assertAlmostEqual(on_mesh("aas", 4, 4, 2), (16 - 6) / (48 - 16))  # eq. 8
        self.assertAlmostEqual(on_mesh("oas", 4, 4, 2), (8 - 4) / (15 - 8))
        self.assertAlmostEqual(on_cube("aas", 8, 1), 0.8)  # eq. 10
        self.assertAlmostEqual(on_cube("aas", 1024, 1), (1023 - 10) / (5120 - 1023))
        self.assertEqual(on_cube("aab", 32, 1), math.inf)
        self.assertAlmostEqual(on_embedded_mesh("aas", 4, 4, 2), (8 - 6) / (48 - 8))  # eq. 12
        self.assertAlmostEqual(on_embedded_mesh("oas", 3, 4, 1), 7)
        self.assertEqual(mesh_cost("aab", 4, 3, 1, 2), (8, 11))  # eq. 11, XGFT-12


if __name__ == "__main__":
    unittest.main()
