// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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
  if (arbiter.name == "matrix") return out.set(path + ".arbiter", "matrix");
  if (arbiter.name == "tree") {
    out.set(path + ".arbiter", "tree");
    if (!arbiter.arguments.empty()) out.set(path + ".groups", arbiter.arguments[0]);
    if (arbiter.arguments.size() > 1 && arbiter.arguments[1] != "round_robin")
      in.lack(key, "the members and groups of Weft's tree arbiter are selected in round-robin order");
    return;
  }
  in.lack(key, fmt::format("Weft has no arbiter {}; round_robin replaces it", in_quotes(value)));
}

/// Sets the allocator at \p path to that of the setting \p key, such as `islip(2)`.
void import_allocator(imported_settings& in, const std::string& key, const std::string& path,
                      converted_configuration& out) {
  const booksim_call allocator = parse_booksim_call(in.use(key).value);
  const std::string& name = allocator.name;
  const std::string argument = allocator.arguments.empty() ? "" : allocator.arguments[0];
  const bool is_given = !argument.empty() && argument != "1";
  if (name == "select") {
    out.set(path + ".kind", "separable_output_first");
    if (is_given) in.lack(key, "separable_output_first replaces it, which equals select with one iteration");
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
    return in.error(key, not_converted("allocator", "", name));
  out.set(path + ".kind", counterpart(path + ".kind", name));
  // BookSim2 reads alloc_iters and arb_type, but its allocators use only what is in brackets.
  if (name == "islip" || name == "pim") {
    if (is_given) out.set(path + ".iterations", argument);
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
    in.lack("spec_sw_allocator", "the allocator for speculative requests is of the same kind as the other one");
  return masks_by_requests ? "masked_by_requests" : "masked_by_grants";
}

/// Sets the pipeline. In BookSim2 each stage has a delay; in Weft, only the crossbar may take more than one cycle.
void import_pipeline(imported_settings& in, converted_configuration& out) {
  const std::string speculation = speculation_of(in);
  const unsigned route = in.whole("routing_delay");
  const unsigned vc_allocation = in.whole("vc_alloc_delay"), switch_allocation = in.whole("sw_alloc_delay");
  const unsigned crossbar = in.whole("st_prepare_delay") + in.whole("st_final_delay");
  const unsigned allocation =
      speculation == "none" ? vc_allocation + switch_allocation : std::max(vc_allocation, switch_allocation);
  const unsigned cycles = route + allocation + crossbar;
  const char* const Longer =
      "this stage takes one cycle; the crossbar takes the others, so that the zero-load latency is the same";
  if (route > 1) in.lack("routing_delay", Longer);
  if (vc_allocation > 1) in.lack("vc_alloc_delay", Longer);
  if (switch_allocation > 1) in.lack("sw_alloc_delay", Longer);
  if (crossbar > 1)
    for (const char* const name : {"st_prepare_delay", "st_final_delay"})
      in.lack(
          name,
          "the pipeline has these cycles; under load, BookSim2 delays flits further, because it serializes this stage");
  out.set("network.router.pipeline", cycles);
  if (route == 0) out.set("network.router.lookahead_routing", "true");
  if (speculation != "none") out.set("network.router.speculation", speculation);
  in.lack("output_delay", "BookSim2 does not use it");
}

void import_priority(imported_settings& in, converted_configuration& out) {
  const std::vector<std::string> same = {"age", "network_age", "local_age", "hop_count", "queue_length"};
  const std::string priority = in.use("priority").value;
  if (std::find(same.begin(), same.end(), priority) != same.end())
    out.set("network.router.priority", priority);
  else if (priority != "none")
    in.lack("priority", "packets have no priority");
}

/// The flits of the buffer of a VC. With private buffers, buf_size is divided among the VCs.
unsigned depth_of(imported_settings& in) {
  const unsigned depth = in.whole("vc_buf_size"), vcs = std::max(1U, in.whole("num_vcs"));
  const double total = in.number("buf_size");
  if (in.use("buffer_policy").value != "private") {
    in.lack("buffer_policy", "every VC has its own buffer");
    return depth;
  }
  return total > 0 ? static_cast<unsigned>(total) / vcs : depth;
}

}  // namespace

void import_booksim_router(imported_settings& in, converted_configuration& out) {
  if (in.use("router").value != "iq")
    in.error("router", not_converted("router", "", in.use("router").value) + "; expected iq");
  out.set("network.router.vcs", in.whole("num_vcs"));
  const unsigned depth = depth_of(in);
  out.set("network.router.depth", depth);
  import_pipeline(in, out);
  import_allocator(in, "vc_allocator", "network.router.vc_allocator", out);
  import_allocator(in, "sw_allocator", "network.router.switch_allocator", out);
  import_priority(in, out);
  if (in.flag("wait_for_tail_credit")) out.set("network.router.vc_reallocation", "after_tail_credit");
  if (in.flag("vc_busy_when_full")) out.set("network.router.vc_busy_when_full", "true");
  if (in.flag("vc_prioritize_empty")) out.set("network.router.vc_prefer_empty", "true");
  out.set("nic.ejection_credits", depth);
  for (const char* const name : {"arb_type", "alloc_iters"})
    in.lack(name, "BookSim2's allocators use only what their own setting has in brackets");
}

}  // namespace weft::experiment
