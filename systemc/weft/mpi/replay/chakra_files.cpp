// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "weft/core/diagnostic.h"
#include "weft/mpi/replay/chakra.h"
#include "weft/workload/error.h"

namespace weft {

namespace {

constexpr std::string_view Ending = ".et";

/// Returns RANK of a file NAME.RANK.et with the same NAME as \p like; nothing if the file has another name.
std::optional<std::uint32_t> rank_of(const std::filesystem::path& file, const std::filesystem::path& like) {
  const std::filesystem::path stem = file.stem();
  const std::string digits = stem.extension().string();  // including the dot
  if (file.extension() != Ending || stem.stem() != like.stem().stem() || digits.size() < 2) return std::nullopt;
  const std::optional<std::uint32_t> rank = parse_number<std::uint32_t>(digits.substr(1));
  if (rank && digits.substr(1) != std::to_string(*rank))
    throw workload_error(fmt::format("{}: expected {}.{}{} as the name of the file of rank {}; rename it",
                                     file.string(), stem.stem().string(), *rank, Ending, *rank));
  return rank;
}

}  // namespace

bool is_chakra(const std::filesystem::path& file) { return file.extension() == Ending; }

std::vector<std::filesystem::path> chakra_files(const std::filesystem::path& file) {
  if (!rank_of(file, file))
    throw workload_error(file.string() + ": expected a file of a Chakra trace to be named NAME.RANK.et");
  const std::filesystem::path folder = file.parent_path();
  std::map<std::uint32_t, std::filesystem::path> by_rank;
  std::error_code error;
  for (auto i = std::filesystem::directory_iterator(folder.empty() ? "." : folder, error);
       !error && i != std::filesystem::directory_iterator(); i.increment(error)) {
    const std::filesystem::path one = folder / i->path().filename();
    if (const std::optional<std::uint32_t> rank = rank_of(one, file)) by_rank.emplace(*rank, one);
  }
  if (error) throw workload_error(fmt::format("{}: cannot be read: {}", file.string(), error.message()));
  by_rank.emplace(*rank_of(file, file), file);  // if it does not exist, reading it fails later
  std::vector<std::filesystem::path> files;
  for (const auto& [rank, one] : by_rank) {
    if (rank != files.size())
      throw workload_error(fmt::format("{}: the trace has no file of rank {}; add {}.{}{}, or remove {}", file.string(),
                                       files.size(), file.stem().stem().string(), files.size(), Ending,
                                       one.filename().string()));
    files.push_back(one);
  }
  return files;
}

}  // namespace weft
