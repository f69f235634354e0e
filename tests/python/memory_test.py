# SPDX-License-Identifier: Apache-2.0
"""Repeated use does not fill the memory."""
from support import TestCase

# A network of 8 x 8 takes more than a megabyte. So if runs did not free their networks, 200 runs would take more than
# 200 MiB. The bound is far from both.
PROGRAM = """
import resource, weft
config = {"network": {"topology": {"shape": [8, 8]}}, "workload": {"injection": {"load": 0.1}},
          "simulation": {"level": "engine", "warmup": 10, "measure": 100}}
def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
def use():
    weft.run(config)
    sim = weft.Simulation(config)
    sim.on_flits(len)
    sim.step(200)
    weft.Network(config).links
for i in range(20):
    use()
before = most()
for i in range(200):
    use()
print(most() - before < 50)
"""


class Memory(TestCase):
    def test_does_not_grow_over_200_runs(self):
        self.assertEqual(self.python(PROGRAM), "True\n")
