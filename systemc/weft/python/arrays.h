// SPDX-License-Identifier: Apache-2.0
/// Hands vectors to Python as numpy arrays, without a copy.
#pragma once

#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace weft::python {

namespace py = pybind11;

/// \p rows as an array that owns them. A struct becomes a structured array; PYBIND11_NUMPY_DTYPE must declare it.
template <class Row>
py::array_t<Row> to_array(std::vector<Row> rows) {
  auto* const kept = new std::vector<Row>(std::move(rows));
  const py::capsule owner(kept, [](void* all) { delete static_cast<std::vector<Row>*>(all); });
  return py::array_t<Row>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

}  // namespace weft::python
