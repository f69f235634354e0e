// SPDX-License-Identifier: Apache-2.0
/// The two allocators once more, written straight from the words of the order of events (docs: router), slow
/// and obvious: every arbiter is a walk around its circle.
#pragma once

#include <optional>
#include <vector>

#include "weft/core/types.h"

namespace weft::reference {

/// An input VC that waits: it wants one of some VCs (admissible and free) of one output port.
struct vc_request {
  bool waiting = false;
  unsigned out_port = 0;
  vc_set vcs = 0;
};

/// A lane is port * VCs + VC. All pointers start at 0.
class vc_allocator {
 public:
  vc_allocator(unsigned ports, unsigned vcs)
      : m_vcs(vcs), m_lanes(ports * vcs), m_input_pointer(m_lanes, 0), m_output_pointer(m_lanes, 0) {}

  void set_pointers(unsigned lane, unsigned of_input, unsigned of_output) {
    m_input_pointer[lane] = of_input;
    m_output_pointer[lane] = of_output;
  }
  unsigned input_pointer(unsigned lane) const { return m_input_pointer[lane]; }
  unsigned output_pointer(unsigned lane) const { return m_output_pointer[lane]; }

  /// "Each waiting input VC picks one free VC of its output port, round robin over all output lanes from its
  /// pointer."
  std::vector<std::optional<unsigned>> picks(const std::vector<vc_request>& requests) const {
    std::vector<std::optional<unsigned>> picked(m_lanes);
    for (unsigned in = 0; in < m_lanes; ++in) {
      if (!requests[in].waiting) continue;
      for (unsigned step = 0; step < m_lanes && !picked[in]; ++step) {
        const unsigned out = (m_input_pointer[in] + step) % m_lanes;
        if (out / m_vcs == requests[in].out_port && (requests[in].vcs >> (out % m_vcs) & 1) != 0) picked[in] = out;
      }
    }
    return picked;
  }

  /// "Each output VC picks among its requesters, round robin over input lanes from its pointer."
  /// \return of each output lane, the input lane that gets it
  std::vector<std::optional<unsigned>> grants(const std::vector<vc_request>& requests) const {
    const auto picked = picks(requests);
    std::vector<std::optional<unsigned>> winner(m_lanes);
    for (unsigned out = 0; out < m_lanes; ++out) {
      for (unsigned step = 0; step < m_lanes && !winner[out]; ++step) {
        const unsigned in = (m_output_pointer[out] + step) % m_lanes;
        if (picked[in] && *picked[in] == out) winner[out] = in;
      }
    }
    return winner;
  }

  /// "Pointers move past the winner, on grant only."
  void move_pointers(const std::vector<std::optional<unsigned>>& winner) {
    for (unsigned out = 0; out < m_lanes; ++out) {
      if (!winner[out]) continue;
      m_input_pointer[*winner[out]] = (out + 1) % m_lanes;
      m_output_pointer[out] = (*winner[out] + 1) % m_lanes;
    }
  }

 private:
  unsigned m_vcs;
  unsigned m_lanes;
  std::vector<unsigned> m_input_pointer;   // of each input lane, an output lane
  std::vector<unsigned> m_output_pointer;  // of each output lane, an input lane
};

/// What an input port sends: a VC, to an output port.
struct switch_pick {
  unsigned vc = 0;
  unsigned output = 0;
};

class switch_allocator {
 public:
  switch_allocator(unsigned ports, unsigned vcs)
      : m_ports(ports), m_vcs(vcs), m_output_pointer(ports, 0), m_vc_pointer(ports, 0), m_input_pointer(ports, 0) {}

  void set_pointers(unsigned port, unsigned output, unsigned vc, unsigned input) {
    m_output_pointer[port] = output;
    m_vc_pointer[port] = vc;
    m_input_pointer[port] = input;
  }
  unsigned output_pointer(unsigned input) const { return m_output_pointer[input]; }
  unsigned vc_pointer(unsigned input) const { return m_vc_pointer[input]; }
  unsigned input_pointer(unsigned output) const { return m_input_pointer[output]; }

  /// "Each input port first picks an output port among those its VCs ask for, then a VC among those asking
  /// for it." \param wanted of each input port and VC, the output port it asks for, if it asks
  std::vector<std::optional<switch_pick>> picks(const std::vector<std::vector<std::optional<unsigned>>>& wanted) const {
    std::vector<std::optional<switch_pick>> picked(m_ports);
    for (unsigned in = 0; in < m_ports; ++in) {
      for (unsigned step = 0; step < m_ports && !picked[in]; ++step) {
        const unsigned output = (m_output_pointer[in] + step) % m_ports;
        for (unsigned turn = 0; turn < m_vcs && !picked[in]; ++turn) {
          const unsigned vc = (m_vc_pointer[in] + turn) % m_vcs;
          if (wanted[in][vc] && *wanted[in][vc] == output) picked[in] = switch_pick{vc, output};
        }
      }
    }
    return picked;
  }

  /// "Each output port picks an input." \return of each input port, what it sends
  std::vector<std::optional<switch_pick>> grants(
      const std::vector<std::vector<std::optional<unsigned>>>& wanted) const {
    const auto picked = picks(wanted);
    std::vector<std::optional<switch_pick>> granted(m_ports);
    for (unsigned output = 0; output < m_ports; ++output) {
      for (unsigned step = 0; step < m_ports; ++step) {
        const unsigned in = (m_input_pointer[output] + step) % m_ports;
        if (!picked[in] || picked[in]->output != output) continue;
        granted[in] = picked[in];
        break;
      }
    }
    return granted;
  }

  /// "Pointers on grant only."
  void move_pointers(const std::vector<std::optional<switch_pick>>& granted) {
    for (unsigned in = 0; in < m_ports; ++in) {
      if (!granted[in]) continue;
      m_output_pointer[in] = (granted[in]->output + 1) % m_ports;
      m_vc_pointer[in] = (granted[in]->vc + 1) % m_vcs;
      m_input_pointer[granted[in]->output] = (in + 1) % m_ports;
    }
  }

 private:
  unsigned m_ports;
  unsigned m_vcs;
  std::vector<unsigned> m_output_pointer;  // of each input port, an output port
  std::vector<unsigned> m_vc_pointer;      // of each input port, one of its VCs
  std::vector<unsigned> m_input_pointer;   // of each output port, an input port
};

}  // namespace weft::reference
