// SPDX-License-Identifier: Apache-2.0
/// Runs parts of tests in subprocesses. SystemC elaborates once per process, so a test with many networks needs a
/// subprocess for each network.
#pragma once

#include <functional>
#include <string>

/// Runs \p f in a fork of this process, and returns the text that it returns. The parent must not have elaborated
/// anything.
///
/// \throws std::runtime_error with the reason if the subprocess throws, is ended by a signal, calls exit(), or needs
///         more than \p seconds seconds of processor time. GoogleTest expectations that fail in the subprocess do not
///         reach the parent, so \p f must report its results in its text.
std::string run_in_subprocess_or_throw(const std::function<std::string()>& f, unsigned seconds = 120);

/// Does the same as run_in_subprocess_or_throw(), but returns the reason instead of throwing it.
std::string run_in_subprocess(const std::function<std::string()>& f);
