// SPDX-License-Identifier: Apache-2.0
/// The types of the wires between the modules of a router, except flits and credits. signals.h describes the functions
/// that each type has.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include <systemc>

#include "weft/core/members.h"
#include "weft/core/route.h"
#include "weft/core/types.h"
#include "weft/pin/bundle.h"
#include "weft/pin/signals.h"

namespace weft::pin {

/// Heads that have reached the front of an idle input VC and need a route, of the VCs that one input of the switch
/// serves (switch_inputs). At most two can do so in one cycle: one that arrives at an empty VC, and one behind a tail
/// that has just left.
struct head_announcement {
  static constexpr unsigned Slots = 2;
  bool valid[Slots];
  std::uint8_t vc[Slots];
  node_id destination[Slots];
  std::uint32_t flits[Slots];
  std::uint64_t path_id[Slots];

  head_announcement() {
    for (unsigned i = 0; i < Slots; ++i) {
      valid[i] = false;
      vc[i] = 0;
      destination[i] = 0;
      flits[i] = 0;
      path_id[i] = 0;
    }
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(Slots, field_of(".slot", &head_announcement::valid, ".valid"),
                                     field_of(".slot", &head_announcement::vc, ".vc"),
                                     field_of(".slot", &head_announcement::destination, ".destination"),
                                     field_of(".slot", &head_announcement::flits, ".flits"),
                                     field_of(".slot", &head_announcement::path_id, ".way")));
  }
  friend std::ostream& operator<<(std::ostream& out, const head_announcement& h) {
    for (unsigned i = 0; i < Slots; ++i)
      if (h.valid[i]) out << "[VC " << unsigned(h.vc[i]) << " to node " << h.destination[i] << "]";
    return out;
  }
  friend strobes asserted(const head_announcement& h) { return h.valid[0] || h.valid[1]; }
};

/// The answer of route computation one cycle after a head_announcement: for each of these heads, its request to the VC
/// allocator.
struct route_announcement {
  static constexpr unsigned Slots = head_announcement::Slots;
  bool valid[Slots];
  std::uint8_t vc[Slots];
  std::uint8_t port[Slots];  ///< fields of the route, as in the next three members
  vc_set vcs[Slots];
  port_set choices[Slots];
  vc_set choice_vcs[Slots];
  std::uint32_t flits[Slots];

  route_announcement() {
    for (unsigned i = 0; i < Slots; ++i) {
      valid[i] = false;
      vc[i] = 0;
      port[i] = 0;
      vcs[i] = 0;
      choices[i] = 0;
      choice_vcs[i] = 0;
      flits[i] = 0;
    }
  }

  /// Sets the request of head number \p i to \p r.
  friend void set_route(route_announcement& heads, unsigned i, const route& r) {
    heads.port[i] = r.port;
    heads.vcs[i] = r.vcs;
    heads.choices[i] = r.choices;
    heads.choice_vcs[i] = r.choice_vcs;
  }
  /// Returns the request of head number \p i.
  friend route route_of(const route_announcement& heads, unsigned i) {
    route r;
    r.port = heads.port[i];
    r.vcs = heads.vcs[i];
    r.choices = heads.choices[i];
    r.choice_vcs = heads.choice_vcs[i];
    return r;
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(Slots, field_of(".slot", &route_announcement::valid, ".valid"),
                                     field_of(".slot", &route_announcement::vc, ".vc"),
                                     field_of(".slot", &route_announcement::port, ".port"),
                                     field_of(".slot", &route_announcement::vcs, ".vcs"),
                                     field_of(".slot", &route_announcement::choices, ".choices"),
                                     field_of(".slot", &route_announcement::choice_vcs, ".choice_vcs"),
                                     field_of(".slot", &route_announcement::flits, ".flits")));
  }
  friend std::ostream& operator<<(std::ostream& out, const route_announcement& r) {
    for (unsigned i = 0; i < Slots; ++i)
      if (r.valid[i]) out << "[VC " << unsigned(r.vc[i]) << " to " << route_of(r, i) << "]";
    return out;
  }
  friend strobes asserted(const route_announcement& r) { return r.valid[0] || r.valid[1]; }
};

/// The output VCs that the input VCs of one port hold.
struct vc_assignment {
  vc_set active = 0;
  std::uint8_t port[MaxVcs];  ///< output port of each active VC
  std::uint8_t vc[MaxVcs];    ///< output VC of each active VC

