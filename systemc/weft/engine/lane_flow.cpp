#include "weft/engine/lane_flow.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "weft/engine/word_vectors.h"

namespace weft::engine {

namespace {

/// Bits of the numbers up to \p most.
unsigned bits_of_numbers(unsigned most) {
  unsigned bits = 1;
  while (most >> bits != 0) ++bits;
  return bits;
}

/// The usual number of planes, for which there is a pass of its own: FIFOs of 8 to 15 flits. 0: any number.
constexpr unsigned UsualPlanes = 4;

}  // namespace

template <unsigned Lanes>
lane_flow<Lanes>::lane_flow(unsigned depth, unsigned most_credits, vectors use)
    : m_depth(depth), m_vectors(use), m_planes(bits_of_numbers(std::max(depth, most_credits))) {}

template <unsigned Lanes>
void lane_flow<Lanes>::set_credits(unsigned router, unsigned lane, unsigned credits) {
  const auto put = [=](sets& in, bool member) {
    in[router].erase(lane);
    in[router].insert_if(member, lane);
  };
  put(counted, credits != 0);
  put(credited, true);
  put(settling, credits == m_depth);
  put(settled, credits == m_depth);
  for (std::size_t k = 0; k < m_planes; ++k) put(m_credits[k], (credits >> k & 1) != 0);
}

// A pass goes through the words of those routers that it concerns, and of their neighbours in the vector. Numbers change by
// one at most: a carry, or a borrow, runs through the planes.

namespace {

/// Sets of an object, at one vector. Addresses are that of the vector in the object and a constant: so the compiler need
/// not keep one for each member.
class vector_of {
 public:
  template <typename Object>
  WEFT_INLINE vector_of(Object& object, std::size_t offset)
      : m_object(reinterpret_cast<char*>(&object)), m_at(opaque(m_object + offset)) {}

  template <typename Sets>
  WEFT_INLINE char* operator()(Sets& member) const {
    return m_at + (reinterpret_cast<char*>(&member) - m_object);
  }

