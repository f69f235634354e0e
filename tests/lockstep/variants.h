// SPDX-License-Identifier: Apache-2.0
/// Variants of modules for the lockstep tests. A variant is a module with one set of parameters, and its verilated
/// model. tests/lockstep/models.py generates the lists of variants from models.txt, which also defines what is
/// verilated.
#pragma once

#include "lockstep/fixture.h"
#include <functional>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>

#include "weft/core/codec.h"
#include "weft/pin/nic/decoding_path.h"

namespace weft::lockstep {

struct variant {
  std::string name;
  unsigned words = 0;  ///< words per flit (K)
  codec_parameters codec;
  unsigned depth = 512, packets = 16;               ///< parameters of a compressor; for an XOR stage, only the depth
  unsigned overhead = 0;                            ///< parameter of an XOR encoder
  unsigned entries = 0;                             ///< parameter of an XOR decoder
  std::uint32_t most_words = pin::MaxMessageWords;  ///< parameter of a decompressor
  /// Makes the verilated module. \p seed is for its registers without reset.
  std::function<std::unique_ptr<sc_core::sc_module>(sc_core::sc_module_name, int seed)> make;

  /// Makes the verilated module and returns it as a module with the pins \p Pins.
  template <class Pins>
  std::unique_ptr<Pins> make_as(const char* instance, int seed) const {
    auto module = make(instance, seed);
    auto* const pins = dynamic_cast<Pins*>(module.get());
    if (pins == nullptr) throw std::logic_error(name + " has other pins");
    module.release();
    return std::unique_ptr<Pins>(pins);
  }

  friend void PrintTo(const variant& v, std::ostream* out) { *out << v.name; }
};

template <class Module>
std::unique_ptr<sc_core::sc_module> make_module(sc_core::sc_module_name name, int seed) {
  return std::make_unique<Module>(name, seed);
}

std::vector<variant> fpc_compressors();
std::vector<variant> fpc_decompressors();
std::vector<variant> lsb_cut_compressors();
std::vector<variant> lsb_cut_decompressors();
std::vector<variant> bit_packers();
std::vector<variant> bit_unpackers();
std::vector<variant> compression_selectors();
std::vector<variant> compressors();
std::vector<variant> decompressors();
std::vector<variant> xor_encoders();
std::vector<variant> xor_decoders();

/// Calls \p f with K (words per flit) as a std::integral_constant.
template <typename F>
void with_words(unsigned words, F f) {
  switch (words) {
    case 1:
      return f(std::integral_constant<unsigned, 1>());
    case 2:
      return f(std::integral_constant<unsigned, 2>());
    case 4:
      return f(std::integral_constant<unsigned, 4>());
    case 8:
      return f(std::integral_constant<unsigned, 8>());
  }
  throw std::logic_error("there is no variant with flits of " + std::to_string(words) + " words");
}

/// The base class of tests that run for every variant of a module.
class variant_test : public lockstep_test, public testing::WithParamInterface<variant> {};

}  // namespace weft::lockstep
