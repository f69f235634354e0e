// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/router/vc_flow_state.h"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

namespace {

/// Number of bits that represent numbers up to \p most.
unsigned bits_of_numbers(std::uint64_t most) {
  unsigned bits = 1;
  while (most >> bits != 0) ++bits;
  return bits;
}

/// The most common number of planes, which has a specialized pass. It is for FIFOs of 8 to 15 flits. The value 0 stands
/// for any other number of planes.
constexpr unsigned UsualPlanes = 4;

}  // namespace

template <unsigned RouterVcs>
vc_flow_state<RouterVcs>::vc_flow_state(unsigned depth, unsigned other_depth, vectors use)
    : m_depth(depth),
      m_other_depth(other_depth),
      m_vectors(use),
      m_planes(bits_of_numbers(std::max(depth, other_depth))) {}

template <unsigned RouterVcs>
void vc_flow_state<RouterVcs>::set_credits(unsigned router, unsigned vc_index, unsigned credits) {
  const auto put = [=](sets& in, bool member) {
    in[router].erase(vc_index);
    in[router].insert_if(member, vc_index);
  };
  put(counted, credits != 0);
  put(other, credits != 0 && credits != m_depth);
  put(credited, true);
  put(drained, credits != 0);
  m_has_other |= other[router].any();
}

// A pass processes the words of the routers involved, and of their neighbors in the vector. Counters change by at most
// one, so a pass propagates a carry or a borrow through the planes.

namespace {

/// Returns the VCs whose counter has the same bit number \p k as \p depth.
template <typename Words>
WEFT_INLINE Words agrees(const Words& plane, unsigned depth, std::size_t k) {
  return (depth >> k & 1) != 0 ? plane : ~plane;
}

}  // namespace

template <unsigned RouterVcs>
template <typename Words, unsigned Planes>
WEFT_INLINE void vc_flow_state<RouterVcs>::arrive_in(set* flits, std::uint64_t touched) {
  const std::size_t planes = Planes != 0 ? Planes : m_planes;
  Words all_new = {}, all_ready = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of at(*this, i);
    char* const in_at = reinterpret_cast<char*>(flits) + i;
    const Words in = load<Words>(in_at);
    store(in_at, Words{});

    const Words was_occupied = load<Words>(at(occupied));
    const Words heads = in & ~was_occupied & ~load<Words>(at(holding));  // the packet before them has left
    store(at(waiting), load<Words>(at(waiting)) | load<Words>(at(new_heads)));
    const Words are_new = load<Words>(at(next_heads)) | heads;
    store(at(new_heads), are_new);
    store(at(next_heads), Words{});
    store(at(occupied), was_occupied | in);
    all_new |= are_new;
    all_ready |= in & load<Words>(at(able));

    Words carry = in;
#pragma GCC unroll 4
    for (std::size_t k = 0; k < planes; ++k) {
      const Words number = load<Words>(at(m_flits[k]));
      store(at(m_flits[k]), number ^ carry);
      carry &= number;
    }
  };
  for_each_vector<set, Words>(touched | m_with_new_heads, pass);
  m_with_new_heads = which_words(all_new) != 0 ? touched | m_with_new_heads : 0;
  if (which_words(all_ready) != 0) may_send |= touched;
}

template <unsigned RouterVcs>
template <typename Words, unsigned Planes>
WEFT_INLINE bool vc_flow_state<RouterVcs>::return_credits_in(set* credits, std::uint64_t touched) {
  const std::size_t planes = Planes != 0 ? Planes : m_planes;
  Words all_changed = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of at(*this, i);
    char* const returned_at = reinterpret_cast<char*>(credits) + i;
    const Words returned = load<Words>(returned_at);
    store(returned_at, Words{});

    const Words was_credited = load<Words>(at(credited));
    const Words first = returned & ~was_credited & ~load<Words>(at(free));
    store(at(changed), first);
    store(at(credited), was_credited | returned);
    all_changed |= first;

    Words borrow = returned, rest = {};
#pragma GCC unroll 4
    for (std::size_t k = 0; k < planes; ++k) {
      const Words spent = load<Words>(at(m_spent[k])), less = spent ^ borrow;
      store(at(m_spent[k]), less);
      borrow &= ~spent;
      rest |= less;
    }
    store(at(drained), load<Words>(at(drained)) | (returned & ~rest));
  };
  for_each_vector<set, Words>(touched, pass);
  return which_words(all_changed) != 0;
}

