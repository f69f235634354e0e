// SPDX-License-Identifier: Apache-2.0
/// Reads YAML into a configuration by the table of keys (keys.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/configuration/keys.h"
#include "weft/yaml/faults.h"
#include "weft/yaml/section.h"

namespace weft::experiment {

/// Sets what is given, and notes in configuration::given where. Values that are wrong leave their defaults and are
/// faults.
class configuration_reader {
 public:
  /// \param c its `file` is set; the base of relative paths
  /// \param faults of that file
  /// \param others sections of the document that are for another reader; files that it includes have none
  configuration_reader(configuration& c, yaml_faults& faults, std::vector<std::string> others = {});

  /// The whole document. Values of the files that it includes are set before its own, those of each file after those
  /// of what that one includes. A file is read once: of several places its last one counts. A result, as `weft run`
  /// writes it, stands for the configuration in it.
  void read_file(const YAML::Node& root);
  /// Of lists of the keys: what a list names are nodes, or fewer, and no network has more.
  list_limits limits() const;
  /// A value from the command line; faults are at its place from here on.
  void read_setting(const setting& s);
  /// Whether its key or section exists; a fault otherwise.
  bool check_key_of(const setting& s);

 private:
  /// A file that is read: the main one first, then those that it includes, each once.
  struct document {
    std::filesystem::path file;
    YAML::Node root;
    std::vector<std::size_t> includes;  ///< by their numbers, in order
  };

  std::size_t find_documents(const YAML::Node& content, const std::filesystem::path& file);
  std::optional<std::size_t> include(const YAML::Node& name, const std::filesystem::path& file);
  void note_circle(std::size_t first, const YAML::Mark& at, const std::filesystem::path& again);
  void order_documents(std::size_t number, std::vector<bool>& seen, std::vector<std::size_t>& last_first) const;
  void read_document(const document& d);
  const key* find_key(const std::string& path) const;
  static const section* find_section(const std::string& path);
  known_keys keys_in(const std::string& path) const;
  bool check_path(const std::string& path);
  std::string choice_hint(const std::string& around, const std::string& value) const;
  void remember(const std::string& path, const YAML::Mark& mark);
  void read(const std::string& path, const YAML::Node& node, const YAML::Mark& at);
  void read_section(const std::string& path, const YAML::Node& node, const YAML::Mark& at);
  void reset(const std::string& around);
  void read_key(const key& k, const YAML::Node& node, const YAML::Mark& at);

  configuration& m_configuration;
  yaml_faults& m_faults;
  std::vector<std::string> m_others;
  std::vector<key> m_keys;
  std::filesystem::path m_base;
  origin::kind m_from = origin::kind::File;
  unsigned m_layer = 0;
  std::vector<document> m_documents;
  std::map<std::filesystem::path, std::size_t> m_number_of;  ///< of documents, by where they really are
  std::vector<std::size_t> m_open;  ///< the document whose includes are being read, behind those that include it
};

}  // namespace weft::experiment
