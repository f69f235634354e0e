// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: the reader of traces of MPI programs.
///
/// Input: byte 0: number of sixteenths of the file that are kept (4 bits), whether the rest is a whole file (1 bit) or
/// the content of a block, which gets a header of version 1, 2 or 3 (2 bits) and valid checksums. Rules: the reader
/// throws only input_error; the records of a truncated file are the first records of the whole file.
#include "tb/fuzz/finding.h"
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "weft/mpi/trace/checksum.h"
#include "weft/mpi/trace/trace_bytes.h"
#include "weft/mpi/trace/trace_reader.h"

namespace {

using namespace weft;
using fuzz::require;

/// The records of a trace, as numbers that represent them.
class noted final : public trace_visitor {
 public:
  void begin(const trace_header& h) override { note(h.run + h.rank + h.truncation_rules.size()); }
  void communicator(const trace_communicator& c) override { note(c.id + c.members.size() + c.peers.size()); }
  void element(const trace_element& e) override { note(e.id + e.size + e.name.size()); }
  void threads(std::uint32_t so_far) override { note(so_far); }
  void call(const trace_call& c) override {
    note(c.computing + c.inside + c.bytes + c.completions.size() + c.payload.size() + c.sends.size() + c.to.size());
  }

  std::vector<std::uint64_t> notes;

 private:
  void note(std::uint64_t n) { notes.push_back(n); }
};

/// Reads the trace in \p bytes. \return nothing if they are not a trace
std::optional<noted> read(const std::string& bytes) {
  std::istringstream in(bytes);
  noted all;
  std::vector<trace_header> parts;
  try {
    read_trace(in, "fuzz", parts, all);
  } catch (const input_error& e) {
    require(!e.found().empty() && !e.found().front().message.empty(), "an error has a message");
    return std::nullopt;
  }
  return all;
}

/// A file with the header of rank 1 of 4, and one block with \p content.
std::string wrapped(const std::string& content, std::uint32_t version) {
  const bool has_rules = version > 1;  // there are none here
  std::string file(TraceMagic);
  for (const auto& [value, bytes] : {std::pair<std::uint64_t, unsigned>{version, 4},
                                     {has_rules ? 56 : 52, 4},
                                     {7, 8},
                                     {1, 4},
                                     {4, 4},
                                     {0, 8},
                                     {0, 4},
                                     {1, 4},
                                     {0, has_rules ? 4 : 0}})
    append_fixed(file, value, bytes);
  append_fixed(file, checksum(file.data(), file.size()), 4);
  std::string block(TraceBlockMagic);
  append_fixed(block, content.size(), 4);
  append_fixed(block, checksum(content.data(), content.size()), 4);
  append_fixed(block, checksum(block.data(), block.size()), 4);
  return file + block + content;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned options = data[0];
  const std::string rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string file = (options & 16) != 0 ? rest : wrapped(rest, 1 + (options >> 5) % 3);
  const std::optional<noted> whole = read(file);
  const std::optional<noted> part = read(file.substr(0, file.size() * (options & 15) / 16));
  if (!whole || !part) return 0;
  require(part->notes.size() <= whole->notes.size(), "a part of a file has no more notes than the whole");
  for (std::size_t i = 0; i < part->notes.size(); ++i)
    require(part->notes[i] == whole->notes[i], "the notes of a part are the first ones of the whole");
  return 0;
}
