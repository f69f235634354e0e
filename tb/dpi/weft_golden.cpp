// SPDX-License-Identifier: Apache-2.0
#include "tb/dpi/weft_golden.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weft/core/coded_packet.h"
#include "weft/core/selection.h"

namespace weft::golden {
namespace {

struct codec_state {
  unsigned words_per_flit = 0;
  codec_parameters parameters;
  std::vector<std::uint32_t> message, packet;
  codec form = codec::Raw;
  std::string problem;
};

/// Error of calls without a codec.
std::string& loose_problem() {
  static std::string problem;
  return problem;
}

codec to_codec(unsigned how) {
  if (how > 3) throw std::invalid_argument("codec: expected 0 to 3, got " + std::to_string(how));
  return static_cast<codec>(how);
}

/// Runs \p f on the codec of \p handle. Catches all exceptions, because the caller is not C++.
template <typename F>
int with(void* handle, F f) {
  if (handle == nullptr) {
    loose_problem() = "no codec: weft_golden_new() was not called, or it failed";
    return NoHandle;
  }
  auto& state = *static_cast<codec_state*>(handle);
  try {
    state.problem.clear();
    return f(state);
  } catch (const std::exception& e) {
    state.problem = e.what();
    return BadArgument;
  }
}

void set_packet(codec_state& s, std::vector<std::uint32_t> payload, codec form) {
  s.packet = std::move(payload);
  s.form = form;
}

unsigned flits_of(const codec_state& s) { return static_cast<unsigned>(s.packet.size() / s.words_per_flit); }

}  // namespace
}  // namespace weft::golden

using namespace weft;
using namespace weft::golden;

void* weft_golden_new(unsigned words_per_flit, const svBitVecVal* table, unsigned classic, unsigned exact) {
  try {
    auto state = std::make_unique<codec_state>();
    state->words_per_flit = words_per_flit;
    const std::uint64_t runs = table[0] | std::uint64_t{table[1]} << 32;
    for (unsigned i = 0; i < 6; ++i) state->parameters.table.runs[i] = runs >> (6 * i) & 0x3f;
    state->parameters.classic = classic != 0;
    state->parameters.exact = exact != 0;
    encode({0}, codec::Fpc, words_per_flit, state->parameters);  // throws if the codec does not exist
    loose_problem().clear();
    return state.release();
  } catch (const std::exception& e) {
    loose_problem() = e.what();
    return nullptr;
  }
}

void weft_golden_delete(void* handle) { delete static_cast<codec_state*>(handle); }

const char* weft_golden_message(void* handle) {
  return handle == nullptr ? loose_problem().c_str() : static_cast<codec_state*>(handle)->problem.c_str();
}

int weft_golden_clear(void* handle) {
  return with(handle, [](codec_state& s) {
    s.message.clear();
    set_packet(s, {}, weft::codec::Raw);
    return Ok;
  });
}

int weft_golden_add_word(void* handle, unsigned word) {
  return with(handle, [word](codec_state& s) {
    s.message.push_back(word);
    return Ok;
  });
}

int weft_golden_add_flit(void* handle, const svBitVecVal* payload) {
  return with(handle, [payload](codec_state& s) {
    s.packet.insert(s.packet.end(), payload, payload + s.words_per_flit);
    return Ok;
  });
}

int weft_golden_encode(void* handle, unsigned how, unsigned cut) {
  return with(handle, [how, cut](codec_state& s) {
    codec_parameters parameters = s.parameters;
    parameters.cut = cut;
    set_packet(s, encode(s.message, to_codec(how), s.words_per_flit, parameters).payload, to_codec(how));
    return static_cast<int>(flits_of(s));
  });
}

int weft_golden_travelling(void* handle, unsigned how, unsigned cut) {
  return with(handle, [how, cut](codec_state& s) {
    codec_parameters parameters = s.parameters;
    parameters.cut = cut;
    auto packet = travelling_form(s.message, data_type::Other, to_codec(how), s.words_per_flit, parameters);
    set_packet(s, std::move(packet.payload), packet.header.codec);
    return static_cast<int>(flits_of(s));
  });
}

int weft_golden_form(void* handle) {
  return with(handle, [](codec_state& s) { return static_cast<int>(s.form); });
}

int weft_golden_decode(void* handle, unsigned how, unsigned cut, unsigned words) {
  return with(handle, [how, cut, words](codec_state& s) {
    header head;
    head.codec = to_codec(how);
    head.cut = static_cast<std::uint8_t>(std::min(cut, 255U));
    head.words = words;
    decoded_message decoded = decode(head, s.packet, s.words_per_flit, s.parameters);
    s.message = std::move(decoded.words);
    return static_cast<int>(decoded.error);
  });
}

int weft_golden_words(void* handle) {
  return with(handle, [](codec_state& s) { return static_cast<int>(s.message.size()); });
}

int weft_golden_flits(void* handle) {
  return with(handle, [](codec_state& s) { return static_cast<int>(flits_of(s)); });
}

unsigned weft_golden_word(void* handle, unsigned index) {
  unsigned word = 0;
  with(handle, [index, &word](codec_state& s) {
    if (index < s.message.size()) word = s.message[index];
    return Ok;
  });
  return word;
}

int weft_golden_flit(void* handle, unsigned index, svBitVecVal* payload) {
  std::fill_n(payload, MaxFlitBits / 32, 0);
  return with(handle, [index, payload](codec_state& s) {
    if (index < flits_of(s)) std::copy_n(s.packet.begin() + index * s.words_per_flit, s.words_per_flit, payload);
    return Ok;
  });
}

int weft_golden_compare(void* left, void* right) {
  return with(left, [right](codec_state& a) {
    return with(right, [&a](codec_state& b) -> int {
      const auto common = std::min(a.message.size(), b.message.size());
      const auto differs =
          std::mismatch(a.message.begin(), a.message.begin() + static_cast<std::ptrdiff_t>(common), b.message.begin());
      if (differs.first == a.message.begin() + static_cast<std::ptrdiff_t>(common) &&
          a.message.size() == b.message.size())
        return Equal;
      return static_cast<int>(differs.first - a.message.begin());
    });
  });
}

int weft_golden_choice(void* handle, unsigned data_type, unsigned flits, unsigned words, unsigned form,
                       unsigned depth) {
  return with(handle, [=](codec_state& s) {
    const selection_inputs in{static_cast<weft::data_type>(data_type & 3), flits, words, to_codec(form), 0, 0};
    return static_cast<int>(
        choose_codec(in, selection_parameters{selection_mode::Always}, s.parameters.classic, s.words_per_flit, depth));
  });
}
