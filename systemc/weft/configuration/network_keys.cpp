// SPDX-License-Identifier: Apache-2.0
/// The keys of the network. Topologies and routings provide their own keys: topology/kinds.h.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/key_table.h"
#include "weft/pin/model.h"
#include "weft/router/allocator_kinds.h"
#include "weft/topology/kinds.h"

namespace weft::experiment {

namespace {

const char* const Kind = "network.topology.kind";

/// The condition that \p key has one of \p names or, with \p differs, none of \p names.
condition one_of(const char* key, std::vector<std::string> names, bool differs = false) {
  condition c{key, names.front(), differs};
  c.others.assign(names.begin() + 1, names.end());
  return c;
}

/// The names and descriptions of all \p kinds, which point to entries of a table: "`a`: …; `b`: …."
template <class Kind>
std::string described(const std::vector<const Kind*>& kinds) {
  std::string text;
  for (const Kind* kind : kinds)
    text += fmt::format("{}`{}`: {}", text.empty() ? "" : "; ", kind->name, kind->description);
  return text + ".";
}

/// The same for a table itself.
template <class Entry>
std::string described(const std::vector<Entry>& table) {
  std::vector<const Entry*> entries;
  for (const Entry& e : table) entries.push_back(&e);
  return described(entries);
}

template <class Kind>
choices_of<const Kind*> named(const std::vector<const Kind*>& kinds) {
  choices_of<const Kind*> choices;
  for (const Kind* kind : kinds) choices.emplace_back(kind->name, kind);
  return choices;
}

/// The field of \p options that \p key declares.
template <class Options>
field option_field(const option_key<Options>& key, Options& options, const configuration& c) {
  return std::visit(
      [&](const auto& value) -> field {
        using value_t = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<value_t, choice_option<Options>>) {
          return {
              choice_type(names_in(value.choices)),
              [&options, value](const json& j) { value.set(options, value_of(value.choices, j.get<std::string>())); },
              [&options, value] { return json(name_in(value.choices, value.get(options))); }};
        } else if constexpr (std::is_same_v<value_t, list_option<Options>>) {
          return integers(options.*value.field, value.min, value.max, value.least, value.most);
        } else if constexpr (std::is_same_v<value_t, file_option<Options>>) {
          return path(options.*value.field, c);
        } else {
          return integer(options.*value.field, value.min, value.max);
        }
      },
      key.value);
}

/// A key of one or several topologies, each with its own description.
struct shared_key {
  std::string name;
  std::vector<std::pair<const topology_kind*, const topology_key*>> of{};

  bool of_most() const { return 2 * of.size() > topology_kinds().size(); }
};

/// All keys of topologies, in the order of the topologies. Keys that most topologies have come last.
std::vector<shared_key> shared_keys() {
  std::vector<shared_key> all;
  for (const topology_kind* kind : topology_kinds())
    for (const topology_key& k : kind->keys) {
      auto at = std::find_if(all.begin(), all.end(), [&](const shared_key& s) { return s.name == k.name; });
      if (at == all.end()) at = all.insert(at, {k.name});
      at->of.emplace_back(kind, &k);
    }
  std::stable_partition(all.begin(), all.end(), [](const shared_key& s) { return !s.of_most(); });
  return all;
}

std::vector<condition> needs_of(const shared_key& shared) {
  std::vector<std::string> with, without;
  for (const topology_kind* kind : topology_kinds()) {
    const bool has = std::any_of(shared.of.begin(), shared.of.end(), [&](const auto& o) { return o.first == kind; });
    (has ? with : without).push_back(kind->name);
  }
  std::vector<condition> needs = {shared.of_most() ? one_of(Kind, without, true) : one_of(Kind, with)};
  const auto& [other, value] = shared.of.front().second->only_with;
  if (!other.empty()) needs.push_back({"network.topology." + other, value});
  return needs;
}

/// The descriptions of all topologies, without duplicate sentences.
std::string description_of(const shared_key& shared) {
  std::vector<std::string> descriptions;
  for (const auto& [kind, k] : shared.of)
    if (std::count(descriptions.begin(), descriptions.end(), k->description) == 0)
      descriptions.push_back(k->description);
  return fmt::format("{}", fmt::join(descriptions, " "));
}

/// The defaults of the topologies, such as "`8`; of a random graph `64`"; empty if all defaults are the same.
std::string defaults_of(const shared_key& shared, const configuration& c) {
  std::vector<std::string> seen;
  std::string text;
  for (const auto& [kind, k] : shared.of) {
    topology_options options = kind->defaults;
    const json value = option_field(*k, options, c).get();
    const std::string one = value.is_null() ? "none" : fmt::format("`{}`", yaml_text(value));
    if (std::count(seen.begin(), seen.end(), one) > 0) continue;
    text += seen.empty() ? one : fmt::format("; of {} {}", kind->noun, one);
    seen.push_back(one);
  }
  return seen.size() > 1 || text == "none" ? text : "";
}

void add_topology_keys(key_table& t) {
  auto& c = t.c;
  t.add(Kind, choice(c.topology.kind, named(topology_kinds())), "", described(topology_kinds()));
  for (const shared_key& shared : shared_keys()) {
    const topology_key& first = *shared.of.front().second;
    t.add("network.topology." + shared.name, option_field<topology_options>(first, c.topology, c), first.unit,
          description_of(shared), needs_of(shared), defaults_of(shared, c));
  }
}

/// The default routings of the topologies: "`dimension_order`; of a fat tree `nearest_common_ancestor`; …"
std::string usual_routings() {
  std::string text;
  for (const routing_kind* routing : routing_kinds()) {
    std::vector<std::string> nouns;
    for (const topology_kind* kind : topology_kinds())
      if (kind->usual == routing) nouns.push_back(kind->noun);
    if (nouns.empty()) continue;
    text += text.empty() ? "" : fmt::format("; of {} ", fmt::join(nouns, " or "));
    text += fmt::format("`{}`", routing->name);
  }
  return text;
}

/// The keys of routings, each with the names of the routings that have it, in the order of the routings.
std::vector<std::pair<const option_key<routing_options>*, std::vector<std::string>>> routing_option_keys() {
  std::vector<std::pair<const option_key<routing_options>*, std::vector<std::string>>> keys;
  for (const routing_kind* kind : routing_kinds()) {
    for (const option_key<routing_options>& k : kind->keys) {
      const auto same =
          std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return key.first->name == k.name; });
      if (same == keys.end())
        keys.push_back({&k, {kind->name}});
      else
        same->second.push_back(kind->name);
    }
  }
  return keys;
}

