// SPDX-License-Identifier: Apache-2.0
#include "weft/core/parameter_errors.h"

#include <utility>

#include "weft/core/router_pipeline.h"

namespace weft {

namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }

/// "16 · 33 = 528"
std::string product(unsigned a, unsigned b) { return text(a) + " · " + text(b) + " = " + text(std::uint64_t{a} * b); }

class checker {
 public:
  checker(const router_parameters& router, const nic_parameters& nic, const std::string& prefix)
      : m_router(router), m_nic(nic), m_section(prefix + "router") {}

  std::vector<parameter_error> check() {
    check_router();
    check_nic();
    check_compression();
    check_coding();
    return std::move(m_found);
  }

 private:
  void require(bool condition, std::vector<std::string> keys, std::string message) {
    if (!condition) m_found.push_back({std::move(keys), std::move(message)});
  }

  /// Checks that \p value is from \p min to \p max.
  bool in_range(const std::string& key, std::uint64_t value, std::uint64_t min, std::uint64_t max) {
    const bool good = value >= min && value <= max;
    require(good, {key}, key + ": expected " + text(min) + " to " + text(max) + ", got " + text(value));
    return good;
  }

  /// Checks that the VCs of a port, \p depth flits each, fit its buffer.
  void check_buffer(const std::string& section, const std::string& key, unsigned depth) {
    require(std::uint64_t{m_router.vcs} * depth <= MaxBufferFlits, {section + "." + key, m_section + ".vcs"},
            (section == m_section ? section : section + "." + key) + ": expected vcs · " + key + " of at most " +
                text(MaxBufferFlits) + " flits, got " + product(m_router.vcs, depth));
  }

  void check_router() {
    const std::string vcs = m_section + ".vcs", classes = m_section + ".classes", pipeline = m_section + ".pipeline";
    const bool good_vcs = in_range(vcs, m_router.vcs, 1, MaxVcs);
    if (in_range(m_section + ".depth", m_router.depth, 1, MaxBufferFlits) && good_vcs)
      check_buffer(m_section, "depth", m_router.depth);
    check_pipeline(pipeline);
    require(m_router.priority != priority_kind::MessageClass || m_router.classes > 1,
            {m_section + ".priority", classes},
            m_section + ".priority: message_class has no effect with one class; set " + classes + " to 2 or more");
    check_sharing();
    const std::string speedup = m_section + ".input_speedup";
    if (in_range(speedup, m_router.input_speedup, 1, MaxInputSpeedup))
      require(m_router.vcs % m_router.input_speedup == 0, {speedup, vcs},
              speedup + ": expected a divisor of " + text(m_router.vcs) + " (" + vcs + "), got " +
                  text(m_router.input_speedup));
    require(
        m_router.classes >= 1 && m_router.vcs % m_router.classes == 0, {classes, vcs},
        classes + ": expected a divisor of " + text(m_router.vcs) + " (" + vcs + "), got " + text(m_router.classes));
  }

  void check_sharing() {
    const buffer_parameters& buffer = m_router.buffer;
    if (buffer.policy == buffer_policy::Private) return;
    const std::string section = m_section + ".buffer", reserved = section + ".reserved", limit = section + ".limit";
    const std::string policy = section + ".policy", depth = m_section + ".depth", classes = m_section + ".classes";
    require(!reserves_whole_packets(m_router.flow), {policy, m_section + ".flow_control"},
            policy + ": expected private with " + m_section +
                ".flow_control: virtual_cut_through or store_and_forward, which reserve room for whole packets, got "
                "shared");
    require(buffer.reserved <= m_router.depth, {reserved, depth},
            reserved + ": expected at most " + text(m_router.depth) + " (" + depth + "), got " + text(buffer.reserved));
    require(buffer.reserved != 0 || m_router.classes == 1, {reserved, classes},
            reserved +
                ": expected at least 1 with several classes, because packets of one class could fill the buffer "
                "and block those of another, got 0");
    const unsigned most = flits_within_reach(m_router);
    require(buffer.limit == 0 || (buffer.limit > buffer.reserved && buffer.limit < most), {limit, reserved, depth},
            limit + ": expected 0 (no limit), or more than " + text(buffer.reserved) + " (" + reserved +
                ") and less than " + text(most) + " (all flits that a VC can use), got " + text(buffer.limit));
    require(!shares_credits_of_node(m_router, m_nic) || m_nic.ejection_credits == m_router.depth,
            {"nic.ejection_credits", depth},
            "nic.ejection_credits: expected 0 or " + text(m_router.depth) + " (" + depth +
                ") with shared buffers, because the credits of a node are shared like those of a router, got " +
                text(m_nic.ejection_credits));
  }

