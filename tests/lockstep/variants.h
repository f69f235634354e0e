// SPDX-License-Identifier: Apache-2.0
/// Variants of the lockstep tests: modules with one set of parameters each, and their verilated models. CMake generates
/// the lists (tests/lockstep/models.py) from models.txt, which also defines what is verilated.
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
  unsigned words = 0;  ///< K
  codec_parameters codec;
  unsigned depth = 512, packets = 16;               ///< of a compressor; for an XOR stage, the depth only
  unsigned overhead = 0;                            ///< of an XOR encoder
  unsigned entries = 0;                             ///< of an XOR decoder
  std::uint32_t most_words = pin::MaxMessageWords;  ///< of a decompressor
  /// Makes the verilated module; the seed is for its registers without reset.
  std::function<std::unique_ptr<sc_core::sc_module>(sc_core::sc_module_name, int seed)> make;

  /// The same, as a module with these pins.
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

/// Calls \p f with K as a std::integral_constant.
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

/// A test of every variant of a module.
class variant_test : public lockstep_test, public testing::WithParamInterface<variant> {};

}  // namespace weft::lockstep
