// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/payload.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/core/random.h"
#include "weft/workload/error.h"
#include "weft/workload/message_file.h"

namespace weft {

namespace {

constexpr std::size_t WordBytes = sizeof(std::uint64_t);

/// \p count ≤ 8 bytes, little endian on any machine.
std::uint64_t load(const char* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

/// Uniform in -2^(bits-1)…2^(bits-1)-1, in 32-bit two's complement.
std::uint32_t signed_bits(std::uint32_t random, unsigned bits) {
  const std::uint32_t sign = 1u << (bits - 1);
  return (random & (2 * sign - 1)) - sign;
}

std::uint32_t small_integer(std::uint64_t random) {
  const std::uint64_t tenth = (random >> 32) * 10 >> 32;
  if (tenth < 4) return 0;
  return signed_bits(static_cast<std::uint32_t>(random), tenth < 7 ? 4 : tenth < 9 ? 8 : 16);
}

/// Sample number \p index of the curve of \p key, as the bits of an IEEE double. Integer arithmetic makes the spline
/// independent of the rounding of the machine: |control| ≤ 2^45, and the three weights are ≥ 0 and add up to 2^17.
std::uint64_t smooth_double(std::uint64_t key, std::uint64_t index) {
  constexpr std::int64_t Spacing = 256;
  const auto control = [key](std::uint64_t i) {
    return static_cast<std::int64_t>(splitmix64(key, i) >> 18) - (std::int64_t{1} << 45);
  };
  const std::uint64_t i = index / Spacing;
  const auto t = static_cast<std::int64_t>(index % Spacing);
  const std::int64_t rest = Spacing - t;
  const std::int64_t sum =
      rest * rest * control(i) + (Spacing * Spacing + 2 * t * rest) * control(i + 1) + t * t * control(i + 2);
  const double value = static_cast<double>(sum) * 0x1p-62;
  static_assert(sizeof value == WordBytes);
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The concatenated bytes of all messages of \p file.
std::string message_bytes(const message_file& file, const std::filesystem::path& name) {
  std::string bytes;
  for (const recorded_message& message : file.messages) bytes += message.bytes;
  if (bytes.empty()) {
    throw workload_error(name.string() +
                         ": the file has no payload bytes; choose another file or another kind of payload");
  }
  return bytes;
}

/// The data type that a kind of payload implies; for a file, that of its recording.
data_type natural_type(payload_kind kind) {
  switch (kind) {
    case payload_kind::SmallIntegers:
      return data_type::Int;
    case payload_kind::SmoothDoubles:
      return data_type::Double;
    default:
      return data_type::Other;
  }
}

}  // namespace

payload_generator::payload_generator(const payload_parameters& parameters, std::uint64_t seed, std::uint32_t arrays,
                                     std::uint32_t longest)
    : m_kind(parameters.kind),
      m_type(natural_type(parameters.kind)),
      m_seed(seed),
      m_arrays(arrays),
      m_longest(longest) {
  if (m_kind == payload_kind::File) {
    if (parameters.file.empty()) throw std::invalid_argument("payload file: needs the name of a file");
    const message_file file = read_messages(parameters.file);
    m_type = file.type().value_or(data_type::Other);
    std::string bytes = message_bytes(file, parameters.file);
    const std::size_t size = bytes.size();
    for (std::size_t i = 0; i < WordBytes; ++i) bytes += bytes[i % size];  // word() may read past the end
    m_bytes = std::make_shared<const std::string>(std::move(bytes));
  }
  if (parameters.type != declared_type::Auto)
    m_type = static_cast<data_type>(static_cast<int>(parameters.type) - static_cast<int>(declared_type::Other));
}

void payload_generator::operator()(packet_id id, std::uint32_t sequence, unsigned payload_bits,
                                   std::uint64_t* words) const {
  const std::uint64_t array = id % m_arrays;
  const std::uint64_t flit = id / m_arrays * m_longest + sequence;
  const std::uint64_t key = stream_key(m_seed, static_cast<node_id>(array), stream_purpose::Payload);
  if (payload_bits <= 32) {
    const std::uint64_t half = word(array, key, flit / 2) >> (32 * (flit % 2));
    words[0] = half & ((std::uint64_t{1} << payload_bits) - 1);
    return;
  }
  const unsigned count = (payload_bits + 63) / 64;
  for (unsigned i = 0; i < count; ++i) words[i] = word(array, key, flit * count + i);
  if (payload_bits % 64 != 0) words[count - 1] &= (std::uint64_t{1} << payload_bits % 64) - 1;
}

/// Word number \p index of \p array, whose key is \p key.
std::uint64_t payload_generator::word(std::uint64_t array, std::uint64_t key, std::uint64_t index) const {
  switch (m_kind) {
    case payload_kind::Zero:
      return 0;
    case payload_kind::Random:
      return splitmix64(key, index);
    case payload_kind::SmallIntegers:
      return small_integer(splitmix64(key, 2 * index)) | std::uint64_t{small_integer(splitmix64(key, 2 * index + 1))}
                                                             << 32;
    case payload_kind::SmoothDoubles:
      return smooth_double(key, index);
    case payload_kind::File: {
      const std::uint64_t size = m_bytes->size() - WordBytes;
      // Starts at a whole word of the file, so doubles stay aligned.
      const std::uint64_t start = size / WordBytes * array / m_arrays * WordBytes;
      return load(m_bytes->data() + (start + index * WordBytes) % size, WordBytes);
    }
  }
  return 0;
}

}  // namespace weft