  void check_pipeline(const std::string& key) {
    const unsigned shortest = router_pipeline::shortest(m_router), longest = router_pipeline::longest(m_router);
    const bool speculates = m_router.speculation != speculation_kind::None;
    std::vector<std::string> keys = {key};
    if (m_router.lookahead_routing) keys.push_back(m_section + ".lookahead_routing");
    if (speculates) keys.push_back(m_section + ".speculation");
    const std::string with = std::string(m_router.lookahead_routing ? " with lookahead routing" : "") +
                             (m_router.lookahead_routing && speculates ? " and"
                              : speculates                             ? " with"
                                                                       : "") +
                             (speculates ? " speculation" : "");
    require(m_router.pipeline >= shortest && m_router.pipeline <= longest, keys,
            key + ": expected " + text(shortest) + " to " + text(longest) + with + ", got " + text(m_router.pipeline) +
                (m_router.pipeline + 1 == shortest && !m_router.lookahead_routing
                     ? "; set " + m_section + ".lookahead_routing: true for one cycle less"
                     : ""));
  }

  void check_nic() {
    check_buffer("nic", "ejection_depth", m_nic.ejection_depth);
    if (in_range("nic.ejection_credits", m_nic.ejection_credits, 0, MaxBufferFlits))
      require(m_nic.ejection_credits == 0 || m_nic.ejection_depth == 0, {"nic.ejection_credits", "nic.ejection_depth"},
              "nic.ejection_credits: expected 0 with an ejection buffer (nic.ejection_depth, which compression and "
              "coding need), whose depth is the number of credits, got " +
                  text(m_nic.ejection_credits));
    check_queues();
    require(m_nic.window >= 1, {"nic.window"}, "nic.window: expected at least 1, got 0");
    require(m_nic.buckets >= 1 && m_nic.window % m_nic.buckets == 0, {"nic.buckets", "nic.window"},
            "nic.buckets: expected a divisor of " + text(m_nic.window) + " (nic.window), got " + text(m_nic.buckets));
  }

  /// A head that is not accepted returns to its queue. Stages accept heads before there is room in the network.
  void check_queues() {
    if (m_nic.queues == source_queues::Shared) return;
    const std::string key = "nic.source_queues", classes = m_section + ".classes";
    require(m_router.classes > 1, {key, classes},
            key + ": per_class has no effect with one class; set " + classes + " to 2 or more");
    require(!m_nic.compression.enabled() && !m_nic.coding.enabled, {key, "nic.compression.mode", "nic.coding.enabled"},
            key + ": expected shared with NIC stages (nic.compression, nic.coding), got per_class");
  }

  void check_compression() {
    const compression_parameters& c = m_nic.compression;
    std::string runs;
    for (const auto run : c.codec.table.runs) runs += (runs.empty() ? "" : ", ") + text(run);
    require(c.codec.table.valid(), {"nic.compression.table"},
            "nic.compression.table: expected strictly decreasing run lengths from 1 to 32, got [" + runs + "]");
    in_range("nic.compression.cut", c.codec.cut, 0, MaxCut);
    require(c.depth >= 8 && c.depth <= MaxCompressorFlits && (c.depth & (c.depth - 1)) == 0, {"nic.compression.depth"},
            "nic.compression.depth: expected a power of two from 8 to " + text(MaxCompressorFlits) + ", got " +
                text(c.depth));
    require(!c.latency || *c.latency >= 1, {"nic.compression.latency"},
            "nic.compression.latency: expected at least 1, got 0");
    require(!c.ratio || (c.latency && *c.ratio >= 1), {"nic.compression.ratio"},
            "nic.compression.ratio: expected at least 1, together with a value of nic.compression.latency");
    require(!c.in_hardware() || m_nic.ejection_depth > 0,
            {"nic.ejection_depth", "nic.compression.mode", "nic.compression.latency"},
            "nic.ejection_depth: expected at least 1, because the decompressor cannot accept a flit in every cycle, "
            "got 0; leave the key out to use the depth of the router buffers");
  }

  void check_coding() {
    const xor_parameters& x = m_nic.coding;
    in_range("nic.coding.entries", x.entries, 2, MaxXorEntries);
    in_range("nic.coding.depth", x.depth, 1, MaxXorFlits);
    in_range("nic.coding.overhead", x.overhead, 0, MaxXorOverhead);
    if (!x.enabled) return;
    require(m_nic.ejection_depth > 0, {"nic.ejection_depth", "nic.coding.enabled"},
            "nic.ejection_depth: expected at least 1, because the XOR decoder cannot accept a flit in every cycle, got "
            "0; leave the key out to use the depth of the router buffers");
    const std::optional<cycle_t>& latency = m_nic.compression.latency;
    require(!latency, {"nic.compression.latency", "nic.coding.enabled"},
            "nic.compression.latency: expected rtl with nic.coding, because only then the NIC decompresses before the "
            "XOR decoder, got " +
                text(latency.value_or(0)) + "; leave the key out");
  }

  const router_parameters& m_router;
  const nic_parameters& m_nic;
  const std::string m_section;
  std::vector<parameter_error> m_found;
};

}  // namespace

std::vector<parameter_error> find_parameter_errors(const router_parameters& router, const nic_parameters& nic,
                                                   const std::string& prefix) {
  return checker(router, nic, prefix).check();
}

}  // namespace weft
