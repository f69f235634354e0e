// SPDX-License-Identifier: Apache-2.0
/// Warnings about users' input that Weft accepts but reads only partly, or interprets in its own way.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "weft/core/diagnostic.h"

namespace weft {

using warning_handler = std::function<void(const diagnostic&)>;

/// Passes \p d to the handler, which by default prints `place: warning: message` on standard error. Each warning is
/// given once per process, since some files are read more than once. Callable from any thread.
void warn(const diagnostic& d);

/// Replaces the handler of all later warnings and clears the record of those given. An empty handler discards warnings.
/// \return the previous handler
warning_handler set_warning_handler(warning_handler handler);

/// Counts what a reader ignores in a file, so that it can give one warning for each kind of omission.
class omissions {
 public:
  /// Counts one omission of the kind \p what, a clause such as "the attribute 'color' is not read", at \p place of the
  /// input.
  void add(const std::string& what, const std::string& place);

  /// Gives a warning for each kind at the place of its first occurrence, with the count if there are several.
  /// \param remedy advice appended to each warning; may be empty
  void warn_all(const std::string& remedy = {}) const;

 private:
  struct kind {
    std::string place;
    std::size_t count = 0;
    std::size_t order = 0;  ///< order in which the kind first occurred
  };
  std::map<std::string, kind> m_kinds;
};

}  // namespace weft
