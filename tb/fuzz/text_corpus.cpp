// SPDX-License-Identifier: Apache-2.0
#include "tb/fuzz/text_corpus.h"

#include <cstddef>
#include <utility>

namespace weft::fuzz {
namespace {

constexpr std::size_t Deep = 5'000;  // nesting depth that overflows the stack of a recursive reader with sanitizers

/// \p text repeated \p times times.
std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (; times > 0; --times) all += text;
  return all;
}

std::string nested(const std::string& open, const std::string& close, std::size_t deep = Deep) {
  return repeated(open, deep) + repeated(close, deep);
}

/// Lists of ten aliases of the previous list: an exponential number of values.
std::string laughs() {
  std::string text = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (char name = 'b'; name <= 'i'; ++name) {
    const std::string alias = std::string(", *") + static_cast<char>(name - 1);
    text += std::string(1, name) + ": &" + name + " [0" + repeated(alias, 10) + "]\n";
  }
  return text;
}

/// Prepends \p by to each text.
seeds with(char by, const seeds& texts, const std::string& prefix) {
  seeds all;
  for (const auto& [name, text] : texts) all[prefix + "_" + name] = by + text;
  return all;
}

const char* const Ring = R"(format: weft-topology-1
kind: ring
routers:
  - a
  - {name: b, ports: [west, east, local], coordinates: [1]}
  - name: c
links:
  - {between: [a, b.west], cycles: 2, width: 64}
  - {from: b.east, to: c}
  - {from: c, to: {router: b, port: east}}
  - between: [c, a]
nodes: [a, {router: b, cycles: 2}, {ports: [c]}]
)";

const char* const Rules = R"(routing:
  - {rule: table, vcs: 2, routes: [{to: 0, port: 0}, {to: all, through: [b]}]}
)";

/// One step on two cores with a link in each direction.
std::string two_cores() {
  return R"({"format": "ccsched/1", "topology": {"name": "two", "channels": [
{"id": 0, "src": "n0", "dst": "r0", "kind": "inj", "cap": 1},
{"id": 1, "src": "r0", "dst": "n0", "kind": "ej", "cap": 1},
{"id": 2, "src": "n1", "dst": "r1", "kind": "inj", "cap": 1},
{"id": 3, "src": "r1", "dst": "n1", "kind": "ej", "cap": 1},
{"id": 4, "src": "r0", "dst": "r1", "kind": "link", "cap": 1},
{"id": 5, "src": "r1", "dst": "r0", "kind": "link", "cap": 2}]},
"cores": ["n0", "n1"], "collective": "broadcast", "sources": ["n0"], "dests": ["n0", "n1"], "R": 1, "TCO": 1,
"steps": [{"transfers": [{"src": "n0", "dst": "n1", "payload": [["n0", "*"]], "size": 1, "path": [0, 4, 3]}]}]})";
}

seeds json_nested() {
  return {
      {"deep_lists", nested("[", "]")}, {"deep_objects", nested("{\"a\":", "}")}, {"key_twice", R"({"a": 1, "a": 2})"}};
}

}  // namespace

