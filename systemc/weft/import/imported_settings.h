// SPDX-License-Identifier: Apache-2.0
/// The settings of another simulator's configuration, and which of them a conversion has used.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/import/simulator_key.h"

namespace weft::experiment {

/// A setting: a key, its value, and where it was given.
struct imported_setting {
  std::string name;
  std::string value;
  std::string place;         ///< "mesh:7", or "argument num_vcs=8"
  bool is_argument = false;  ///< given on the command line
  bool is_default = false;   ///< not given; the place is the file
};

/// "num_vcs = 8", or "num_vcs = 16 (default)".
std::string assignment(const imported_setting& s);

class imported_settings {
 public:
  /// Unknown keys, and values that a key does not accept, are errors. Of several settings of a key, the last one holds,
  /// but a text precedes all numbers, as in BookSim2.
  /// \param simulator its name in messages
  /// \param file the place of errors that no setting causes
  imported_settings(const char* simulator, std::string file, std::vector<imported_setting> given,
                    std::vector<simulator_key> keys);

  const char* simulator() const { return m_simulator; }
  const std::string& file() const { return m_file; }
  /// Whether the configuration sets the key \p name.
  bool has(const std::string& name) const { return m_holding.count(name) > 0; }
  /// The setting of the key \p name, or its default. Marks it as used.
  imported_setting use(const std::string& name);
  /// The same, without marking it as used.
  imported_setting setting_of(const std::string& name) const;
  /// The value of use() as a number. A malformed number is recorded as an error, and the result is 1.
  std::uint64_t whole(const std::string& name);
  double number(const std::string& name);
  bool flag(const std::string& name) { return whole(name) != 0; }

  /// A setting that is not converted or that Weft treats differently, and the reason.
  struct remark {
    imported_setting setting;
    std::string why;
    bool is_unexpected = false;  ///< deserves a warning
  };
  /// Marks the setting of the key \p name as not converted, if the configuration contains it.
  void lack(const std::string& name, const std::string& why) { m_used.insert(name), m_lacks.emplace(name, why); }
  /// The same, with a warning, because users expect that the setting has an effect.
  void lack_unexpectedly(const std::string& name, const std::string& why);
  /// Notes that flits take other paths or other times than in the other simulator because of the setting of the key
  /// \p name, which may be the default.
  void differ(const std::string& name, const std::string& why);
  /// The settings that are not converted, in the order of the configuration: those of lack(), those that no call of
  /// use() has read, except defaults that match Weft's behavior, and those that another one replaces.
  std::vector<remark> remarks() const;
  /// The settings of differ(), and those that no call of use() has read and that change the path or the delay of flits.
  std::vector<remark> differences() const;

  /// Records an error at the setting of the key \p name, once if it is reported several times. If the key is not set,
  /// the place of the error is the file.
  void error(const std::string& name, const std::string& message);
  /// \throws input_error with all errors, if there are any
  void throw_if_any() const;

  /// Whether the key \p name does not accept its setting, which is then an error already.
  bool is_wrong(const std::string& name) const;
  /// The key \p name; null if there is none.
  const simulator_key* find(const std::string& name) const;

 private:
  void choose_holding();
  void check_given();
  void add_error(const std::string& place, const std::string& message);
  /// Whether no call of use() has read setting \p i, which holds, and its value is not what Weft does anyway.
  bool is_ignored(const imported_setting& s) const;

  const char* m_simulator;
  std::string m_file;
  std::vector<imported_setting> m_given;
  std::vector<simulator_key> m_keys;
  std::map<std::string, std::size_t> m_holding;  ///< index of the setting that holds
  std::set<std::string> m_used;
  std::map<std::string, std::string> m_lacks;
  std::set<std::string> m_unexpected;                              ///< keys of m_lacks
  std::vector<std::pair<std::string, std::string>> m_differences;  ///< keys and reasons
  std::vector<diagnostic> m_errors;
};

/// The message that the value \p value of Weft's key \p path is not converted, with the hint of import_hints.h.
/// \param what the kind of value, such as "topology"
std::string not_converted(const std::string& what, const std::string& path, const std::string& value);

}  // namespace weft::experiment
