// SPDX-License-Identifier: Apache-2.0
#include "weft/command/standard_output.h"

#include <cerrno>
#include <cstring>
#include <iostream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "weft/file/interruption.h"
#include "weft/report/output_file.h"

namespace weft::experiment {

standard_output::standard_output() : m_before(std::cout.rdbuf(this)) {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})  // open() uses the lowest free descriptor
    if (fcntl(descriptor, F_GETFD) == -1 && ::open("/dev/null", O_RDONLY) != descriptor) break;
  setp(m_text.data(), m_text.data() + m_text.size());
}

standard_output::~standard_output() { std::cout.rdbuf(m_before); }

void standard_output::flush() {
  sync();
  if (m_error == EINTR)
    throw interrupted("interrupted while waiting for the reader of standard output; the output is incomplete");
  if (m_error != 0) throw output_error(fmt::format("cannot write to standard output: {}", std::strerror(m_error)));
}

standard_output::int_type standard_output::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int standard_output::sync() {
  const char* at = pbase();
  const char* const end = pptr();
  setp(m_text.data(), m_text.data() + m_text.size());
  while (at < end) {
    const ssize_t written =
        m_error == EINTR ? -1 : write_to_reader(STDOUT_FILENO, at, static_cast<std::size_t>(end - at));
    if (written < 0) {
      if (m_error == 0) m_error = errno;
      return -1;
    }
    at += written;
  }
  return 0;
}

}  // namespace weft::experiment