  vc_assignment() {
    for (unsigned v = 0; v < MaxVcs; ++v) {
      port[v] = 0;
      vc[v] = 0;
    }
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(&trace_extent::vcs, field_of(".active", &vc_assignment::active),
                                     field_of(".port", &vc_assignment::port), field_of(".vc", &vc_assignment::vc)));
  }
  friend std::ostream& operator<<(std::ostream& out, const vc_assignment& a) {
    for_each_member(a.active, [&](unsigned v) {
      out << "[VC " << v << " to port " << unsigned(a.port[v]) << " VC " << unsigned(a.vc[v]) << "]";
    });
    return out;
  }
};

/// The priorities of the input VCs with flits. It is driven only if packets have priorities.
struct vc_priority_status {
  std::uint32_t of[MaxPorts][MaxVcs];  ///< by input port and VC

  vc_priority_status() {
    for (unsigned port = 0; port < MaxPorts; ++port)
      for (unsigned vc = 0; vc < MaxVcs; ++vc) of[port][vc] = 0;
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(&trace_extent::ports, field_of("", &vc_priority_status::of, "_")));
  }
  friend std::ostream& operator<<(std::ostream& out, const vc_priority_status& p) {
    for (const auto& port : p.of) {
      for (unsigned priority : port) out << priority << " ";
      out << "/ ";
    }
    return out;
  }
};

/// The heads of one input port that wait for an output VC, and what they get in this cycle. It is driven only with
/// speculation, because then the switch allocator reads it.
struct speculative_requests {
  vc_set heads = 0;             ///< input VCs with such a head
  std::uint8_t port[MaxVcs];    ///< output port that each head requests
  vc_set vcs[MaxVcs];           ///< VCs of this port that each head requests
  vc_set granted = 0;           ///< input VCs whose head gets an output VC
  std::uint8_t out_vc[MaxVcs];  ///< this output VC

  speculative_requests() {
    for (unsigned v = 0; v < MaxVcs; ++v) {
      port[v] = 0;
      vcs[v] = 0;
      out_vc[v] = 0;
    }
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(
        &trace_extent::vcs, field_of(".heads", &speculative_requests::heads),
        field_of(".port", &speculative_requests::port), field_of(".vcs", &speculative_requests::vcs),
        field_of(".granted", &speculative_requests::granted), field_of(".out_vc", &speculative_requests::out_vc)));
  }
  friend std::ostream& operator<<(std::ostream& out, const speculative_requests& s) {
    for_each_member(s.heads, [&](unsigned v) {
      out << "[VC " << v << " for port " << unsigned(s.port[v]) << " VCs " << s.vcs[v] << "]";
    });
    return out;
  }
};

static_assert(MaxVcs <= 16, "sets of VCs on wires have 16 bits");

/// Prints the set of VCs of each port of a router.
inline void print(std::ostream& out, const char* name, const std::uint16_t (&sets)[MaxPorts]) {
  out << name;
  for (unsigned set : sets) out << " " << set;
}

/// The state of the buffers of the input ports.
struct buffer_status {
  std::uint16_t occupied[MaxPorts];  ///< VCs that hold a flit
  std::uint16_t tail[MaxPorts];      ///< VCs whose first flit is a tail

  buffer_status() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      occupied[port] = 0;
      tail[port] = 0;
    }
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(&trace_extent::ports, field_of(".occupied", &buffer_status::occupied)),
                           fields_by(&trace_extent::ports, field_of(".tail", &buffer_status::tail)));
  }
  friend std::ostream& operator<<(std::ostream& out, const buffer_status& s) {
    print(out, "occupied", s.occupied);
    print(out, ", tail", s.tail);
    return out;
  }
};

/// The input VCs with more than one flit. It is driven only if packets hold the switch, because then the switch
/// allocator reads it.
struct buffer_backlog {
  std::uint16_t vcs[MaxPorts];  ///< by input port

  buffer_backlog() {
    for (unsigned port = 0; port < MaxPorts; ++port) vcs[port] = 0;
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(&trace_extent::ports, field_of(".vcs", &buffer_backlog::vcs)));
  }
  friend std::ostream& operator<<(std::ostream& out, const buffer_backlog& b) {
    print(out, "more than one flit", b.vcs);
    return out;
  }
};

/// The output VCs that have a credit, and the output ports whose narrow channel carries an earlier flit.
struct credit_status {
  std::uint16_t available[MaxPorts];
  port_set busy = 0;  ///< ports that accept no flit in this cycle (channel::phits)

