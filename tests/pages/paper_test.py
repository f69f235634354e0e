# SPDX-License-Identifier: Apache-2.0
"""Measures small claims as a reader of the pages does, with scripts/paper: the pages must have the same numbers."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import support

WEFT = os.environ["WEFT_COMMAND"]
SMALL = ("hnc fig1", "hnc fig11", "hnc sect2.2", "compress eq1", "rings fig3", "rings section2", "octagon fig3", "octagon section3")


class Paper(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A tree of its own, so that results are measured now and not taken from an earlier run.
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        (cls.root / "scripts").mkdir()
        shutil.copy(support.ROOT / "scripts" / "paper", cls.root / "scripts")
        shutil.copytree(support.PAPERS, cls.root / "docs" / "05_papers")
        shutil.copytree(support.ROOT / "scripts" / "checks", cls.root / "scripts" / "checks")
        shutil.copy(support.ROOT / "docs" / "make_pages.py", cls.root / "docs")
        (cls.root / "examples").symlink_to(support.ROOT / "examples")

    def paper(self, *arguments):
        return subprocess.run([self.root / "scripts" / "paper", *arguments], capture_output=True, text=True)

    def test_measures_what_the_pages_have(self):
        for claim in SMALL:
            with self.subTest(claim):
                done = self.paper(*claim.split(), "--weft", WEFT)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("measured  now, as on the page", done.stdout)

    def test_reports_a_page_with_another_number(self):
        file = self.root / "docs" / "05_papers" / "octagon.json"
        text = file.read_text()
        self.addCleanup(file.write_text, text)
        self.assertEqual(text.count("| shortest | 6 | reproduced"), 1)
        file.write_text(text.replace("| shortest | 6 | reproduced", "| shortest | 6 | **beaten**"))
        done = self.paper("octagon", "fig3", "--weft", WEFT)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("DIFFERS   the page has: 1 of 2 entries hold; with another size: shortest 6 → 6", done.stdout)

    def test_lists_all_papers_and_claims(self):
        done = self.paper()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(done.stdout.count("\n"), 90)
        for paper in ("hnc", "compress", "rings", "fattree", "octagon"):
            self.assertIn(f"{paper}: ", done.stdout)

    def test_names_the_measurements_of_a_place_with_several_claims(self):
        done = self.paper("hnc", "abstract")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("use scripts/paper hnc fig5 or scripts/paper hnc fig10", done.stdout)

    def test_lists_the_claims_for_a_wrong_name(self):
        for arguments, listed in ((["hcn"], "octagon: "), (["hnc", "fig99"], "  fig10 ")):
            done = self.paper(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn("the claims are:", done.stderr)
            self.assertIn(listed, done.stderr)

    def test_prints_a_stored_claim_without_measuring(self):
        done = self.paper("hnc", "fig10", "--stored")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("measured", done.stdout)
        self.assertIn("HNC, abstract, Fig. 10", done.stdout)


if __name__ == "__main__":
    unittest.main()
