#include "weft/experiment/configuration/keys.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/routing.h"
#include "weft/pin/model.h"

namespace weft::experiment {

namespace {

constexpr std::uint64_t MaxCycles = 1'000'000'000'000;
constexpr int BroadcastTrees = static_cast<int>(collective_algorithm::Ring) + 1;
constexpr std::size_t Unlimited = std::numeric_limits<std::size_t>::max();

/// A field of the configuration as the table sees it.
struct field {
  value_type type;
  std::function<void(const json&)> set;
  std::function<json()> get;
};

value_type integer_type(std::uint64_t min, std::uint64_t max) {
  value_type t;
  t.what = value_type::kind::Integer;
  t.min = min;
  t.max = max;
  return t;
}

value_type choice_type(std::vector<std::string> names) {
  value_type t;
  t.what = value_type::kind::Choice;
  t.names = std::move(names);
  return t;
}

value_type list_type(value_type element, std::size_t least, std::size_t most) {
  value_type t;
  t.what = value_type::kind::List;
  t.element = std::make_shared<value_type>(std::move(element));
  t.least = least;
  t.most = most;
  return t;
}

template <class T>
field plain(value_type type, T& value) {
  return {std::move(type), [&value](const json& j) { value = j.get<T>(); }, [&value] { return json(value); }};
}

template <class T>
field integer(T& value, std::uint64_t min, std::uint64_t max) {
  return plain(integer_type(min, max), value);
}

template <class T>
field integer_of(T& value, std::vector<std::uint64_t> allowed) {
  value_type t = integer_type(allowed.front(), allowed.back());
  t.allowed = std::move(allowed);
  return plain(std::move(t), value);
}

value_type number_type(double low, double high) {
  value_type t;
  t.what = value_type::kind::Number;
  t.low = low;
  t.high = high;
  return t;
}

field number(double& value, double low, double high) { return plain(number_type(low, high), value); }

/// \p none stands for no value.
template <class T>
field or_name(std::optional<T>& value, value_type type, const std::string& none) {
  type.names = {none};
  return {std::move(type),
          [&value](const json& j) { value = j.is_string() ? std::optional<T>() : std::optional<T>(j.get<T>()); },
          [&value, none] { return value ? json(*value) : json(none); }};
}

field boolean(bool& value) {
  value_type t;
  t.what = value_type::kind::Boolean;
  return plain(std::move(t), value);
}

field text(std::string& value) { return plain(value_type{}, value); }

field texts(std::vector<std::string>& value) { return plain(list_type(value_type{}, 0, Unlimited), value); }

template <class T>
field integers(std::vector<T>& value, std::uint64_t min, std::uint64_t max, std::size_t least, std::size_t most) {
  return plain(list_type(integer_type(min, max), least, most), value);
}

field path(std::filesystem::path& value, const configuration& c) {
  value_type t;
  t.what = value_type::kind::Path;
  return {t, [&value](const json& j) { value = j.is_null() ? std::string() : j.get<std::string>(); },
          [&value, &c] {
            return value.empty() ? json() : json(value.lexically_proximate(c.file.parent_path()).generic_string());
          }};
}

/// The six run lengths of FPC by table; whether they fall is for check_configuration().
field run_lengths(fpc_table& value) {
  return {list_type(integer_type(1, 32), 6, 6),
          [&value](const json& j) { std::copy(j.begin(), j.end(), value.runs.begin()); },
          [&value] { return json(value.runs); }};
}

/// \p names in the order of the enumerators.
template <class Enum>
field choice(Enum& value, const std::vector<std::string>& names) {
  return {choice_type(names),
          [&value, names](const json& j) {
            const auto at = std::find(names.begin(), names.end(), j.get<std::string>());
            value = static_cast<Enum>(at - names.begin());
          },
          [&value, names] { return json(names[static_cast<std::size_t>(value)]); }};
}

/// The same with a name for no value.
template <class Enum>
field choice_or(std::optional<Enum>& value, const std::string& none, std::vector<std::string> names) {
  names.insert(names.begin(), none);
  return {choice_type(names),
          [&value, names](const json& j) {
            const auto at = std::find(names.begin(), names.end(), j.get<std::string>()) - names.begin();
            value = at == 0 ? std::optional<Enum>() : static_cast<Enum>(at - 1);
          },
          [&value, names] { return json(names[value ? static_cast<std::size_t>(*value) + 1 : 0]); }};
}

/// A list, or nothing.
template <class T>
field list_or_none(std::vector<T>& value, value_type element) {
  return {list_type(std::move(element), 1, Unlimited),
          [&value](const json& j) { value = j.is_null() ? std::vector<T>() : j.get<std::vector<T>>(); },
          [&value] { return value.empty() ? json() : json(value); }};
}

/// A list of indices into \p names.
field choices(std::vector<unsigned>& value, const std::vector<std::string>& names) {
  return {list_type(choice_type(names), 1, names.size()),
          [&value, names](const json& j) {
            value.clear();
            for (const json& name : j) {
              const auto at = std::find(names.begin(), names.end(), name.get<std::string>());
              value.push_back(static_cast<unsigned>(at - names.begin()));
            }
          },
          [&value, names] {
            json j = json::array();
            for (const unsigned index : value) j.push_back(names[index]);
            return j;
          }};
}

/// Lengths and their weights; kept by increasing length, so that the order in the file does not matter.
field weights(std::vector<length_choice>& value, std::uint64_t max) {
  value_type t;
  t.what = value_type::kind::Weights;
  t.min = 1;
  t.max = max;
  t.low = 0;
  t.high = 1e9;
  return {t,
          [&value](const json& j) {
            value.clear();
            for (const auto& [flits, weight] : j.items())
              value.push_back({static_cast<std::uint32_t>(std::stoul(flits)), weight.get<double>()});
            std::sort(value.begin(), value.end(),
                      [](const length_choice& a, const length_choice& b) { return a.flits < b.flits; });
          },
          [&value] {
            json j = json::object();
            for (const length_choice& choice : value) j[std::to_string(choice.flits)] = choice.weight;
            return j;
          }};
}

/// 1e6 as 1000000, 0.25 as 0.25.
std::string shortest(double value) {
  const auto whole = static_cast<long long>(value);
  return static_cast<double>(whole) == value ? std::to_string(whole) : fmt::format("{}", value);
}

}  // namespace

std::string value_type::describe(bool many) const {
  if ((what == kind::Integer || what == kind::Number) && !names.empty()) {
    value_type alone = *this;
    alone.names.clear();
    return fmt::format("{} or {}", names.front(), alone.describe(many));
  }
  switch (what) {
    case kind::Integer:
      if (!allowed.empty()) return fmt::format("{} {}", many ? "any of" : "one of", fmt::join(allowed, ", "));
      return fmt::format("{} from {} to {}", many ? "integers" : "an integer", min, max);
    case kind::Number:
      return fmt::format("{} from {} to {}", many ? "numbers" : "a number", shortest(low), shortest(high));
    case kind::Boolean:
      return "true or false";
    case kind::Text:
      return many ? "texts" : "a text";
    case kind::Path:
      return "a path";
    case kind::Choice:
      if (names.size() == 1) return names.front();
      return fmt::format("{} {}", many ? "names out of" : "one of", fmt::join(names, ", "));
    case kind::Weights:
      return fmt::format("a map from integers from {} to {} to weights from {} to {}", min, max, shortest(low),
                         shortest(high));
    case kind::List:
      break;
  }
  const char* const lists = many ? "lists of" : "a list of";
  if (most == Unlimited)
    return fmt::format("{} {}{}", lists, least > 0 ? fmt::format("at least {} ", least) : "", element->describe(true));
  return fmt::format("{} {} to {} {}", lists, least, most, element->describe(true));
}

const std::vector<section>& sections() {
  static const std::vector<condition> Generated = {{"workload.packet_list", ""}, {"collective.algorithm", "none"}};
  static const std::vector<section> Table = {
      {"network", "The hardware: how routers are connected and what they are like.", "", {}},
      {"network.topology", "Which routers there are and how they are connected.", "", {}},
      {"network.routing", "How packets travel through the topology.", "network.routing.algorithm", {}},
      {"network.router", "The virtual-channel router.", "", {}},
      {"network.link", "The links between routers.", "network.link.cycles", {}},
      {"network.flit", "The unit of flow control.", "network.flit.payload_bits", {}},
      {"nic", "The network interface between a node and its router.", "", {}},
      {"nic.compression",
       "The compressor of every NIC, and the decompressor at the other end: which packets are compressed, how, and "
       "what "
       "it costs.",
       "nic.compression.mode",
       {}},
      {"nic.coding",
       "The XOR encoder of every NIC, and the decoder at the other end: packets whose senders name their data are "
       "joined "
       "and taken apart again. Generated traffic and packet lists name none: for them the stages are wires.",
       "nic.coding.enabled",
       {}},
      {"workload",
       "The packets that travel: generated from pattern, injection and length, or listed in a file.",
       "",
       {}},
      {"workload.pattern", "Who sends to whom.", "workload.pattern.kind", Generated},
      {"workload.injection", "When packets are created.", "workload.injection.load", Generated},
      {"workload.length", "How long packets are.", "workload.length.flits", Generated},
      {"workload.payload", "The bits that packets carry.", "workload.payload.kind", {}},
      {"collective",
       "A collective communication, for `weft collective`, in place of other traffic. What it does and what is "
       "reported: "
       "[collectives](collectives.md).",
       "collective.algorithm",
       {}},
      {"simulation",
       "How long to simulate, and how. Packets created during `warmup` bring the network into its steady "
       "state; those created in the `measure` cycles after it are measured; then the run drains: it goes on, "
       "with new packets all the while, until every measured packet has been delivered.",
       "",
       {}},
      {"output", "What to write, and where.", "", {}},
  };
  return Table;
}

std::vector<key> keys(configuration& c) {
  constexpr std::uint64_t MaxFlits = 1'000'000;
  const condition selective{"nic.compression.mode", "selective"};
  const std::vector<std::string> dimensions = {"x", "y", "z", "w"};
  const std::vector<std::uint64_t> widths(std::begin(pin::PayloadWidths), std::end(pin::PayloadWidths));
  const condition other_traffic{"collective.algorithm", "none"};
  std::vector<key> table;
  const auto add = [&table](const std::string& path, field f, const std::string& unit, const std::string& description,
                            std::vector<condition> needs = {}, const std::string& default_text = {}) {
    key k;
    k.path = path;
    k.type = std::move(f.type);
    k.set = std::move(f.set);
    k.get = std::move(f.get);
    k.unit = unit;
    k.description = description;
    k.needs = std::move(needs);
    k.default_text = default_text;
    table.push_back(std::move(k));
  };

  const auto kind = [](const char* name) { return condition{"network.topology.kind", name}; };
  const condition grid{"network.topology.kind", "mesh", false, {"torus", "ring"}};
  add("network.topology.kind",
      choice(c.topology.kind,
             {"mesh", "torus", "ring", "hypercube", "fat_tree", "hierarchical_ring", "octagon", "random", "file"}),
      "",
      "`mesh`: a k-ary n-mesh, sides of any length; `torus`: the same, the last router of every row joined to the "
      "first; "
      "`ring`: a torus of one dimension; `hypercube`: routers whose numbers differ in one bit are joined; `fat_tree`: "
      "an "
      "extended generalised fat tree; `hierarchical_ring`: rings of rings; `octagon`: the Octagon, extended, fat, or "
      "several; "
      "`random`: a connected graph in which every router has as many links; `file`: what a file describes.");
  add("network.topology.shape", integers(c.topology.shape, 1, 1U << 20, 1, grid_rule::MaxDimensions), "routers",
      "Routers in each dimension, x first: `[8, 8]` is 8 by 8. Router (x, y, …) has the number x + y · side "
      "x + ….",
      {grid}, "`[8, 8]`; of a ring `[8]`");
  add("network.topology.direction", choice(c.topology.direction, {"two_way", "one_way"}), "",
      "Of the channels of rings; `one_way`: to the next router only.",
      {{"network.topology.kind", "ring", false, {"hierarchical_ring"}}});
  add("network.topology.dimensions", integer(c.topology.dimensions, 1, MaxPorts - 1), "",
      "Of the hypercube: n make 2ⁿ routers.", {kind("hypercube")});
  add("network.topology.children", integers(c.topology.children, 1, 1U << 20, 1, 20), "",
      "Children of a router, level by level, nodes' routers first: m1, m2, …. With `parents` an XGFT(h; m1 … mh; w1 … "
      "wh): "
      "a k-ary n-tree is `[k, k, …]` and `[1, k, …]`, FT(m, h) `[m/2, …, m/2, m]` and `[1, m/2, …]`, GFT(h, m, w) `[m, "
      "m, "
      "…]` and `[w, w, …]`.",
      {kind("fat_tree")});
  add("network.topology.parents", integers(c.topology.parents, 1, 1U << 20, 1, 20), "",
      "Parents of a node, of a router of the first level, …: w1, w2, …; as many as `children`.", {kind("fat_tree")});
  add("network.topology.rings", integers(c.topology.rings, 2, 1024, 1, 20), "routers",
      "Members of a ring, level by level: `[4, 4]` are four rings of four, joined by a ring of four.",
      {kind("hierarchical_ring")});
  add("network.topology.representative", choice(c.topology.representative, {"same", "corner"}), "",
      "Which router stands in the rings from the third level on: the `same` router that stands in the ring below, or a "
      "`corner` "
      "of a "
      "basic ring that represents nothing else.",
      {kind("hierarchical_ring")});
  add("network.topology.routers", integer(c.topology.routers, 2, 1U << 20), "",
      "Of each Octagon, a multiple of 4: 8 is the Octagon, more are an extended one. Or of the random graph.",
      {{"network.topology.kind", "octagon", false, {"random"}}}, "`8`; of a random graph `64`");
  add("network.topology.octagons", integer(c.topology.octagons, 1, 1U << 20), "",
      "Octagons in a chain, each joined to the next by a router that both share.", {kind("octagon")});
  add("network.topology.degree", integer(c.topology.degree, 1, MaxPorts - 1), "links",
      "Of each router of the random graph.", {kind("random")});
  add("network.topology.seed", integer(c.topology.seed, 0, std::numeric_limits<std::uint64_t>::max()), "",
      "Which random graph.", {kind("random")});
  add("network.topology.file", path(c.topology.file, c), "",
      "The network: Weft's own format (YAML, or JSON as `weft topology --json` writes), GraphML (`.graphml`) or "
      "Graphviz "
      "(`.dot`, `.gv`).",
      {kind("file")}, "none");
  add("network.topology.nodes_per_router", integer(c.topology.nodes_per_router, 1, MaxPorts), "",
      "Nodes at each router (concentration), each with a NIC of its own. Node n sits at router n / `nodes_per_router`.",
      {{"network.topology.kind", "fat_tree", true, {"file"}}});
  add("network.routing.algorithm",
      choice(c.routing.algorithm,
             {"dimension_order", "o1turn", "valiant", "minimal_adaptive", "west_first", "north_last", "negative_first",
              "nearest_common_ancestor", "shortest", "up_down", "source", "as_in_file"}),
      "",
      "`dimension_order`: correct one dimension after the other, with datelines in every ring (in a torus 2 VCs at "
      "least); "
      "`o1turn`: the same in one order or its reverse, at random (2; torus 4); `valiant`: by dimension order to a "
      "random "
      "router, then on (2; torus 4); `minimal_adaptive`: any dimension that is not yet right, where there are most "
      "credits, with dimension order on escape VCs (2; torus 3); `west_first`, `north_last`, `negative_first`: turn "
      "models "
      "for meshes, adaptive where they may turn (1). A hypercube has `dimension_order` (e-cube) and "
      "`minimal_adaptive`. "
      "`nearest_common_ancestor`: of a fat tree, up and down again (1). `shortest`: of hierarchical rings and Octagons "
      "(2); of "
      "other networks in as many layers of VCs as it takes. `up_down`: up*/down*, in any network (1). `source`: the "
      "whole "
      "path, a shortest one, in the header, in any network. `as_in_file`: what the file says, or `up_down`.",
      {}, "`dimension_order`; `nearest_common_ancestor`; `shortest`; of a random graph `up_down`; `as_in_file`");
  add("network.routing.order", choices(c.routing.order, dimensions), "",
      "Dimensions in the order in which they are corrected; `[x, y]` is XY routing. Each dimension of the "
      "shape once.",
      {grid}, "as in the shape");
  add("network.routing.ascent", choice(c.routing.ascent, {"destination_modulo", "random", "least_loaded"}), "",
      "How a packet chooses among the parents of a fat tree's router: by a digit of its destination (D-mod-k), at "
      "random, or "
      "that with the most credits.",
      {{"network.routing.algorithm", "nearest_common_ancestor"}});
  add("network.routing.allow_deadlock", boolean(c.routing.allow_deadlock), "",
      "Simulate even if the channel dependency graph has a cycle; when packets block each other, the run ends and "
      "names "
      "them. Otherwise such a network is an error that prints the cycle.");
  add("network.router.vcs", integer(c.router.vcs, 1, MaxVcs), "",
      fmt::format("Virtual channels of every port. `vcs` · `depth` is at most {}.", MaxBufferFlits));
  add("network.router.depth", integer(c.router.depth, 1, MaxBufferFlits), "flits", "Buffer of one virtual channel.");
  add("network.router.pipeline", integer_of(c.router.pipeline, {3, 4, 5, 7, 9}), "cycles",
      "From arrival of a head to the output register. 4: route computation, VC allocation, switch "
      "allocation, switch traversal; 3: VC and switch allocation share a cycle; more: delay stages.");
  add("network.router.flow_control", choice(c.router.flow, {"wormhole", "virtual_cut_through"}), "",
      "`wormhole`: a packet advances as soon as the next buffer has room for a flit; `virtual_cut_through`: "
      "when it has room for the whole packet, so no packet may be longer than `depth`.");
  add("network.router.classes", integer(c.router.classes, 1, MaxVcs), "",
      "Parts of equal size into which the VCs of every port are divided, a divisor of `vcs`; a packet keeps to that of "
      "its "
      "message class, and the routing has `vcs` / `classes` VCs. Generated traffic and packet lists have class 0 "
      "only.");
  add("network.link.cycles", integer(c.link.cycles, 1, 64), "cycles", "Latency of a link between routers.");
  add("network.flit.payload_bits", integer_of(c.flit.payload_bits, widths), "bits", "Payload that a flit carries.");

  add("nic.ports", integer(c.nic.ports, 1, MaxPorts - 2), "",
      fmt::format("Channels between a node and its router, each way. A router has at most {} ports, these included.",
                  MaxPorts));
  add("nic.link_cycles", integer(c.nic.link_cycles, 1, 64), "cycles", "Latency of those channels, each way.");
  add("nic.window", integer(c.nic.window, 1, 1'000'000), "cycles",
      "Window in which the congestion counter N counts received flits.");
  add("nic.buckets", integer(c.nic.buckets, 1, 64), "",
      "Parts of the window, of equal length, by which it slides. 1: it tumbles, N changes once a window.");
  add("nic.ejection_depth", integer(c.nic.ejection_depth, 0, MaxBufferFlits), "flits",
      "Buffer of each VC of an ejection channel; packets then leave it whole, one after the other. 0: the "
      "node takes every flit at once, which a decompressor or a XOR decoder cannot.",
      {}, "0; as `network.router.depth` with a compressor of `rtl` latency or XOR stages");

  const condition compressing{"nic.compression.mode", "none", true};
  auto& compression = c.nic.compression;
  add("nic.compression.mode", choice(compression.selection.mode, {"none", "always", "selective"}), "",
      "`none`: no compressor; `always`: every packet whose data type has a codec and that gets shorter; `selective`: "
      "those that Algorithm 1 of COMPRESS picks: long ones, and all while the network is congested.");
  add("nic.compression.length_threshold", integer(compression.selection.length_threshold, 0, MaxFlits), "flits",
      "`selective`: packets from this length on are compressed always (L_th).", {selective});
  add("nic.compression.received_threshold", integer(compression.selection.received_threshold, 0, 0xffff'ffff), "flits",
      "`selective`: shorter ones are compressed while the node received more than this in the last window (N > N_th).",
      {selective});
  add("nic.compression.queue_threshold", integer(compression.selection.queue_threshold, 0, 0xffff'ffff), "packets",
      "`selective`: or while more than this wait in its source queue (Q > Q_th).", {selective});
  add("nic.compression.integer_code", choice(compression.codec.classic, {"table", "classic"}), "",
      "Code of 32-bit integers. `table`: six run lengths of leading zeros (COMPRESS, Table I); `classic`: the "
      "frequent-pattern code of Alameldeen and Wood.",
      {compressing});
  add("nic.compression.table", run_lengths(compression.codec.table), "bits",
      "The six run lengths of the table, falling. `weft codec --tune` finds the best ones for recorded payload.",
      {compressing, {"nic.compression.integer_code", "table"}});
  add("nic.compression.cut", integer(compression.codec.cut, 0, MaxCut), "bits",
      "Bits that LSB-cut takes off a double. Lossy.", {compressing});
  add("nic.compression.exact", boolean(compression.codec.exact), "",
      "LSB-cut keeps zeros, denormals, infinities and NaNs as they are, at the cost of a bit each or more. false: the "
      "paper's plain form.",
      {compressing});
  add("nic.compression.latency", or_name(compression.latency, integer_type(1, 1'000'000), "rtl"), "cycles",
      "`rtl`: what the hardware takes: the whole packet is taken in, then 4 cycles; 4 more at the other end. A number: "
      "from the head of a packet to the head of its compressed form, for both ends together (D of COMPRESS).",
      {compressing});
  add("nic.compression.size", or_name(compression.ratio, number_type(1, 64), "actual"), "",
      "`actual`: what the bits need. A number: the ratio that the experiment assumes; no bits are coded then, and "
      "payload is not carried. Only with a given latency.",
      {compressing, {"nic.compression.latency", "rtl", true}});
  add("nic.compression.buffer", integer_of(compression.depth, {8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}),
      "flits", "Each of the two memories of the compressor; longer packets than this are not compressed.",
      {compressing});
  add("nic.compression.implementation", choice(c.nic.compressor, {"systemc", "rtl"}), "",
      "`systemc`: the modules of the pin level; `rtl`: the SystemVerilog, compiled by Verilator, in their place.",
      {compressing, {"nic.compression.latency", "rtl"}, {"simulation.level", "pin"}});
  add("nic.compression.rtl_nodes", integers(c.nic.rtl_nodes, 0, 0xffff'ffff, 0, Unlimited), "nodes",
      "The nodes whose NICs have the RTL, the others keep SystemC.",
      {compressing, {"nic.compression.implementation", "rtl"}}, "all");

  const condition coding{"nic.coding.enabled", "true"};
  add("nic.coding.enabled", boolean(c.nic.coding.enabled), "",
      "XOR stages stand in the NICs. They need `nic.ports: 1`, and a compressor, if there is one, of `rtl` latency.");
  add("nic.coding.entries", integer(c.nic.coding.entries, 2, MaxXorEntries), "packets",
      "What a decoder keeps: data that it knows, and coded packets that wait for one. More go to the node, marked.",
      {coding});
  add("nic.coding.depth", integer(c.nic.coding.depth, 1, MaxXorFlits), "flits",
      "The longest packet that encoder and decoder keep.", {coding});
  add("nic.coding.overhead", integer(c.nic.coding.overhead, 0, MaxXorOverhead), "cycles",
      "What a XOR takes in the encoder (HNC, Fig. 14).", {coding});

  add("workload.pattern.kind",
      choice(c.workload.pattern.kind, {"uniform", "transpose", "bit_reversal", "bit_complement", "bit_rotation",
                                       "shuffle", "tornado", "neighbour", "hotspot", "permutation"}),
      "",
      "Destination of a packet. `uniform`: any node. `transpose`: (x, y) to (y, x). `bit_reversal`, "
      "`bit_complement`, `bit_rotation`, `shuffle`: the bits of the node number reversed, inverted, rotated "
      "right, rotated left. `tornado`: almost half-way round each dimension. `neighbour`: one further in "
      "each dimension. `hotspot`: some nodes draw extra traffic. `permutation`: as a file says.");
  add("workload.pattern.to_self", boolean(c.workload.pattern.to_self), "",
      "Whether a node may send to itself (`uniform`, `hotspot`).");
  add("workload.pattern.hotspots", integers(c.workload.pattern.hotspots, 0, 0xffff'ffff, 1, Unlimited), "nodes",
      "The nodes that draw extra traffic.", {{"workload.pattern.kind", "hotspot"}});
  add("workload.pattern.share", number(c.workload.pattern.hotspot_share, 0, 1), "",
      "Part of all packets that goes to the hotspots; the others are uniform.", {{"workload.pattern.kind", "hotspot"}});
  add("workload.pattern.file", path(c.workload.pattern.permutation_file, c), "",
      "The permutation: one line `source destination` for each node.", {{"workload.pattern.kind", "permutation"}},
      "none");
  add("workload.injection.process", choice(c.workload.injection.kind, {"bernoulli", "on_off"}), "",
      "`bernoulli`: in every cycle with the same probability; `on_off`: bursts with pauses between them.");
  add("workload.injection.load", number(c.workload.injection.load, 0, MaxPorts), "flits/node/cycle",
      "Offered load, the mean over time. A node creates at most one packet a cycle.");
  add("workload.injection.peak", number(c.workload.injection.peak, 0, MaxPorts), "flits/node/cycle",
      "Load during a burst.", {{"workload.injection.process", "on_off"}});
  add("workload.injection.mean_burst", number(c.workload.injection.mean_burst, 1, 1e6), "cycles",
      "Mean length of a burst.", {{"workload.injection.process", "on_off"}});
  add("workload.length.kind", choice(c.workload.length.kind, {"fixed", "uniform", "weighted"}), "",
      "`fixed`: all packets alike; `uniform`: any length from `min` to `max`; `weighted`: out of `choices`.");
  add("workload.length.flits", integer(c.workload.length.flits, 1, MaxFlits), "flits",
      "Length of every packet, head and tail included.", {{"workload.length.kind", "fixed"}});
  add("workload.length.min", integer(c.workload.length.min, 1, MaxFlits), "flits", "Shortest packet.",
      {{"workload.length.kind", "uniform"}});
  add("workload.length.max", integer(c.workload.length.max, 1, MaxFlits), "flits", "Longest packet.",
      {{"workload.length.kind", "uniform"}});
  add("workload.length.choices", weights(c.workload.length.choices, MaxFlits), "flits",
      "Lengths and how often each occurs: `{1: 4, 16: 1}` is four packets of one flit to one of sixteen.",
      {{"workload.length.kind", "weighted"}});
  add("workload.payload.kind",
      choice(c.workload.payload.kind, {"zero", "random", "small_integers", "smooth_doubles", "file"}), "",
      "`zero`: all bits 0; `random`: every bit random; `small_integers`: 32-bit integers near 0; "
      "`smooth_doubles`: doubles that change little from one to the next; `file`: the bytes of a file, over "
      "and over.");
  add("workload.payload.file", path(c.workload.payload.file, c), "", "The file with the bytes.",
      {{"workload.payload.kind", "file"}}, "none");
  add("workload.payload.type", choice(c.workload.payload.type, {"auto", "other", "int", "double", "double_complex"}),
      "",
      "Data type of every packet, as MPI would give it: it says which codec is meant for it. `auto`: `int` for "
      "`small_integers`, `double` for `smooth_doubles`, what a recording says of itself, else `other`. A packet list "
      "may "
      "give each packet its own.");
  add("workload.packet_list", path(c.workload.packet_list, c), "",
      "A file of packets, one line `packet cycle source destination length` each, in place of `pattern`, "
      "`injection` and `length`. A sixth column, in all lines or none, is the data type: 0 other, 1 int, 2 double, "
      "3 double complex.",
      {other_traffic}, "none");

  const auto names = [](const auto& list) { return std::vector<std::string>(list.begin(), list.end()); };
  const std::vector<std::string> algorithms = names(CollectiveAlgorithmNames);
  const std::vector<std::string> trees(algorithms.begin(), algorithms.begin() + BroadcastTrees);
  const condition any{"collective.algorithm", "none", true};
  const condition hierarchical{"collective.algorithm",
                               "hierarchy",
                               false,
                               {"combining", "network_coding", "network_coding_direct", "spread_intermediates"}};
  const condition coded{"collective.algorithm", "network_coding", false, {"network_coding_direct"}};
  const value_type node_numbers = integer_type(0, 0xffff'ffff), side_lengths = integer_type(1, 1U << 20);
  auto& what = c.collective.what;
  add("collective.algorithm", choice_or(c.collective.algorithm, "none", algorithms), "",
      "`none`: other traffic. Trees, by which each source reaches all receivers: `all_at_once`, the source sends to "
      "each; "
      "`tree`: recursive halving along the row, then in every column; `interleaved_tree`: of the dimension where it "
      "reaches farthest; `doubling_tree`: to the nearest first; `rank_tree`: by the nodes' numbers; "
      "`neighbour_forwarding`: a spanning tree of nearest neighbours; `ring`: once around. `recursive_doubling`: pairs "
      "exchange all they have. In groups: `hierarchy`: to the intermediates of the groups and on; `combining`: the "
      "same, "
      "joined to one message; `network_coding`: HNC, intermediates exchange XORs; `network_coding_direct`: every node "
      "does; `spread_intermediates`: every node sends to its counterparts. `butterfly`, `butterfly_uncoded`: HNC, Fig. "
      "1; "
      "`parity`: an XOR of every few data repairs a loss.");
  add("collective.operation", choice(what.operation, names(CollectiveOperationNames)), "",
      "`broadcast`: every receiver gets the data of every source; `scatter`: data of its own from every source; "
      "`gather`: "
      "the one receiver gets all; `reduce`: their sum; `all_reduce`: every node gets the sum.",
      {any});
  add("collective.sources", list_or_none(what.sources, node_numbers), "nodes", "Nodes that have data to give.", {any},
      "all");
  add("collective.receivers", list_or_none(what.receivers, node_numbers), "nodes",
      "Nodes that want them; for `gather` and `reduce` the one root.", {any}, "all");
  add("collective.length", integer(c.collective.length, 1, MaxFlits), "flits", "Length of every datum.",
      {any, {"collective.lengths", ""}});
  add("collective.lengths", list_or_none(c.collective.lengths, integer_type(1, MaxFlits)), "flits",
      "One length for each source, in place of `length`.", {any}, "none");
  add("collective.packets", integer(what.packets, 1, MaxFlits), "",
      "Data of each source; of `scatter`, for each receiver.", {any});
  add("collective.group", list_or_none(what.group, side_lengths), "nodes",
      "Sides of a group, x first; without a grid one number, so many nodes in order.", {hierarchical}, "none");
  add("collective.groups", list_or_none(what.groups, list_type(node_numbers, 1, Unlimited)), "nodes",
      "The nodes of every group, in place of `group`.", {hierarchical}, "none");
  add("collective.subgroups", list_or_none(what.subgroups, list_type(side_lengths, 1, Unlimited)), "nodes",
      "Sides of the groups inside groups, outermost first, in which step B is network coding again.", {coded}, "none");
  add("collective.placement", choice(what.placement, names(IntermediatePlacementNames)), "",
      "The intermediate of a group: its first node (`corner`), the middle one (`centre`), the corner that faces the "
      "centre "
      "of the network (`mirror`), or where the distances are least (`optimum`).",
      {hierarchical});
  add("collective.inner", choice(what.inner, trees), "", "How data travel inside groups.", {hierarchical});
  add("collective.outer", choice(what.outer, trees), "", "How they travel between intermediates.", {hierarchical});
  add("collective.plain", choice(what.plain, names(PlainSenderNames)), "",
      "Which node of a group sends the plain datum of step F to a node of another group: its `counterpart` or the "
      "`nearest`.",
      {coded});
  add("collective.relays", list_or_none(what.relays, node_numbers), "nodes",
      "First and last node of the shared path of a butterfly; may be one.",
      {{"collective.algorithm", "butterfly", false, {"butterfly_uncoded"}}}, "none");
  add("collective.parity", integer(what.parity, 1, 1U << 20), "packets", "Data under one XOR.",
      {{"collective.algorithm", "parity"}});
  add("collective.barriers", boolean(c.collective.barriers), "",
      "No message of a step is sent before all those of earlier steps have arrived. false: each as soon as what it "
      "needs "
      "has arrived at its source.",
      {any});
  add("collective.xor_cycles", integer(c.collective.xor_cycles, 0, MaxXorOverhead), "cycles",
      "What a XOR takes at a node (HNC, Fig. 14); in a NIC it is `nic.coding.overhead`.", {any});
  add("collective.loss", number(c.collective.loss, 0, 1), "",
      "Probability that a message is lost between NIC and node. Which ones is drawn from the seed.",
      {any, {"nic.coding.enabled", "false"}});
  add("collective.lost", list_or_none(c.collective.lost, node_numbers), "messages",
      "Messages that are lost, by their numbers in the results.", {any, {"nic.coding.enabled", "false"}}, "none");

  add("simulation.level", choice(c.simulation.level, {"pin", "tlm"}), "",
      "`pin`: SystemC modules with pins, clock and reset; `tlm`: the cycle engine, which does the same in every cycle "
      "and "
      "is much faster.");
  add("simulation.seed", integer(c.simulation.seed, 0, std::numeric_limits<std::uint64_t>::max()), "",
      "Seed of everything random. The same seed gives the same results, on every machine.");
  add("simulation.warmup", integer(c.simulation.warmup, 0, MaxCycles), "cycles",
      "Packets created before are not measured.", {other_traffic},
      fmt::format("{}; 0 with a packet list", c.simulation.warmup));
  add("simulation.measure", integer(c.simulation.measure, 0, MaxCycles), "cycles",
      "Packets created in these cycles are measured. 0, only with a packet list: until its end.", {other_traffic},
      fmt::format("{}; 0 with a packet list", c.simulation.measure));
  add("simulation.drain", integer(c.simulation.drain, 0, MaxCycles), "cycles",
      "Longest time to wait after that for measured packets to be delivered.", {other_traffic});
  add("simulation.deadlock_after", integer(c.simulation.deadlock_after, 1, MaxCycles), "cycles",
      "When packets wait and no flit moves for so long, the network is deadlocked.");
  add("simulation.clock_gating", boolean(c.simulation.clock_gating), "",
      "Clock only modules with something to do. Faster; changes no result.", {{"simulation.level", "pin"}});

  add("output.directory", path(c.output.directory, c), "", "Where the files go. Made if it is missing.", {},
      "`results` in the working directory");
  add("output.name", text(c.output.name), "", "Name of the files, without suffix.", {},
      "the configuration file's name without suffix");
  add("output.json", boolean(c.output.json), "", "Write `NAME.json`: everything that was measured.");
  add("output.csv", boolean(c.output.csv), "", "Write `NAME.csv`: the main figures, one header line and one row.");
  add("output.event_log", boolean(c.output.event_log), "",
      "Write `NAME.events`: injection and ejection of every flit, one line `cycle kind node vc packet "
      "sequence` each, in a fixed order.");
  add("output.answers", boolean(c.output.answers), "",
      "Write `NAME.answers`: one line `packet injected head_delivered tail_delivered routers` for each "
      "delivered packet.",
      {other_traffic});
  add("output.vcd", texts(c.output.vcd), "",
      "Write `NAME.vcd`: waveforms of the modules and signals whose hierarchical name matches one of these "
      "shell patterns, such as `network.router_3*`.",
      {{"simulation.level", "pin"}}, "none");
  add("output.progress", choice(c.output.progress, {"auto", "never", "always"}), "",
      "Progress on standard error; `auto`: if that is a terminal.");
  return table;
}

bool within(const std::string& path, const std::string& around) {
  return around.empty() || path == around || path.compare(0, around.size() + 1, around + ".") == 0;
}

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string values_of(const condition& c) {
  std::string text = c.value;
  for (std::size_t i = 0; i < c.others.size(); ++i) text += (i + 1 < c.others.size() ? ", " : " or ") + c.others[i];
  return text;
}

bool holds(const condition& c, const std::vector<key>& table) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const key& k) { return k.path == c.key; });
  const json value = at->get();
  if (c.value.empty()) return value.is_null();
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return (text == c.value || std::count(c.others.begin(), c.others.end(), text) > 0) != c.differs;
}

json to_json(const configuration& c) {
  configuration copy = c;
  const std::vector<key> table = keys(copy);
  const auto all_hold = [&table](const std::vector<condition>& needs) {
    return std::all_of(needs.begin(), needs.end(), [&](const condition& needed) { return holds(needed, table); });
  };
  const auto has_effect = [&](const key& k) {
    for (const section& s : sections())
      if (within(k.path, s.path) && !all_hold(s.needs)) return false;
    return all_hold(k.needs) && !k.get().is_null();
  };
  json root = json::object();
  for (const key& k : table) {
    if (within(k.path, "output") || !has_effect(k)) continue;
    std::string pointer = "/" + k.path;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    root[json::json_pointer(pointer)] = k.get();
  }
  return root;
}

}  // namespace weft::experiment
