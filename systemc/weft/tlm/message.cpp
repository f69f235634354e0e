// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm/message.h"

#include <algorithm>
#include <cstring>

namespace weft::tlm2 {

namespace {

/// The first word of every packet.
struct packet_header {
  std::uint32_t length = 0;
  std::uint16_t tag = 0;
  std::uint16_t number = 0;  ///< of the packet in its message
  std::uint16_t order = 0;
  std::uint8_t status = 0;
  bool write = false;
  bool extras = false;
  bool last = false;
  bool dmi_allowed = false;
};

std::uint64_t to_word(const packet_header& h) {
  return std::uint64_t{h.length} | std::uint64_t{h.tag} << 17 | std::uint64_t{h.number} << 29 |
         std::uint64_t{h.order} << 43 | std::uint64_t{h.status} << 57 | std::uint64_t{h.write} << 60 |
         std::uint64_t{h.extras} << 61 | std::uint64_t{h.last} << 62 | std::uint64_t{h.dmi_allowed} << 63;
}

packet_header to_header(std::uint64_t word) {
  const auto field = [word](unsigned from, unsigned bits) { return word >> from & ((std::uint64_t{1} << bits) - 1); };
  packet_header h;
  h.length = static_cast<std::uint32_t>(field(0, 17));
  h.tag = static_cast<std::uint16_t>(field(17, 12));
  h.number = static_cast<std::uint16_t>(field(29, 14));
  h.order = static_cast<std::uint16_t>(field(43, 14));
  h.status = static_cast<std::uint8_t>(field(57, 3));
  h.write = field(60, 1) != 0;
  h.extras = field(61, 1) != 0;
  h.last = field(62, 1) != 0;
  h.dmi_allowed = field(63, 1) != 0;
  return h;
}

// Codecs for doubles preserve NaNs bit for bit. A control word among doubles is therefore sent as two NaNs, with half
// of the word in the mantissa of each.
constexpr std::uint64_t NanBits = 0x7ff8000000000000;

std::uint64_t low_nan(std::uint64_t value) { return NanBits | (value & 0xffffffff); }
std::uint64_t high_nan(std::uint64_t value) { return NanBits | value >> 32; }

bool holds_doubles(data_type type) { return type == data_type::Double || type == data_type::DoubleComplex; }

std::size_t control_words(data_type type) { return holds_doubles(type) ? 2 : 1; }

void put_control(std::vector<std::uint64_t>& words, std::uint64_t value, data_type type) {
  if (!holds_doubles(type)) return words.push_back(value);
  words.push_back(low_nan(value));
  words.push_back(high_nan(value));
}

std::uint64_t get_control(const std::vector<std::uint64_t>& words, std::size_t& at, data_type type) {
  if (!holds_doubles(type)) return words[at++];
  const std::uint64_t low = words[at++] & 0xffffffff;
  return low | words[at++] << 32;
}

/// Writes the header to the first words, which must exist.
void put_header(std::vector<std::uint64_t>& words, const packet_header& head, data_type type) {
  const std::uint64_t value = to_word(head);
  words[0] = holds_doubles(type) ? low_nan(value) : value;
  if (holds_doubles(type)) words[1] = high_nan(value);
}

void put_bytes(std::vector<std::uint64_t>& words, const std::vector<unsigned char>& bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 8 == 0) words.push_back(0);
    words.back() |= std::uint64_t{bytes[i]} << 8 * (i % 8);
  }
}

std::vector<unsigned char> get_bytes(const std::vector<std::uint64_t>& words, std::size_t& at, std::size_t count) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(words[at + i / 8] >> 8 * (i % 8));
  at += (count + 7) / 8;
  return bytes;
}

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

/// Bytes of the message behind the header words.
std::size_t stream_bytes(const message& m) {
  std::size_t bytes = m.data.size();
  if (m.kind == message_kind::Request) {
    bytes += 8 * control_words(m.type);
    if (has_extras(m)) bytes += 8 * control_words(m.type) + padded(m.byte_enables.size());
  }
  return bytes;
}

void put_stream(std::vector<std::uint64_t>& words, const message& m) {
  if (m.kind == message_kind::Request) {
    put_control(words, m.address, m.type);
    if (has_extras(m)) {
      put_control(words, m.streaming_width | std::uint64_t{m.byte_enables.size()} << 32, m.type);
      put_bytes(words, m.byte_enables);
    }
  }
  put_bytes(words, m.data);
}

/// Bytes of the stream in one packet.
std::size_t capacity(data_type type, const packet_format& format) {
  return 8 * (std::size_t{format.max_flits} * format.payload_bits / 64 - control_words(type));
}

std::uint32_t flits_of(std::size_t bytes, const packet_format& format) {
  return static_cast<std::uint32_t>((8 * bytes + format.payload_bits - 1) / format.payload_bits);
}

std::size_t count_packets(const message& m, const packet_format& format) {
  const std::size_t total = stream_bytes(m), most = capacity(m.type, format);
  return total == 0 ? 1 : (total + most - 1) / most;
}

