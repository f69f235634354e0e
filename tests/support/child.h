// SPDX-License-Identifier: Apache-2.0
/// SystemC elaborates once in a process. A test that wants many networks builds each in a child of its own.
#pragma once

#include <functional>
#include <string>

/// Runs \p f in a fork of this process and returns its text. The parent must not have elaborated anything.
///
/// A child that throws, dies of a signal, exits by itself or takes more than \p seconds of processor time throws
/// std::runtime_error here, which says how it ended. Expectations of GoogleTest do not reach the parent: \p f
/// tells what it found in its text.
std::string in_child(const std::function<std::string()>& f, unsigned seconds = 120);

/// The same; where it would throw, what it would say.
std::string verdict_in_child(const std::function<std::string()>& f);