void add_routing_keys(key_table& t) {
  auto& c = t.c;
  const std::vector<std::string> dimensions = {"x", "y", "z", "w"};
  std::vector<std::string> grids, ordered;
  for (const topology_kind* kind : topology_kinds())
    if (kind->grid) grids.push_back(kind->name);
  for (const routing_kind* kind : routing_kinds())
    if (kind->ordered) ordered.push_back(kind->name);
  t.add("network.routing.algorithm", choice(c.routing.algorithm, named(routing_kinds())), "",
        "The number in brackets is the minimum number of VCs. " + described(routing_kinds()), {}, usual_routings());
  t.add("network.routing.order", choices(c.routing.order, dimensions), "",
        "Order in which packets are routed along the dimensions; `[x, y]` is XY routing. The list must contain each "
        "dimension of the shape once.",
        {one_of(Kind, grids), one_of("network.routing.algorithm", ordered)}, "as in the shape");
  for (const auto& [k, algorithms] : routing_option_keys()) {
    std::vector<condition> conditions = {one_of("network.routing.algorithm", algorithms)};
    if (!k->only_with.first.empty())
      conditions.push_back({"network.routing." + k->only_with.first, k->only_with.second});
    t.add("network.routing." + k->name, option_field<routing_options>(*k, c.routing, c), k->unit, k->description,
          conditions);
  }
  t.add("network.routing.allow_deadlock", boolean(c.routing.allow_deadlock), "",
        "`true`: the network is simulated even if its channel dependency graph has a cycle; if packets block each "
        "other, the run ends and lists them. `false`: Weft reports an error with the cycle.");
}

/// The names of all entries of a table of kinds, with the kinds.
template <class Kind, class Entry>
choices_of<Kind> kinds_in(const std::vector<Entry>& entries) {
  choices_of<Kind> choices;
  for (const Entry& e : entries) choices.emplace_back(e.name, e.kind);
  return choices;
}

/// The keys of an allocator of routers, which is at \p path.
void add_allocator_keys(key_table& t, const std::string& path, allocator_parameters& value) {
  std::vector<std::string> with_arbiters, iterating;
  for (const allocator_entry& e : allocator_entries()) {
    if (selects_with_arbiters(e.kind)) with_arbiters.push_back(e.name);
    if (iterates(e.kind)) iterating.push_back(e.name);
  }
  const std::string kind = path + ".kind", arbiter = path + ".arbiter";
  t.add(kind, choice(value.kind, kinds_in<allocator_kind>(allocator_entries())), "", described(allocator_entries()));
  t.add(arbiter, choice(value.arbiter, kinds_in<arbiter_kind>(arbiter_entries())), "",
        "What each arbiter selects. " + described(arbiter_entries()), {one_of(kind.c_str(), with_arbiters)});
  t.add(path + ".iterations", integer(value.iterations, 1, MaxIterations), "",
        "Number of iterations in a cycle. In each one, the inputs and outputs without a grant try again.",
        {one_of(kind.c_str(), iterating)});
  t.add(path + ".groups", integer(value.groups, 2, MaxGroups), "",
        "Number of groups into which a tree arbiter divides its requesters.", {one_of(arbiter.c_str(), {"tree"})});
}