/// Calls \p f(number, first byte of the stream, bytes of it, last) for each packet.
template <typename F>
void for_each_packet(const message& m, const packet_format& format, F f) {
  const std::size_t total = stream_bytes(m), most = capacity(m.type, format);
  std::size_t from = 0;
  std::uint16_t number = 0;
  do {
    const std::size_t bytes = std::min(most, total - from);
    f(number++, from, bytes, from + bytes == total);
    from += bytes;
  } while (from < total);
}

}  // namespace

data_type travelling_type(data_type declared, std::uint32_t length, bool has_byte_enables) {
  const bool fits = !holds_doubles(declared) || (length % 8 == 0 && !has_byte_enables);
  return fits ? declared : data_type::Other;
}

burst_part next_part(std::uint32_t total, std::uint32_t width, std::uint32_t offset, std::uint32_t most) {
  width = std::min(width, total);
  burst_part part;
  part.offset = offset;
  part.length = total - offset;
  if (part.length > most && width <= most) part.length = most / width * width;
  if (width > most) {
    part.address = offset % width;
    part.length = std::min({part.length, most, width - part.address});
  }
  part.streaming_width = std::min(width, part.length);
  part.is_last = offset + part.length == total;
  return part;
}

bool has_extras(const message& m) { return m.streaming_width < m.length || !m.byte_enables.empty(); }

std::uint32_t flits_of_one_packet(const message& m, const packet_format& format) {
  const std::size_t bytes = stream_bytes(m);
  return bytes <= capacity(m.type, format) ? flits_of(8 * control_words(m.type) + bytes, format) : 0;
}

void to_packets(const message& m, const packet_format& format, std::vector<piece>& pieces) {
  packet_header head;
  head.length = m.length;
  head.tag = m.tag;
  head.order = m.order;
  head.status = m.status;
  head.write = m.write;
  head.extras = m.kind == message_kind::Request && has_extras(m);
  head.dmi_allowed = m.dmi_allowed;
  const std::size_t header = control_words(m.type);
  pieces.resize(count_packets(m, format));
  // The whole stream is written behind the first header; the later packets copy their part of it.
  std::vector<std::uint64_t>& stream = pieces.front().words;
  stream.assign(header, 0);
  put_stream(stream, m);
  for_each_packet(m, format, [&](std::uint16_t number, std::size_t from, std::size_t bytes, bool last) {
    piece& p = pieces[number];
    head.number = number;
    head.last = last;
    p.flits = flits_of(8 * header + bytes, format);
    if (number > 0) {
      const auto first = stream.begin() + static_cast<std::ptrdiff_t>(header + from / 8);
      p.words.assign(header, 0);
      p.words.insert(p.words.end(), first, first + static_cast<std::ptrdiff_t>((bytes + 7) / 8));
    }
    put_header(p.words, head, m.type);
  });
  if (pieces.size() > 1) stream.resize(header + capacity(m.type, format) / 8);
}

std::uint32_t count_flits(const message& m, const packet_format& format) {
  std::uint32_t flits = 0;
  for_each_packet(m, format, [&](std::uint16_t, std::size_t, std::size_t bytes, bool) {
    flits += flits_of(8 * control_words(m.type) + bytes, format);
  });
  return flits;
}

std::uint16_t assembly::tag_of(const std::vector<std::uint64_t>& words, data_type type) {
  std::size_t at = 0;
  return to_header(get_control(words, at, type)).tag;
}

bool assembly::is_whole(const std::vector<std::uint64_t>& words, data_type type) {
  std::size_t at = 0;
  const packet_header head = to_header(get_control(words, at, type));
  return head.number == 0 && head.last;
}

bool assembly::add(std::vector<std::uint64_t>& words, data_type type) {
  std::size_t at = 0;
  const packet_header head = to_header(get_control(words, at, type));
  if (m_pieces.size() <= head.number) m_pieces.resize(head.number + std::size_t{1});
  m_pieces[head.number].swap(words);
  ++m_present;
  if (head.last) m_expected = head.number + std::size_t{1};
  m_type = type;
  return m_present == m_expected;
}

message assembly::pop(message_kind kind) {
  std::vector<std::uint64_t>& stream = m_pieces[0];
  for (std::size_t i = 1; i < m_expected; ++i)
    stream.insert(stream.end(), m_pieces[i].begin() + static_cast<std::ptrdiff_t>(control_words(m_type)),
                  m_pieces[i].end());
  m_present = m_expected = 0;
  std::size_t at = 0;
  const packet_header head = to_header(get_control(stream, at, m_type));
  message m;
  m.kind = kind;
  m.type = m_type;
  m.write = head.write;
  m.tag = head.tag;
  m.order = head.order;
  m.status = head.status;
  m.dmi_allowed = head.dmi_allowed;
  m.length = head.length;
  m.streaming_width = head.length;
  if (kind == message_kind::Request) {
    m.address = get_control(stream, at, m_type);
    if (head.extras) {
      const std::uint64_t extras = get_control(stream, at, m_type);
      m.streaming_width = static_cast<std::uint32_t>(extras);
      m.byte_enables = get_bytes(stream, at, extras >> 32);
    }
    if (head.write) m.data = get_bytes(stream, at, head.length);
  } else if (!head.write && head.status == 0) {
    m.data = get_bytes(stream, at, head.length);
  }
  return m;
}

}  // namespace weft::tlm2
