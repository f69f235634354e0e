// SPDX-License-Identifier: Apache-2.0
/// The types of the wires between the modules of a router, except flits and credits; see signals.h for the functions of
/// each type.
#pragma once

#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <type_traits>

#include <systemc>

#include "weft/core/allocation.h"
#include "weft/core/route.h"
#include "weft/core/types.h"
#include "weft/pin/signals.h"

namespace weft::pin {

/// Whether two arrays of integers are equal.
template <typename Array>
bool same(const Array& a, const Array& b) {
  static_assert(std::is_array_v<Array> && std::has_unique_object_representations_v<Array>);
  // Word by word, because for a few words a call of memcmp() takes longer.
  using word = std::conditional_t<sizeof(Array) % 8 == 0, std::uint64_t, std::uint8_t>;
  word different = 0;
  for (std::size_t i = 0; i < sizeof a; i += sizeof(word)) {
    word of_a, of_b;
    std::memcpy(&of_a, reinterpret_cast<const char*>(a) + i, sizeof of_a);
    std::memcpy(&of_b, reinterpret_cast<const char*>(b) + i, sizeof of_b);
    different = static_cast<word>(different | (of_a ^ of_b));
  }
  return different == 0;
}

/// Heads that have reached the front of an idle input VC of one port and need a route. At most two can do so in one
/// cycle: one that arrives at an empty VC, and one behind a tail that has just left.
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

  friend bool operator==(const head_announcement& a, const head_announcement& b) {
    return same(a.valid, b.valid) && same(a.vc, b.vc) && same(a.destination, b.destination) && same(a.flits, b.flits) &&
           same(a.path_id, b.path_id);
  }
  friend std::ostream& operator<<(std::ostream& out, const head_announcement& h) {
    for (unsigned i = 0; i < Slots; ++i)
      if (h.valid[i]) out << "[VC " << unsigned(h.vc[i]) << " to node " << h.destination[i] << "]";
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const head_announcement& h, const std::string& name) {
    for (unsigned i = 0; i < Slots; ++i) {
      const std::string slot = name + ".slot" + std::to_string(i);
      sc_core::sc_trace(file, h.valid[i], slot + ".valid");
      sc_core::sc_trace(file, h.vc[i], slot + ".vc");
      sc_core::sc_trace(file, h.destination[i], slot + ".destination");
      sc_core::sc_trace(file, h.flits[i], slot + ".flits");
      sc_core::sc_trace(file, h.path_id[i], slot + ".way");
    }
  }
  friend strobes asserted(const head_announcement& h) { return h.valid[0] || h.valid[1]; }
};

/// The answer of route computation, one cycle later: the request of each of these heads to the VC allocator.
struct route_announcement {
  static constexpr unsigned Slots = head_announcement::Slots;
  bool valid[Slots];
  std::uint8_t vc[Slots];
  std::uint8_t port[Slots];  ///< this and the next three: fields of the route
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

  /// Sets the request of head \p i to \p r.
  friend void set_route(route_announcement& heads, unsigned i, const route& r) {
    heads.port[i] = r.port;
    heads.vcs[i] = r.vcs;
    heads.choices[i] = r.choices;
    heads.choice_vcs[i] = r.choice_vcs;
  }
  /// The request of head \p i.
  friend route route_of(const route_announcement& heads, unsigned i) {
    route r;
    r.port = heads.port[i];
    r.vcs = heads.vcs[i];
    r.choices = heads.choices[i];
    r.choice_vcs = heads.choice_vcs[i];
    return r;
  }

