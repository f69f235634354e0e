// SPDX-License-Identifier: Apache-2.0
#include "weft/import/check_converted.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/configuration.h"
#include "weft/configuration/network.h"
#include "weft/configuration/traffic_sections.h"
#include "weft/core/diagnostic.h"
#include "weft/core/quote.h"

namespace weft::experiment {

namespace {

namespace fs = std::filesystem;

/// A file with a text in the directory for temporary files, which is deleted with this object. Without a text, there is
/// no file.
class temporary_file {
 public:
  explicit temporary_file(const std::string& text) {
    if (text.empty()) return;
    std::string name = (fs::temp_directory_path() / "weft_import_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw input_error({{name,
                          "cannot create this directory, in which the result is checked; set TMPDIR to a "
                          "directory that you may write"}});
    m_directory = name;
    std::ofstream(file()) << text;
  }
  ~temporary_file() {
    std::error_code ignored;
    if (!m_directory.empty()) fs::remove_all(m_directory, ignored);
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  std::string file() const { return (m_directory / "converted").string(); }

 private:
  fs::path m_directory;
};

/// \p text with \p after instead of each \p before.
std::string replaced(std::string text, const std::string& before, const std::string& after) {
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + after.size()))
    text.replace(at, before.size(), after);
  return text;
}

/// The place of leaf \p number in errors of the reader.
std::string mark_of(std::size_t number) { return fmt::format("leaf {}", number); }

/// The error \p d of the value \p l, at the settings from which the value was computed.
diagnostic at_settings(const diagnostic& d, const converted_configuration::leaf& l, const imported_settings& in) {
  std::string place = in.file(), settings;
  for (const std::string& name : l.from) {
    const imported_setting s = in.setting_of(name);
    if (!s.is_default && place == in.file()) place = s.place;
    constexpr std::size_t MostWithDefaults = 2;  // defaults of more keys would hide the setting that is wrong
    if (s.is_default && l.from.size() > MostWithDefaults) continue;
    settings += (settings.empty() ? "" : ", ") + assignment(s);
  }
  return {place, (settings.empty() ? "" : settings + ": ") + d.message, d.details};
}

/// The values of \p out as settings, so that errors of a value have the place mark_of().
/// \param key the key whose value is \p file
std::vector<setting> settings_of(const converted_configuration& out, const std::string& key, const std::string& file) {
  std::vector<setting> settings;
  for (const converted_configuration::leaf& l : out.leaves()) {
    settings.push_back({l.path, l.path == key ? quoted(file) : l.value, mark_of(settings.size())});
  }
  return settings;
}

/// A configuration that has the traffics of \p out, with defaults. Settings do not add traffics.
std::string traffics_of(const converted_configuration& out) {
  std::set<std::string> names;
  for (const converted_configuration::leaf& l : out.leaves())
    if (const std::optional<std::string> name = traffic_in(l.path)) names.insert(*name + ": {}");
  return names.empty() ? "" : fmt::format("workload: {{traffics: {{{}}}}}\n", fmt::join(names, ", "));
}

/// Calls \p check. Converts the places of its errors.
template <class Check>
void with_places(const converted_configuration& out, const imported_settings& in, const temporary_file& copy,
                 const std::string& source, Check check) {
  try {
    check();
  } catch (const input_error& e) {
    std::vector<diagnostic> errors;
    for (const diagnostic& d : e.found()) {
      std::size_t number = 0;
      while (number < out.leaves().size() && d.place != mark_of(number)) ++number;
      const bool is_of_file = !source.empty() && d.place.find(copy.file()) == 0;
      errors.push_back(number < out.leaves().size()
                           ? at_settings(d, out.leaves()[number], in)
                           : diagnostic{is_of_file ? source : in.file(), d.message, d.details});
      if (!source.empty()) errors.back().message = replaced(errors.back().message, copy.file(), source);
    }
    throw input_error(std::move(errors));
  }
}

}  // namespace

void check_converted(const converted_configuration& out, const imported_settings& in, const converted_file& file) {
  const temporary_file copy(file.text);
  with_places(out, in, copy, file.source, [&] {
    const configuration c = parse_configuration(traffics_of(out), "", settings_of(out, file.key, copy.file()));
    check_load(c, build_network(c));
  });
}

void check_converted(const converted_file& file) {
  const temporary_file copy(file.text);
  converted_configuration out;
  out.set("network.topology.kind", "file", {});
  out.set(file.key, quoted(copy.file()), {});
  out.set("simulation.level", "engine", {});
  const imported_settings in("BookSim2", file.source, {}, {});
  with_places(out, in, copy, file.source, [&] {
    build_channels(parse_configuration(traffics_of(out), "", settings_of(out, file.key, copy.file())));
  });
}

}  // namespace weft::experiment
