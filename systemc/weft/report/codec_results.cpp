// SPDX-License-Identifier: Apache-2.0
#include "weft/report/codec_results.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/configuration.h"
#include "weft/core/codec_kind.h"
#include "weft/core/coded_packet.h"
#include "weft/core/fpc_tuning.h"
#include "weft/core/lsb_cut.h"
#include "weft/core/printable.h"
#include "weft/workload/error.h"
#include "weft/workload/message_file.h"

namespace weft::experiment {

namespace {

using words_t = std::vector<std::uint32_t>;

double to_double(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint64_t flits_of(std::uint64_t bits, unsigned words_per_flit) {
  const std::uint64_t flit = 32 * words_per_flit;
  return std::max<std::uint64_t>(1, (bits + flit - 1) / flit);
}

/// Calls \p f(first, count) for each packet of a message, with the index of its first word and its number of words.
template <typename F>
void for_each_packet(const words_t& message, const codec_options& options, F f) {
  const std::uint64_t longest = options.packet * options.words_per_flit;
  std::size_t at = 0;
  do {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(longest, message.size() - at));
    f(at, count);
    at += count;
  } while (at < message.size());
}

std::uint64_t coded_bits(const words_t& message, std::size_t at, std::size_t count, const codec_metrics& c) {
  coded_length length(c.how, c.parameters);
  for (std::size_t i = at; i < at + count; ++i) length.add(message[i]);
  return length.bits();
}

void add_lsb_cut_errors(const words_t& message, const codec_parameters& parameters, lsb_cut_metrics& sum) {
  for (std::size_t i = 0; i + 1 < message.size(); i += 2) {
    const std::uint64_t value = message[i] | std::uint64_t{message[i + 1]} << 32;
    const std::uint64_t after = after_cut(value, parameters.cut, parameters.exact);
    if (is_special(value)) {
      ++sum.specials;
      if (after == value) ++sum.specials_kept;
      continue;
    }
    const double error = std::abs((to_double(after) - to_double(value)) / to_double(value));
    ++sum.normals;
    sum.worst = std::max(sum.worst, error);
    sum.mean += (error - sum.mean) / static_cast<double>(sum.normals);
  }
}

void measure(const std::vector<words_t>& messages, const codec_options& options, codec_metrics& c) {
  if (kind_of(c.how).of_doubles) c.cut.emplace();
  for (const words_t& message : messages) {
    c.bits += coded_bits(message, 0, message.size(), c);
    for_each_packet(message, options, [&](std::size_t at, std::size_t count) {
      c.flits +=
          flits_of(std::min<std::uint64_t>(32 * count, coded_bits(message, at, count, c)), options.words_per_flit);
    });
    if (c.cut) add_lsb_cut_errors(message, c.parameters, *c.cut);
  }
}

/// The codecs to evaluate for a file.
std::vector<codec_metrics> candidates(const std::vector<words_t>& messages, std::optional<data_type> type,
                                      const codec_options& options) {
  std::vector<codec_metrics> codecs;
  const auto add_table = [&codecs](const fpc_table& table, table_origin from) {
    codec_metrics c;
    c.how = codec::Fpc;
    c.parameters.table = table;
    c.origin = from;
    codecs.push_back(c);
  };
  add_table({}, table_origin::Paper);
  if (options.runs) add_table(*options.runs, table_origin::Given);
  if (options.tune) {
    zeros_histogram zeros{};
    for (const words_t& message : messages)
      for (const std::uint32_t word : message) ++zeros[leading_zeros(word)];
    add_table(best_fpc_table(zeros), table_origin::Tuned);
  }
  codec_metrics classic;
  classic.how = codec::FpcClassic;
  classic.parameters.classic = true;
  codecs.push_back(classic);
  if (type != data_type::Int)
    for (const bool exact : {true, false}) {
      codec_metrics cut;
      cut.how = codec::LsbCut;
      cut.parameters.cut = options.cut;
      cut.parameters.exact = exact;
      codecs.push_back(cut);
    }
  return codecs;
}

/// \p before / \p after, both in bits or both in flits. Returns 1 if \p after is 0, whereas ratio() in format.h returns
/// 0.
double compression_ratio(std::uint64_t before, std::uint64_t after) {
  return after == 0 ? 1 : static_cast<double>(before) / static_cast<double>(after);
}

const char* name_of(const std::optional<data_type>& type) {
  if (!type) return "several types";
  switch (*type) {
    case data_type::Int:
      return "MPI_INT";
    case data_type::Double:
      return "MPI_DOUBLE";
    case data_type::DoubleComplex:
      return "MPI_DOUBLE_COMPLEX";
    case data_type::Other:
      break;
  }
  return "unknown type";
}

/// A number with its noun: "1 flit", "2 flits".
std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// \param paper name of the paper's table
const char* name_of(table_origin origin, const char* paper) {
  return origin == table_origin::Paper ? paper : origin == table_origin::Given ? "given" : "tuned";
}

std::string title(const codec_metrics& c) {
  const char* const name = kind_of(c.how).title;
  if (c.cut) return fmt::format("{} of {}, {}", name, c.parameters.cut, c.parameters.exact ? "exact" : "plain");
  if (c.origin == table_origin::None) return name;
  return fmt::format("{}, {:<7} {{{}}}", name, name_of(c.origin, "Table I"), fmt::join(c.parameters.table.runs, ","));
}

}  // namespace

codec_summary examine(const std::filesystem::path& path, const codec_options& options) {
  message_file file;
  try {
    file = read_messages(path);
  } catch (const workload_error& e) {
    throw configuration_error({diagnostic{"weft codec", e.what()}});
  }
  codec_summary r;
  r.file = path.string();
  r.application = file.application;
  r.messages = file.messages.size();
  std::vector<words_t> messages;
  for (const recorded_message& m : file.messages) {
    messages.push_back(m.words());
    r.bytes += m.bytes.size();
    r.words += messages.back().size();
    r.left_out += m.trailing_bytes();
    for_each_packet(messages.back(), options, [&](std::size_t, std::size_t count) {
      r.raw_flits += flits_of(32 * count, options.words_per_flit);
    });
  }
  if (r.words == 0)
    throw configuration_error(
        {{"weft codec", fmt::format("{} has no word of payload; choose a file of 4 bytes or more", r.file)}});
  r.type = file.type();
  r.codecs = candidates(messages, r.type, options);
  for (codec_metrics& c : r.codecs) measure(messages, options, c);
  return r;
}

std::string to_table(const codec_summary& r, const codec_options& options) {
  std::string text = fmt::format("{}: {} of {}, {}{}\n\n", printable(r.file), counted(r.messages, "message"),
                                 name_of(r.type), counted(r.bytes, "byte"),
                                 r.application.empty() ? "" : fmt::format(" ({})", printable(r.application)));
  text += fmt::format("  {:<44}{:>8}{:>12}\n", "codec", "ratio", "as packets");
  for (const codec_metrics& c : r.codecs) {
    std::string name = title(c);
    const bool of_doubles = kind_of(c.how).of_doubles;
    if (!r.type || *r.type == data_type::Other || is_double(*r.type) != of_doubles)
      name += of_doubles ? ", as doubles" : ", as words";
    text += fmt::format("  {:<44}{:>8.3f}{:>12.3f}\n", name, compression_ratio(32 * r.words, c.bits),
                        compression_ratio(r.raw_flits, c.flits));
  }
  if (std::any_of(r.codecs.begin(), r.codecs.end(), [](const codec_metrics& c) { return c.cut.has_value(); })) {
    text += fmt::format("\n  {:<24}{:>16}{:>24}{:>26}\n", "relative error", "worst", "mean of normal doubles",
                        "specials kept exactly");
    for (const codec_metrics& c : r.codecs)
      if (c.cut)
        text += fmt::format("  {:<24}{:>16.3g}{:>24.3g}{:>26}\n", title(c), c.cut->worst, c.cut->mean,
                            fmt::format("{} of {}", c.cut->specials_kept, c.cut->specials));
  }
  text += fmt::format("\n  As packets: of at most {} of {}, {} raw, each in the shorter of its forms.\n",
                      counted(options.packet, "flit"), counted(options.words_per_flit, "word"),
                      counted(r.raw_flits, "flit"));
  if (r.left_out > 0)
    text += fmt::format("  Left out: {} behind the last whole word of a message.\n", counted(r.left_out, "byte"));
  return text;
}

json to_json(const codec_summary& r, const codec_options& options) {
  json codecs = json::array();
  for (const codec_metrics& c : r.codecs) {
    json j = {{"codec", kind_of(c.how).name}};
    if (c.cut) {
      j["cut"] = c.parameters.cut;
      j["exact"] = c.parameters.exact;
    }
    if (c.origin != table_origin::None) {
      j["table"] = name_of(c.origin, "paper");
      j["runs"] = c.parameters.table.runs;
    }
    j["bits"] = c.bits;
    j["ratio"] = compression_ratio(32 * r.words, c.bits);
    j["flits"] = c.flits;
    j["packet_ratio"] = compression_ratio(r.raw_flits, c.flits);
    if (c.cut) {
      j["normals"] = c.cut->normals;
      j["worst_relative_error"] = c.cut->worst;
      j["mean_relative_error"] = c.cut->mean;
      j["specials"] = c.cut->specials;
      j["specials_kept"] = c.cut->specials_kept;
    }
    codecs.push_back(std::move(j));
  }
  return {{"file", r.file},
          {"application", r.application},
          {"type", name_of(r.type)},
          {"messages", r.messages},
          {"bytes", r.bytes},
          {"words", r.words},
          {"bytes_left_out", r.left_out},
          {"words_per_flit", options.words_per_flit},
          {"packet_flits", options.packet},
          {"raw_flits", r.raw_flits},
          {"codecs", std::move(codecs)}};
}

}  // namespace weft::experiment
