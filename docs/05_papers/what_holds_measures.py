# SPDX-License-Identifier: Apache-2.0
"""Measures the claims of the five papers again, for scripts/paper: the functions that measure the pages, one at a time."""

import os

import compression_curves
import compression_settings
import network_coding_beyond
import network_coding_hops
import network_coding_times
import network_coding_tools
import paper_tools
import schedule_fat_tree
import schedule_octagon
import schedule_rings
import schedule_tools
from compression_tools import Study
from network_coding_tuned import all_tuned
from paper_tools import HERE, Claims
from schedule_known import Known

SECONDS = 20  # of a search, as on the pages


class Weft:
    """The command in the ways in which the pages on the papers use it. Figures go to the directory, and not to docs/figures."""

    def __init__(self, command, directory, jobs=None):
        self.command, self.directory, self.jobs = command, directory, jobs or os.cpu_count()
        directory.mkdir(parents=True, exist_ok=True)
        paper_tools.FIGURES = directory

    def coding(self):
        return network_coding_tools.Weft(self.command, self.directory / "hnc")

    def compression(self):
        return Study(self.command, self.directory / "compress", self.jobs)

    def schedules(self):
        known = Known(HERE / "schedules_known.json")
        return schedule_tools.Weft(self.command, self.directory / "schedules", self.jobs, SECONDS, known)


def coding(function):
    """A function of the pages on HNC."""
    return lambda weft, claims, values: function(weft.coding(), claims, values)


def all_to_all(weft, claims, values):
    lines, fixed = all_tuned(weft, values)
    network_coding_times.all_to_all(weft, claims, values, lines, fixed)


def compression(function):
    """A function of the page on COMPRESS."""
    return lambda weft, claims, values: function(weft.compression(), claims, values)


def lengths(study, claims, values):
    compression_curves.by_length(study, claims, values)


def loaded_lengths(study, claims, values):
    compression_curves.short_and_long(study, claims, values, compression_curves.by_length(study, claims, values))


def ring_sources(weft, claims, values):
    schedule_rings.sources(weft.schedules(), values)


def ring_deadlock(weft, claims, values):
    schedule_rings.deadlock(weft.schedules(), values)


def ring_page(weft, claims, values):
    values.update(schedule_rings.page(weft.schedules()))


def tree_page(weft, claims, values):
    values.update(schedule_fat_tree.page(weft.schedules()))


def tree_combining_page(weft, claims, values):
    values.update(schedule_fat_tree.combining_page(weft.schedules()))


def octagon_steps(weft, claims, values):
    weft = weft.schedules()
    finish = schedule_octagon.table_two(weft, values)
    schedule_octagon.minimal_paths(weft, values)
    finish()


def octagon_paths(weft, claims, values):
    schedule_octagon.scatter_of_an_edge(weft.schedules(), values)


def octagon_example(weft, claims, values):
    schedule_octagon.example(values)


def octagon_searches(weft, claims, values):
    schedule_octagon.searches(weft.schedules(), values)()


# By paper: the names of claims, the page, the function, and about how many minutes it takes on two cores. Claims that are not here need
# recordings of MPI programs, or nothing to measure.
HNC, COMPRESS = "network_coding", "compression"
MEASURES = {
    "hnc": [
        ("fig1", HNC, lambda weft, claims, values: network_coding_beyond.figure_one(weft.coding(), claims), 0),
        ("fig2 fig5", HNC, coding(network_coding_hops.by_trees), 4),
        ("fig6 fig4 fig7 fig15 fig16 fig17 sect6.1 sect3", HNC, coding(network_coding_hops.by_groups), 1),
        ("fig8 sect4.4", HNC, coding(network_coding_hops.at_once), 2),
        ("fig9", HNC, coding(network_coding_hops.tori), 1),
        ("fig18", HNC, coding(network_coding_hops.few_sources), 1),
        ("fig19", HNC, coding(network_coding_hops.recursion), 2),
        ("fig10 fig12 sect5.2 sect5.4", HNC, coding(all_to_all), 60),
        ("fig11", HNC, coding(network_coding_times.by_groups), 1),
        ("fig13", HNC, coding(network_coding_times.by_length), 1),
        ("fig14 sect6.2", HNC, coding(network_coding_times.by_overhead), 1),
        ("sect6.5", HNC, coding(network_coding_times.beside_combining), 0),
        ("sect2.2", HNC, coding(network_coding_beyond.with_compression), 1),
    ],
    "compress": [
        ("eq1 fig1", COMPRESS, compression(lengths), 0),
        ("fig2", COMPRESS, compression(loaded_lengths), 6),
        ("fig7 fig8 algorithm1 secti", COMPRESS, compression(compression_curves.by_pattern), 15),
        ("fig9 fig10 fig11", COMPRESS, compression(compression_curves.by_network), 10),
        ("fig12", COMPRESS, compression(compression_curves.by_switch), 8),
        ("sectiii-b", COMPRESS, compression(compression_settings.thresholds), 10),
    ],
    "rings": [
        ("fig3", "rings", ring_sources, 0),
        ("section2", "rings", ring_deadlock, 0),
        ("table2 table3 table4 section3 conclusions", "rings", ring_page, 20),
    ],
    "fattree": [
        ("tablei tableii tablev tablevi", "fat_tree", tree_page, 20),
        (
            "tableiii tableiv eq8 eq10 eq11 eq12 conclusion1 conclusion2 conclusion3 sectionv",
            "fat_tree_combining",
            tree_combining_page,
            30,
        ),
    ],
    "octagon": [
        ("table2", "octagon", octagon_steps, 1),
        ("fig3", "octagon", octagon_paths, 0),
        ("section3", "octagon", octagon_example, 0),
        ("section5 section7", "octagon", octagon_searches, 10),
    ],
}


def measure_of(paper, name):
    """(page, function, minutes) of a claim; None if it has no measurement."""
    return next(((page, function, minutes) for names, page, function, minutes in MEASURES[paper] if name in names.split()), None)


def measured(weft, pages, paper, name):
    """Measures a claim, and puts the values into the pages."""
    page, function, _ = measure_of(paper, name)
    claims, values = Claims("", ""), {}
    function(weft, claims, values)
    stored = {key: value for key, value in values.items() if key in pages[page]}
    pages.replace(page, stored, claims.table().split("\n")[2:])