  friend bool operator==(const route_announcement& a, const route_announcement& b) {
    return same(a.valid, b.valid) && same(a.vc, b.vc) && same(a.port, b.port) && same(a.vcs, b.vcs) &&
           same(a.choices, b.choices) && same(a.choice_vcs, b.choice_vcs) && same(a.flits, b.flits);
  }
  friend std::ostream& operator<<(std::ostream& out, const route_announcement& r) {
    for (unsigned i = 0; i < Slots; ++i)
      if (r.valid[i]) out << "[VC " << unsigned(r.vc[i]) << " to " << route_of(r, i) << "]";
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const route_announcement& r, const std::string& name) {
    for (unsigned i = 0; i < Slots; ++i) {
      const std::string slot = name + ".slot" + std::to_string(i);
      sc_core::sc_trace(file, r.valid[i], slot + ".valid");
      sc_core::sc_trace(file, r.vc[i], slot + ".vc");
      sc_core::sc_trace(file, r.port[i], slot + ".port");
      sc_core::sc_trace(file, r.vcs[i], slot + ".vcs");
      sc_core::sc_trace(file, r.choices[i], slot + ".choices");
      sc_core::sc_trace(file, r.choice_vcs[i], slot + ".choice_vcs");
      sc_core::sc_trace(file, r.flits[i], slot + ".flits");
    }
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

  friend bool operator==(const vc_assignment& a, const vc_assignment& b) {
    return a.active == b.active && same(a.port, b.port) && same(a.vc, b.vc);
  }
  friend std::ostream& operator<<(std::ostream& out, const vc_assignment& a) {
    for_each_member(a.active, [&](unsigned v) {
      out << "[VC " << v << " to port " << unsigned(a.port[v]) << " VC " << unsigned(a.vc[v]) << "]";
    });
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const vc_assignment& a, const std::string& name) {
    trace_within(file, a, name, {});
  }
  friend void trace_within(sc_core::sc_trace_file* file, const vc_assignment& a, const std::string& name,
                           const trace_extent& extent) {
    sc_core::sc_trace(file, a.active, name + ".active");
    for (unsigned v = 0; v < extent.vcs; ++v) {
      sc_core::sc_trace(file, a.port[v], indexed(name + ".port", v, extent.vcs));
      sc_core::sc_trace(file, a.vc[v], indexed(name + ".vc", v, extent.vcs));
    }
  }
  friend strobes asserted(const vc_assignment&) { return 0; }
};

static_assert(MaxVcs <= 16, "sets of VCs on wires have 16 bits");

/// Prints the set of VCs of each port of a router.
inline void print(std::ostream& out, const char* name, const std::uint16_t (&sets)[MaxPorts]) {
  out << name;
  for (unsigned set : sets) out << " " << set;
}

inline void trace(sc_core::sc_trace_file* file, const std::uint16_t (&sets)[MaxPorts], const std::string& name,
                  unsigned ports) {
  for (unsigned port = 0; port < ports; ++port) sc_core::sc_trace(file, sets[port], indexed(name, port, ports));
}

/// The state of the buffers of the input ports.
struct buffer_status {
  std::uint16_t occupied[MaxPorts];  ///< VCs with a flit
  std::uint16_t tail[MaxPorts];      ///< VCs whose first flit is a tail

  buffer_status() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      occupied[port] = 0;
      tail[port] = 0;
    }
  }

  friend bool operator==(const buffer_status& a, const buffer_status& b) {
    return same(a.occupied, b.occupied) && same(a.tail, b.tail);
  }
  friend std::ostream& operator<<(std::ostream& out, const buffer_status& s) {
    print(out, "occupied", s.occupied);
    print(out, ", tail", s.tail);
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const buffer_status& s, const std::string& name) {
    trace_within(file, s, name, {});
  }
  friend void trace_within(sc_core::sc_trace_file* file, const buffer_status& s, const std::string& name,
                           const trace_extent& extent) {
    trace(file, s.occupied, name + ".occupied", extent.ports);
    trace(file, s.tail, name + ".tail", extent.ports);
  }
  friend strobes asserted(const buffer_status&) { return 0; }
};

/// Output VCs with a credit.
struct credit_status {
  std::uint16_t available[MaxPorts];

  credit_status() {
    for (unsigned port = 0; port < MaxPorts; ++port) available[port] = 0;
  }

  friend bool operator==(const credit_status& a, const credit_status& b) { return same(a.available, b.available); }
  friend std::ostream& operator<<(std::ostream& out, const credit_status& s) {
    print(out, "available", s.available);
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const credit_status& s, const std::string& name) {
    trace_within(file, s, name, {});
  }
  friend void trace_within(sc_core::sc_trace_file* file, const credit_status& s, const std::string& name,
                           const trace_extent& extent) {
    trace(file, s.available, name + ".available", extent.ports);
  }
  friend strobes asserted(const credit_status&) { return 0; }
};

