// SPDX-License-Identifier: Apache-2.0
/// Errors in files that describe traffic.
#pragma once

#include <stdexcept>

namespace weft {

/// A file of the workload cannot be read or says something impossible. The text starts with the file and,
/// where there is one, the line, and says what was expected. Impossible parameters are std::invalid_argument.
class workload_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace weft
