// SPDX-License-Identifier: Apache-2.0
/// Standard output whose errors are noticed.
#pragma once

#include <array>
#include <ostream>
#include <streambuf>

namespace weft::experiment {

/// While it lives, std::cout writes by it, and what cannot be written is an error of flush(): a full disk must not look
/// like success.
///
/// A standard descriptor that is closed is opened on /dev/null for reading: no file of a run gets its number, and what
/// is printed is an error.
class standard_output final : private std::streambuf {
 public:
  standard_output();
  /// What is not flushed is dropped.
  ~standard_output() override;
  standard_output(const standard_output&) = delete;
  standard_output& operator=(const standard_output&) = delete;

  /// \throws output_error if anything could not be written, now or before; interrupted if nobody read it for a second
  /// after a signal was noted
  void flush();

 private:
  int_type overflow(int_type c) override;
  int sync() override;

  std::array<char, 65536> m_text;
  std::streambuf* m_before;
  int m_error = 0;  ///< errno of the first
};

}  // namespace weft::experiment
