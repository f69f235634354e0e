// SPDX-License-Identifier: Apache-2.0
/// The parts of the extension module. Each function adds the classes and functions of one file.
#pragma once

#include <memory>

#include <pybind11/pybind11.h>

#include "weft/configuration/configuration.h"

namespace weft::python {

/// A checked configuration, which several objects may use.
using shared_configuration = std::shared_ptr<const experiment::configuration>;

void add_stepped_experiment(pybind11::module_& m);
void add_network_view(pybind11::module_& m);

}  // namespace weft::python
