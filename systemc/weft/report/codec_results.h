// SPDX-License-Identifier: Apache-2.0
/// Compresses recorded messages with several codecs, and reports the results as a table and as JSON. The reference is
/// docs/02_user/codec.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/keys.h"
#include "weft/core/codec.h"

namespace weft::experiment {

struct codec_options {
  std::optional<fpc_table> runs;  ///< an FPC table to examine
  bool tune = false;              ///< whether to find the best table for each file
  unsigned cut = codec_parameters().cut;
  unsigned words_per_flit = 2;  ///< 1, 2, 4 or 8
  std::uint64_t packet = 512;   ///< flits per packet; longer messages travel in several packets
};

/// Accuracy of doubles after LSB-cut.
struct lsb_cut_metrics {
  std::uint64_t normals = 0;        ///< number of doubles that have a relative error
  double worst = 0;                 ///< largest relative error of the normals
  double mean = 0;                  ///< mean relative error of the normals
  std::uint64_t specials = 0;       ///< number of zeros, denormals, infinities and NaNs
  std::uint64_t specials_kept = 0;  ///< specials that LSB-cut does not change
};

/// Origin of the table of table-based FPC.
enum class table_origin { None, Paper, Given, Tuned };

/// Metrics of one codec on one file.
struct codec_metrics {
  codec how = codec::Raw;
  codec_parameters parameters;
  table_origin origin = table_origin::None;
  std::uint64_t bits = 0;   ///< total over all messages, each compressed as a whole
  std::uint64_t flits = 0;  ///< total over all packets, each raw or compressed, whichever is shorter
  std::optional<lsb_cut_metrics> cut;
};

struct codec_summary {
  std::string file;
  std::string application;        ///< from a recording; otherwise empty
  std::optional<data_type> type;  ///< common type of all messages; nothing if there are several
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;     ///< payload bytes
  std::uint64_t words = 0;     ///< whole 32-bit words of payload
  std::uint64_t left_out = 0;  ///< bytes after the last whole word of a message
  std::uint64_t raw_flits = 0;
  std::vector<codec_metrics> codecs;
};

/// Compresses the messages in \p path with all suitable codecs. \throws configuration_error for a file that cannot be
/// read, is damaged, or has no words
codec_summary examine(const std::filesystem::path& path, const codec_options& options);

std::string to_table(const codec_summary& r, const codec_options& options);
json to_json(const codec_summary& r, const codec_options& options);

}  // namespace weft::experiment
