// SPDX-License-Identifier: Apache-2.0
#include "weft/python/interruptible.h"

#include <pybind11/pybind11.h>

namespace weft::python {

namespace py = pybind11;

void run_interruptible(const std::function<void(const experiment::run_hooks&)>& work) {
  const py::module_ threading = py::module_::import("threading");
  const bool is_main = threading.attr("current_thread")().is(threading.attr("main_thread")());
  std::exception_ptr raised;
  experiment::run_hooks hooks;
  if (is_main)
    hooks.stop = [&raised] {
      const py::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() != 0) raised = std::make_exception_ptr(py::error_already_set());
      return raised != nullptr;
    };
  {
    const py::gil_scoped_release unlocked;
    work(hooks);
  }
  if (raised) std::rethrow_exception(raised);
}

}  // namespace weft::python
