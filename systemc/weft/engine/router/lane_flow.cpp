// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/router/lane_flow.h"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

namespace {

/// Bits of the numbers up to \p most.
unsigned bits_of_numbers(std::uint64_t most) {
  unsigned bits = 1;
  while (most >> bits != 0) ++bits;
  return bits;
}

/// The usual number of planes, for which there is a pass of its own: FIFOs of 8 to 15 flits. 0: any number.
constexpr unsigned UsualPlanes = 4;

}  // namespace

template <unsigned Lanes>
lane_flow<Lanes>::lane_flow(unsigned depth, unsigned other_depth, vectors use)
    : m_depth(depth),
      m_other_depth(other_depth),
      m_vectors(use),
      m_planes(bits_of_numbers(std::max(depth, other_depth))) {}

template <unsigned Lanes>
void lane_flow<Lanes>::set_credits(unsigned router, unsigned lane, unsigned credits) {
  const auto put = [=](sets& in, bool member) {
    in[router].erase(lane);
    in[router].insert_if(member, lane);
  };
  put(counted, credits != 0);
  put(other, credits != 0 && credits != m_depth);
  put(credited, true);
  put(settled, credits != 0);
  m_has_other |= other[router].any();
}

// A pass goes through the words of those that it concerns, and of their neighbours in the vector. Numbers
// change by one at most: a carry, or a borrow, runs through the planes.

namespace {

/// Those lanes whose number has bit \p k as \p depth has it.
template <typename Words>
WEFT_INLINE Words agrees(const Words& plane, unsigned depth, std::size_t k) {
  return (depth >> k & 1) != 0 ? plane : ~plane;
}

}  // namespace

template <unsigned Lanes>
template <typename Words, unsigned Planes>
WEFT_INLINE void lane_flow<Lanes>::arrive_in(set* flits, std::uint64_t touched) {
  const std::size_t planes = Planes != 0 ? Planes : m_planes;
  Words all_fresh = {}, all_ready = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of own(*this, i);
    char* const in_at = reinterpret_cast<char*>(flits) + i;
    const Words in = load<Words>(in_at);
    store(in_at, Words{});

    const Words was_occupied = load<Words>(own(occupied));
    const Words heads = in & ~was_occupied & ~load<Words>(own(holding));  // the packet before has left
    store(own(waiting), load<Words>(own(waiting)) | load<Words>(own(fresh)));
    const Words are_fresh = load<Words>(own(behind)) | heads;
    store(own(fresh), are_fresh);
    store(own(behind), Words{});
    store(own(occupied), was_occupied | in);
    all_fresh |= are_fresh;
    all_ready |= in & load<Words>(own(able));

    Words carry = in;
#pragma GCC unroll 4
    for (std::size_t k = 0; k < planes; ++k) {
      const Words number = load<Words>(own(m_flits[k]));
      store(own(m_flits[k]), number ^ carry);
      carry &= number;
    }
  };
  for_each_vector<set, Words>(touched | m_stirred, pass);
  m_stirred = which_words(all_fresh) != 0 ? touched | m_stirred : 0;
  if (which_words(all_ready) != 0) may_send |= touched;
}

template <unsigned Lanes>
template <typename Words, unsigned Planes>
WEFT_INLINE bool lane_flow<Lanes>::give_back_in(set* credits, std::uint64_t touched) {
  const std::size_t planes = Planes != 0 ? Planes : m_planes;
  Words all_changed = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of own(*this, i);
    char* const back_at = reinterpret_cast<char*>(credits) + i;
    const Words back = load<Words>(back_at);
    store(back_at, Words{});

    const Words was_credited = load<Words>(own(credited));
    const Words first = back & ~was_credited & ~load<Words>(own(free));
    store(own(changed), first);
    store(own(credited), was_credited | back);
    all_changed |= first;

    Words borrow = back, rest = {};
#pragma GCC unroll 4
    for (std::size_t k = 0; k < planes; ++k) {
      const Words spent = load<Words>(own(m_spent[k])), less = spent ^ borrow;
      store(own(m_spent[k]), less);
      borrow &= ~spent;
      rest |= less;
    }
    store(own(settled), load<Words>(own(settled)) | (back & ~rest));
  };
  for_each_vector<set, Words>(touched, pass);
  return which_words(all_changed) != 0;
}

