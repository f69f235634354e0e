# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, threads, and the global lock. A second thread sends the signal when the main thread is in the module, so the
tests do not depend on the speed of the machine."""
import threading

import weft
from support import SMALL, TestCase

# The helper waits until the main thread is in FILE of the module and, for a run at pin level, has a child process. It
# then needs the global lock; if the simulation kept it, the test would hang.
PROGRAM = """
import os, signal, sys, threading, time, weft
main = threading.main_thread().ident
def is_there():
    frame = sys._current_frames()[main]
    while frame is not None:
        if frame.f_code.co_filename.endswith({file!r}):
            return {ready}
        frame = frame.f_back
    return False
def interrupt():
    while not is_there():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
small = {small!r}
threading.Thread(target=interrupt).start()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
try:
    os.waitpid(-1, os.WNOHANG)
    print("a child is left")
except ChildProcessError:
    pass
print(weft.run(small).outcome)
"""
HAS_CHILD = "bool(open(f'/proc/{os.getpid()}/task/{threading.main_thread().native_id}/children').read())"


class Interruption(TestCase):
    def interrupted(self, file, call, ready="True"):
        return self.python(PROGRAM.format(file=file, call=call, ready=ready, small=SMALL))

    def test_ctrl_c_ends_a_run(self):
        self.assertEqual(self.interrupted("_run.py", "weft.run(small, simulation__measure=10**12)"),
                         "interrupted\ncomplete\n")

    def test_ctrl_c_ends_a_run_at_pin_level_and_its_process(self):
        call = "weft.run(small, simulation__measure=10**12, simulation__level='pin')"
        self.assertEqual(self.interrupted("_command.py", call, HAS_CHILD), "interrupted\ncomplete\n")

    def test_ctrl_c_ends_a_sweep_and_its_processes(self):
        call = "weft.sweep(small, {'network.router.vcs': [2, 4]}, simulation__measure=10**12)"
        self.assertEqual(self.interrupted("_command.py", call, HAS_CHILD), "interrupted\ncomplete\n")

    def test_a_simulation_continues_after_ctrl_c(self):
        call = ("sim = weft.Simulation(small)\n    sim.step(10**12)")
        program = PROGRAM.format(file="_simulation.py", call=call, ready="True", small=SMALL) + """
reached = sim.cycle
sim.step(100)
other = weft.Simulation(small)
other.step(reached + 100)
print(sim.cycle == reached + 100, sim.totals == other.totals)
"""
        self.assertEqual(self.python(program.replace("sim = weft.Simulation(small)\n    ", "").replace(
            "threading.Thread(", "sim = weft.Simulation(small)\nthreading.Thread(")), "interrupted\ncomplete\nTrue True\n")

    def test_threads_simulate_at_the_same_time(self):
        results = {}

        def work(seed):
            results[seed] = weft.run(SMALL, simulation__seed=seed)

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for seed, result in results.items():
            self.assertEqual(result, weft.run(SMALL, simulation__seed=seed))
        self.assertEqual(len(results), 8)

    def test_errors_and_warnings_belong_to_their_threads(self):
        keys = {}

        def work(key):
            try:
                weft.run(SMALL, **{key: "wrong"})
            except weft.ConfigurationError as error:
                keys[key] = error.key

        names = ["network.router.vcs", "network.router.depth", "workload.injection.load", "simulation.seed"]
        threads = [threading.Thread(target=work, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(keys, {name: name for name in names})

    def test_two_threads_cannot_use_one_simulation_at_the_same_time(self):
        sim = weft.Simulation(SMALL, batch=100)
        in_observer, checked = threading.Event(), threading.Event()
        found = []

        def wait(rows):
            in_observer.set()
            checked.wait()

        sim.on_deliveries(wait)
        thread = threading.Thread(target=sim.step, args=(10**5,))
        thread.start()
        in_observer.wait()
        found.append(sim.cycle)  # between two batches
        sim._lock.acquire()  # as a step does
        with self.assertRaisesRegex(weft.Error, "another thread is using this simulation"):
            sim.totals
        sim._lock.release()
        sim._observers["deliveries"].clear()
        checked.set()
        thread.join()
        self.assertEqual((found, sim.cycle), ([100], 10**5))