/// The keys of the pipeline.
void add_pipeline_keys(key_table& t) {
  auto& c = t.c;
  t.add("network.router.pipeline", integer(c.router.pipeline, 2, 9), "cycles",
        "Number of cycles from the arrival of a head flit to the output register. A pipeline of 4 cycles has route "
        "computation, VC allocation, switch allocation and switch traversal. With 3 cycles, VC and switch allocation "
        "share one cycle. Longer pipelines have additional cycles of switch traversal. With `lookahead_routing` all "
        "these numbers are smaller by one, so 2 to 8 cycles are possible; otherwise 3 to 9. With `speculation`, VC and "
        "switch allocation share a cycle in pipelines of any length, and the longest has 8 cycles, or 7.",
        {}, "4; one less with `lookahead_routing`, and one less with `speculation`");
  t.add("network.router.lookahead_routing", boolean(c.router.lookahead_routing), "",
        "`true`: every router computes the route for the next router, so that a head needs no route computation when "
        "it arrives.");
  t.add("network.router.speculation",
        choice(c.router.speculation, {{"none", speculation_kind::None},
                                      {"prioritized", speculation_kind::Prioritized},
                                      {"masked_by_grants", speculation_kind::MaskedByGrants},
                                      {"masked_by_requests", speculation_kind::MaskedByRequests}}),
        "",
        "Whether heads request the switch in the cycle of their VC allocation, before its result is known. "
        "`prioritized`: one switch allocator, in which other requests precede those of heads; `masked_by_grants`: a "
        "second switch allocator for heads, whose grants yield to grants to other requests; `masked_by_requests`: they "
        "yield to other requests for the same output port.");
}

/// The keys of priorities, and of the output VCs that heads may request.
void add_output_vc_keys(key_table& t) {
  auto& c = t.c;
  t.add("network.router.priority",
        choice(c.router.priority, {{"none", priority_kind::None},
                                   {"age", priority_kind::Age},
                                   {"network_age", priority_kind::NetworkAge},
                                   {"local_age", priority_kind::LocalAge},
                                   {"hop_count", priority_kind::HopCount},
                                   {"queue_length", priority_kind::QueueLength},
                                   {"message_class", priority_kind::MessageClass}}),
        "",
        "Which flits precede others in VC and switch allocation, if the allocators use priorities. `age`: those of the "
        "packet that was created first; `network_age`: the flit that has been in the network for the longest time; "
        "`local_age`: the flit that has been in the router for the longest time; `hop_count`: the flit that has passed "
        "the most routers; `queue_length`: the first flit of the input VC with the most flits; "
        "`message_class`: the flit of the class with the largest number, which are the replies of `request_reply`. "
        "Others may starve.");
  t.add("network.router.starvation_guard", integer(c.router.starvation_guard, 0, 1'000'000), "cycles",
        "Cycles after which a flit that waits at the front of its input VC precedes all flits that wait there for less "
        "time, so that none starves. 0: no guard.",
        {one_of("network.router.priority", {"hop_count", "queue_length", "message_class"})});
  t.add("network.router.vc_reallocation",
        choice(c.router.reallocation,
               {{"after_tail", vc_reallocation::AfterTail}, {"after_tail_credit", vc_reallocation::AfterTailCredit}}),
        "",
        "When an output VC may be granted to another packet. `after_tail`: as soon as the tail has left; "
        "`after_tail_credit`: when the credits of all flits are back, so that a buffer holds flits of one packet only. "
        "The NICs follow the same rule.");
  t.add("network.router.vc_busy_when_full", boolean(c.router.busy_when_full), "",
        "`true`: a head requests only output VCs with a credit.",
        {{"network.router.flow_control", "wormhole"}, {"network.router.vc_reallocation", "after_tail"}});
  std::vector<std::string> with_priorities;
  for (const allocator_entry& e : allocator_entries())
    if (uses_priorities(e.kind)) with_priorities.push_back(e.name);
  t.add(
      "network.router.vc_prefer_empty", boolean(c.router.prefer_empty), "",
      "`true`: a head prefers output VCs with an empty buffer.",
      {{"network.router.vc_reallocation", "after_tail"}, one_of("network.router.vc_allocator.kind", with_priorities)});
}

