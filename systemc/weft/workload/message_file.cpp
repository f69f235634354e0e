// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/message_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "weft/core/quantity.h"
#include "weft/workload/error.h"
#include "weft/workload/text_table.h"

namespace weft {

namespace {

constexpr std::string_view Magic = "MPTRACE1", RecordMagic = "MSG1";
constexpr std::size_t LeastHeader = 32, ApplicationAt = 32, ApplicationSize = 32;
constexpr std::size_t RecordHeader = 64;
constexpr std::size_t MostUnpacked = std::size_t{1} << 32;  // because a small file can expand to any length

std::uint32_t load(const char* bytes) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

/// Whether \p bytes begin like a gzip file (RFC 1952): the magic number and the only compression method. The magic
/// number alone is not enough, because one in 65,536 files of other payload begins with it.
bool is_gzip(std::string_view bytes) {
  constexpr std::string_view Begin = "\x1f\x8b\x08";
  return bytes.size() >= 2 && Begin.substr(0, bytes.size()) == bytes.substr(0, Begin.size());
}

/// Decompresses \p packed, one or more gzip members.
std::string unpack(std::string_view packed, const std::string& name) {
  const auto fail = [&name](const std::string& message) {
    throw workload_error(fmt::format("{}: {}; compress the file again, or fetch it again", name, message));
  };
  z_stream stream{};
  constexpr int GzipOnly = 16 + MAX_WBITS;
  if (inflateInit2(&stream, GzipOnly) != Z_OK) fail("cannot be decompressed, because zlib does not start");
  struct end_at_return {
    z_stream& stream;
    ~end_at_return() { inflateEnd(&stream); }
  } const end{stream};

  std::string bytes;
  std::array<char, 65536> block;
  const char* at = packed.data();
  std::size_t left = packed.size();
  int status = Z_OK;
  while (status != Z_STREAM_END || left + stream.avail_in > 0) {
    if (status == Z_STREAM_END) {  // more input: another gzip member
      if (inflateReset(&stream) != Z_OK) fail("cannot be decompressed, because zlib does not start again");
    }
    if (stream.avail_in == 0) {
      const std::size_t count = std::min<std::size_t>(left, std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(at));
      stream.avail_in = static_cast<uInt>(count);
      at += count;
      left -= count;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    bytes.append(block.data(), block.size() - stream.avail_out);
    if (bytes.size() > MostUnpacked)
      fail(fmt::format("the file has more than {} bytes after decompression", grouped(MostUnpacked)));
    if (status == Z_BUF_ERROR) fail("the gzip file ends early");
    if (status != Z_OK && status != Z_STREAM_END)
      fail(fmt::format("the gzip file is damaged ({})", stream.msg != nullptr ? stream.msg : "zlib gives no reason"));
  }
  return bytes;
}

constexpr std::uint32_t LastClass = 3;  ///< class of all types without a class of their own

data_type type_of(std::uint32_t message_class) {
  switch (message_class) {
    case 0:
      return data_type::Int;
    case 1:
      return data_type::Double;
    case 2:
      return data_type::DoubleComplex;
    default:
      return data_type::Other;
  }
}

message_file parse_recording(std::string_view file, const std::string& name) {
  const auto fail = [&name](std::size_t at, const std::string& message) {
    throw workload_error(fmt::format("{}: byte {}: {}", name, at, message));
  };
  if (file.size() < LeastHeader) fail(file.size(), "an MPTRACE1 file ends within its header");
  const std::uint32_t version = load(&file[8]), header = load(&file[12]), records = load(&file[24]);
  if (version != 1) fail(8, fmt::format("expected version 1 of MPTRACE1, found {}", version));
  if (header < LeastHeader)
    fail(12, fmt::format("expected a header of {} bytes or more, found {}", LeastHeader, header));
  if (header > file.size()) fail(file.size(), "an MPTRACE1 file ends within its header");

  message_file result;
  result.recording = true;
  if (header >= ApplicationAt + ApplicationSize) {
    const std::string_view field = file.substr(ApplicationAt, ApplicationSize);
    result.application = field.substr(0, field.find('\0'));
  }
  std::size_t at = header;
  for (std::uint32_t record = 0; record < records; ++record) {
    if (file.size() - at < RecordHeader)
      fail(file.size(), fmt::format("the file ends after {} of {} records", record, records));
    if (file.substr(at, RecordMagic.size()) != RecordMagic)
      fail(at, fmt::format("expected MSG1, the start of record {}", record));
    const std::uint32_t message_class = load(&file[at + 20]), stored = load(&file[at + 60]);
    if (message_class > LastClass)
      fail(at + 20, fmt::format("expected a class from 0 to {}, found {}", LastClass, message_class));
    at += RecordHeader;
    if (file.size() - at < stored) fail(file.size(), fmt::format("the file ends within record {}", record));
    result.messages.push_back({type_of(message_class), std::string(file.substr(at, stored))});
    at += stored;
  }
  if (at != file.size())
    fail(at,
         fmt::format("expected the end of the file after {} records, found {} more bytes", records, file.size() - at));
  return result;
}

}  // namespace

std::vector<std::uint32_t> recorded_message::words() const {
  std::vector<std::uint32_t> result(bytes.size() / 4);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = load(&bytes[4 * i]);
  return result;
}

std::optional<data_type> message_file::type() const {
  if (messages.empty()) return {};
  const data_type first = messages.front().type;
  for (const recorded_message& message : messages)
    if (message.type != first) return {};
  return first;
}

message_file read_messages(const std::filesystem::path& file) {
  return parse_messages(read_workload_bytes(file), file.string());
}

message_file parse_messages(std::string bytes, const std::string& name) {
  if (is_gzip(bytes)) {
    bytes = unpack(bytes, name);
  } else if (std::filesystem::path(name).extension() == ".gz") {
    throw workload_error(name +
                         ": the name ends in .gz, but the file is not compressed with gzip; compress it, or rename it");
  }
  const std::string_view kind = std::string_view(bytes).substr(0, Magic.size());
  if (kind == Magic) return parse_recording(bytes, name);
  if (kind.substr(0, Magic.size() - 1) == Magic.substr(0, Magic.size() - 1))
    throw workload_error(name + ": byte 0: expected the format MPTRACE1, found a recording of another format");
  message_file result;
  result.messages.push_back({data_type::Other, std::move(bytes)});
  return result;
}

}  // namespace weft
