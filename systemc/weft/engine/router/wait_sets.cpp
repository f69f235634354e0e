// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/router/wait_sets.h"

namespace weft::engine {

namespace {

/// The vector of \p sets at \p offset.
template <typename Words, typename Sets>
WEFT_INLINE Words load_at(const Sets& sets, std::size_t offset) {
  return load<Words>(reinterpret_cast<const char*>(sets.data()) + offset);
}

}  // namespace

template <unsigned Lanes>
template <typename Words>
WEFT_INLINE void wait_sets<Lanes>::note_grants_in(const lane_flow<Lanes>& flow, const sets& winners,
                                                  std::uint64_t routers, told_lanes<Lanes>& told) {
  const Words always = m_every_head ? ~Words{} : Words{}, two = m_catches_up_two ? ~Words{} : Words{};
  Words all_heads = {}, all_going_on = {}, all_tails = {}, all_over = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of own(*this, i), out(told, i);
    const Words won = load_at<Words>(winners, i), ending = load_at<Words>(flow.ending, i), ended = won & ending;
    const Words losing = load_at<Words>(flow.occupied, i) & load_at<Words>(flow.able, i) & ~won;
    const Words sent = load<Words>(own(m_sent)), losers = load<Words>(own(m_losers));
    const Words low = load<Words>(own(m_gap_low)), high = load<Words>(own(m_gap_high));
    const Words forgotten = load<Words>(own(m_forgotten));
    const Words spilled = load<Words>(own(m_spilled)) & ~forgotten, last = load<Words>(own(m_last_router));

    const Words heads = won & ~sent & (~ending | losers | load<Words>(own(m_poor)) | always);
    const Words has_more = high & (low | ~two);  // gaps than it catches up
    const Words behind = won & sent, spilled_to = ending & spilled;
    const Words going_on = behind & ~last & ((~load<Words>(own(m_streak)) & has_more) | spilled_to);
    const Words tails = behind & last & ((ending & (low | high)) | spilled_to);
    store(out(told.heads), heads);
    store(out(told.going_on), going_on);
    store(out(told.tails), tails);
    all_heads |= heads;
    all_going_on |= going_on;
    all_tails |= tails;

    store(own(m_forgotten), Words{});
    store(own(m_streak), won);
    store(own(m_sent), (sent | won) & ~ended);
    store(own(m_losers), (losers & ~won) | losing);
    store(own(m_last_router), last & ~ended);
    const Words gap = sent & ~won & ~(low & high);
    store(own(m_gap_low), (low ^ gap) & ~ended);
    store(own(m_gap_high), (high ^ (low & gap)) & ~ended);

    const Words over = heads | going_on | tails | ended;
    Words carry = losing;
    for (std::size_t k = 0; k < Planes; ++k) {
      const Words number = load<Words>(own(m_lost[k])) & ~forgotten;
      store(out(told.lost[k]), number);
      store(own(m_lost[k]), (number ^ carry) & ~over);
      carry &= number;
    }
    store(out(told.overflow), carry);
    store(out(told.spilled), spilled);
    store(own(m_spilled), (spilled & ~over) | carry);
    all_over |= carry;
  };
  for_each_vector<set, Words>(routers, pass);
  told.any_heads = which_words(all_heads) != 0;
  told.any_going_on = which_words(all_going_on) != 0;
  told.any_tails = which_words(all_tails) != 0;
  told.any_overflow = which_words(all_over) != 0;
}

template <unsigned Lanes>
template <typename Words>
WEFT_INLINE bool wait_sets<Lanes>::note_vcs_in(const lane_flow<Lanes>& flow, std::uint64_t asked, sets& none) {
  Words all_none = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of own(*this, i);
    const Words poor = load<Words>(own(m_poor));
    // A lane that sends its tail in this cycle still holds its VC: it is in the streak.
    const Words now = load_at<Words>(flow.holding, i) &
                      ~(load_at<Words>(flow.able, i) | load<Words>(own(m_sent)) | load<Words>(own(m_streak)) | poor);
    store(reinterpret_cast<char*>(none.data()) + i, now);
    store(own(m_poor), poor | now);
    all_none |= now;
  };
  for_each_vector<set, Words>(asked, pass);
  return which_words(all_none) != 0;
}

template <unsigned Lanes>
template <typename Pass>
WEFT_INLINE auto wait_sets<Lanes>::run(const lane_flow<Lanes>& flow, std::uint64_t routers, const Pass& pass) const {
  return !flow.expects_much && has_few_members(routers) ? pass(of<std::uint32_t>()) : run_in_vectors(m_vectors, pass);
}

/// Cycles have gone by in which nothing could happen: what is behind a head has gaps, of any length.
template <unsigned Lanes>
void wait_sets<Lanes>::note_pause() {
  for_each_of(m_concerned, [this](unsigned i) {
    m_streak[i] = {};
    m_gap_low[i] = m_gap_high[i] = m_sent[i];
  });
}

template <unsigned Lanes>
std::uint64_t wait_sets<Lanes>::note_grants(const lane_flow<Lanes>& flow, const sets& winners, cycle_t now,
                                            told_lanes<Lanes>& told) {
  if (m_next != now) note_pause();
  m_next = now + 1;
  m_concerned |= flow.may_send;
  if (m_concerned == 0) return 0;
  const std::uint64_t routers = flow.expects_much ? ~std::uint64_t{0} : m_concerned;
  run(
      flow, routers, [ =, &flow, &winners, &told ](auto words) __attribute__((always_inline)) {
        this->template note_grants_in<typename decltype(words)::type>(flow, winners, routers, told);
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

template <unsigned Lanes>
bool wait_sets<Lanes>::note_vcs(const lane_flow<Lanes>& flow, std::uint64_t asked, sets& none) {
  return run(
      flow, asked, [ =, &flow, &none ](auto words) __attribute__((always_inline)) {
        return this->template note_vcs_in<typename decltype(words)::type>(flow, asked, none);
      });
}

template class wait_sets<32>;
template class wait_sets<64>;
template class wait_sets<256>;

}  // namespace weft::engine
