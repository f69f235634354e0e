// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/import_hints.h"
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
  else if (priority == "class")
    in.lack("priority", "all packets are of one class");
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

/// Whether the VCs divide the buffer of buf_size flits among them.
bool is_divided(imported_settings& in) {
  return in.use("buffer_policy").value == "private" && in.number("buf_size") > 0;
}

/// The flits of the buffer of a VC.
std::uint64_t depth_of(imported_settings& in) {
  if (in.use("buffer_policy").value != "private")
    in.differ("buffer_policy", "in Weft, every VC has its own buffer of vc_buf_size flits");
  in.use("vc_buf_size");
  in.use("buf_size");
  if (!is_divided(in)) return in.whole("vc_buf_size");
  in.lack("vc_buf_size", "BookSim2 does not use it with buf_size");
  return in.whole("buf_size") / std::max<std::uint64_t>(1, in.whole("num_vcs"));
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

}  // namespace

void import_booksim_router(imported_settings& in, converted_configuration& out) {
  if (in.use("router").value != "iq")
    in.error("router", not_converted("router", "", in.use("router").value) + "; expected iq");
  out.set("network.router.vcs", in.whole("num_vcs"), {"num_vcs"});
  const std::uint64_t depth = depth_of(in);
  const converted_configuration::sources of_depth = is_divided(in)
                                                        ? converted_configuration::sources{"buf_size", "num_vcs"}
                                                        : converted_configuration::sources{"vc_buf_size", "num_vcs"};
  out.set("network.router.depth", depth, of_depth);
  import_pipeline(in, out);
  import_allocator(in, "vc_allocator", "network.router.vc_allocator", out);
  import_allocator(in, "sw_allocator", "network.router.switch_allocator", out);
  import_priority(in, out);
  import_output_vcs(in, out);
  if (in.flag("hold_switch_for_packet")) out.set("network.router.hold_switch", "true", {"hold_switch_for_packet"});
  import_input_speedup(in, out);
  out.set("nic.ejection_credits", depth, of_depth);
  for (const char* const name : {"arb_type", "alloc_iters"})
    in.lack(name, "BookSim2's allocators use only what their own setting has in brackets");
}

}  // namespace weft::experiment