template <unsigned RouterVcs>
template <typename Words, unsigned Planes>
WEFT_INLINE bool vc_flow_state<RouterVcs>::depart_in(departures<RouterVcs>& leaving, std::uint64_t senders) {
  const std::size_t planes = Planes != 0 ? Planes : m_planes;
  Words all_changed = {}, all_next = {}, all_ready = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of at(*this, i), departed(leaving, i);
    const Words out = load<Words>(departed(leaving.winners));
    const Words sent = load<Words>(departed(leaving.sent)) & load<Words>(at(counted));
    Words borrow = out, carry = sent, left = {}, last = sent;
#pragma GCC unroll 4
    for (std::size_t k = 0; k < planes; ++k) {
      const Words number = load<Words>(at(m_flits[k])), less = number ^ borrow;
      store(at(m_flits[k]), less);
      left |= less;
      borrow &= ~number;
      const Words spent = load<Words>(at(m_spent[k])), more = spent ^ carry;
      store(at(m_spent[k]), more);
      last &= agrees(more, m_depth, k);
      carry &= spent;
    }
    if (m_has_other) {
      Words other_last = sent & load<Words>(at(other));
      last &= ~load<Words>(at(other));
      for (std::size_t k = 0; k < planes; ++k) other_last &= agrees(load<Words>(at(m_spent[k])), m_other_depth, k);
      last |= other_last;
    }
    store(at(drained), load<Words>(at(drained)) & ~sent);
    store(at(occupied), left);

    const Words was_ending = load<Words>(at(ending)), ended = out & was_ending, heads = ended & left;
    Words before = out & ~ended, until = {};
    for (std::size_t k = 0; k < m_length_planes; ++k) {
      const Words number = load<Words>(at(m_until_tail[k])), less = number ^ before;
      store(at(m_until_tail[k]), less);
      before &= ~number;
      until |= less;
    }
    store(at(ending), (was_ending ^ ended) | (out & ~ended & ~until));
    store(at(holding), load<Words>(at(holding)) & ~ended);
    const Words still_able = load<Words>(at(able)) & ~ended;
    store(at(able), still_able);
    all_ready |= left & still_able;
    store(at(next_heads), heads);
    const Words is_free = load<Words>(at(free)) | load<Words>(departed(leaving.ended_outputs));
    store(at(free), is_free);
    store(at(credited), load<Words>(at(credited)) & ~last);
    store(at(changed), last & ~is_free);
    all_next |= heads;
    all_changed |= last & ~is_free;

    store(departed(leaving.winners), Words{});
    store(departed(leaving.sent), Words{});
    store(departed(leaving.ended_outputs), Words{});
  };
  for_each_vector<set, Words>(senders, pass);
  if (which_words(all_next) != 0) m_with_new_heads |= senders;
  if (which_words(all_ready) == 0) may_send &= ~senders;
  return which_words(all_changed) != 0;
}