/// Credits of every output VC. Driven only where the VC allocator reads them: under virtual cut-through, and with
/// adaptive routing.
struct credit_counts {
  std::uint16_t count[MaxPorts][MaxVcs];  ///< by output port and VC

  credit_counts() {
    for (unsigned port = 0; port < MaxPorts; ++port)
      for (unsigned vc = 0; vc < MaxVcs; ++vc) count[port][vc] = 0;
  }

  friend bool operator==(const credit_counts& a, const credit_counts& b) { return same(a.count, b.count); }
  friend std::ostream& operator<<(std::ostream& out, const credit_counts& c) {
    for (const auto& port : c.count) {
      for (unsigned n : port) out << n << " ";
      out << "/ ";
    }
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const credit_counts& c, const std::string& name) {
    trace_within(file, c, name, {});
  }
  friend void trace_within(sc_core::sc_trace_file* file, const credit_counts& c, const std::string& name,
                           const trace_extent& extent) {
    for (unsigned port = 0; port < extent.ports; ++port)
      for (unsigned vc = 0; vc < extent.vcs; ++vc)
        sc_core::sc_trace(file, c.count[port][vc], indexed(indexed(name, port, extent.ports) + "_", vc, extent.vcs));
  }
  friend strobes asserted(const credit_counts&) { return 0; }
};

/// The decision of the switch allocator for one cycle, for all modules that act on it.
struct switch_grants {
  port_set inputs = 0;                  ///< input ports that send a flit
  port_set outputs = 0;                 ///< output ports that receive a flit
  port_set tails = 0;                   ///< input ports whose flit is a tail
  std::uint8_t vc[MaxPorts];            ///< per input port: VC that sends
  std::uint8_t out_port[MaxPorts];      ///< per input port: output port
  std::uint8_t out_vc[MaxPorts];        ///< per input port: output VC
  std::uint8_t vc_of_output[MaxPorts];  ///< per output port: output VC

  switch_grants() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      vc[port] = 0;
      out_port[port] = 0;
      out_vc[port] = 0;
      vc_of_output[port] = 0;
    }
  }

  friend bool operator==(const switch_grants& a, const switch_grants& b) {
    return a.inputs == b.inputs && a.outputs == b.outputs && a.tails == b.tails && same(a.vc, b.vc) &&
           same(a.out_port, b.out_port) && same(a.out_vc, b.out_vc) && same(a.vc_of_output, b.vc_of_output);
  }
  friend std::ostream& operator<<(std::ostream& out, const switch_grants& g) {
    for_each_member(g.inputs, [&](unsigned p) {
      out << "[port " << p << " VC " << unsigned(g.vc[p]) << " to port " << unsigned(g.out_port[p]) << " VC "
          << unsigned(g.out_vc[p]) << "]";
    });
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const switch_grants& g, const std::string& name) {
    trace_within(file, g, name, {});
  }
  friend void trace_within(sc_core::sc_trace_file* file, const switch_grants& g, const std::string& name,
                           const trace_extent& extent) {
    sc_core::sc_trace(file, g.inputs, name + ".inputs");
    sc_core::sc_trace(file, g.outputs, name + ".outputs");
    sc_core::sc_trace(file, g.tails, name + ".tails");
    for (unsigned p = 0; p < extent.ports; ++p) {
      const std::string input = indexed(name + ".by_input", p, extent.ports);
      sc_core::sc_trace(file, g.vc[p], input + ".vc");
      sc_core::sc_trace(file, g.out_port[p], input + ".out_port");
      sc_core::sc_trace(file, g.out_vc[p], input + ".out_vc");
      sc_core::sc_trace(file, g.vc_of_output[p], indexed(name + ".vc_of_output", p, extent.ports));
    }
  }

  static constexpr strobes AnyInput = 1;  ///< an input port sends
  static constexpr strobes AnyTail = 2;   ///< an input port sends a tail
  friend strobes asserted(const switch_grants& g) { return (g.inputs != 0) * AnyInput + (g.tails != 0) * AnyTail; }
};

}  // namespace weft::pin
