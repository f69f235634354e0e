// SPDX-License-Identifier: Apache-2.0
/// Detects errors when the program writes to standard output.
#pragma once

#include <array>
#include <ostream>
#include <streambuf>

namespace weft::experiment {

/// While this object exists, std::cout writes through it, and flush() reports write errors, so that the command fails
/// if the disk is full.
/// The object also opens standard descriptors that are closed, for reading from /dev/null. Thus no file of a run gets
/// their numbers, and printing to them is an error.
class standard_output final : private std::streambuf {
 public:
  standard_output();
  /// Discards output that was not flushed.
  ~standard_output() override;
  standard_output(const standard_output&) = delete;
  standard_output& operator=(const standard_output&) = delete;

  /// \throws output_error if some output could not be written, and interrupted if standard output had no reader for a
  /// second after a signal
  void flush();

 private:
  int_type overflow(int_type c) override;
  int sync() override;

  std::array<char, 65536> m_text;
  std::streambuf* m_before;
  int m_error = 0;  ///< errno of the first error
};

}  // namespace weft::experiment
