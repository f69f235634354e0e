#include "weft/workload/payload.h"

#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "weft/core/random.h"
#include "weft/workload/error.h"
#include "weft/workload/text_table.h"

namespace weft {

namespace {

constexpr std::size_t WordBytes = sizeof(std::uint64_t);

/// \p count ≤ 8 bytes, little endian, whatever the machine is.
std::uint64_t load(const char* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

/// Uniform in -2^(bits-1)…2^(bits-1)-1, as 32 bits of two's complement.
std::uint32_t signed_bits(std::uint32_t random, unsigned bits) {
  const std::uint32_t sign = 1u << (bits - 1);
  return (random & (2 * sign - 1)) - sign;
}

std::uint32_t small_integer(std::uint64_t random) {
  const std::uint64_t tenth = (random >> 32) * 10 >> 32;
  if (tenth < 4) return 0;
  return signed_bits(static_cast<std::uint32_t>(random), tenth < 7 ? 4 : tenth < 9 ? 8 : 16);
}

/// Sample number \p place of the curve of \p key, as the bits of an IEEE double. The spline is computed in
/// integers, so that it does not depend on how a machine rounds: |control| ≤ 2^45, and the three weights are
/// ≥ 0 and add up to 2^17.
std::uint64_t smooth_double(std::uint64_t key, std::uint64_t place) {
  constexpr std::int64_t Spacing = 256;
  const auto control = [key](std::uint64_t i) {
    return static_cast<std::int64_t>(splitmix64(key, i) >> 18) - (std::int64_t{1} << 45);
  };
  const std::uint64_t i = place / Spacing;
  const auto t = static_cast<std::int64_t>(place % Spacing);
  const std::int64_t rest = Spacing - t;
  const std::int64_t sum =
      rest * rest * control(i) + (Spacing * Spacing + 2 * t * rest) * control(i + 1) + t * t * control(i + 2);
  const double value = static_cast<double>(sum) * 0x1p-62;
  static_assert(sizeof value == WordBytes);
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The payload of all messages of a recording (version 1: a header, then records of a header and stored_bytes
/// bytes).
std::string message_bytes(std::string_view file, const std::string& name) {
  constexpr std::size_t RecordHeader = 64;
  const auto fail = [&name](std::size_t at, const std::string& message) {
    throw workload_error(fmt::format("{}: byte {}: {}", name, at, message));
  };
  if (file.size() < 32) fail(file.size(), "an MPTRACE1 file ends within its header");
  const std::uint64_t version = load(&file[8], 4);
  if (version != 1) fail(8, fmt::format("expected version 1 of MPTRACE1, found {}", version));
  std::size_t at = load(&file[12], 4);
  const std::uint64_t records = load(&file[24], 4);
  std::string bytes;
  for (std::uint64_t record = 0; record < records; ++record) {
    if (at > file.size() || file.size() - at < RecordHeader) {
      fail(file.size(), fmt::format("the file ends after {} of {} records", record, records));
    }
    if (file.substr(at, 4) != "MSG1") fail(at, fmt::format("expected MSG1, the start of record {}", record));
    const std::uint64_t stored = load(&file[at + 60], 4);
    at += RecordHeader;
    if (file.size() - at < stored) fail(file.size(), fmt::format("the file ends within record {}", record));
    bytes += file.substr(at, stored);
    at += stored;
  }
  return bytes;
}

std::string read_payload(const std::filesystem::path& file) {
  if (file.empty()) throw std::invalid_argument("payload file: needs the name of a file");
  std::string bytes = read_file(file);
  if (bytes.compare(0, 8, "MPTRACE1") == 0) bytes = message_bytes(bytes, file.string());
  if (bytes.empty()) {
    throw workload_error(file.string() + ": has no payload bytes; choose another file or another payload");
  }
  return bytes;
}

}  // namespace

payload_generator::payload_generator(const payload_parameters& parameters, std::uint64_t seed, std::uint32_t lanes,
                                     std::uint32_t longest)
    : m_kind(parameters.kind), m_seed(seed), m_lanes(lanes), m_longest(longest) {
  if (m_kind == payload_kind::File) {
    std::string bytes = read_payload(parameters.file);
    const std::size_t size = bytes.size();
    for (std::size_t i = 0; i < WordBytes; ++i) bytes += bytes[i % size];  // word() may read past the end
    m_bytes = std::make_shared<const std::string>(std::move(bytes));
  }
}

void payload_generator::operator()(packet_id id, std::uint32_t sequence, unsigned payload_bits,
                                   std::uint64_t* words) const {
  const std::uint64_t lane = id % m_lanes;
  const std::uint64_t flit = id / m_lanes * m_longest + sequence;
  const std::uint64_t key = stream_key(m_seed, static_cast<node_id>(lane), stream_purpose::Payload);
  if (payload_bits <= 32) {
    const std::uint64_t half = word(lane, key, flit / 2) >> (32 * (flit % 2));
    words[0] = half & ((std::uint64_t{1} << payload_bits) - 1);
    return;
  }
  const unsigned count = (payload_bits + 63) / 64;
  for (unsigned i = 0; i < count; ++i) words[i] = word(lane, key, flit * count + i);
  if (payload_bits % 64 != 0) words[count - 1] &= (std::uint64_t{1} << payload_bits % 64) - 1;
}

/// Word number \p place of the array of \p lane, whose key is \p key.
std::uint64_t payload_generator::word(std::uint64_t lane, std::uint64_t key, std::uint64_t place) const {
  switch (m_kind) {
    case payload_kind::Zero:
      return 0;
    case payload_kind::Random:
      return splitmix64(key, place);
    case payload_kind::SmallIntegers:
      return small_integer(splitmix64(key, 2 * place)) | std::uint64_t{small_integer(splitmix64(key, 2 * place + 1))}
                                                             << 32;
    case payload_kind::SmoothDoubles:
      return smooth_double(key, place);
    case payload_kind::File: {
      const std::uint64_t size = m_bytes->size() - WordBytes;
      // At a whole word of the file: doubles stay doubles.
      const std::uint64_t start = size / WordBytes * lane / m_lanes * WordBytes;
      return load(m_bytes->data() + (start + place * WordBytes) % size, WordBytes);
    }
  }
  return 0;
}

}  // namespace weft
