// SPDX-License-Identifier: Apache-2.0
/// What the codecs make of recorded messages, as a table and as JSON. The reference is docs/02_user/codec.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/codec.h"
#include "weft/experiment/configuration/keys.h"

namespace weft::experiment {

struct codec_options {
  std::optional<fpc_table> runs;  ///< a table to try
  bool tune = false;              ///< find the best table for each file
  unsigned cut = codec_parameters().cut;
  unsigned words_per_flit = 2;  ///< K: 1, 2, 4 or 8
  std::uint64_t packet = 512;   ///< flits; longer messages travel in several packets
};

/// Which doubles arrive how.
struct cut_figures {
  std::uint64_t normals = 0;  ///< doubles that have a relative error
  double worst = 0;           ///< of theirs
  double mean = 0;
  std::uint64_t specials = 0;       ///< zeros, denormals, infinities, NaNs
  std::uint64_t specials_kept = 0;  ///< those that arrive exactly
};

/// Where the table of FPC by table comes from.
enum class table_origin { None, Paper, Given, Tuned };

/// One codec on one file.
struct codec_figures {
  codec how = codec::Raw;
  codec_parameters parameters;
  table_origin origin = table_origin::None;
  std::uint64_t bits = 0;   ///< of all strings
  std::uint64_t flits = 0;  ///< of all packets, each in its shorter form
  std::optional<cut_figures> cut;
};

struct codec_report {
  std::string file;
  std::string application;        ///< of a recording, else empty
  std::optional<data_type> type;  ///< that of all messages; none: of several types
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;     ///< of payload
  std::uint64_t words = 0;     ///< whole ones
  std::uint64_t left_out = 0;  ///< bytes behind the last whole word of a message
  std::uint64_t raw_flits = 0;
  std::vector<codec_figures> codecs;
};

/// \throws configuration_error for a file that cannot be read, is damaged or has no word
codec_report examine(const std::filesystem::path& path, const codec_options& options);

std::string to_table(const codec_report& r, const codec_options& options);
json to_json(const codec_report& r, const codec_options& options);

}  // namespace weft::experiment
