# SPDX-License-Identifier: Apache-2.0
"""The captions of drawn schedules state the number of steps that the drawing has."""
import os
import re
import tomllib
import unittest
from pathlib import Path

import support

PAGES = Path(os.environ["WEFT_PAGES_DIR"])
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Drawings(unittest.TestCase):
    def test_have_as_many_steps_as_their_captions_state(self):
        made = tomllib.loads((support.ROOT / "docs" / "made.toml").read_text())
        drawn = [name for name, command in made.items() if "weft schedule " in command]
        pages = "".join(page.read_text() for page in (PAGES / "docs").rglob("*.md"))
        self.assertGreaterEqual(len(drawn), 5)
        for name in drawn:
            steps = re.search(r"<title>[^<]*, R = (\d+), TCO", (PAGES / "docs" / name).read_text())[1]
            captions = re.findall(rf"!\[([^]]*)\]\(\.\./{re.escape(name)}\)", pages)
            self.assertTrue(captions, name)
            for caption in captions:
                self.assertRegex(caption, f" in {NUMBERS[int(steps)]} steps$", name)


if __name__ == "__main__":
    unittest.main()
