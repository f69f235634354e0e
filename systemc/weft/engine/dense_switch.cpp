#include "weft/engine/dense_switch.h"

#include "weft/engine/word_vectors.h"

namespace weft::engine {

namespace {

using word = std::uint32_t;

/// All of those fields in which there is a member.
template <typename Words>
WEFT_INLINE Words whole_fields(Words set) {
  set |= set >> 1;
  set |= set >> 2;
  set &= 0x11111111;
  return (set << 4) - set;
}

/// In every field, what is above a member.
template <typename Words>
WEFT_INLINE Words above(Words set) {
  return (set << 1 & 0xeeeeeeee) | (set << 2 & 0xcccccccc) | (set << 3 & 0x88888888);
}

/// What is not zero where a field has several members.
template <typename Words>
WEFT_INLINE Words several(const Words& set) {
  return set & ((set >> 1 & 0x77777777) | (set >> 2 & 0x33333333) | (set >> 3 & 0x11111111));
}

/// In every field, the lowest member.
template <typename Words>
WEFT_INLINE Words lowest_of_fields(Words set) {
  return set & ~above(set);
}

constexpr word field_of(unsigned port) { return word{(1U << dense_switch::Vcs) - 1} << port * dense_switch::Vcs; }

/// The fields of port \p first and those above it.
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

template <typename Words, unsigned Ports>
WEFT_INLINE void dense_switch::allocate_vectors(const sets& occupied, const sets& able, const sets& ending,
                                                unsigned routers, departures<32>& leaving) {
  for (unsigned i = 0; i < routers; i += sizeof(Words) / sizeof(word)) {
    const Words ready = load<Words>(&occupied[i]) & load<Words>(&able[i]);
    Words wants[Ports];
#pragma GCC unroll 8
    for (unsigned output = 0; output < Ports; ++output) wants[output] = load<Words>(&m_wants[output][i]);

    // Where several VCs of an input port are ready, it has to choose.
    Words bids = ready;
    if (which_words(several(ready)) != 0) {
      // It picks an output port: the first one from its pointer on that a VC of it asks for.
      Words whose_turn[Ports], asked[Ports], chosen = {};
      bids = Words{};
#pragma GCC unroll 8
      for (unsigned output = 0; output < Ports; ++output) {
        asked[output] = whole_fields(ready & wants[output]);
        whose_turn[output] = asked[output] & load<Words>(&m_late_outputs[output][i]) & ~chosen;
        chosen |= whose_turn[output];
      }
#pragma GCC unroll 8
      for (unsigned output = 0; output < Ports; ++output) {
        whose_turn[output] |= asked[output] & ~chosen;
        chosen |= asked[output];
        bids |= ready & wants[output] & whose_turn[output];
      }
      // Then one of the VCs that ask for it.
      Words late = bids & load<Words>(&m_late_vcs[i]);
      late |= bids & ~whole_fields(late);
      bids = lowest_of_fields(late);
    }

    // Every output port picks an input port. What that sends goes to the VC that it holds.
    const Words tails = load<Words>(&ending[i]), low = load<Words>(&m_low_vcs[i]), high = load<Words>(&m_high_vcs[i]);
    Words winners = {}, sent = {}, ended = {}, served[Ports];
#pragma GCC unroll 8
    for (unsigned output = 0; output < Ports; ++output) {
      const Words pointer = load<Words>(&m_late_inputs[output][i]);
      const Words rivals = bids & wants[output];
      Words first = rivals & pointer;
      first |= rivals & (Words)(first == 0);
      first &= -first;
      winners |= first;
      served[output] = whole_fields(first);
      const Words none = (Words)(first == 0), behind = ~(served[output] | (served[output] - 1));
      store(&m_late_inputs[output][i], (pointer & none) | (behind & ~none));
      Words vc = ~none & (word{1} << output * Vcs);
      shift_where<1>(vc, first, low);
      shift_where<2>(vc, first, high);
      sent |= vc;
      keep_where(vc, first, tails);
      ended |= vc;
    }
    store(&leaving.winners[i], winners);
    store(&leaving.sent[i], sent);
    store(&leaving.ended_outputs[i], ended);
    const Words staying = ~(winners & tails);
#pragma GCC unroll 8
    for (unsigned output = 0; output < Ports; ++output) store(&m_wants[output][i], wants[output] & staying);
    store(&m_low_vcs[i], low & staying);
    store(&m_high_vcs[i], high & staying);

    // The pointers of the inputs that win.
    const Words winning = whole_fields(winners);
    store(&m_late_vcs[i], (load<Words>(&m_late_vcs[i]) & ~winning) | above(winners));
    Words behind = {};
#pragma GCC unroll 8
    for (unsigned output = 0; output < Ports; ++output) {
      store(&m_late_outputs[output][i], (load<Words>(&m_late_outputs[output][i]) & ~winning) | behind);
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
