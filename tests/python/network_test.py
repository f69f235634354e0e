# SPDX-License-Identifier: Apache-2.0
"""weft.Network: arrays, metrics, routes, deadlocks, and graphs of networkx."""
import re

import numpy as np
import weft
from support import EXAMPLES, SMALL, TestCase, needs

ENGINE = {"simulation": {"level": "engine", "warmup": 100, "measure": 1000}}


class Network(TestCase):
    def test_metrics_are_those_that_the_command_prints(self):
        names = {"routers": "routers", "nodes": "nodes", "links": "links", "diameter": "diameter",
                 "mean distance": "mean_distance", "mean route": "mean_route", "bisection": "bisection",
                 "ideal throughput": "ideal_throughput", "zero-load latency": "zero_load_latency",
                 "VCs needed": "vcs_needed"}
        for name in ("quickstart", "torus", "fat_tree", "hotspot", "custom_network"):
            printed = self.command("topology", EXAMPLES / f"{name}.yaml")
            metrics = weft.Network(EXAMPLES / f"{name}.yaml").metrics
            for words, key in names.items():
                with self.subTest(f"{name}: {words}"):
                    number = re.search(rf"^  {words} +([\d.]+)", printed, re.MULTILINE)[1]
                    digits = len(number.partition(".")[2])
                    self.assertEqual(f"{metrics[key]:.{digits}f}", number)
            self.assertAlmostEqual(sum(metrics["zero_load_parts"].values()), metrics["zero_load_latency"])

    def test_arrays_describe_a_mesh(self):
        network = weft.Network(SMALL)
        self.assertEqual((network.shape, len(network.links), len(network.nodes)), ([4, 4], 48, 16))
        self.assertEqual(network.coordinates.tolist()[5], [1, 1])
        distance = abs(network.coordinates[network.links["from_router"]] - network.coordinates[network.links["to_router"]])
        self.assertEqual(set(distance.sum(axis=1)), {1})
        self.assertEqual(network.port_names[0][network.links["from_port"][0]], "+x")
        self.assertEqual(network.nodes["router"].tolist(), list(range(16)))

    def test_the_busiest_link_limits_the_throughput(self):
        network = weft.Network(SMALL)
        self.assertEqual(network.loads.shape, network.links.shape)
        self.assertAlmostEqual(1 / network.loads.max(), network.metrics["ideal_throughput"])

    def test_nodes_with_two_ports_have_two_rows(self):
        network = weft.Network(SMALL, nic__ports=2)
        self.assertEqual(np.bincount(network.nodes["node"]).tolist(), [2] * 16)

    def test_routes_follow_the_routing(self):
        self.assertEqual(weft.Network(SMALL).route(0, 10).tolist(), [0, 1, 2, 6, 10])
        self.assertEqual(weft.Network(SMALL).route(3, 3).tolist(), [3])
        with self.assertRaisesRegex(weft.ConfigurationError, "destination: expected a node from 0 to 15, got 16"):
            weft.Network(SMALL).route(0, 16)

    def test_a_deadlock_is_an_error_or_a_list_of_channels(self):
        ring = {"network": {"topology": {"kind": "ring", "shape": [8]}, "routing": {"algorithm": "source"}}}
        with self.assertRaises(weft.ConfigurationError) as caught:
            weft.Network(ring)
        cycle = weft.Network(ring, network__routing__allow_deadlock=True).deadlock
        self.assertEqual(len(cycle), 9)
        self.assertEqual(cycle[-1], "back to router 0 (0) +x, VC 0")
        self.assertEqual(list(caught.exception.problems[0].details)[:8], cycle[:8])
        self.assertEqual(weft.Network(SMALL).deadlock, [])

    def test_its_text_is_a_network_file(self):
        network = weft.Network(SMALL)
        with open("mesh.json", "w", encoding="utf-8") as file:
            file.write(network.json())
        again = weft.Network({"network": {"topology": {"kind": "file", "file": "mesh.json"}}})
        np.testing.assert_array_equal(again.links, network.links)
        np.testing.assert_array_equal(again.nodes, network.nodes)

    @needs("networkx")
    def test_networkx_has_the_same_distances(self):
        import networkx
        for name in ("quickstart", "torus", "fat_tree"):
            network = weft.Network(EXAMPLES / f"{name}.yaml")
            graph = network.to_networkx()
            self.assertEqual(networkx.diameter(graph), network.metrics["diameter"])
            self.assertEqual(sum(graph.nodes[r]["nodes"] for r in graph), network.metrics["nodes"])

    @needs("networkx")
    def test_a_graph_keeps_its_shape_there_and_back(self):
        import networkx
        for graph in (networkx.petersen_graph(), networkx.cycle_graph(5), networkx.star_graph(6),
                      networkx.hypercube_graph(3)):
            network = weft.Network.from_networkx(graph, ENGINE)
            self.assertEqual(len(network.links), 2 * graph.number_of_edges())
            again = weft.Network.from_networkx(network.to_networkx(), ENGINE)
            self.assertEqual(sorted(network.links[["from_router", "to_router"]].tolist()),
                             sorted(again.links[["from_router", "to_router"]].tolist()))
            self.assertEqual(again.router_names, network.router_names)
            self.assertTrue(networkx.is_isomorphic(networkx.Graph(network.to_networkx()), graph))

    @needs("networkx")
    def test_attributes_of_a_graph_are_read(self):
        import networkx
        graph = networkx.Graph()
        graph.add_node("hub", nodes=0, coordinates=(1, 1))
        graph.add_node("left", nodes=2, coordinates=(0, 1))
        graph.add_node("right", coordinates=(2, 1))
        graph.add_edge("hub", "left", cycles=4)
        graph.add_edge("hub", "right", phits=2)
        network = weft.Network.from_networkx(graph, ENGINE, routing={"algorithm": "up_down", "root": 0}, file="own.json")
        self.assertEqual(network.router_names, ["hub", "left", "right"])
        self.assertEqual(network.nodes["router"].tolist(), [1, 1, 2])
        self.assertEqual(sorted(network.links["cycles"].tolist()), [1, 1, 4, 4])
        self.assertEqual(sorted(network.links["phits"].tolist()), [1, 1, 2, 2])
        self.assertEqual(network.coordinates.tolist(), [[1, 1], [0, 1], [2, 1]])
        self.assertEqual(weft.run(network.config, output__name="own").outcome, "complete")

    @needs("networkx")
    def test_a_network_of_a_graph_runs_at_all_levels(self):
        import networkx
        network = weft.Network.from_networkx(networkx.petersen_graph(), ENGINE)
        engine = weft.run(network.config)
        self.assertEqual(weft.run(network.config, simulation__level="pin").csv, engine.csv)
        self.assertGreater(engine["packets.delivered"], 100)

    @needs("networkx")
    def test_rejects_graphs_that_are_no_networks(self):
        import networkx
        with self.assertRaisesRegex(weft.ConfigurationError, "16"):
            weft.Network.from_networkx(networkx.star_graph(20), ENGINE)
        with self.assertRaisesRegex(weft.ConfigurationError, "graph: expected at least one vertex"):
            weft.Network.from_networkx(networkx.Graph(), ENGINE)
        with self.assertRaises(weft.ConfigurationError):
            weft.Network.from_networkx(networkx.disjoint_union(networkx.path_graph(2), networkx.path_graph(2)), ENGINE)
