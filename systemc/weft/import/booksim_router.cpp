// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/import_hints.h"
#include "weft/core/parameters.h"
#include "weft/import/booksim_file.h"
#include "weft/import/booksim_parts.h"

namespace weft::experiment {

namespace {

/// Sets the arbiter of the allocator at \p path to that of \p value: `matrix` or `tree(4,round_robin)`. \param key the
/// setting with this value
void import_arbiter(imported_settings& in, const std::string& key, const std::string& value, const std::string& path,
                    converted_configuration& out) {
  const booksim_call arbiter = parse_booksim_call(value);
  if (arbiter.name == "round_robin") return;  // the default
  if (arbiter.name == "matrix") return out.set(path + ".arbiter", "matrix", {key});
  if (arbiter.name == "tree") {
    out.set(path + ".arbiter", "tree", {key});
    if (!arbiter.arguments.empty()) out.set(path + ".groups", arbiter.arguments[0], {key});
    if (arbiter.arguments.size() > 1 && arbiter.arguments[1] != "round_robin")
      in.differ(key, "the members and groups of Weft's tree arbiter are selected in round-robin order");
    return;
  }
  in.error(key, fmt::format("Weft has no arbiter {}; expected round_robin, matrix or tree(N,round_robin)",
                            in_quotes(value)));
}

/// Sets the allocator at \p path to that of the setting \p key, such as `islip(2)`.
void import_allocator(imported_settings& in, const std::string& key, const std::string& path,
                      converted_configuration& out) {
  const booksim_call allocator = parse_booksim_call(in.use(key).value);
  const std::string& name = allocator.name;
  const std::string argument = allocator.arguments.empty() ? "" : allocator.arguments[0];
  const bool is_given = !argument.empty() && argument != "1";
  if (name == "select") {
    out.set(path + ".kind", "separable_output_first", {key});
    if (is_given) in.differ(key, "separable_output_first replaces it, which equals select with one iteration");
    return;
  }
  constexpr const char* Known[] = {"separable_input_first",
                                   "separable_output_first",
                                   "islip",
                                   "pim",
                                   "wavefront",
                                   "rr_wavefront",
                                   "loa",
                                   "max_size"};
  if (std::find(std::begin(Known), std::end(Known), name) == std::end(Known))
    return in.error(key, fmt::format("{}; expected one of {}, select", not_converted("allocator", "", name),
                                     fmt::join(Known, ", ")));
  out.set(path + ".kind", counterpart(path + ".kind", name), {key});
  // BookSim2 reads alloc_iters and arb_type, but its allocators use only what is in brackets.
  if (name == "islip" || name == "pim") {
    if (is_given) out.set(path + ".iterations", argument, {key});
  } else if (name.rfind("separable_", 0) == 0 && !argument.empty()) {
    import_arbiter(in, key, argument, path, out);
  }
}

/// The speculation that \p in selects, or "none".
std::string speculation_of(imported_settings& in) {
  const std::string allocator = in.use("spec_sw_allocator").value;
  const bool masks_by_requests = in.flag("spec_mask_by_reqs");
  if (!in.flag("speculative")) return "none";
  if (allocator == "prio") return "prioritized";
  if (allocator != in.use("sw_allocator").value)
    in.differ("spec_sw_allocator", "the allocator for speculative requests is of the same kind as the other one");
  return masks_by_requests ? "masked_by_requests" : "masked_by_grants";
}

/// Sets the pipeline. In BookSim2 each stage has a delay; in Weft, only the crossbar may take more than one cycle.
void import_pipeline(imported_settings& in, converted_configuration& out) {
  const std::string speculation = speculation_of(in);
  const std::uint64_t route = in.whole("routing_delay");
  const std::uint64_t vc_allocation = in.whole("vc_alloc_delay"), switch_allocation = in.whole("sw_alloc_delay");
  const std::uint64_t crossbar = in.whole("st_prepare_delay") + in.whole("st_final_delay");
  const std::uint64_t allocation =
      speculation == "none" ? vc_allocation + switch_allocation : std::max(vc_allocation, switch_allocation);
  const std::uint64_t cycles = route + allocation + crossbar;
  const char* const Longer =
      "in Weft, this stage takes one cycle, and the crossbar takes the others; the zero-load latency is the same, and "
      "latencies under load differ";
  if (route > 1) in.differ("routing_delay", Longer);
  if (vc_allocation > 1) in.differ("vc_alloc_delay", Longer);
  if (switch_allocation > 1) in.differ("sw_alloc_delay", Longer);
  if (crossbar > 1)
    in.differ(in.has("st_prepare_delay") && in.whole("st_prepare_delay") > 0 ? "st_prepare_delay" : "st_final_delay",
              "the zero-load latency is the same; under load, BookSim2 delays flits further, because a flit occupies "
              "this stage for all its cycles");
  out.set("network.router.pipeline", cycles,
          {"routing_delay", "vc_alloc_delay", "sw_alloc_delay", "st_prepare_delay", "st_final_delay", "speculative"});
  if (route == 0) out.set("network.router.lookahead_routing", "true", {"routing_delay"});
  if (speculation != "none")
    out.set("network.router.speculation", speculation, {"speculative", "spec_sw_allocator", "spec_mask_by_reqs"});
  in.lack("output_delay", "BookSim2 does not use it");
}

void import_priority(imported_settings& in, converted_configuration& out) {
  const std::vector<std::string> same = {"age", "network_age", "local_age", "hop_count", "queue_length"};
  const std::string priority = in.use("priority").value;
  if (std::find(same.begin(), same.end(), priority) != same.end())
    out.set("network.router.priority", priority, {"priority", "vc_allocator", "sw_allocator"});
  else if (priority == "class" && in.whole("classes") == 1)
    in.lack("priority", "all packets are of one class");
  else if (priority == "class")
    in.differ("priority",
              "no flit precedes another one in the converted network, because its classes share VCs; in Weft, "
              "network.router.priority: message_class needs classes with VCs of their own");
  else if (priority != "none")
    in.differ("priority", "Weft has no such priority, so no flit precedes another one");
}

/// Sets when an output VC is granted, and which one is preferred.
void import_output_vcs(imported_settings& in, converted_configuration& out) {
  constexpr const char* WithPriorities[] = {"separable_input_first", "separable_output_first", "wavefront",
                                            "rr_wavefront", "select"};
  const bool waits = in.flag("wait_for_tail_credit");
  const bool is_busy = in.flag("vc_busy_when_full"), prefers_empty = in.flag("vc_prioritize_empty");
  const std::string allocator = parse_booksim_call(in.use("vc_allocator").value).name;
  const bool has_priorities =
      std::find(std::begin(WithPriorities), std::end(WithPriorities), allocator) != std::end(WithPriorities);
  if (waits) {
    out.set("network.router.vc_reallocation", "after_tail_credit", {"wait_for_tail_credit"});
    for (const char* const name : {"vc_busy_when_full", "vc_prioritize_empty"})
      in.lack(name, "with wait_for_tail_credit = 1 it has no effect, because the buffer of a free VC is empty");
    return;
  }
  if (is_busy) out.set("network.router.vc_busy_when_full", "true", {"vc_busy_when_full"});
  if (prefers_empty && has_priorities)
    out.set("network.router.vc_prefer_empty", "true", {"vc_prioritize_empty", "vc_allocator"});
  else if (prefers_empty)
    in.lack("vc_prioritize_empty",
            fmt::format("it has no effect, because the allocator {} ignores priorities", allocator));
}

/// Whether buf_size is the size of the buffer of a port.
bool is_given_by_port(imported_settings& in) { return in.number("buf_size") > 0; }

/// The flits of the buffer of a port, divided by its VCs.
std::uint64_t depth_of(imported_settings& in) {
  in.use("vc_buf_size");
  if (!is_given_by_port(in)) return in.whole("vc_buf_size");
  in.lack("vc_buf_size", "BookSim2 does not use it with buf_size");
  return in.whole("buf_size") / std::max<std::uint64_t>(1, in.whole("num_vcs"));
}

/// The flits that each VC has for itself in a shared buffer. BookSim2 reserves them for groups of VCs.
unsigned reserved_of(imported_settings& in, const router_parameters& router) {
  constexpr const char* Groups[] = {"private_buf_start_vc", "private_buf_end_vc"};
  const double groups = in.number("private_bufs");
  const bool is_list = in.use("private_buf_size").value.find('{') != std::string::npos;
  const auto has_groups = std::find_if(std::begin(Groups), std::end(Groups), [&](auto name) { return in.has(name); });
  const char* const Why = "Weft reserves the same number of flits for each VC, or none; reserved: 1 replaces it";
  const double size = is_list ? 0 : in.number("private_buf_size");
  const double most = groups < 0 || groups == router.vcs ? router.depth : router.vcs * router.depth;
  if (has_groups != std::end(Groups))
    in.differ(*has_groups, Why);
  else if (is_list)
    in.differ("private_buf_size", Why);
  else if (size > most)
    in.error("private_buf_size", fmt::format("private_buf_size: expected at most {} flits, the size of the buffer "
                                             "divided by its private buffers, got {}",
                                             most, size));
  else if (groups < 0 || groups == router.vcs)
    return size < 0 ? router.depth : static_cast<unsigned>(size);
  else if (groups <= 1)
    return 0;
  else
    in.differ("private_bufs", Why);
  return 1;
}

/// The maximum number of flits of a VC in the shared buffer of \p router; 0: no limit.
unsigned limit_of(imported_settings& in, const router_parameters& router) {
  const std::string policy = in.use("buffer_policy").value;
  if (policy != "limited") {
    if (policy != "shared")
      in.differ("buffer_policy", "in Weft, the limit of a VC does not change; shared without a limit replaces it");
    return 0;
  }
  if (in.number("max_held_slots") < 0) return 0;
  const auto limit = static_cast<unsigned>(in.whole("max_held_slots"));
  if (limit >= flits_within_reach(router)) return 0;
  if (limit > router.buffer.reserved) return limit;
  in.differ("max_held_slots", "in Weft, a limit exceeds the reserved flits; no limit replaces it");
  return 0;
}

/// Sets the buffers of the routers, and the credits of a node, which has buffers like those of a router.
void import_buffers(imported_settings& in, converted_configuration& out) {
  router_parameters router;
  router.vcs = static_cast<unsigned>(in.whole("num_vcs"));
  router.depth = static_cast<unsigned>(depth_of(in));
  const converted_configuration::sources of_depth = is_given_by_port(in)
                                                        ? converted_configuration::sources{"buf_size", "num_vcs"}
                                                        : converted_configuration::sources{"vc_buf_size", "num_vcs"};
  out.set("network.router.depth", std::uint64_t{router.depth}, of_depth);
  if (in.use("buffer_policy").value == "private") {
    for (const char* const name : {"private_bufs", "private_buf_size", "max_held_slots"})
      in.lack(name, "BookSim2 uses it only with buffers that VCs share");
  } else {
    if (is_given_by_port(in) && in.whole("buf_size") % router.vcs != 0)
      in.differ("buf_size",
                fmt::format("in Weft, the buffer is a multiple of num_vcs; {} replaces it", router.vcs * router.depth));
    router.buffer.policy = buffer_policy::Shared;
    router.buffer.reserved = reserved_of(in, router);
    router.buffer.limit = limit_of(in, router);
    out.set("network.router.buffer.policy", "shared", {"buffer_policy"});
    out.set("network.router.buffer.reserved", std::uint64_t{router.buffer.reserved},
            {"private_bufs", "private_buf_size"});
    if (router.buffer.limit != 0)
      out.set("network.router.buffer.limit", std::uint64_t{router.buffer.limit}, {"max_held_slots"});
  }
  out.set("nic.ejection_credits", std::uint64_t{router.depth}, of_depth);
}

void import_input_speedup(imported_settings& in, converted_configuration& out) {
  const std::uint64_t speedup = in.whole("input_speedup");
  if (speedup < 2) return;
  if (speedup <= MaxInputSpeedup && in.whole("num_vcs") % speedup == 0)
    out.set("network.router.input_speedup", speedup, {"input_speedup"});
  else
    in.differ("input_speedup",
              fmt::format("Weft supports only divisors of num_vcs up to {}; 1 replaces it", MaxInputSpeedup));
}

/// The VCs of a router. A dragonfly of BookSim2 uses two VCs with `min` and three with `ugal`, because the hop to an
/// intermediate group and the hop from there share one.
std::uint64_t vcs_of(imported_settings& in) {
  const std::uint64_t vcs = in.whole("num_vcs");
  if (in.use("topology").value != "dragonflynew") return vcs;
  const bool is_ugal = in.use("routing_function").value == "ugal";
  if (is_ugal ? vcs != 3 : vcs < 2)
    in.error("num_vcs",
             fmt::format("num_vcs is {}; BookSim2 needs {} in a dragonfly", vcs, is_ugal ? "3" : "at least 2"));
  if (!is_ugal) return vcs;
  constexpr std::uint64_t Ugal = 4;
  in.differ("num_vcs", fmt::format("UGAL needs two VCs for each part of a path; {} replaces it", Ugal));
  return Ugal;
}

}  // namespace

void import_booksim_router(imported_settings& in, converted_configuration& out) {
  if (in.use("router").value != "iq")
    in.error("router", not_converted("router", "", in.use("router").value) + "; expected iq");
  out.set("network.router.vcs", vcs_of(in), {"num_vcs"});
  import_buffers(in, out);
  import_pipeline(in, out);
  import_allocator(in, "vc_allocator", "network.router.vc_allocator", out);
  import_allocator(in, "sw_allocator", "network.router.switch_allocator", out);
  import_priority(in, out);
  import_output_vcs(in, out);
  if (in.flag("hold_switch_for_packet")) out.set("network.router.hold_switch", "true", {"hold_switch_for_packet"});
  import_input_speedup(in, out);
  for (const char* const name : {"arb_type", "alloc_iters"})
    in.lack(name, "BookSim2's allocators use only what their own setting has in brackets");
}

}  // namespace weft::experiment