/// The keys of the buffers of input ports.
void add_buffer_keys(key_table& t) {
  auto& c = t.c;
  const char* const policy = "network.router.buffer.policy";
  t.add(policy,
        choice(c.router.buffer.policy, {{"private", buffer_policy::Private}, {"shared", buffer_policy::Shared}}), "",
        "How the VCs of an input port use its `vcs` · `depth` flits of buffer. `private`: each VC has `depth` flits; "
        "`shared`: every VC has `reserved` flits, and all VCs share the others.");
  t.add("network.router.buffer.reserved", integer(c.router.buffer.reserved, 0, MaxBufferFlits), "flits",
        "Number of flits of a shared buffer that each VC has for itself, at most `depth`. With 0, a VC has no flits "
        "for itself, and the routing must be free of deadlock with one VC.",
        {{policy, "shared"}});
  t.add("network.router.buffer.limit", integer(c.router.buffer.limit, 0, MaxBufferFlits), "flits",
        "Maximum number of flits of one VC in a shared buffer; more than `reserved`. 0: no limit.",
        {{policy, "shared"}});
}

void add_router_keys(key_table& t) {
  auto& c = t.c;
  const std::vector<std::uint64_t> widths(std::begin(pin::PayloadWidths), std::end(pin::PayloadWidths));
  t.add("network.router.vcs", integer(c.router.vcs, 1, MaxVcs), "",
        fmt::format("Number of virtual channels of every port. The product of `vcs` and `depth` must not exceed {}.",
                    MaxBufferFlits));
  t.add("network.router.depth", integer(c.router.depth, 1, MaxBufferFlits), "flits",
        "Size of the buffer of each virtual channel.");
  add_buffer_keys(t);
  add_pipeline_keys(t);
  t.add("network.router.flow_control",
        choice(c.router.flow, {{"wormhole", flow_control::Wormhole},
                               {"virtual_cut_through", flow_control::VirtualCutThrough},
                               {"store_and_forward", flow_control::StoreAndForward}}),
        "",
        "`wormhole`: a packet advances as soon as the next buffer has room for a flit; `virtual_cut_through`: when it "
        "has room for the whole packet, so no packet may be longer than `depth`; `store_and_forward`: likewise, "
        "but only after the last flit of the packet has arrived in the router.");
  add_output_vc_keys(t);
  t.add(
      "network.router.classes", integer(c.router.classes, 1, MaxVcs), "",
      "Number of message classes; must divide `vcs`. The VCs of every port are divided equally among the classes. A "
      "packet uses only the VCs of its class, so the routing algorithm has `vcs` / `classes` VCs. With "
      "`workload.injection.process: request_reply`, replies are in the last class; all other packets are in class 0.");
  add_allocator_keys(t, "network.router.vc_allocator", c.router.vc_allocator);
  add_allocator_keys(t, "network.router.switch_allocator", c.router.switch_allocator);
  t.add(
      "network.router.input_speedup", integer(c.router.input_speedup, 1, MaxInputSpeedup), "",
      fmt::format("Number of flits that an input port can send in a cycle, from different VCs to different output "
                  "ports; must divide `vcs`. The number of ports of a router times `input_speedup` may be at most {}.",
                  MaxSwitchInputs));
  t.add("network.router.hold_switch", boolean(c.router.hold_switch), "",
        "`true`: an input VC that was granted the switch sends the flits of its packet without further arbitration, "
        "until the tail has left, or until the next flit or a credit is missing.");
  t.add_implementation("network.router", c.routers, "rtl_routers", "routers",
                       "Routers that are simulated as RTL; the others remain SystemC.", {});
  t.add("network.link.cycles", integer(c.link.cycles, 1, 64), "cycles", "Latency of a link between routers.",
        {made_network("the cycles of each link")});
  t.add(
      "network.link.width", or_name(c.link.width, integer_type(1, 256), "flit"), "bits",
      fmt::format("Width of a link between routers, in bits of payload; must divide `flit.payload_bits`. A narrow link "
                  "cuts a flit and its header into {0} equal parts at most, and carries one part per cycle. With 16 "
                  "bits and flits of 64 bits, it carries a flit every 4 cycles. `flit`: as wide as a flit.",
                  MaxPhits),
      {made_network("the width of each link")});
  t.add("network.flit.payload_bits", integer_of(c.flit.payload_bits, widths), "bits",
        "Number of payload bits in a flit.");
}

}  // namespace

void add_network_keys(key_table& t) {
  add_topology_keys(t);
  add_routing_keys(t);
  add_router_keys(t);
}

}  // namespace weft::experiment