template <unsigned RouterVcs>
template <typename Words>
WEFT_INLINE bool vc_flow_state<RouterVcs>::grant_outputs_in(sets& losers, sets& granted) {
  Words all_left = {}, all_changed = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of at(*this, i);
    char* const losers_at = reinterpret_cast<char*>(&losers) + i;
    char* const out_at = reinterpret_cast<char*>(&granted) + i;
    const Words requesting = load<Words>(at(waiting)), left = load<Words>(losers_at), in = requesting & ~left;
    const Words out = load<Words>(out_at), uncredited = out & ~load<Words>(at(credited));
    store(at(waiting), left);
    store(at(holding), load<Words>(at(holding)) | in);
    store(at(able), load<Words>(at(able)) | in);
    store(at(ending), load<Words>(at(ending)) | in);
    store(at(free), load<Words>(at(free)) & ~out);
    store(at(changed), uncredited);
    store(losers_at, Words{});
    store(out_at, Words{});
    all_left |= left;
    all_changed |= uncredited;
  };
  for_each_vector<set, Words>(may_wait, pass);
  if (which_words(all_left) == 0) may_wait = 0;
  return which_words(all_changed) != 0;
}

template <unsigned RouterVcs>
void vc_flow_state<RouterVcs>::begin_packet(unsigned router, unsigned vc_index, std::uint32_t flits) {
  m_length_planes = std::max(m_length_planes, bits_of_numbers(flits - 1));
  for (std::size_t k = 0; k < m_length_planes; ++k) m_until_tail[k][router].insert_if((flits - 1) >> k & 1, vc_index);
  ending[router].erase(vc_index);
}

template <unsigned RouterVcs>
WEFT_INLINE void vc_flow_state<RouterVcs>::wait_one_by_one() {
  std::uint64_t staying = 0;
  for_each_of(m_with_new_heads, [&](unsigned i) {
    waiting[i] = waiting[i] | std::exchange(new_heads[i], set());
    may_wait |= std::uint64_t{waiting[i].any()} << i;
    staying |= std::uint64_t{next_heads[i].any()} << i;
  });
  m_with_new_heads = staying;
}

template <unsigned RouterVcs>
template <typename Pass>
WEFT_INLINE auto vc_flow_state<RouterVcs>::run(std::uint64_t routers, const Pass& pass) const {
  return !expects_much && has_few_members(routers) ? pass(of<std::uint32_t>()) : run_in_vectors(m_vectors, pass);
}

template <unsigned RouterVcs>
void vc_flow_state<RouterVcs>::arrive(set* flits, std::uint64_t touched) {
  if (!expects_much && has_few_members(m_with_new_heads))
    wait_one_by_one();
  else
    may_wait |= m_with_new_heads;
  if ((touched | m_with_new_heads) == 0) return;
  run(
      touched | m_with_new_heads, [=](auto words) __attribute__((always_inline)) {
        using Words = typename decltype(words)::type;
        m_planes == UsualPlanes ? this->template arrive_in<Words, UsualPlanes>(flits, touched)
                                : this->template arrive_in<Words, 0>(flits, touched);
      });
}

template <unsigned RouterVcs>
bool vc_flow_state<RouterVcs>::return_credits(set* credits, std::uint64_t touched) {
  if (touched == 0) return false;
  return run(
      touched, [=](auto words) __attribute__((always_inline)) {
        using Words = typename decltype(words)::type;
        return m_planes == UsualPlanes ? this->template return_credits_in<Words, UsualPlanes>(credits, touched)
                                       : this->template return_credits_in<Words, 0>(credits, touched);
      });
}

template <unsigned RouterVcs>
bool vc_flow_state<RouterVcs>::depart(departures<RouterVcs>& leaving, std::uint64_t senders) {
  return run(
      senders, [ =, &leaving ](auto words) __attribute__((always_inline)) {
        using Words = typename decltype(words)::type;
        return m_planes == UsualPlanes ? this->template depart_in<Words, UsualPlanes>(leaving, senders)
                                       : this->template depart_in<Words, 0>(leaving, senders);
      });
}

template <unsigned RouterVcs>
bool vc_flow_state<RouterVcs>::grant_outputs(sets& losers, sets& granted) {
  may_send |= may_wait;
  return run(
      may_wait, [ this, &losers, &granted ](auto words) __attribute__((always_inline)) {
        return this->template grant_outputs_in<typename decltype(words)::type>(losers, granted);
      });
}

