// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/event_lines.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <tuple>
#include <utility>

namespace weft::experiment {

namespace {

constexpr std::size_t Block = 1 << 18;      ///< characters per write
constexpr std::size_t MostPrefix = 32;      ///< longest start of a line: cycle and kind, with blanks
constexpr std::size_t MostCharacters = 96;  ///< longest line, including characters written beyond its end

/// The decimal digits of a number below 1000.
struct few_digits {
  char text[3];
  std::uint8_t length;
};

/// The digits of all numbers below 1000. \param padded whether to pad with zeros to three digits
constexpr std::array<few_digits, 1000> all_few_digits(bool padded) {
  std::array<few_digits, 1000> all{};
  for (unsigned n = 0; n < 1000; ++n) {
    const char digits[3] = {static_cast<char>('0' + n / 100), static_cast<char>('0' + n / 10 % 10),
                            static_cast<char>('0' + n % 10)};
    const unsigned length = padded || n >= 100 ? 3 : n >= 10 ? 2 : 1;
    for (unsigned i = 0; i < length; ++i) all[n].text[i] = digits[3 - length + i];
    all[n].length = static_cast<std::uint8_t>(length);
  }
  return all;
}

constexpr std::array<few_digits, 1000> Few = all_few_digits(false), Padded = all_few_digits(true);

/// Writes \p number and returns the position after it. May overwrite a few characters after that position. Writes three
/// digits at a time, because a log contains about a hundred numbers per simulated cycle and takes longer to write than
/// the simulation takes.
char* put(char* at, std::uint64_t number) {
  const few_digits* digits = &Few[number % 1000];
  if (number >= 1000) {
    at = put(at, number / 1000);
    digits = &Padded[number % 1000];
  }
  std::memcpy(at, digits, sizeof *digits);
  return at + digits->length;
}

constexpr std::size_t MiddlesOfKind = 1024, MiddlesOfNode = 4;  ///< sizes of the cache; powers of two

}  // namespace

/// The part of a line between kind and sequence: `node vc packet `. Packets pass a VC of a node one after the other.
/// Therefore, most lines can reuse this part from the previous flit of the VC, or at least its node and VC.
struct event_lines::line_middle {
  std::uint64_t node_and_vc;
  packet_id id;
  char text[46];           ///< at most 43 characters, and what put() writes beyond them
  std::uint8_t to_packet;  ///< number of characters before the packet id
  std::uint8_t length;

  bool is_of(const passage& e) const { return node_and_vc == e.node_and_vc && id == e.id; }

  [[gnu::noinline]] void write(const passage& e) {
    if (node_and_vc != e.node_and_vc) write_place(e.node_and_vc);
    id = e.id;
    char* const at = put(text + to_packet, id);
    *at = ' ';
    length = static_cast<std::uint8_t>(at + 1 - text);
  }
  void write_place(std::uint64_t place) {
    node_and_vc = place;
    char* at = text;
    for (const std::uint64_t number : {place >> 32, place & 0xffff'ffff}) {
      at = put(at, number);
      *at++ = ' ';
    }
    to_packet = static_cast<std::uint8_t>(at - text);
  }
};

event_lines::event_lines(std::function<void(std::string_view)> write)
    : m_write(std::move(write)), m_middles(2 * MiddlesOfKind), m_text(Block + MostCharacters) {
  for (std::size_t i = 0; i < m_middles.size(); ++i) {
    const std::uint64_t n = i % MiddlesOfKind, place = n / MiddlesOfNode << 32 | n % MiddlesOfNode;
    m_middles[i].write_place(place);
    m_middles[i].write({place, 0, 0});
  }
  constexpr std::string_view Header = "cycle kind node vc packet sequence\n";
  m_length = Header.copy(m_text.data(), Header.size());
}

event_lines::~event_lines() = default;

void event_lines::finish() { m_write({m_text.data(), std::exchange(m_length, 0)}); }

/// Writes a block, which consists of whole memory pages. A file that grows by parts of a page takes the operating
/// system more time.
void event_lines::write_block() {
  m_write({m_text.data(), Block});
  m_length -= Block;
  std::memcpy(m_text.data(), m_text.data() + Block, m_length);
}

void event_lines::add(flit_passages& passages) {
  const auto before = [](const passage& a, const passage& b) {
    return std::tie(a.node_and_vc, a.id, a.sequence) < std::tie(b.node_and_vc, b.id, b.sequence);
  };
  passages.for_each_cycle([&](cycle_t cycle, flit_passage what, passage* first, passage* last) {
    // Networks usually report events in the order of the nodes, so that no sorting is needed.
    if (!std::is_sorted(first, last, before)) std::sort(first, last, before);
    if (first != last) write_lines(cycle, what, first, last);
  });
}

void event_lines::write_lines(cycle_t cycle, flit_passage what, const passage* first, const passage* last) {
  const std::string_view name = what == flit_passage::Inject ? " inject " : " eject ";
  std::array<char, MostPrefix> prefix{};
  char* const end = std::to_chars(prefix.data(), prefix.data() + prefix.size(), cycle).ptr;
  const std::size_t length = static_cast<std::size_t>(end - prefix.data()) + name.copy(end, name.size());
  line_middle* const middles = m_middles.data() + static_cast<std::size_t>(what) * MiddlesOfKind;
  char *at = m_text.data() + m_length, *const full = m_text.data() + Block;
  for (; first != last; ++first) {
    const passage& e = *first;
    const std::uint64_t place = (e.node_and_vc >> 32) * MiddlesOfNode + (e.node_and_vc & 0xffff'ffff);
    line_middle& middle = middles[place % MiddlesOfKind];
    if (!middle.is_of(e)) middle.write(e);
    std::memcpy(at, prefix.data(), prefix.size());
    at += length;
    std::memcpy(at, middle.text, sizeof middle.text);
    at = put(at + middle.length, e.sequence);
    *at++ = '\n';
    if (at < full) continue;
    m_length = static_cast<std::size_t>(at - m_text.data());
    write_block();
    at = m_text.data() + m_length;
  }
  m_length = static_cast<std::size_t>(at - m_text.data());
}

}  // namespace weft::experiment