seeds yaml_seeds() {
  return {{"map", "name: a\nsize: 3 # comment\nlist: [1, 2, 'three', \"4\\n\"]\nnetwork: {router: {vcs: 2}}\n"},
          {"blocks", "name: |\n  a\n  b\nlist:\n  - 1\n  - - 2\n    - 3\n  - ? x\n    : y\nsize: >-\n  7\n"},
          {"tags", "%YAML 1.2\n---\n!!map {name: !str a, size: ~, list: !<tag:x> [null]}\n...\n"},
          {"aliases", "name: &n a\nlist: [*n, *n]\nnetwork: &m {a: *n}\nsize: *m\n"},
          {"laughs", laughs()},
          {"circle", "list: &a [1, *a]\n"},
          {"deep_lists", "list: " + nested("[", "]")},
          {"deep_blocks", repeated("- ", Deep)},
          {"deep_maps", nested("{a: ", "}")},
          {"deep_keys", repeated("? ", Deep)},
          {"two", "name: a\n---\nname: b\n"},
          {"escape", "name: \"\\\x01\"\n"},
          {"tab", "name:\n\tsize: 1\n"},
          {"long_name", std::string(5'000, 'x') + ": 1\nsize: \"a\\nb\"\n"}};
}

seeds network_seeds() {
  const std::string ring = Ring;
  return {
      {"ring", ring},
      {"shortest", ring + "routing: shortest\n"},
      {"rules", ring + Rules},
      {"json", R"({"format": "weft-topology-1", "routers": ["a", "b"], "channels": [{"from": "a", "to": "b"},
{"from": "b", "to": "a"}], "nodes": [0, 1], "routing": {"algorithm": "table",
"routes": [{"at": "a", "to": 1, "port": "b"}, {"at": "b", "to": 0, "port": "a"}]}})"},
      {"source", ring + "routing: {algorithm: source, routes: [{from: 0, to: 1, through: [a, b]}]}\n"},
      {"ways",
       "format: weft-topology-1\nrouters: [a, b]\nlinks: [{between: [a, b]}]\nnodes:\n"
       "  - {router: a, ways: {count: 3, seed: 7, by_destination: [1, 2]}}\n  - b\n"},
      {"laughs", laughs()},
      {"aliases",
       "format: weft-topology-1\nrouters: [a]\nnodes: &n [&e {ports: [a, a, a]}" + repeated(", *e", 500) + "]\n"},
      {"deep", "format: weft-topology-1\nrouters: " + nested("[", "]")},
      {"long_name", "format: weft-topology-1\nrouters: [" + std::string(5'000, 'x') + ", \"a\\nb\"]\nnodes: [0, c]\n"}};
}

seeds graphml_seeds() {
  const std::string begin = "<?xml version=\"1.0\"?>\n<graphml>", end = "</graph></graphml>";
  return {{"graph", begin +
                        "<key id=\"d0\" for=\"edge\" attr.name=\"latency\" attr.type=\"int\"><default>2</default></key>"
                        "<graph edgedefault='undirected'><node id='a'/><node id='b'><data key='d0'>1</data></node>"
                        "<edge source='a' target='b'><data key=\"d0\">3</data></edge>" +
                        end},
          {"ports",
           begin +
               "<!-- ports --><key id='t' attr.name='type'/><graph edgedefault='directed'>"
               "<node id='a'><port name='east'/><port name='n'/></node><node id='n'><data key='t'>node</data></node>"
               "<edge source='a' target='n' sourceport='n' directed='false'/>" +
               end},
          {"other", "<!DOCTYPE g [<!ENTITY x \"y\">]>" + begin +
                        "<![CDATA[<a>]]><?p <b?><graph><node id='&lt;&#65;&amp;'/>" + end},
          {"deep", begin + "<graph>" + nested("<g>", "</g>") + end},
          {"deep_open", begin + repeated("<g x='>'>", Deep)},
          {"inside", begin + "<graph><node id='a'><graph/></node><hyperedge/>" + end},
          {"long_name", begin + "<graph><node id='" + std::string(5'000, 'x') +
                            "'/><node id='a&#10;b'/><edge source='c' target='d'/>" + end}};
}

seeds dot_seeds() {
  return {
      {"graph", "graph g { a -- b -- c [cycles=2]; a [nodes=2, coordinates=\"0 1\"] c -- a }"},
      {"digraph",
       "digraph { // ports\n a:east -> b:west:n; b -> a [dir=back, tailport=x, headport=\"y\"]; shape=\"2 1\" }"},
      {"subgraphs", "strict graph { node [nodes=1] subgraph s { edge [latency=3] b; c } a -- {b c} -- subgraph s; }"},
      {"nodes", "graph { n [type=\"node\"]; n -- a; n -- b; a -- b }"},
      {"words", "# a\nGRAPH \"g\" { /* b */ \"a\\\"\" + \"b\\\nc\" -- -1.5 ; <<i>x</i>> -- .5; d\xc3\xa4 -- d_1 }"},
      {"deep", "graph { a -- " + nested("{", "}") + "}"},
      {"deep_open", "graph { a -- " + repeated("{", Deep)},
      {"deep_html", "graph { " + nested("<", ">") + "}"},
      {"product", "digraph { subgraph a { b c d e f g h i j k l m n o p q r s t } subgraph a -> subgraph a }"},
      {"chain", "digraph { subgraph a { b c } subgraph a" + repeated(" -> subgraph a", 200) + "}"},
      {"empty", "graph { subgraph s {" + repeated("{}", 1'000) + "}" + repeated(" a -- subgraph s", 20) + "}"},
      {"long_name", "graph { " + std::string(5'000, 'x') + " -- \"a\nb\"; \"a\nb\" -- \"a\nb\" }"}};
}

seeds lists_seeds() {
  seeds all = {
      {"answers", std::string(1, '\x04') + "0 1 5 9 3\n1 2 7 9 4 # two\n"},
      {"packets", std::string(1, '\x0e') + "# packet cycle source destination length\n0 0 0 1 5\n1 3 2 0 1 2\n"},
      {"messages", std::string(1, '\x01') + "0 0 0 1 4096 2\n1 +250 1 2 64 0 0\n2 1000 2 0 64 1 1\n3 +5 0 2 8 3 0,2\n"},
      {"circle", std::string(1, '\x01') + "0 0 0 1 8 0 1\n1 0 1 0 8 0 0\n"},
      {"xml", std::string(1, '\x01') + "<?xml version='1.0'?>\n<trace>\n</trace>\n"},
      {"binary", std::string(1, '\x01') + std::string("\0\1dumpi\4", 8)}};
  for (const char which : {'\x0c', '\x0d', '\x0e'}) {
    all["long_" + std::to_string(which)] = which + ("0 0 0 1 8 0\n0 " + std::string(5'000, 'x') + "\n");
    all["other_" + std::to_string(which)] = which + repeated("read 5\n", 12);
  }
  return all;
}

seeds recording_seeds() {
  const auto word = [](std::size_t value) {
    std::string bytes;
    for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
    return bytes;
  };
  const std::string head =
      "MPTRACE1" + word(1) + word(64) + word(2) + word(1) + word(1) + word(1) + "app" + std::string(29, '\0');
  const std::string record = "MSG1" + repeated(word(0), 4) + word(1) + repeated(word(0), 9) + word(8) + "01234567";
  const std::string packed("\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x4c\x4a\x06\0\xc2\x41\x24\x35\x03\0\0\0", 23);  // "abc"
  return {{"recording", head + record}, {"raw", "12345678"}, {"packed", packed}, {"packed_twice", packed + packed}};
}

seeds ccsched_seeds() {
  seeds all = json_nested();
  all["two"] = two_cores();
  std::string long_name = two_cores();
  long_name.replace(long_name.find("\"n1\""), 4, "\"" + std::string(5'000, 'x') + "\"");
  all["long_name"] = long_name;
  return all;
}

seeds forwarding_seeds() {
  seeds all = with('\x04', {{"matrix", "[[0, 1], [2, 0]]"}}, "counts");
  all.merge(with('\x02',
                 {{"two", R"({"format": "weft-links/1", "name": "two", "nodes": 2, "links": [{"from": 0, "to": 1,
"bandwidth": 2, "both": true}], "shared": [{"name": "s", "from": [0], "to": [1], "bandwidth": 1}]})"},
                  {"sccl", R"({"msccl_type": "topology", "name": "t", "links": [[0, 1], [1, 0]],
"switches": [[[0], [1], 1, "s"]]})"}},
                 "links"));
  all.merge(with('\x01',
                 {{"ring", R"({"msccl_type": "algorithm", "name": "a", "instance": {"steps": 1, "extra_rounds": 0,
"chunks": 1, "pipeline": null}, "topology": {"msccl_type": "topology", "name": "t", "links": [[0, 1], [1, 0]],
"switches": []},
"collective": {"msccl_type": "collective", "name": "c", "nodes": 2, "chunks": [{"msccl_type": "chunk", "pre": [0],
"post": [0, 1], "addr": 0}], "triggers": {}}, "steps": [{"msccl_type": "step", "rounds": 1, "sends": [[0, 0, 1]]}]})"}},
                 "sccl"));
  for (const char which : {'\0', '\1', '\2'}) all.merge(with(which, json_nested(), "nested_" + std::to_string(which)));
  return all;
}

seeds rules_seeds() {
  return {{"one", "14 bits of double tag 7 in MPI_Send from 4096"},
          {"several", "raw of int; 28 bits of double_complex in MPI_Allreduce; raw tag 3"},
          {"number", "28"},
          {"long", std::string(3'000, 'x') + " bits; raw of " + std::string(3'000, 'y')}};
}

seeds configuration_seeds() {
  using namespace std::string_literals;
  const std::string run =
      "network: {topology: {kind: torus, shape: [3, 3]}, router: {vcs: 4, depth: 4}}\n"
      "workload: {injection: 0.1, length: {kind: weighted, choices: {1: 2, 5: 1}}}\n"
      "simulation: {level: engine, warmup: auto, measure: 100}\n";
  return {{"run", run},
          {"settings", run + "\1network.router.vcs=8\nworkload.pattern={kind: hotspot, hotspots: [1, 2]}\n"s},
          {"collective", "network: {topology: {kind: mesh, shape: [2, 2]}}\ncollective: tree\n"},
          {"schedule", "network: {topology: octagon}\nschedule: {collective: oab, root: n3, senders: [0-3]}\n"},
          {"sweep", run + "sweep: {over: {network.router.vcs: [2, 4], workload.injection: 0.1:0.3:0.1}}\n"},
          {"includes", "include: [1, 2]\nsimulation: {seed: 3}\n"s + '\0' +
                           "include: 2\nnetwork: {router: {vcs: 2}}\n"s + '\0' + "network: {router: 6}\n"},
          {"circle", "include: 1\n"s + '\0' + "include: [2, 1]\n"s + '\0' + "include: 1\n"},
          {"booksim", "topology = mesh;\nk = 8;\n"},
          {"noxim", "mesh_dim_x: 4\nr2h_link_length: 2.0\nHubs: {defaults: {rxChannels: [0]}}\n"},
          {"laughs", laughs()},
          {"deep", "network: " + nested("{router: ", "}")},
          {"long_name", "network: {" + std::string(5'000, 'x') + ": 1}\noutput: {name: \"a\\nb/c\"}\n"}};
}

}  // namespace weft::fuzz
