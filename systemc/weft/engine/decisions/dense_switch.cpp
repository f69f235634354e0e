// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/decisions/dense_switch.h"

#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

namespace {

using word = std::uint32_t;

/// Returns, for each field with a member, the lowest bit of the field.
template <typename Words>
WEFT_INLINE Words occupied_fields(Words set) {
  set |= set >> 1;
  set |= set >> 2;
  return set & 0x11111111;
}

/// Returns, for each field with a member, all bits of the field.
template <typename Words>
WEFT_INLINE Words whole_fields(const Words& set) {
  const Words lowest = occupied_fields(set);
  return (lowest << 4) - lowest;
}

/// Returns, for each field, the bits above its lowest member.
template <typename Words>
WEFT_INLINE Words above(Words set) {
  return (set << 1 & 0xeeeeeeee) | (set << 2 & 0xcccccccc) | (set << 3 & 0x88888888);
}

/// Returns a value that is nonzero in each field with several members.
template <typename Words>
WEFT_INLINE Words several(const Words& set) {
  return set & ((set >> 1 & 0x77777777) | (set >> 2 & 0x33333333) | (set >> 3 & 0x11111111));
}

/// Returns the lowest member of each field.
template <typename Words>
WEFT_INLINE Words lowest_of_fields(Words set) {
  return set & ~above(set);
}

constexpr word field_of(unsigned port) { return word{(1U << dense_switch::Vcs) - 1} << port * dense_switch::Vcs; }

/// Returns all bits of the fields of port \p first and of the ports above it.
constexpr word fields_from(unsigned first) {
  return first >= dense_switch::MaxPorts ? 0 : ~word{0} << first * dense_switch::Vcs;
}

}  // namespace

void dense_switch::set_pointers(unsigned router, unsigned port, const pointers& p) {
  const word field = field_of(port);
  m_late_vcs[router] = (m_late_vcs[router] & ~field) | (field << p.vc_of_input & field);
  for (unsigned output = 0; output < MaxPorts; ++output) {
    word& late = m_late_outputs[output][router];
    late = (late & ~field) | (output >= p.output_of_input ? field : 0);
  }
  m_late_inputs[port][router] = fields_from(p.input_of_output);
}

dense_switch::pointers dense_switch::pointers_of(unsigned router, unsigned port) const {
  const word field = field_of(port);
  pointers p;
  while (p.output_of_input < MaxPorts && (m_late_outputs[p.output_of_input][router] & field) == 0) ++p.output_of_input;
  while (p.vc_of_input < Vcs && (m_late_vcs[router] >> (port * Vcs + p.vc_of_input) & 1) == 0) ++p.vc_of_input;
  while (p.input_of_output < MaxPorts && (m_late_inputs[port][router] & field_of(p.input_of_output)) == 0)
    ++p.input_of_output;
  return p;
}

/// Performs the input side of the allocation for the routers whose sets begin at \p at: for every input port, selects
/// the VC that requests the switch.
/// \param requests by output port, the input VCs that request it
template <typename Words, unsigned Ports>
WEFT_INLINE Words dense_switch::choose_requests(const Words& ready, const Words (&requests)[Ports],
                                                const vector_of& at) {
  if (which_words(several(ready)) == 0) return ready;
  // An input port with several VCs first selects an output port: the first one, from its pointer on, that one of its
  // VCs requests.
  Words selected_fields[Ports], ready_requests[Ports], chosen = {}, bids = {};
#pragma GCC unroll 8
  for (unsigned output = 0; output < Ports; ++output) {
    ready_requests[output] = whole_fields(ready & requests[output]);
    selected_fields[output] = ready_requests[output] & load<Words>(at(m_late_outputs[output])) & ~chosen;
    chosen |= selected_fields[output];
  }
#pragma GCC unroll 8
  for (unsigned output = 0; output < Ports; ++output) {
    selected_fields[output] |= ready_requests[output] & ~chosen;
    chosen |= ready_requests[output];
    bids |= ready & requests[output] & selected_fields[output];
  }
  // Then the input port selects one of the VCs that request this output port.
  Words late = bids & load<Words>(at(m_late_vcs));
  late |= bids & ~whole_fields(late);
  return lowest_of_fields(late);
}

