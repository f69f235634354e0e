// SPDX-License-Identifier: Apache-2.0
/// The ports of a module as its source declares them, in SystemC or SystemVerilog, and whether two modules have the
/// same.
///
/// It reads declarations as this project writes them (in-class ports with their name; ANSI port lists, one port a
/// line), not the languages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::sources {

struct port {
  bool input = false;
  std::string type;     ///< SystemC: the type of the value; SystemVerilog: `logic` or a type of weft_pkg
  bool vector = false;  ///< SystemC: an sc_vector of ports; SystemVerilog: it has a range
  std::string name;
};

struct module_interface {
  std::string name;
  std::string base;                     ///< SystemC: the class that it is derived from
  std::vector<std::string> parameters;  ///< of the template, or of the module
  std::vector<port> ports;
};

/// All of a file, without comments. \throws std::runtime_error if it cannot be read
std::string source_of(const std::filesystem::path& file);

/// The class \p name of a header. \throws std::runtime_error if there is none
module_interface systemc_module(const std::string& source, const std::string& name);

/// The module `weft_<name>`. \throws std::runtime_error if there is none
module_interface systemverilog_module(const std::string& source, const std::string& name);

/// How the interfaces differ, a line for each difference; empty if they are the same.
///
/// A wire of SystemC may be several in RTL: a flit is one packed wire or its fields (`flit_i`: `flit_valid_i`, …), a
/// string of bits comes with its length (`chunk_i` and `length_i`, `window_i` and `available_i`), a record between the
/// parts of a router is those of its fields that the module needs (`grant_i`: `grant_input_i`, …). Every port of the
/// RTL must be one of those, with the same direction; a `bool` that is no vector is a single bit and nothing else is. A
/// module that takes `Words` takes it on both sides.
/// \param optional    ports of \p systemc that the RTL may lack
/// \param constructed ports of \p rtl that in SystemC are arguments of the constructor
std::vector<std::string> differences(const module_interface& systemc, const module_interface& rtl,
                                     const std::vector<std::string>& optional,
                                     const std::vector<std::string>& constructed = {});

}  // namespace weft::sources
