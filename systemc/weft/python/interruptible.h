// SPDX-License-Identifier: Apache-2.0
/// Runs C++ code without Python's global lock. Signals such as Ctrl-C end it.
#pragma once

#include <exception>
#include <functional>

#include "weft/simulation/run.h"

namespace weft::python {

/// Calls \p work without the global lock. Its argument contains the hooks of a run, which stop it if a handler of
/// Python raises an exception for a signal. Python calls these handlers only in the main thread; in other threads, the
/// hooks never stop the run. \throws the exception of the handler; the exceptions of \p work
void run_interruptible(const std::function<void(const experiment::run_hooks&)>& work);

}  // namespace weft::python
