// SPDX-License-Identifier: Apache-2.0
/// Second implementation of both allocators, written directly from the table of the order of events (docs: router). It
/// is slow and simple: every arbiter walks around its circle.
#pragma once

#include <optional>
#include <vector>

#include "weft/core/types.h"

namespace weft::reference {

/// A waiting input VC: it requests one of some VCs (admissible and free) of one output port.
struct vc_request {
  bool waiting = false;
  unsigned out_port = 0;
  vc_set vcs = 0;
};

/// VCs are numbered port * VCs + VC. All pointers start at 0.
class vc_allocator {
 public:
  vc_allocator(unsigned ports, unsigned vcs)
      : m_vcs(vcs), m_vc_count(ports * vcs), m_input_pointer(m_vc_count, 0), m_output_pointer(m_vc_count, 0) {}

  void set_pointers(unsigned vc_index, unsigned of_input, unsigned of_output) {
    m_input_pointer[vc_index] = of_input;
    m_output_pointer[vc_index] = of_output;
  }
  unsigned input_pointer(unsigned vc_index) const { return m_input_pointer[vc_index]; }
  unsigned output_pointer(unsigned vc_index) const { return m_output_pointer[vc_index]; }

  /// "Each input VC requests one free admissible VC of its output port, in round-robin order over all output VCs from
  /// its pointer."
  std::vector<std::optional<unsigned>> picks(const std::vector<vc_request>& requests) const {
    std::vector<std::optional<unsigned>> picked(m_vc_count);
    for (unsigned in = 0; in < m_vc_count; ++in) {
      if (!requests[in].waiting) continue;
      for (unsigned step = 0; step < m_vc_count && !picked[in]; ++step) {
        const unsigned out = (m_input_pointer[in] + step) % m_vc_count;
        if (out / m_vcs == requests[in].out_port && (requests[in].vcs >> (out % m_vcs) & 1) != 0) picked[in] = out;
      }
    }
    return picked;
  }

  /// "Each output VC grants one of its requesters, in round-robin order over all input VCs."
  /// \return for each output VC, the input VC that gets it
  std::vector<std::optional<unsigned>> grants(const std::vector<vc_request>& requests) const {
    const auto picked = picks(requests);
    std::vector<std::optional<unsigned>> winner(m_vc_count);
    for (unsigned out = 0; out < m_vc_count; ++out) {
      for (unsigned step = 0; step < m_vc_count && !winner[out]; ++step) {
        const unsigned in = (m_output_pointer[out] + step) % m_vc_count;
        if (picked[in] && *picked[in] == out) winner[out] = in;
      }
    }
    return winner;
  }

  /// "Pointers move past the winner, on a grant only."
  void move_pointers(const std::vector<std::optional<unsigned>>& winner) {
    for (unsigned out = 0; out < m_vc_count; ++out) {
      if (!winner[out]) continue;
      m_input_pointer[*winner[out]] = (out + 1) % m_vc_count;
      m_output_pointer[out] = (*winner[out] + 1) % m_vc_count;
    }
  }

 private:
  unsigned m_vcs;
  unsigned m_vc_count;
  std::vector<unsigned> m_input_pointer;   // for each input VC, an output VC
  std::vector<unsigned> m_output_pointer;  // for each output VC, an input VC
};

/// What an input port sends: the flit of VC `vc`, to output port `output`.
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

  /// "Each input port selects one of the output ports that its VCs request, then one of the VCs that request this
  /// port." \param requested for each input port and VC, the output port that it requests, if any
  std::vector<std::optional<switch_pick>> picks(
      const std::vector<std::vector<std::optional<unsigned>>>& requested) const {
    std::vector<std::optional<switch_pick>> picked(m_ports);
    for (unsigned in = 0; in < m_ports; ++in) {
      for (unsigned step = 0; step < m_ports && !picked[in]; ++step) {
        const unsigned output = (m_output_pointer[in] + step) % m_ports;
        for (unsigned distance = 0; distance < m_vcs && !picked[in]; ++distance) {
          const unsigned vc = (m_vc_pointer[in] + distance) % m_vcs;
          if (requested[in][vc] && *requested[in][vc] == output) picked[in] = switch_pick{vc, output};
        }
      }
    }
    return picked;
  }

  /// "Each output port grants one input port." \return for each input port, what it sends
  std::vector<std::optional<switch_pick>> grants(
      const std::vector<std::vector<std::optional<unsigned>>>& requested) const {
    const auto picked = picks(requested);
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

  /// "Pointers move on a grant only."
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
  std::vector<unsigned> m_output_pointer;  // for each input port, an output port
  std::vector<unsigned> m_vc_pointer;      // for each input port, one of its VCs
  std::vector<unsigned> m_input_pointer;   // for each output port, an input port
};

}  // namespace weft::reference
