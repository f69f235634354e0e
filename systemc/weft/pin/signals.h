// SPDX-License-Identifier: Apache-2.0
/// What the wires between the pin-level modules carry. Every type has `==`, `<<` and sc_trace beside its fields, as
/// sc_signal wants, and asserted(): the strobes among its fields, as bits, which say when a reader has work to do.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

#include <systemc>

#include "weft/core/allocation.h"
#include "weft/core/types.h"
#include "weft/pin/flit_trace.h"

namespace weft::pin {

class gated_clock;

/// The ports and VCs that a router has: what is traced of wires with fields for as many as there may be.
struct trace_extent {
  unsigned ports = MaxPorts;
  unsigned vcs = MaxVcs;
};

/// Traces \p value, whose fields are the same in every router. Types with a field for each port or VC have their own.
template <typename T>
void trace_within(sc_core::sc_trace_file* file, const T& value, const std::string& name, const trace_extent&) {
  sc_trace(file, value, name);
}

/// The name of number \p i of \p count: all have the same length, so that a viewer sorts them: "port03".
inline std::string indexed(const std::string& name, unsigned i, unsigned count) {
  const std::string digits = std::to_string(i), longest = std::to_string(count - 1);
  return name + std::string(longest.size() - digits.size(), '0') + digits;
}

#ifdef WEFT_SYNTHESIS
template <typename T>
using in_port = sc_core::sc_in<T>;
#else
/// sc_in that reads without virtual calls, a tenth of the instructions of a run: a signal gives a reference to its
/// value, which stays where it is, so it is asked once.
template <typename T>
class in_port : public sc_core::sc_in<T> {
 public:
  using sc_core::sc_in<T>::sc_in;
  const T& read() const { return *m_value; }

 protected:
  void end_of_elaboration() override {
    sc_core::sc_in<T>::end_of_elaboration();
    m_value = &(*this)->read();
  }

 private:
  const T* m_value = nullptr;
};
#endif

/// A register that a combinational process reads. Unchecked, as a gated clock runs the clocked process that writes it.
template <typename T>
using register_signal = sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS>;

/// Strobes of a wire: bit 0 for a wire with one, more for a bundle.
using strobes = std::uint64_t;

inline strobes asserted(bool value) { return value; }
inline strobes asserted(std::uint8_t) { return 0; }
inline strobes asserted(std::uint32_t) { return 0; }
template <unsigned PayloadBits>
strobes asserted(const flit<PayloadBits>& f) {
  return f.valid;
}

/// A VC of a port, announced for one cycle: a credit that comes back.
struct credit {
  bool valid = false;
  std::uint8_t vc = 0;

  friend bool operator==(const credit& a, const credit& b) { return a.valid == b.valid && a.vc == b.vc; }
  friend std::ostream& operator<<(std::ostream& out, const credit& c) {
    return c.valid ? out << "credit for VC " << unsigned(c.vc) : out << "-";
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const credit& c, const std::string& name) {
    sc_core::sc_trace(file, c.valid, name + ".valid");
    sc_core::sc_trace(file, c.vc, name + ".vc");
  }
  friend strobes asserted(const credit& c) { return c.valid; }
};

/// Heads that have come to the front of an idle input VC of one port and want a route. Two at most can do so in one
/// cycle: one that arrives at an empty VC, and one that waited behind a tail that has just left.
struct head_announcement {
  static constexpr unsigned Slots = 2;
  struct slot {
    bool valid = false;
    std::uint8_t vc = 0;
    node_id destination = 0;
    std::uint32_t flits = 0;
    std::uint64_t way = 0;
    friend bool operator==(const slot& a, const slot& b) {
      return a.valid == b.valid && a.vc == b.vc && a.destination == b.destination && a.flits == b.flits &&
             a.way == b.way;
    }
  };
  std::array<slot, Slots> slots;

