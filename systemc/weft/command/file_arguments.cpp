// SPDX-License-Identifier: Apache-2.0
#include "weft/command/file_arguments.h"

#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "weft/configuration/keys.h"
#include "weft/report/output_file.h"

namespace weft::experiment {

namespace {

/// The argument as on the command line: "--json a.json".
std::string words_of(const file_argument& argument) { return argument.option + " " + argument.file; }

/// Rejects \p output. \param why the damage that writing it would do
[[noreturn]] void reject(const file_argument& output, const std::string& why) {
  fail(words_of(output), output.remedy.empty() ? why : fmt::format("{}; {}", why, output.remedy));
}

}  // namespace

std::vector<file_argument> inputs_of(const input& in, const configuration& c) {
  if (in.file.empty()) return {};
  std::vector<file_argument> inputs{{"CONFIG", in.file}};
  for (const std::filesystem::path& file : c.included) inputs.push_back({"include:", file.string()});
  configuration read = c;
  for (const key& k : keys(read)) {
    const bool is_file = k.type.what == value_type::kind::Path && k.path != "output.directory";
    if (const json name = is_file ? k.get() : json(); name.is_string()) {
      const std::string file = (c.file.parent_path() / name.get<std::string>()).lexically_normal().string();
      for (file_argument& one : with_content(k.path, file)) inputs.push_back(std::move(one));
    }
  }
  return inputs;
}

file_argument result_argument(const std::filesystem::path& file) {
  return {"the result", file.string(), "set output.name or output.directory"};
}

std::vector<file_argument> kept_inputs_of(const input& in, const configuration& c) {
  std::vector<file_argument> inputs = inputs_of(in, c);
  if (!inputs.empty() && !c.recorded_by.empty()) inputs.erase(inputs.begin());
  return inputs;
}

std::vector<file_argument> arguments_of(const stored_results& stored) {
  std::vector<file_argument> inputs;
  for (const std::filesystem::path& file : stored.files) inputs.push_back({"RESULTS", file.string()});
  return inputs;
}

std::vector<file_argument> proof_files(const std::string& proof) {
  if (proof.empty()) return {};
  return {{"--proof", proof + ".cnf"}, {"--proof", proof + ".drat"}};
}

std::vector<file_argument> with_content(const std::string& option, const std::string& file) {
  std::vector<file_argument> files{{option, file}};
  std::error_code error;  // ignored here; reading the file reports errors
  for (auto i = std::filesystem::directory_iterator(file, error); !error && i != std::filesystem::directory_iterator();
       i.increment(error))
    files.push_back({option, i->path().string()});
  return files;
}

void check_outputs(const std::vector<file_argument>& outputs, const std::vector<file_argument>& inputs) {
  std::map<std::string, const file_argument*> read, written;  // by the place in the file system
  for (const file_argument& one : inputs)
    if (!one.file.empty() && one.file != "-") read.emplace(place_of(one.file), &one);
  for (const file_argument& one : outputs) {
    const std::string place = one.file.empty() ? "" : place_of(one.file);
    if (place.empty()) continue;
    if (const auto at = read.find(place); at != read.end())
      reject(one, fmt::format("would overwrite {}, which is read", words_of(*at->second)));
    const auto [before, is_new] = written.emplace(place, &one);
    if (!is_new)
      reject(one, fmt::format("{} writes to {}", words_of(*before->second),
                              place == "-" ? "standard output, too" : "the same file"));
  }
}

}  // namespace weft::experiment