template <unsigned Lanes>
template <typename Words, unsigned Planes>
WEFT_INLINE bool lane_flow<Lanes>::depart_in(departures<Lanes>& leaving, std::uint64_t senders) {
  const std::size_t planes = Planes != 0 ? Planes : m_planes;
  Words all_changed = {}, all_behind = {}, all_ready = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of own(*this, i), gone(leaving, i);
    const Words out = load<Words>(gone(leaving.winners));
    const Words sent = load<Words>(gone(leaving.sent)) & load<Words>(own(counted));
    Words borrow = out, carry = sent, left = {}, last = sent;
#pragma GCC unroll 4
    for (std::size_t k = 0; k < planes; ++k) {
      const Words number = load<Words>(own(m_flits[k])), less = number ^ borrow;
      store(own(m_flits[k]), less);
      left |= less;
      borrow &= ~number;
      const Words spent = load<Words>(own(m_spent[k])), more = spent ^ carry;
      store(own(m_spent[k]), more);
      last &= agrees(more, m_depth, k);
      carry &= spent;
    }
    if (m_has_other) {
      Words other_last = sent & load<Words>(own(other));
      last &= ~load<Words>(own(other));
      for (std::size_t k = 0; k < planes; ++k) other_last &= agrees(load<Words>(own(m_spent[k])), m_other_depth, k);
      last |= other_last;
    }
    store(own(settled), load<Words>(own(settled)) & ~sent);
    store(own(occupied), left);

    const Words was_ending = load<Words>(own(ending)), ended = out & was_ending, heads = ended & left;
    Words before = out & ~ended, until = {};
    for (std::size_t k = 0; k < m_length_planes; ++k) {
      const Words number = load<Words>(own(m_until_tail[k])), less = number ^ before;
      store(own(m_until_tail[k]), less);
      before &= ~number;
      until |= less;
    }
    store(own(ending), (was_ending ^ ended) | (out & ~ended & ~until));
    store(own(holding), load<Words>(own(holding)) & ~ended);
    const Words still_able = load<Words>(own(able)) & ~ended;
    store(own(able), still_able);
    all_ready |= left & still_able;
    store(own(behind), heads);
    const Words is_free = load<Words>(own(free)) | load<Words>(gone(leaving.ended_outputs));
    store(own(free), is_free);
    store(own(credited), load<Words>(own(credited)) & ~last);
    store(own(changed), last & ~is_free);
    all_behind |= heads;
    all_changed |= last & ~is_free;

    store(gone(leaving.winners), Words{});
    store(gone(leaving.sent), Words{});
    store(gone(leaving.ended_outputs), Words{});
  };
  for_each_vector<set, Words>(senders, pass);
  if (which_words(all_behind) != 0) m_stirred |= senders;
  if (which_words(all_ready) == 0) may_send &= ~senders;
  return which_words(all_changed) != 0;
}

template <unsigned Lanes>
template <typename Words>
WEFT_INLINE bool lane_flow<Lanes>::hand_out_in(sets& lost, sets& taken) {
  Words all_left = {}, all_changed = {};
  const auto pass = [&](std::size_t i) __attribute__((always_inline)) {
    const vector_of own(*this, i);
    char* const lost_at = reinterpret_cast<char*>(&lost) + i;
    char* const out_at = reinterpret_cast<char*>(&taken) + i;
    const Words asked = load<Words>(own(waiting)), left = load<Words>(lost_at), in = asked & ~left;
    const Words out = load<Words>(out_at), poor = out & ~load<Words>(own(credited));
    store(own(waiting), left);
    store(own(holding), load<Words>(own(holding)) | in);
    store(own(able), load<Words>(own(able)) | in);
    store(own(ending), load<Words>(own(ending)) | in);
    store(own(free), load<Words>(own(free)) & ~out);
    store(own(changed), poor);
    store(lost_at, Words{});
    store(out_at, Words{});
    all_left |= left;
    all_changed |= poor;
  };
  for_each_vector<set, Words>(may_wait, pass);
  if (which_words(all_left) == 0) may_wait = 0;
  return which_words(all_changed) != 0;
}

template <unsigned Lanes>
void lane_flow<Lanes>::begin_packet(unsigned router, unsigned lane, std::uint32_t flits) {
  m_length_planes = std::max(m_length_planes, bits_of_numbers(flits - 1));
  for (std::size_t k = 0; k < m_length_planes; ++k) m_until_tail[k][router].insert_if((flits - 1) >> k & 1, lane);
  ending[router].erase(lane);
}

template <unsigned Lanes>
WEFT_INLINE void lane_flow<Lanes>::wait_one_by_one() {
  std::uint64_t staying = 0;
  for_each_of(m_stirred, [&](unsigned i) {
    waiting[i] = waiting[i] | std::exchange(fresh[i], set());
    may_wait |= std::uint64_t{waiting[i].any()} << i;
    staying |= std::uint64_t{behind[i].any()} << i;
  });
  m_stirred = staying;
}