  friend bool operator==(const head_announcement& a, const head_announcement& b) { return a.slots == b.slots; }
  friend std::ostream& operator<<(std::ostream& out, const head_announcement& h) {
    for (const slot& s : h.slots)
      if (s.valid) out << "[VC " << unsigned(s.vc) << " to node " << s.destination << "]";
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const head_announcement& h, const std::string& name) {
    for (unsigned i = 0; i < Slots; ++i) {
      const std::string slot_name = name + ".slot" + std::to_string(i);
      sc_core::sc_trace(file, h.slots[i].valid, slot_name + ".valid");
      sc_core::sc_trace(file, h.slots[i].vc, slot_name + ".vc");
      sc_core::sc_trace(file, h.slots[i].destination, slot_name + ".destination");
      sc_core::sc_trace(file, h.slots[i].flits, slot_name + ".flits");
      sc_core::sc_trace(file, h.slots[i].way, slot_name + ".way");
    }
  }
  friend strobes asserted(const head_announcement& h) { return h.slots[0].valid || h.slots[1].valid; }
};

/// The answer of route computation, one cycle later: what each of those heads may ask the VC allocator for.
struct route_announcement {
  struct slot {
    bool valid = false;
    std::uint8_t vc = 0;
    route wanted;
    std::uint32_t flits = 0;
    friend bool operator==(const slot& a, const slot& b) {
      return a.valid == b.valid && a.vc == b.vc && a.wanted == b.wanted && a.flits == b.flits;
    }
  };
  std::array<slot, head_announcement::Slots> slots;

  friend bool operator==(const route_announcement& a, const route_announcement& b) { return a.slots == b.slots; }
  friend std::ostream& operator<<(std::ostream& out, const route_announcement& r) {
    for (const slot& s : r.slots)
      if (s.valid) out << "[VC " << unsigned(s.vc) << " to " << s.wanted << "]";
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const route_announcement& r, const std::string& name) {
    for (unsigned i = 0; i < r.slots.size(); ++i) {
      const std::string slot_name = name + ".slot" + std::to_string(i);
      sc_core::sc_trace(file, r.slots[i].valid, slot_name + ".valid");
      sc_core::sc_trace(file, r.slots[i].vc, slot_name + ".vc");
      sc_core::sc_trace(file, r.slots[i].wanted.port, slot_name + ".port");
      sc_core::sc_trace(file, r.slots[i].wanted.vcs, slot_name + ".vcs");
      sc_core::sc_trace(file, r.slots[i].wanted.choices, slot_name + ".choices");
      sc_core::sc_trace(file, r.slots[i].wanted.choice_vcs, slot_name + ".choice_vcs");
      sc_core::sc_trace(file, r.slots[i].flits, slot_name + ".flits");
    }
  }
  friend strobes asserted(const route_announcement& r) { return r.slots[0].valid || r.slots[1].valid; }
};

/// Which input VCs of one port hold an output VC, and which.
struct vc_assignment {
  vc_set active = 0;
  output_ports port;                    ///< of each active VC
  std::array<std::uint8_t, MaxVcs> vc;  ///< output VC of each active VC

  vc_assignment() {
    for (unsigned v = 0; v < MaxVcs; ++v) {
      port[v] = 0;
      vc[v] = 0;
    }
  }

  friend bool operator==(const vc_assignment& a, const vc_assignment& b) {
    return a.active == b.active && a.port == b.port && a.vc == b.vc;
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

/// A set of VCs for each port of a router, as narrow as MaxVcs allows.
using vc_sets = std::array<std::uint16_t, MaxPorts>;
static_assert(MaxVcs <= 16, "vc_sets hold a set of VCs in 16 bits");

inline void print(std::ostream& out, const char* name, const vc_sets& sets) {
  out << name;
  for (unsigned set : sets) out << " " << set;
}

inline void trace(sc_core::sc_trace_file* file, const vc_sets& sets, const std::string& name, unsigned ports) {
  for (unsigned port = 0; port < ports; ++port) sc_core::sc_trace(file, sets[port], indexed(name, port, ports));
}

/// What the buffers of the input ports hold.
struct buffer_status {
  vc_sets occupied;  ///< VCs with a flit
  vc_sets tail;      ///< VCs whose first flit is a tail

  buffer_status() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      occupied[port] = 0;
      tail[port] = 0;
    }
  }

