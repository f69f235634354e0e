// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/router/wait_sets.h"

namespace weft::engine {

namespace {

/// Returns the vector of the sets \p sets at position \p offset.
template <typename Words, typename Sets>
WEFT_INLINE Words load_at(const Sets& sets, std::size_t offset) {
  return load<Words>(reinterpret_cast<const char*>(sets.data()) + offset);
}

}  // namespace

template <unsigned RouterVcs>
template <typename Words>
WEFT_INLINE void wait_sets<RouterVcs>::note_grants_in(const vc_flow_state<RouterVcs>& flow, const sets& winners,
                                                      std::uint64_t routers, reported_vcs<RouterVcs>& reported) {
  const Words always = m_every_head ? ~Words{} : Words{}, two = m_catches_up_two ? ~Words{} : Words{};
  Words all_heads = {}, all_forwarded = {}, all_tails = {}, all_over = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of at(*this, i), out(reported, i);
    const Words won = load_at<Words>(winners, i), ending = load_at<Words>(flow.ending, i), ended = won & ending;
    const Words losing = load_at<Words>(flow.occupied, i) & load_at<Words>(flow.able, i) & ~won;
    const Words sent = load<Words>(at(m_sent)), losers = load<Words>(at(m_losers));
    const Words low = load<Words>(at(m_gap_low)), high = load<Words>(at(m_gap_high));
    const Words cleared = load<Words>(at(m_cleared));
    const Words spilled = load<Words>(at(m_spilled)) & ~cleared, last = load<Words>(at(m_last_router));

    const Words heads = won & ~sent & (~ending | losers | load<Words>(at(m_uncredited)) | always);
    const Words has_more = high & (low | ~two);  // more gaps than it catches up
    const Words body_flits = won & sent, spilled_to = ending & spilled;
    const Words forwarded = body_flits & ~last & ((~load<Words>(at(m_streak)) & has_more) | spilled_to);
    const Words tails = body_flits & last & ((ending & (low | high)) | spilled_to);
    store(out(reported.heads), heads);
    store(out(reported.forwarded), forwarded);
    store(out(reported.tails), tails);
    all_heads |= heads;
    all_forwarded |= forwarded;
    all_tails |= tails;

    store(at(m_cleared), Words{});
    store(at(m_streak), won);
    store(at(m_sent), (sent | won) & ~ended);
    store(at(m_losers), (losers & ~won) | losing);
    store(at(m_last_router), last & ~ended);
    const Words gap = sent & ~won & ~(low & high);
    store(at(m_gap_low), (low ^ gap) & ~ended);
    store(at(m_gap_high), (high ^ (low & gap)) & ~ended);

    const Words over = heads | forwarded | tails | ended;
    Words carry = losing;
    for (std::size_t k = 0; k < Planes; ++k) {
      const Words number = load<Words>(at(m_lost_cycles[k])) & ~cleared;
      store(out(reported.lost_cycles[k]), number);
      store(at(m_lost_cycles[k]), (number ^ carry) & ~over);
      carry &= number;
    }
    store(out(reported.overflow), carry);
    store(out(reported.spilled), spilled);
    store(at(m_spilled), (spilled & ~over) | carry);
    all_over |= carry;
  };
  for_each_vector<set, Words>(routers, pass);
  reported.any_heads = which_words(all_heads) != 0;
  reported.any_forwarded = which_words(all_forwarded) != 0;
  reported.any_tails = which_words(all_tails) != 0;
  reported.any_overflow = which_words(all_over) != 0;
}

template <unsigned RouterVcs>
template <typename Words>
WEFT_INLINE bool wait_sets<RouterVcs>::note_vcs_in(const vc_flow_state<RouterVcs>& flow, std::uint64_t requesting,
                                                   sets& none) {
  Words all_none = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of at(*this, i);
    const Words uncredited = load<Words>(at(m_uncredited));
    // A VC that sends its tail in this cycle still holds its output VC, so it is in the streak.
    const Words now = load_at<Words>(flow.holding, i) & ~(load_at<Words>(flow.able, i) | load<Words>(at(m_sent)) |
                                                          load<Words>(at(m_streak)) | uncredited);
    store(reinterpret_cast<char*>(none.data()) + i, now);
    store(at(m_uncredited), uncredited | now);
    all_none |= now;
  };
  for_each_vector<set, Words>(requesting, pass);
  return which_words(all_none) != 0;
}

template <unsigned RouterVcs>
template <typename Pass>
WEFT_INLINE auto wait_sets<RouterVcs>::run(const vc_flow_state<RouterVcs>& flow, std::uint64_t routers,
                                           const Pass& pass) const {
  return !flow.expects_much && has_few_members(routers) ? pass(of<std::uint32_t>()) : run_in_vectors(m_vectors, pass);
}

/// Accounts for cycles without events. After them, body flits have gaps of any length.
template <unsigned RouterVcs>
void wait_sets<RouterVcs>::note_pause() {
  for_each_of(m_concerned, [this](unsigned i) {
    m_streak[i] = {};
    m_gap_low[i] = m_gap_high[i] = m_sent[i];
  });
}

template <unsigned RouterVcs>
std::uint64_t wait_sets<RouterVcs>::note_grants(const vc_flow_state<RouterVcs>& flow, const sets& winners, cycle_t now,
                                                reported_vcs<RouterVcs>& reported) {
  if (m_next != now) note_pause();
  m_next = now + 1;
  m_concerned |= flow.may_send;
  if (m_concerned == 0) return 0;
  const std::uint64_t routers = flow.expects_much ? ~std::uint64_t{0} : m_concerned;
  run(
      flow, routers, [ =, &flow, &winners, &reported ](auto words) __attribute__((always_inline)) {
        this->template note_grants_in<typename decltype(words)::type>(flow, winners, routers, reported);
      });
  if (flow.expects_much) {
    m_concerned = routers;
  } else {
    for_each_of(m_concerned, [this](unsigned i) {
      if (!(m_sent[i] | m_streak[i]).any()) m_concerned &= ~(std::uint64_t{1} << i);
    });
  }
  return routers;
}

template <unsigned RouterVcs>
bool wait_sets<RouterVcs>::note_vcs(const vc_flow_state<RouterVcs>& flow, std::uint64_t requesting, sets& none) {
  return run(
      flow, requesting, [ =, &flow, &none ](auto words) __attribute__((always_inline)) {
        return this->template note_vcs_in<typename decltype(words)::type>(flow, requesting, none);
      });
}

template class wait_sets<32>;
template class wait_sets<64>;
template class wait_sets<256>;

}  // namespace weft::engine
