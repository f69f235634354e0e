# SPDX-License-Identifier: Apache-2.0
"""One rule decides about all statements "up to N %" of the papers: the greatest gain of a measure is near N."""
import re
import unittest

from support import PAPERS, rows_of, stored
from paper_tools import is_near


def gains_of(cell):
    """The gains of both measures; the second one is in parentheses."""
    cell = cell.replace("−", "-")
    second = re.findall(r"\(([+-][\d.]+) %\)", cell)
    first = re.findall(r"([+-][\d.]+) %", re.sub(r"\([^)]*\)", "", cell))
    return [list(map(float, gains)) for gains in (first, second) if gains]


class Claims(unittest.TestCase):
    def test_gains_up_to_a_percentage_follow_one_rule(self):
        decided = 0
        for file in PAPERS.glob("*.json"):
            if "claims" not in stored(file.stem):
                continue
            for row in rows_of(file.stem, "claims"):
                states, finds = list(row.values())[1:3]
                printed = re.search(r"up to (\d+) %", states)
                if not printed:
                    continue
                decided += 1
                holds = any(is_near(float(printed[1]), max(gains)) for gains in gains_of(finds))
                self.assertEqual(row["result"], "reproduced" if holds else "**not reproduced**", row)
        self.assertGreaterEqual(decided, 3)

    def test_a_number_far_above_the_printed_one_is_no_reproduction(self):
        self.assertTrue(is_near(38, 40))
        self.assertFalse(is_near(38, 60))
        self.assertFalse(is_near(26, 19))


if __name__ == "__main__":
    unittest.main()