  friend bool operator==(const buffer_status& a, const buffer_status& b) {
    return a.occupied == b.occupied && a.tail == b.tail;
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
  vc_sets available;

  credit_status() {
    for (unsigned port = 0; port < MaxPorts; ++port) available[port] = 0;
  }

  friend bool operator==(const credit_status& a, const credit_status& b) { return a.available == b.available; }
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

/// Credits of every output VC. Driven only where the VC allocator asks for them: under virtual cut-through, and with
/// adaptive routing.
struct credit_counts {
  std::array<std::array<std::uint16_t, MaxVcs>, MaxPorts> count;  ///< by output port and VC

  credit_counts() {
    for (unsigned port = 0; port < MaxPorts; ++port)
      for (unsigned vc = 0; vc < MaxVcs; ++vc) count[port][vc] = 0;
  }

  friend bool operator==(const credit_counts& a, const credit_counts& b) { return a.count == b.count; }
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
  struct crossing {
    std::uint8_t vc = 0;  ///< input VC that sends
    std::uint8_t out_port = 0;
    std::uint8_t out_vc = 0;
    friend bool operator==(const crossing& a, const crossing& b) {
      return a.vc == b.vc && a.out_port == b.out_port && a.out_vc == b.out_vc;
    }
  };
  port_set inputs = 0;   ///< input ports that send a flit
  port_set outputs = 0;  ///< output ports that get one
  port_set tails = 0;    ///< of the inputs, those whose flit is a tail
  std::array<crossing, MaxPorts> by_input;
  std::array<std::uint8_t, MaxPorts> vc_of_output;  ///< output VC used, of each of the outputs

  switch_grants() {
    for (unsigned port = 0; port < MaxPorts; ++port) vc_of_output[port] = 0;
  }

  friend bool operator==(const switch_grants& a, const switch_grants& b) {
    return a.inputs == b.inputs && a.outputs == b.outputs && a.tails == b.tails && a.by_input == b.by_input &&
           a.vc_of_output == b.vc_of_output;
  }
  friend std::ostream& operator<<(std::ostream& out, const switch_grants& g) {
    for_each_member(g.inputs, [&](unsigned p) {
      out << "[port " << p << " VC " << unsigned(g.by_input[p].vc) << " to port " << unsigned(g.by_input[p].out_port)
          << " VC " << unsigned(g.by_input[p].out_vc) << "]";
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
      sc_core::sc_trace(file, g.by_input[p].vc, input + ".vc");
      sc_core::sc_trace(file, g.by_input[p].out_port, input + ".out_port");
      sc_core::sc_trace(file, g.by_input[p].out_vc, input + ".out_vc");
      sc_core::sc_trace(file, g.vc_of_output[p], indexed(name + ".vc_of_output", p, extent.ports));
    }
  }

  static constexpr strobes AnyInput = 1;  ///< an input port sends
  static constexpr strobes AnyTail = 2;   ///< an input port sends a tail
  friend strobes asserted(const switch_grants& g) { return (g.inputs != 0) * AnyInput + (g.tails != 0) * AnyTail; }
};

/// The flits that enter the crossbar in one cycle, each at the output port it goes to. Only valid flits
/// mean anything, and only they are copied.
template <unsigned PayloadBits>
struct switched_flits {
  port_set outputs = 0;  ///< output ports with a flit
  std::array<flit<PayloadBits>, MaxPorts> by_output;

  switched_flits() = default;
  switched_flits(const switched_flits& other) { *this = other; }
  switched_flits& operator=(const switched_flits& other) {
    outputs = other.outputs;
    WEFT_FOR_MEMBERS(port, outputs) by_output[port] = other.by_output[port];
    return *this;
  }

  /// Is there a flit for VC \p vc of output \p port?
  bool carries(unsigned port, unsigned vc) const { return (outputs >> port & 1) && by_output[port].vc == vc; }

  friend bool operator==(const switched_flits& a, const switched_flits& b) {
    bool equal = a.outputs == b.outputs;
    for_each_member(equal ? a.outputs : 0, [&](unsigned port) { equal &= a.by_output[port] == b.by_output[port]; });
    return equal;
  }
  friend std::ostream& operator<<(std::ostream& out, const switched_flits& s) {
    for_each_member(s.outputs, [&](unsigned port) { out << "[to port " << port << ": " << s.by_output[port] << "]"; });
    return out;
  }
  friend void sc_trace(sc_core::sc_trace_file* file, const switched_flits& s, const std::string& name) {
    trace_within(file, s, name, {});
  }
  friend void trace_within(sc_core::sc_trace_file* file, const switched_flits& s, const std::string& name,
                           const trace_extent& extent) {
    sc_core::sc_trace(file, s.outputs, name + ".outputs");
    for (unsigned port = 0; port < extent.ports; ++port)
      sc_trace(file, s.by_output[port], indexed(name + ".by_output", port, extent.ports));
  }
  friend strobes asserted(const switched_flits& s) { return s.outputs != 0; }
};

}  // namespace weft::pin