  credit_status() {
    for (unsigned port = 0; port < MaxPorts; ++port) available[port] = 0;
  }

  /// The VCs of output port \p port that accept a flit.
  friend vc_set accepting_vcs(const credit_status& s, unsigned port) {
    return (s.busy >> port & 1) != 0 ? 0 : s.available[port];
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(&trace_extent::ports, field_of(".busy", &credit_status::busy),
                                     field_of(".available", &credit_status::available)));
  }
  friend std::ostream& operator<<(std::ostream& out, const credit_status& s) {
    print(out, "available", s.available);
    return out;
  }
};

/// The output VCs that packets hold. It is driven only if VCs share buffers and have no flits of them for themselves,
/// because then the output unit reads it.
struct held_output_vcs {
  std::uint16_t of[MaxPorts];  ///< by output port

  held_output_vcs() {
    for (unsigned port = 0; port < MaxPorts; ++port) of[port] = 0;
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(&trace_extent::ports, field_of("", &held_output_vcs::of)));
  }
  friend std::ostream& operator<<(std::ostream& out, const held_output_vcs& h) {
    print(out, "held", h.of);
    return out;
  }
};

/// The number of credits of every output VC. It is driven only if the VC allocator reads it, which is the case if
/// output_vc_rules::count_credits(), and with adaptive routing.
struct credit_counts {
  std::uint16_t count[MaxPorts][MaxVcs];  ///< by output port and VC

  credit_counts() {
    for (unsigned port = 0; port < MaxPorts; ++port)
      for (unsigned vc = 0; vc < MaxVcs; ++vc) count[port][vc] = 0;
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(&trace_extent::ports, field_of("", &credit_counts::count, "_")));
  }
  friend std::ostream& operator<<(std::ostream& out, const credit_counts& c) {
    for (const auto& port : c.count) {
      for (unsigned n : port) out << n << " ";
      out << "/ ";
    }
    return out;
  }
};

/// The decision of the switch allocator for one cycle. All modules that act on it receive it.
struct switch_grants {
  port_set inputs = 0;                     ///< inputs of the switch (switch_inputs) that send a flit
  port_set outputs = 0;                    ///< output ports that receive a flit
  port_set tails = 0;                      ///< inputs whose flit is a tail
  std::uint8_t vc[MaxSwitchInputs];        ///< per input: VC whose flit is sent
  std::uint8_t out_port[MaxSwitchInputs];  ///< per input: output port to which the flit is sent
  std::uint8_t out_vc[MaxSwitchInputs];    ///< per input: output VC to which the flit is sent

  switch_grants() {
    for (unsigned input = 0; input < MaxSwitchInputs; ++input) {
      vc[input] = 0;
      out_port[input] = 0;
      out_vc[input] = 0;
    }
  }

  static constexpr auto fields() {
    return std::make_tuple(fields_by(
        &trace_extent::switch_inputs, field_of(".inputs", &switch_grants::inputs),
        field_of(".outputs", &switch_grants::outputs), field_of(".tails", &switch_grants::tails),
        field_of(".by_input", &switch_grants::vc, ".vc"), field_of(".by_input", &switch_grants::out_port, ".out_port"),
        field_of(".by_input", &switch_grants::out_vc, ".out_vc")));
  }
  friend std::ostream& operator<<(std::ostream& out, const switch_grants& g) {
    for_each_member(g.inputs, [&](unsigned p) {
      out << "[input " << p << " VC " << unsigned(g.vc[p]) << " to port " << unsigned(g.out_port[p]) << " VC "
          << unsigned(g.out_vc[p]) << "]";
    });
    return out;
  }

  /// Entries of inputs that do not send are 0, so they need no comparison.
  friend bool operator==(const switch_grants& a, const switch_grants& b) {
    bool same = a.inputs == b.inputs && a.outputs == b.outputs && a.tails == b.tails;
    WEFT_FOR_MEMBERS(input, same ? a.inputs : 0, MaxSwitchInputs) {
      same = same && a.vc[input] == b.vc[input] && a.out_port[input] == b.out_port[input] &&
             a.out_vc[input] == b.out_vc[input];
    }
    return same;
  }

  static constexpr strobes AnyInput = 1;  ///< an input sends
  static constexpr strobes AnyTail = 2;   ///< an input sends a tail
  friend strobes asserted(const switch_grants& g) { return (g.inputs != 0) * AnyInput + (g.tails != 0) * AnyTail; }
};

}  // namespace weft::pin
