# SPDX-License-Identifier: Apache-2.0
"""The page of all claims agrees with the stored values of the pages on the papers."""
import re
import unittest

import support
from what_holds import PAPERS, Claim, claims_of, values
from what_holds_measures import MEASURES
from what_holds_sources import Pages, Source, result_of


class Page(unittest.TestCase):
    def test_has_the_stored_values_of_the_pages_on_the_papers(self):
        stored = {name: value if isinstance(value, str) else "\n".join(value) for name, value in support.stored("what_holds").items()}
        self.assertEqual(values(), stored, "store them with docs/05_papers/what_holds.py")

    def test_has_a_command_for_each_claim(self):
        for paper in PAPERS:
            claims = claims_of(paper, Pages())
            self.assertGreaterEqual(len(claims), 8)
            for claim in claims:
                self.assertRegex(claim.command(), rf"^`scripts/paper {paper} [a-z0-9.-]+`$")
                self.assertTrue(claim.turned)

    def test_measures_only_claims_that_exist(self):
        for paper, measures in MEASURES.items():
            names = {name for claim in claims_of(paper, Pages()) for name in claim.names}
            for text, *_ in measures:
                self.assertLessEqual(set(text.split()), names)

    def test_measures_all_claims_on_steps_hops_and_cycles(self):
        for paper in ("hnc", "rings", "fattree", "octagon"):
            measured = {name for text, *_ in MEASURES[paper] for name in text.split()} | {"eq12"}
            for claim in claims_of(paper, Pages()):
                self.assertTrue(measured & set(claim.names), claim.where)


class Results(unittest.TestCase):
    def claim(self, where, result):
        return Claim("hnc", Source(where, "", "", result, "network_coding"), {"turned": "nothing"})

    def test_count_as_the_worst_entry(self):
        self.assertEqual(self.claim("Fig. 1", "3 hold, 2 with another size").kind(), "holds with another size")
        self.assertEqual(self.claim("Fig. 1", "3 hold, 2 do not hold, 1 impossible").kind(), "impossible")
        self.assertEqual(self.claim("Fig. 1", "holds").kind(), "holds")

    def test_are_in_the_words_of_the_page(self):
        self.assertEqual(result_of("**beaten**; as printed it joins messages"), "holds with another size")
        self.assertEqual(result_of("**impossible** with these senders"), "holds only with other senders")
        self.assertEqual(result_of("reproduced only with a ring"), "holds only with a ring")
        with self.assertRaises(ValueError):
            result_of("perhaps")

    def test_are_found_by_all_names_of_their_place(self):
        for where, names in (
            ("abstract, Figs. 2, 5", ["abstract", "fig2", "fig5"]),
            ("Figs. 15-17", ["fig15", "fig16", "fig17"]),
            ("second Table 2", ["table2"]),
            ("Tables III, IV", ["tableiii", "tableiv"]),
            ("Sect. IV-A", ["sectiv-a"]),
        ):
            self.assertEqual(self.claim(where, "holds").names, names)

    def test_are_conditions_if_only_one_measure_or_the_printed_schedules_lead_to_them(self):
        for paper in PAPERS:
            for claim in claims_of(paper, Pages()):
                if re.search(r"\bby the [\w ]+ only\b|only with the printed schedules", f"{claim.found} {claim.stated}"):
                    self.assertEqual(claim.kind(), "holds only", claim.printed)

    def test_differ_only_where_the_page_of_the_paper_has_no_finer_word(self):
        replaced = [c for paper in PAPERS for c in claims_of(paper, Pages()) if c.result != c.stated]
        self.assertGreaterEqual(len(replaced), 5)
        for claim in replaced:
            self.assertNotIn("impossible", claim.stated)
            self.assertFalse(claim.result == "holds" or re.match(r"impossible|does not", claim.result), claim.result)


if __name__ == "__main__":
    unittest.main()
