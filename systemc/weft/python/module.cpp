// SPDX-License-Identifier: Apache-2.0
/// The extension module `weft._weft`, which the Python files of the folder `weft` use. It has no stable interface.
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "weft/core/diagnostic.h"
#include "weft/core/warning.h"
#include "weft/python/interruptible.h"
#include "weft/python/parts.h"
#include "weft/report/format.h"
#include "weft/report/json_text.h"
#include "weft/report/results.h"
#include "weft/yaml/key_at.h"

namespace weft::python {

using namespace experiment;
namespace py = pybind11;

/// SystemC's library contains a main function that calls this one. The module runs no SystemC simulation: runs at pin
/// level have a process of their own.
extern "C" __attribute__((visibility("default"))) int sc_main(int /*argc*/, char** /*argv*/) { return 1; }

namespace {

/// A diagnostic as a tuple of place, message and details.
py::tuple tuple_of(const diagnostic& d) { return py::make_tuple(d.place, d.message, d.details); }

/// The warnings of this thread that Python has not taken.
std::vector<diagnostic>& pending_warnings() {
  thread_local std::vector<diagnostic> all;
  return all;
}

py::list take_warnings() {
  py::list all;
  for (const diagnostic& d : std::exchange(pending_warnings(), {})) all.append(tuple_of(d));
  return all;
}

/// Raises Weft's errors in the user's input as InputError with a list of diagnostics, and all others as Error.
void raise(PyObject* input_error_type, PyObject* error_type, const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const py::error_already_set&) {
    throw;
  } catch (const py::builtin_exception&) {
    throw;
  } catch (const input_error& e) {
    py::list all;
    for (const diagnostic& d : e.found()) all.append(tuple_of(d));
    PyErr_SetObject(input_error_type, py::make_tuple(all).ptr());
  } catch (const std::bad_alloc& e) {
    PyErr_SetString(PyExc_MemoryError, message_of(e).c_str());
  } catch (const std::exception& e) {
    PyErr_SetString(error_type, e.what());
  }
}

/// Settings as tuples of key, value as YAML text, and place for messages.
using setting_tuples = std::vector<std::tuple<std::string, std::string, std::string>>;

/// Loads the file \p name or, if \p text is given, parses this text, which has the name \p name in messages. Unless
/// \p checked, does not check whether the values fit together.
std::shared_ptr<configuration> load(const std::string& name, const std::optional<std::string>& text,
                                    const setting_tuples& tuples, bool checked) {
  std::vector<setting> settings;
  for (const auto& [key, value, place] : tuples) settings.push_back({key, value, place});
  const py::gil_scoped_release unlocked;
  if (!checked)
    return std::make_shared<configuration>(text ? parse_unchecked(*text, name, settings)
                                                : load_unchecked(name, settings));
  configuration c = text ? parse_configuration(*text, name, settings) : load_configuration(name, settings);
  require_flowing_traffic(c);
  return std::make_shared<configuration>(std::move(c));
}

/// The given keys that request files which a run without a directory does not write.
std::vector<std::string> file_keys(const configuration& c) {
  std::vector<std::string> keys;
  if (c.output.event_log) keys.emplace_back("output.event_log");
  if (c.output.answers) keys.emplace_back("output.answers");
  if (!c.output.vcd.empty()) keys.emplace_back("output.vcd");
  if (c.output.energy.thermal) keys.emplace_back("output.energy.thermal");
  return keys;
}

/// Simulates \p c in this process. \return the texts of the JSON and CSV files
py::tuple run(const shared_configuration& c) {
  std::string json_text, csv;
  run_interruptible([&](const run_hooks& hooks) {
    weft::experiment::experiment work(*c, nullptr, {}, {});
    const run_result result = work.run(hooks);
    if (result.how == outcome::Interrupted) return;  // an exception of Python follows
    const run_summary r{*c, work.graph(), work.measured(), result, 0};
    json_text = to_text(to_json(r));
    csv = to_csv(r);
  });
  return py::make_tuple(json_text, csv);
}

}  // namespace

PYBIND11_MODULE(_weft, m) {
  m.doc() = "The compiled part of the module weft. Use the names of weft instead.";
  static PyObject* const error = PyErr_NewException("weft.Error", nullptr, nullptr);
  static PyObject* const input_error_type = PyErr_NewException("weft._weft.InputError", error, nullptr);
  m.attr("Error") = py::reinterpret_borrow<py::object>(error);
  m.attr("InputError") = py::reinterpret_borrow<py::object>(input_error_type);
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    if (thrown) raise(input_error_type, error, thrown);
  });
  set_warning_handler([](const diagnostic& d) { pending_warnings().push_back(d); });

  m.def("version", &version);
  m.def("take_warnings", &take_warnings);
  m.def("key_at", &key_at);
  m.def("load", &load);
  m.def("run", &run);
  py::class_<configuration, std::shared_ptr<configuration>>(m, "Configuration")
      .def("is_engine", [](const configuration& c) { return c.simulation.level == abstraction_level::Engine; })
      .def("has_fixed_warmup", [](const configuration& c) { return c.simulation.warmup.has_value(); })
      .def("name", [](const configuration& c) { return c.output.name; })
      .def("file_keys", &file_keys);
  add_stepped_experiment(m);
  add_network_view(m);
}

}  // namespace weft::python
