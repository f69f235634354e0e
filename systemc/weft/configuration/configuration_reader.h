// SPDX-License-Identifier: Apache-2.0
/// Reads YAML into a configuration according to the table of keys (keys.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/configuration/keys.h"
#include "weft/yaml/errors.h"
#include "weft/yaml/section.h"

namespace weft::experiment {

/// Sets the given values in a configuration and records their places in configuration::given. A wrong value is an
/// error, and its key keeps the default.
class configuration_reader {
 public:
  /// \param c receives the values; `file` must be set, because paths are relative to its directory
  /// \param errors receives the errors of all files and settings
  /// \param others sections of the main file that other code reads; included files must not have them
  configuration_reader(configuration& c, yaml_errors& errors, std::vector<std::string> others = {});

  /// Reads the whole document \p root. The values of included files are set before the values of the file that includes
  /// them, recursively. Each file is read once; if it is included several times, the last time counts. If the document
  /// is a result of Weft, the configuration in it is read.
  void read_file(const YAML::Node& root);
  /// Maximum lengths of lists, by key. The maximum is the number of nodes of the largest networks, because most lists
  /// name nodes.
  list_limits limits() const;
  /// Reads a value from the command line. Errors from now on are reported at the place of \p s.
  void read_setting(const setting& s);
  /// Whether the key or section of \p s exists. Records an error if it does not.
  bool check_key_of(const setting& s);

 private:
  /// A file to read. Document 0 is the main file; all others are included files.
  struct document {
    std::filesystem::path file;
    YAML::Node root;
    std::vector<std::size_t> includes;  ///< numbers of the included documents, in order
  };

  std::size_t find_documents(const YAML::Node& content, const std::filesystem::path& file);
  std::optional<std::size_t> include(const YAML::Node& name, const std::filesystem::path& file);
  void note_circle(std::size_t first, const YAML::Mark& at, const std::filesystem::path& again);
  void order_documents(std::size_t number, std::vector<bool>& seen, std::vector<std::size_t>& last_first) const;
  void read_document(const document& d);
  const key* find_key(const std::string& path) const;
  const section* find_section(const std::string& path) const;
  void add_traffics(const YAML::Node& names, const YAML::Mark& at);
  void bind();
  known_keys keys_in(const std::string& path) const;
  bool check_path(const std::string& path);
  std::string choice_hint(const std::string& around, const std::string& value) const;
  void note_place(const std::string& path, const YAML::Mark& mark);
  void read(const std::string& path, const YAML::Node& node, const YAML::Mark& at);
  void read_section(const std::string& path, const YAML::Node& node, const YAML::Mark& at);
  void reset(const std::string& around);
  void read_key(const key& k, const YAML::Node& node, const YAML::Mark& at);
  YAML::Node with_new_name(const key& k, const YAML::Node& node, const YAML::Mark& at) const;

  configuration& m_configuration;
  yaml_errors& m_errors;
  std::vector<std::string> m_others;
  std::vector<key> m_keys;
  std::vector<section> m_sections;
  std::filesystem::path m_base;
  origin::kind m_from = origin::kind::File;
  unsigned m_layer = 0;
  std::vector<document> m_documents;
  std::map<std::filesystem::path, std::size_t> m_number_of;  ///< document numbers, by canonical path
  std::vector<std::size_t> m_open;  ///< documents whose includes are being read, outermost first
};

}  // namespace weft::experiment