template <unsigned Lanes>
template <typename Pass>
WEFT_INLINE auto lane_flow<Lanes>::run(std::uint64_t routers, const Pass& pass) const {
  return !expects_much && has_few_members(routers) ? pass(of<std::uint32_t>()) : run_in_vectors(m_vectors, pass);
}

template <unsigned Lanes>
void lane_flow<Lanes>::arrive(set* flits, std::uint64_t touched) {
  if (!expects_much && has_few_members(m_stirred))
    wait_one_by_one();
  else
    may_wait |= m_stirred;
  if ((touched | m_stirred) == 0) return;
  run(
      touched | m_stirred, [=](auto words) __attribute__((always_inline)) {
        using Words = typename decltype(words)::type;
        m_planes == UsualPlanes ? this->template arrive_in<Words, UsualPlanes>(flits, touched)
                                : this->template arrive_in<Words, 0>(flits, touched);
      });
}

template <unsigned Lanes>
bool lane_flow<Lanes>::give_back(set* credits, std::uint64_t touched) {
  if (touched == 0) return false;
  return run(
      touched, [=](auto words) __attribute__((always_inline)) {
        using Words = typename decltype(words)::type;
        return m_planes == UsualPlanes ? this->template give_back_in<Words, UsualPlanes>(credits, touched)
                                       : this->template give_back_in<Words, 0>(credits, touched);
      });
}

template <unsigned Lanes>
bool lane_flow<Lanes>::depart(departures<Lanes>& leaving, std::uint64_t senders) {
  return run(
      senders, [ =, &leaving ](auto words) __attribute__((always_inline)) {
        using Words = typename decltype(words)::type;
        return m_planes == UsualPlanes ? this->template depart_in<Words, UsualPlanes>(leaving, senders)
                                       : this->template depart_in<Words, 0>(leaving, senders);
      });
}

template <unsigned Lanes>
bool lane_flow<Lanes>::hand_out(sets& lost, sets& taken) {
  may_send |= may_wait;
  return run(
      may_wait, [ this, &lost, &taken ](auto words) __attribute__((always_inline)) {
        return this->template hand_out_in<typename decltype(words)::type>(lost, taken);
      });
}

namespace {

template <unsigned Lanes>
WEFT_INLINE std::size_t list_one_by_one(const lane_sets<Lanes>& sets, std::uint16_t* list) {
  std::uint16_t* end = list;
  std::uint32_t first = 0;
  for (std::size_t k = 0; k < RegionRouters * Lanes / 64; ++k, first += 64) {
    std::uint64_t left = lanes_at(sets.data(), k);
    const auto lowest = [&] {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(left | std::uint64_t{1} << 63));
      left &= left - 1;
      return static_cast<std::uint16_t>(first + lane);
    };
    const auto count = static_cast<std::size_t>(__builtin_popcountll(left));
    // So many are written in any case.
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
/// The same with the numbers 0…63, of which those of members are pressed together.
template <unsigned Lanes>
WEFT_FOR_AVX512 std::size_t list_compressed(const lane_sets<Lanes>& sets, std::uint16_t* list) {
  using bytes = std::uint8_t __attribute__((vector_size(64)));
  using few_numbers = std::uint16_t __attribute__((vector_size(16)));
  using numbers = std::uint16_t __attribute__((vector_size(64)));
  bytes all;
  for (unsigned i = 0; i < sizeof all; ++i) all[i] = static_cast<std::uint8_t>(i);
  std::uint16_t* end = list;
  for (unsigned first = 0; first < RegionRouters * Lanes; first += 64) {
    const std::uint64_t members = lanes_at(sets.data(), first / 64);
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

template <unsigned Lanes>
std::size_t list_lanes(const lane_sets<Lanes>& sets, std::uint16_t* list, vectors use) {
#if WEFT_HAS_X86_VARIANTS
  if (use == vectors::OfSixteen) return list_compressed<Lanes>(sets, list);
#endif
  return run_on_bits(use, [&sets, list](auto) { return list_one_by_one<Lanes>(sets, list); });
}

template std::size_t list_lanes(const lane_sets<32>&, std::uint16_t*, vectors);
template std::size_t list_lanes(const lane_sets<64>&, std::uint16_t*, vectors);
template std::size_t list_lanes(const lane_sets<256>&, std::uint16_t*, vectors);
template struct lane_flow<32>;
template struct lane_flow<64>;
template struct lane_flow<256>;

}  // namespace weft::engine
