// SPDX-License-Identifier: Apache-2.0
/// The payload of flits.
///
/// The payload of a node's packets comes from one infinite array of 64-bit words. Packets read it in the order of their
/// creation: packet i starts L flits after packet i-1, where L is the length of the longest packet. If all packets have
/// the same length, there are no gaps. The bits of every flit are a function of the seed and the flit's index in the
/// array. A flit of 32 bits takes half a word, low half first.
///
/// Kinds of payload:
/// - zero: zeros.
/// - random: independent random bits.
/// - small_integers: two's complement integers of 32 bits, like the index data of MPI programs. 40 % are 0, 30 %
///   uniform in -8…7, 20 % in -128…127, 10 % in -32768…32767.
/// - smooth_doubles: IEEE doubles in [-1, 1], which are samples of a smooth curve: a quadratic B-spline over random
///   control points, one every 256 samples. Adjacent samples differ by at most 1/128.
/// - file: the bytes of a file, repeated, little endian. Of N nodes, node n starts at n/N of the file.
///
/// A file that starts with MPTRACE1 is a recording of MPI messages. Its payload is the bytes of the messages, one after
/// another, without any header (message_file.h). A file may be compressed with gzip.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weft/core/packet.h"
#include "weft/workload/parameters.h"

namespace weft {

/// Generates the payload of flits. Cheap to copy.
class payload_generator {
 public:
  /// The payload consists of \p arrays arrays, one for each node in generated traffic. Packet \p id is packet number id
  /// / arrays of array id mod arrays.
  /// \param longest length of the longest packet in flits
  /// \throws workload_error for a file that cannot be read, is empty, or does not match its magic number
  payload_generator(const payload_parameters& parameters, std::uint64_t seed, std::uint32_t arrays,
                    std::uint32_t longest);

  /// The data type of all packets, unless the packet list gives another.
  data_type type() const { return m_type; }

  /// Writes the payload bits of a flit, as packet_source::payload() does.
  void operator()(packet_id id, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const;

 private:
  std::uint64_t word(std::uint64_t array, std::uint64_t key, std::uint64_t index) const;

  payload_kind m_kind;
  data_type m_type = data_type::Other;
  std::uint64_t m_seed;
  std::uint32_t m_arrays;
  std::uint32_t m_longest;
  std::shared_ptr<const std::string> m_bytes;  ///< file: its bytes, followed by its first 8 bytes
};

}  // namespace weft
