# SPDX-License-Identifier: Apache-2.0
"""The best schedules that any run of schedule_pages.py found, kept in schedules_known.json. Searches end by the clock, so a run on
a busy machine can find less than an earlier one. The pages have the schedules of all runs."""

import json
import threading


def dominated(cost, costs):
    return any(other != cost and other[0] <= cost[0] and other[1] <= cost[1] for other in costs)


def pareto(costs):
    """The costs that no other one dominates, by ascending R."""
    return sorted(cost for cost in costs if not dominated(cost, costs))


def question(network, collective, options):
    """The name of a question: all that permits or forbids schedules, but not how long a search lasts."""
    words = [network.name, f"ports {network.ports}", collective]
    return ", ".join(words + [f"{key} {value}" for key, value in sorted(options.items()) if key not in ("limit", "keep")])


class Known:
    """The schedules that are known, by question: the Pareto-optimal (R, TCO), and of the one with the fewest steps the method, the
    paths, and the least TCO for this R."""

    def __init__(self, file):
        self.file, self.lock = file, threading.Lock()
        self.entries = json.loads(file.read_text()) if file.exists() else {}

    def keep(self, name, answer):
        """Adds the schedules of an answer to those known of its question; returns the answer with all of them."""
        with self.lock:
            entry = self.entries.get(name)
            if entry:
                if answer is None:
                    raise ValueError(f"{name}: a run found nothing, but a schedule is known")
                costs = {tuple(cost) for cost in entry["costs"]}
                if any(r < answer.bound or t < answer.least_TCO for r, t in costs):
                    raise ValueError(f"{name}: a known schedule is below a bound; remove it from {self.file.name} if it is wrong")
                answer = answer.including_known(costs, entry)
            if answer:
                self.entries[name] = {
                    "costs": pareto(answer.costs), "by": answer.by, "paths": answer.paths, "least_TCO_of_R": answer.least_TCO_of_R
                }
            return answer

    def store(self):
        lines = [f" {json.dumps(name)}: {json.dumps(self.entries[name])}" for name in sorted(self.entries)]
        self.file.write_text("{\n" + ",\n".join(lines) + "\n}\n")
