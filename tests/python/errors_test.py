# SPDX-License-Identifier: Apache-2.0
"""Exceptions: file, line, key, and a message with a remedy."""
import os
import pickle
import subprocess
import warnings
from unittest import mock

import weft
from support import COMMAND, SMALL, TestCase, write


class Errors(TestCase):
    def error_of(self, *arguments, call=weft.run, **named):
        with self.assertRaises(weft.ConfigurationError) as caught:
            call(*arguments, **named)
        return caught.exception

    def test_a_file_has_line_column_and_key(self):
        write("bad.yaml", "network:\n  router:\n    vcz: 4\n    depth: x\n")
        error = self.error_of("bad.yaml")
        self.assertEqual((error.file, error.line, error.column, error.key), ("bad.yaml", 3, 5, "network.router.vcz"))
        self.assertEqual(str(error), "bad.yaml:3:5: error: unknown key 'vcz' in network.router; did you mean 'vcs'?\n"
                         "bad.yaml:4:12: error: network.router.depth: expected an integer from 1 to 512, got 'x'")
        self.assertEqual([one.key for one in error.problems], ["network.router.vcz", "network.router.depth"])

    def test_the_text_is_that_of_the_command(self):
        write("bad.yaml", "network: {topology: {kind: torus}, router: {vcs: 1}}\nsimulation: {measure: -5}\n")
        done = subprocess.run([COMMAND, "run", "bad.yaml"], stderr=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual(str(self.error_of("bad.yaml")), done.stderr.rstrip("\n"))

    def test_an_included_file_is_named(self):
        write("inner.yaml", "\nsimulation: {seed: x}\n")
        write("outer.yaml", "include: inner.yaml\n")
        error = self.error_of("outer.yaml")
        self.assertEqual((error.file, error.line, error.key), ("inner.yaml", 2, "simulation.seed"))

    def test_a_dictionary_has_the_key_and_no_line(self):
        error = self.error_of({"network": {"router": {"vcz": 4}}})
        self.assertEqual((error.file, error.line, error.key), (None, None, "network.router.vcz"))
        self.assertEqual(str(error), "network.router.vcz: unknown key 'vcz' in network.router; did you mean 'vcs'?")

    def test_values_that_do_not_fit_together_have_a_key(self):
        error = self.error_of({"network": {"topology": {"kind": "torus"}, "router": {"vcs": 1}}})
        self.assertEqual(error.key, "network.router.vcs")
        self.assertIn("needs at least 2", str(error))

    def test_a_text_has_a_line(self):
        error = self.error_of("network:\n  router: {vcs: x}\n")
        self.assertEqual((error.file, error.line, error.key), (None, 2, "network.router.vcs"))
        self.assertTrue(str(error).startswith("text:2:"))

    def test_an_override_has_its_key(self):
        for level in ("engine", "pin"):
            error = self.error_of(SMALL, simulation__level=level, network__router__vcs="many")
            self.assertEqual((error.key, error.line), ("network.router.vcs", None))
            self.assertEqual(str(error), "network.router.vcs: expected an integer from 1 to 16, got 'many'")
        self.assertEqual(self.error_of(SMALL, bogus=1).key, "bogus")

    def test_rejects_wrong_types_before_reading(self):
        for value, got in ((float("nan"), "a finite number, got nan"), (float("inf"), "a finite number, got inf"),
                           ({1, 2}, "got set"), (object(), "got object"), (1j, "got complex")):
            error = self.error_of({"workload": {"injection": {"load": value}}})
            self.assertEqual(error.key, "workload.injection.load")
            self.assertIn(got, str(error))
        self.assertIn("got int", str(self.error_of(5)))
        self.assertIn("expected texts as keys, got 1.5", str(self.error_of({1.5: 2})))
        self.assertIn("got nothing", str(self.error_of("")))
        self.assertIn("UTF-8", str(self.error_of({"output": {"name": "\ud800"}})))
        circle = {}
        circle["network"] = circle
        self.assertIn("does not contain itself", str(self.error_of(circle)))

    def test_rejects_negative_cycles(self):
        error = self.error_of(SMALL, simulation__measure=-5)
        self.assertEqual(str(error), "simulation.measure: expected an integer from 0 to 1000000000000, got '-5'")

    def test_a_missing_file_is_named(self):
        error = self.error_of("nowhere.yaml")
        self.assertEqual(error.file, "nowhere.yaml")
        self.assertIn("No such file", str(error))
        self.assertEqual(self.error_of({"workload": {"packet_list": "nowhere.txt"}}).key, "workload.packet_list")

    def test_a_network_that_can_deadlock_has_details(self):
        error = self.error_of({"network": {"topology": {"kind": "ring", "shape": [8]}, "routing": "source"}})
        self.assertIn("VC 0", "\n".join(error.problems[0].details))

    def test_rejects_files_without_a_directory(self):
        error = self.error_of(SMALL, output__event_log=True)
        self.assertEqual(error.key, "output.event_log")
        self.assertIn("call weft.run() with directory", str(error))

    def test_names_the_command_for_collectives(self):
        self.assertIn("simulate it with `weft collective`", str(self.error_of({"collective": {"algorithm": "ring"}})))

    def test_studies_name_keys_and_options(self):
        error = self.error_of(SMALL, {"network.router.vcz": [1]}, call=weft.sweep)
        self.assertEqual((error.key, error.file), ("network.router.vcz", None))
        self.assertIn("99", str(self.error_of(SMALL, call=weft.saturation, most=99)))
        self.assertIn("nothing to sweep", str(self.error_of(SMALL, call=weft.sweep)))
        self.assertIn("got float", str(self.error_of(SMALL, {"network.router.vcs": 0.1}, call=weft.sweep)))
        self.assertIn("without commas", str(self.error_of(SMALL, {"output.name": ["a,b"]}, call=weft.sweep)))
        self.assertIn("has no load to search", str(self.error_of(
            {"workload": {"injection": {"process": "request_reply"}}}, call=weft.saturation)))
        write("bad.yaml", "\nnetwork: {router: {vcs: x}}\n")
        self.assertEqual(self.error_of("bad.yaml", call=weft.curve).line, 2)

    def test_errors_are_value_errors_and_can_be_pickled(self):
        error = self.error_of({"bogus": 1})
        self.assertIsInstance(error, ValueError)
        self.assertIsInstance(error, weft.Error)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_warnings_are_warnings_of_python(self):
        write("former.yaml", "simulation: {level: tlm, measure: 500}\n")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            weft.run("former.yaml")
        self.assertEqual([one.category for one in caught], [weft.ConfigurationWarning])
        self.assertIn("'tlm' is now called 'engine'", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)

    def test_works_without_optional_modules(self):
        printed = self.python("""
import sys
for name in ("pandas", "matplotlib", "networkx"):
    sys.modules[name] = None
import weft
config = {"network": {"topology": {"shape": [3, 3]}}, "simulation": {"level": "engine", "measure": 500}}
result = weft.run(config)
for call in (result.frame, result.plot_links, weft.Network(config).to_networkx):
    try:
        call()
    except weft.Error as error:
        print(error)
""")
        for package in ("python3-pandas", "python3-matplotlib", "python3-networkx"):
            self.assertIn(f"install the Debian package {package}", printed)

    def test_a_command_of_another_version_is_rejected(self):
        write("weft", "#!/bin/sh\necho weft 0.1.0\n")
        os.chmod("weft", 0o755)
        with mock.patch.dict(os.environ, {"WEFT_COMMAND": os.path.abspath("weft")}):
            with self.assertRaisesRegex(weft.Error, "weft 0.1.0, but this module is weft .*; set WEFT_COMMAND"):
                weft.run(SMALL, simulation__level="pin")

    def test_a_missing_command_is_reported(self):
        printed = self.python("""
import os
os.environ["WEFT_COMMAND"] = "nowhere/weft"
import weft
try:
    weft.run({"simulation": {"level": "pin", "measure": 100}})
except weft.Error as error:
    print(error)
""")
        self.assertEqual(printed, "the command nowhere/weft cannot be started: No such file or directory; "
                                  "set WEFT_COMMAND to another file\n")