template <typename Words, unsigned Ports>
WEFT_INLINE void dense_switch::allocate_vectors(const sets& occupied, const sets& able, const sets& ending,
                                                unsigned routers, departures<32>& leaving) {
  Words one, two, first_vc[Ports];  // by output port: VC index of its VC 0
  set_all(one, 1);
  set_all(two, 2);
#pragma GCC unroll 8
  for (unsigned output = 0; output < Ports; ++output) set_all(first_vc[output], word{1} << output * Vcs);

  for (std::size_t i = 0; i < routers; i += sizeof(Words) / sizeof(word)) {
    const vector_of at(*this, i * sizeof(word)), departed(leaving, i * sizeof(word));
    const Words ready = load<Words>(&occupied[i]) & load<Words>(&able[i]);
    Words requests[Ports];
#pragma GCC unroll 8
    for (unsigned output = 0; output < Ports; ++output) requests[output] = load<Words>(at(m_requests[output]));

    const Words bids = choose_requests<Words, Ports>(ready, requests, at);

    // Every output port selects an input port. The flit of this input port goes to the output VC that its VC holds.
    const Words tails = load<Words>(&ending[i]), low = load<Words>(at(m_low_vcs)), high = load<Words>(at(m_high_vcs));
    Words winners = {}, sent = {}, ended = {}, served[Ports];
#pragma GCC unroll 8
    for (unsigned output = 0; output < Ports; ++output) {
      const Words pointer = load<Words>(at(m_late_inputs[output]));
      const Words rivals = bids & requests[output];
      Words first = rivals & pointer;
      first |= rivals & (Words)(first == 0);
      first &= -first;
      winners |= first;
      const Words none = (Words)(first == 0), field_bit = occupied_fields(first), next = field_bit << Vcs;
      served[output] = next - field_bit;
      store(at(m_late_inputs[output]), (pointer & none) | -next);
      Words vc = first_vc[output];
      keep_where(vc, first, first);
      shift_where(vc, first, low, one);
      shift_where(vc, first, high, two);
      sent |= vc;
      keep_where(vc, first, tails);
      ended |= vc;
    }
    store(departed(leaving.winners), winners);
    store(departed(leaving.sent), sent);
    store(departed(leaving.ended_outputs), ended);
    const Words staying = ~(winners & tails);
#pragma GCC unroll 8
    for (unsigned output = 0; output < Ports; ++output) store(at(m_requests[output]), requests[output] & staying);
    store(at(m_low_vcs), low & staying);
    store(at(m_high_vcs), high & staying);

    // Move the pointers of the winning input ports
    const Words winning = whole_fields(winners);
    store(at(m_late_vcs), (load<Words>(at(m_late_vcs)) & ~winning) | above(winners));
    Words behind = {};
#pragma GCC unroll 8
    for (unsigned output = 0; output < Ports; ++output) {
      store(at(m_late_outputs[output]), (load<Words>(at(m_late_outputs[output])) & ~winning) | behind);
      behind |= served[output];
    }
  }
}

void dense_switch::allocate(const sets& occupied, const sets& able, const sets& ending, unsigned routers,
                            unsigned ports, departures<32>& leaving) {
  run_in_vectors(
      m_vectors, [&](auto words) __attribute__((always_inline)) {
        using Words = typename decltype(words)::type;
        ports <= 5 ? allocate_vectors<Words, 5>(occupied, able, ending, routers, leaving)
                   : allocate_vectors<Words, MaxPorts>(occupied, able, ending, routers, leaving);
      });
}

}  // namespace weft::engine
