// SPDX-License-Identifier: Apache-2.0
/// Warnings about what users wrote: Weft accepts it, but does not read all of it, or reads it in its own sense.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "weft/core/diagnostic.h"

namespace weft {

using warning_handler = std::function<void(const diagnostic&)>;

/// Passes \p d to the handler, which by default prints `place: warning: message` on standard error. A process gives
/// each warning once, since it reads some files more than once. Callable from any thread.
void warn(const diagnostic& d);

/// Replaces the handler of all later warnings and forgets which were given. An empty one drops them.
/// \return the handler before
warning_handler set_warning_handler(warning_handler handler);

/// Counts what a reader leaves out, so that each kind gives one warning however large the file is.
class omissions {
 public:
  /// Counts one of the kind \p what, a clause such as "the attribute 'color' is not read", at \p place of the input.
  void add(const std::string& what, const std::string& place);

  /// Gives a warning for each kind at the place of the first one, with their number if there are several.
  /// \param remedy what helps, appended to each; may be empty
  void warn_all(const std::string& remedy = {}) const;

 private:
  struct kind {
    std::string place;
    std::size_t count = 0;
    std::size_t order = 0;  ///< of the first one among the kinds
  };
  std::map<std::string, kind> m_kinds;
};

}  // namespace weft