 private:
  char* m_object;
  char* m_at;
};

/// Calls \p f(offset) for the vectors with the sets of \p routers.
template <typename Set, typename Words, typename F>
WEFT_INLINE void for_each_vector(std::uint64_t routers, F f) {
  constexpr std::size_t AtOnce = std::max<std::size_t>(1, sizeof(Words) / sizeof(Set));
  constexpr std::uint64_t All = (std::uint64_t{1} << AtOnce) - 1;
  while (routers != 0) {
    const std::size_t first = static_cast<std::size_t>(__builtin_ctzll(routers)) & ~(AtOnce - 1);
    routers &= ~(All << first);
    for (std::size_t i = 0; i < AtOnce * sizeof(Set); i += sizeof(Words)) f(first * sizeof(Set) + i);
  }
}

/// Routers so few that it pays to take one by one: no vector has to wait for a word of it that was written just before.
WEFT_INLINE bool are_few(std::uint64_t routers) {
  for (unsigned n = 0; n < 6; ++n) routers &= routers - 1;
  return routers == 0;
}

/// Those lanes whose number has bit \p k as \p depth has it.
template <typename Words>
WEFT_INLINE Words agrees(const Words& plane, unsigned depth, std::size_t k) {
  return (depth >> k & 1) != 0 ? plane : ~plane;
}

}  // namespace

/// The same where there are few: flits and credits by themselves, and no plane to which no carry comes.
template <unsigned Lanes>
bool lane_flow<Lanes>::arrive_one_by_one(set* flits, set* credits, std::uint64_t touched) {
  bool has_changed = false;
  for_each_of(std::exchange(m_stirred, 0), [&](unsigned i) {
    waiting[i] = waiting[i] | fresh[i];
    fresh[i] = std::exchange(behind[i], set());
    m_stirred |= std::uint64_t{fresh[i].any()} << i;
  });
  const auto count = [&](auto& planes, unsigned i, set carry) {
    for (unsigned k = 0; carry.any(); ++k) {
      const set number = planes[k][i];
      planes[k][i] = (number | carry) - (number & carry);
      carry = number & carry;
    }
  };
  for_each_of(touched, [&](unsigned i) {
    const set in = std::exchange(flits[i], set()), back = std::exchange(credits[i], set());
    if (in.any()) {
      const set heads = in - occupied[i] - holding[i];
      fresh[i] = fresh[i] | heads;
      m_stirred |= std::uint64_t{heads.any()} << i;
      occupied[i] = occupied[i] | in;
      count(m_flits, i, in);
    }
    if (back.any()) {
      changed[i] = back - credited[i] - free[i];
      has_changed |= changed[i].any();
      credited[i] = credited[i] | back;
      count(m_credits, i, back);
      set full = back & settling[i];
      for (unsigned k = 0; k < m_planes; ++k)
        full = (m_depth >> k & 1) != 0 ? full & m_credits[k][i] : full - m_credits[k][i];
      settled[i] = settled[i] | full;
    }
  });
  return has_changed;
}

template <unsigned Lanes>
template <typename Words, unsigned Planes>
WEFT_INLINE bool lane_flow<Lanes>::arrive_in_vectors(set* flits, set* credits, std::uint64_t touched) {
  const std::uint64_t concerned = touched | m_stirred;
  const std::size_t planes = Planes != 0 ? Planes : m_planes;
  Words all_changed = {}, all_fresh = {};
  for_each_vector<set, Words>(
      concerned, [&](std::size_t i) __attribute__((always_inline)) {
        const vector_of own(*this, i);
        const Words in = load<Words>(reinterpret_cast<char*>(flits) + i),
                    back = load<Words>(reinterpret_cast<char*>(credits) + i);
        store(reinterpret_cast<char*>(flits) + i, Words{});
        store(reinterpret_cast<char*>(credits) + i, Words{});

        const Words was_occupied = load<Words>(own(occupied));
        const Words heads = in & ~was_occupied & ~load<Words>(own(holding));  // the packet before has left
        store(own(waiting), load<Words>(own(waiting)) | load<Words>(own(fresh)));
        const Words are_fresh = load<Words>(own(behind)) | heads;
        store(own(fresh), are_fresh);
        store(own(behind), Words{});
        store(own(occupied), was_occupied | in);
        const Words was_credited = load<Words>(own(credited));
        const Words first = back & ~was_credited & ~load<Words>(own(free));
        store(own(changed), first);
        store(own(credited), was_credited | back);
        all_fresh |= are_fresh;
        all_changed |= first;

        Words carry_in = in, carry_back = back, full = load<Words>(own(settling));
#pragma GCC unroll 4
        for (std::size_t k = 0; k < planes; ++k) {
          const Words number = load<Words>(own(m_flits[k]));
          store(own(m_flits[k]), number ^ carry_in);
          carry_in &= number;
          const Words credit = load<Words>(own(m_credits[k])), sum = credit ^ carry_back;
          store(own(m_credits[k]), sum);
          full &= agrees(sum, m_depth, k);
          carry_back &= credit;
        }
        store(own(settled), full);
      });
  m_stirred = which_words(all_fresh) != 0 ? concerned : 0;
  return which_words(all_changed) != 0;
}

template <unsigned Lanes>
template <typename Words, unsigned Planes>
WEFT_INLINE bool lane_flow<Lanes>::depart_in_vectors(departures<Lanes>& leaving, std::uint64_t senders) {
  return are_few(senders) ? depart_from<one_word, Planes>(leaving, senders)
                          : depart_from<Words, Planes>(leaving, senders);
}

template <unsigned Lanes>
template <typename Words, unsigned Planes>
WEFT_INLINE bool lane_flow<Lanes>::depart_from(departures<Lanes>& leaving, std::uint64_t senders) {
  const std::size_t planes = Planes != 0 ? Planes : m_planes;
  Words all_changed = {}, all_behind = {};
  for_each_vector<set, Words>(
      senders, [&](std::size_t i) __attribute__((always_inline)) {
        const vector_of own(*this, i), gone(leaving, i);
        const Words out = load<Words>(gone(leaving.winners));
        const Words spent = load<Words>(gone(leaving.sent)) & load<Words>(own(counted));
        Words borrow_out = out, borrow_spent = spent, left = {}, rest = {}, full = load<Words>(own(settling));
#pragma GCC unroll 4
        for (std::size_t k = 0; k < planes; ++k) {
          const Words number = load<Words>(own(m_flits[k])), less = number ^ borrow_out;
          store(own(m_flits[k]), less);
          left |= less;
          borrow_out &= ~number;
          const Words credit = load<Words>(own(m_credits[k])), fewer = credit ^ borrow_spent;
          store(own(m_credits[k]), fewer);
          rest |= fewer;
          full &= agrees(fewer, m_depth, k);
          borrow_spent &= ~credit;
        }
        store(own(settled), full);
        store(own(occupied), left);

        const Words ended_in = load<Words>(gone(leaving.ended_inputs)), heads = ended_in & left;
        store(own(holding), load<Words>(own(holding)) & ~ended_in);
        store(own(able), load<Words>(own(able)) & ~ended_in);
        store(own(behind), heads);
        const Words is_free = load<Words>(own(free)) | load<Words>(gone(leaving.ended_outputs));
        store(own(free), is_free);
        const Words last = spent & ~rest;
        store(own(credited), load<Words>(own(credited)) & ~last);
        store(own(changed), last & ~is_free);
        all_behind |= heads;
        all_changed |= last & ~is_free;

        store(gone(leaving.winners), Words{});
        store(gone(leaving.sent), Words{});
        store(gone(leaving.ended_inputs), Words{});
        store(gone(leaving.ended_outputs), Words{});
      });
  if (which_words(all_behind) != 0) m_stirred |= senders;
  return which_words(all_changed) != 0;
}

template <unsigned Lanes>
template <typename Words>
WEFT_INLINE void lane_flow<Lanes>::hand_out_in_vectors(sets& takers, sets& taken) {
  are_few(may_wait) ? hand_out_at<one_word>(takers, taken) : hand_out_at<Words>(takers, taken);
}

template <unsigned Lanes>
template <typename Words>
WEFT_INLINE void lane_flow<Lanes>::hand_out_at(sets& takers, sets& taken) {
  Words all_left = {};
  for_each_vector<set, Words>(
      may_wait, [&](std::size_t i) __attribute__((always_inline)) {
        const vector_of own(*this, i);
        const Words in = load<Words>(reinterpret_cast<char*>(&takers) + i),
                    out = load<Words>(reinterpret_cast<char*>(&taken) + i);
        const Words left = load<Words>(own(waiting)) & ~in;
        store(own(waiting), left);
        store(own(holding), load<Words>(own(holding)) | in);
        store(own(free), load<Words>(own(free)) & ~out);
        store(reinterpret_cast<char*>(&takers) + i, Words{});
        store(reinterpret_cast<char*>(&taken) + i, Words{});
        all_left |= left;
      });
  may_send |= may_wait;
  if (which_words(all_left) == 0) may_wait = 0;
}

#if WEFT_HAS_X86_VARIANTS
template <unsigned Lanes>
template <unsigned Planes>
WEFT_FOR_AVX2 bool lane_flow<Lanes>::arrive_of_8(set* flits, set* credits, std::uint64_t touched) {
  return arrive_in_vectors<eight_words, Planes>(flits, credits, touched);
}
template <unsigned Lanes>
template <unsigned Planes>
WEFT_FOR_AVX2 bool lane_flow<Lanes>::depart_of_8(departures<Lanes>& leaving, std::uint64_t senders) {
  return depart_in_vectors<eight_words, Planes>(leaving, senders);
}
template <unsigned Lanes>
WEFT_FOR_AVX2 void lane_flow<Lanes>::hand_out_of_8(sets& takers, sets& taken) {
  hand_out_in_vectors<eight_words>(takers, taken);
}
template <unsigned Lanes>
template <unsigned Planes>
WEFT_FOR_AVX512 bool lane_flow<Lanes>::arrive_of_16(set* flits, set* credits, std::uint64_t touched) {
  return arrive_in_vectors<sixteen_words, Planes>(flits, credits, touched);
}
template <unsigned Lanes>
template <unsigned Planes>
WEFT_FOR_AVX512 bool lane_flow<Lanes>::depart_of_16(departures<Lanes>& leaving, std::uint64_t senders) {
  return depart_in_vectors<sixteen_words, Planes>(leaving, senders);
}
template <unsigned Lanes>
WEFT_FOR_AVX512 void lane_flow<Lanes>::hand_out_of_16(sets& takers, sets& taken) {
  hand_out_in_vectors<sixteen_words>(takers, taken);
}
#endif

template <unsigned Lanes>
template <unsigned Planes>
bool lane_flow<Lanes>::arrive_with(set* flits, set* credits, std::uint64_t touched) {
#if WEFT_HAS_X86_VARIANTS
  if (m_vectors == vectors::OfSixteen) return arrive_of_16<Planes>(flits, credits, touched);
  if (m_vectors == vectors::OfEight) return arrive_of_8<Planes>(flits, credits, touched);
#endif
  return arrive_in_vectors<four_words, Planes>(flits, credits, touched);
}

template <unsigned Lanes>
template <unsigned Planes>
bool lane_flow<Lanes>::depart_with(departures<Lanes>& leaving, std::uint64_t senders) {
#if WEFT_HAS_X86_VARIANTS
  if (m_vectors == vectors::OfSixteen) return depart_of_16<Planes>(leaving, senders);
  if (m_vectors == vectors::OfEight) return depart_of_8<Planes>(leaving, senders);
#endif
  return depart_in_vectors<four_words, Planes>(leaving, senders);
}

template <unsigned Lanes>
bool lane_flow<Lanes>::arrive(set* flits, set* credits, std::uint64_t touched) {
  if ((touched | m_stirred) == 0) return false;
  may_wait |= m_stirred;
  may_send |= touched;
  if (are_few(touched)) return arrive_one_by_one(flits, credits, touched);
  return m_planes == UsualPlanes ? arrive_with<UsualPlanes>(flits, credits, touched)
                                 : arrive_with<0>(flits, credits, touched);
}

template <unsigned Lanes>
bool lane_flow<Lanes>::depart(departures<Lanes>& leaving, std::uint64_t senders) {
  return m_planes == UsualPlanes ? depart_with<UsualPlanes>(leaving, senders) : depart_with<0>(leaving, senders);
}

template <unsigned Lanes>
void lane_flow<Lanes>::hand_out(sets& takers, sets& taken) {
#if WEFT_HAS_X86_VARIANTS
  if (m_vectors == vectors::OfSixteen) return hand_out_of_16(takers, taken);
  if (m_vectors == vectors::OfEight) return hand_out_of_8(takers, taken);
#endif
  hand_out_in_vectors<four_words>(takers, taken);
}

namespace {

template <unsigned Lanes>
WEFT_INLINE std::size_t list_one_by_one(const lane_sets<Lanes>& sets, std::uint16_t* list) {
  constexpr unsigned Usual = 3;  // of 64 lanes: so many are written in any case
  std::uint16_t* end = list;
  for (unsigned first = 0; first < RegionRouters * Lanes; first += 64) {
    std::uint64_t left = lanes_at(sets.data(), first / 64);
    const auto count = static_cast<unsigned>(__builtin_popcountll(left));
    for (unsigned n = 0; n < Usual || left != 0; ++n, left &= left - 1)
      end[n] =
          static_cast<std::uint16_t>(first + static_cast<unsigned>(__builtin_ctzll(left | std::uint64_t{1} << 63)));
    end += count;
  }
  return static_cast<std::size_t>(end - list);
}

#if WEFT_HAS_X86_VARIANTS
template <unsigned Lanes>
WEFT_FOR_AVX2 std::size_t list_with_bits(const lane_sets<Lanes>& sets, std::uint16_t* list) {
  return list_one_by_one<Lanes>(sets, list);
}

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
std::size_t list_lanes(const lane_sets<Lanes>& sets, std::uint16_t* list, [[maybe_unused]] vectors use) {
#if WEFT_HAS_X86_VARIANTS
  if (use == vectors::OfSixteen) return list_compressed<Lanes>(sets, list);
  if (use == vectors::OfEight) return list_with_bits<Lanes>(sets, list);
#endif
  return list_one_by_one<Lanes>(sets, list);
}

template std::size_t list_lanes(const lane_sets<32>&, std::uint16_t*, vectors);
template std::size_t list_lanes(const lane_sets<64>&, std::uint16_t*, vectors);
template std::size_t list_lanes(const lane_sets<256>&, std::uint16_t*, vectors);
template struct lane_flow<32>;
template struct lane_flow<64>;
template struct lane_flow<256>;

}  // namespace weft::engine
