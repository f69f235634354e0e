// SPDX-License-Identifier: Apache-2.0
/// SystemC elaborates once per process, so a test with many networks builds each in its own subprocess.
#pragma once

#include <functional>
#include <string>

/// Runs \p f in a fork of this process and returns its text. The parent must not have elaborated anything.
///
/// \throws std::runtime_error with the reason if the subprocess throws, dies of a signal, calls exit(), or takes more
/// than \p seconds seconds of processor time. Failed GoogleTest expectations do not reach the parent, so \p f must
/// report its results in its text.
std::string run_in_subprocess_or_throw(const std::function<std::string()>& f, unsigned seconds = 120);

/// The same, but returns the reason instead of throwing it.
std::string run_in_subprocess(const std::function<std::string()>& f);
