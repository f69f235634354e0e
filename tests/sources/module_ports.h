// SPDX-License-Identifier: Apache-2.0
/// Reads the ports that a module's source declares, in SystemC or SystemVerilog, and compares those of two
/// modules.
///
/// It reads declarations in the style of this project (in-class ports with their name; ANSI port lists, one port per
/// line), not the full languages.
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
  std::string base;                     ///< SystemC: the base class
  std::vector<std::string> parameters;  ///< of the template or the module
  std::vector<port> ports;
};

/// The content of a file without comments. \throws std::runtime_error if it cannot be read
std::string source_of(const std::filesystem::path& file);

/// The class \p name of a header. \throws std::runtime_error if there is none
module_interface systemc_module(const std::string& source, const std::string& name);

/// The module `weft_<name>`. \throws std::runtime_error if there is none
module_interface systemverilog_module(const std::string& source, const std::string& name);

/// The differences between two interfaces, one line each; empty if they are the same.
///
/// A wire of SystemC may be several in RTL: a flit is one packed wire or its fields (`flit_i`: `flit_valid_i`, …), a
/// string of bits has a separate length (`chunk_i` and `length_i`, `window_i` and `available_i`), and a record between
/// the parts of a router consists of the fields that the module needs (`grant_i`: `grant_input_i`, …). Every port of
/// the RTL must be one of those, with the same direction. Single bits correspond to `bool`, other ports do not. If one
/// module has the parameter `Words`, both must have it.
/// \param optional    ports of \p systemc that the RTL may lack
/// \param constructed ports of \p rtl that are constructor arguments in SystemC
std::vector<std::string> differences(const module_interface& systemc, const module_interface& rtl,
                                     const std::vector<std::string>& optional,
                                     const std::vector<std::string>& constructed = {});

}  // namespace weft::sources
