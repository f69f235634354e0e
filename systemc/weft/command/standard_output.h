// SPDX-License-Identifier: Apache-2.0
/// Standard output with error detection.
#pragma once

#include <array>
#include <ostream>
#include <streambuf>

namespace weft::experiment {

/// While this object exists, std::cout writes through it, and flush() reports write errors: a full disk must not look
/// like success.
/// It also opens closed standard descriptors on /dev/null for reading. So no file of a run gets their numbers, and
/// printing to them is an error.
class standard_output final : private std::streambuf {
 public:
  standard_output();
  /// Drops output that is not flushed.
  ~standard_output() override;
  standard_output(const standard_output&) = delete;
  standard_output& operator=(const standard_output&) = delete;

  /// \throws output_error if anything could not be written so far; interrupted if there was no reader for a second
  /// after a signal
  void flush();

 private:
  int_type overflow(int_type c) override;
  int sync() override;

  std::array<char, 65536> m_text;
  std::streambuf* m_before;
  int m_error = 0;  ///< errno of the first error
};

}  // namespace weft::experiment
