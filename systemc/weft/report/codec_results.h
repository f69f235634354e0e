// SPDX-License-Identifier: Apache-2.0
/// Compression results of recorded messages, as a table and as JSON. The reference is docs/02_user/codec.md.
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
  unsigned words_per_flit = 2;  ///< K: 1, 2, 4 or 8
  std::uint64_t packet = 512;   ///< flits per packet; longer messages travel in several packets
};

/// Accuracy of doubles after LSB-cut.
struct lsb_cut_metrics {
  std::uint64_t normals = 0;  ///< doubles with a relative error
  double worst = 0;           ///< largest relative error of these
  double mean = 0;
  std::uint64_t specials = 0;       ///< zeros, denormals, infinities, NaNs
  std::uint64_t specials_kept = 0;  ///< specials that arrive exactly
};

/// Origin of the table of table-based FPC.
enum class table_origin { None, Paper, Given, Tuned };

/// Metrics of one codec on one file.
struct codec_metrics {
  codec how = codec::Raw;
  codec_parameters parameters;
  table_origin origin = table_origin::None;
  std::uint64_t bits = 0;   ///< total over all compressed packets
  std::uint64_t flits = 0;  ///< total over all packets, each in its shorter form
  std::optional<lsb_cut_metrics> cut;
};

struct codec_summary {
  std::string file;
  std::string application;        ///< from a recording; otherwise empty
  std::optional<data_type> type;  ///< common type of all messages; nothing if there are several
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;     ///< payload bytes
  std::uint64_t words = 0;     ///< whole words
  std::uint64_t left_out = 0;  ///< bytes after the last whole word of a message
  std::uint64_t raw_flits = 0;
  std::vector<codec_metrics> codecs;
};

/// \throws configuration_error for a file that cannot be read, is damaged, or has no words
codec_summary examine(const std::filesystem::path& path, const codec_options& options);

std::string to_table(const codec_summary& r, const codec_options& options);
json to_json(const codec_summary& r, const codec_options& options);

}  // namespace weft::experiment