namespace {

template <unsigned RouterVcs>
WEFT_INLINE std::size_t list_one_by_one(const router_vc_sets<RouterVcs>& sets, std::uint16_t* list) {
  std::uint16_t* end = list;
  std::uint32_t first = 0;
  for (std::size_t k = 0; k < RegionRouters * RouterVcs / 64; ++k, first += 64) {
    std::uint64_t left = vcs_at(sets.data(), k);
    const auto lowest = [&] {
      const auto bit = static_cast<unsigned>(__builtin_ctzll(left | std::uint64_t{1} << 63));
      left &= left - 1;
      return static_cast<std::uint16_t>(first + bit);
    };
    const auto count = static_cast<std::size_t>(__builtin_popcountll(left));
    // Three members are written in any case, even if the set has fewer.
    end[0] = lowest();
    end[1] = lowest();
    end[2] = lowest();
    if (__builtin_expect(count > 3, 0))
      for (std::size_t n = 3; n < count; ++n) end[n] = lowest();
    end += count;
  }
  return static_cast<std::size_t>(end - list);
}

#if WEFT_HAS_X86_VARIANTS
/// Does the same by compressing the vector of the numbers 0…63: only the numbers of members are kept.
template <unsigned RouterVcs>
WEFT_FOR_AVX512 std::size_t list_compressed(const router_vc_sets<RouterVcs>& sets, std::uint16_t* list) {
  using bytes = std::uint8_t __attribute__((vector_size(64)));
  using few_numbers = std::uint16_t __attribute__((vector_size(16)));
  using numbers = std::uint16_t __attribute__((vector_size(64)));
  bytes all;
  for (unsigned i = 0; i < sizeof all; ++i) all[i] = static_cast<std::uint8_t>(i);
  std::uint16_t* end = list;
  for (unsigned first = 0; first < RegionRouters * RouterVcs; first += 64) {
    const std::uint64_t members = vcs_at(sets.data(), first / 64);
    const auto count = static_cast<unsigned>(__builtin_popcountll(members));
    bytes pressed;
    asm("kmovq %1, %%k1\n\tvpcompressb %2, %0%{%%k1%}%{z%}" : "=v"(pressed) : "r"(members), "v"(all) : "k1");
    few_numbers few;
    asm("vpmovzxbw %x1, %x0" : "=v"(few) : "v"(pressed));
    store(end, few + static_cast<std::uint16_t>(first));
    if (count > 8) {  // rarely
      numbers low, high;
      asm("vpmovzxbw %t1, %0" : "=v"(low) : "v"(pressed));
      asm("vextracti64x4 $1, %1, %t0\n\tvpmovzxbw %t0, %0" : "=&v"(high) : "v"(pressed));
      store(end, low + static_cast<std::uint16_t>(first));
      store(end + 32, high + static_cast<std::uint16_t>(first));
    }
    end += count;
  }
  return static_cast<std::size_t>(end - list);
}
#endif

}  // namespace

template <unsigned RouterVcs>
std::size_t list_vcs(const router_vc_sets<RouterVcs>& sets, std::uint16_t* list, vectors use) {
#if WEFT_HAS_X86_VARIANTS
  if (use == vectors::OfSixteen) return list_compressed<RouterVcs>(sets, list);
#endif
  return run_on_bits(use, [&sets, list](auto) { return list_one_by_one<RouterVcs>(sets, list); });
}

template std::size_t list_vcs(const router_vc_sets<32>&, std::uint16_t*, vectors);
template std::size_t list_vcs(const router_vc_sets<64>&, std::uint16_t*, vectors);
template std::size_t list_vcs(const router_vc_sets<256>&, std::uint16_t*, vectors);
template struct vc_flow_state<32>;
template struct vc_flow_state<64>;
template struct vc_flow_state<256>;

}  // namespace weft::engine
