// SPDX-License-Identifier: Apache-2.0
/// Collects the errors of values that do not fit together.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/configuration.h"
#include "weft/core/diagnostic.h"
#include "weft/workload/error.h"

namespace weft::experiment {

class found_errors {
 public:
  using places = std::vector<std::string>;  ///< keys

  explicit found_errors(const configuration& c) : m_configuration(c) {}

  void add(diagnostic found) { m_errors.push_back(std::move(found)); }
  void add(const std::vector<diagnostic>& found) { m_errors.insert(m_errors.end(), found.begin(), found.end()); }
  /// Adds an error at the one of \p keys that overrides the others.
  void add(const places& keys, std::string message) { add({m_configuration.where_last(keys), std::move(message)}); }

  /// Calls \p use and converts its exceptions to errors at \p keys. \p name is the key of the file that \p use reads;
  /// messages about that file begin with it. \param prefix start of other messages
  template <class Use>
  void attempt(const places& keys, const std::string& name, Use use, const std::string& prefix = "") {
    try {
      use();
    } catch (const std::invalid_argument& e) {
      add(keys, prefix + e.what());
    } catch (const workload_error& e) {
      for (const std::string& fault : e.found()) add(keys, fmt::format("{}: {}", name, fault));
    }
  }

  std::vector<diagnostic> take() { return std::move(m_errors); }

 private:
  const configuration& m_configuration;
  std::vector<diagnostic> m_errors;
};

}  // namespace weft::experiment
