// SPDX-License-Identifier: Apache-2.0
/// The waveform of a wire: all fields, with their values.
#include "levels/bench.h"
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/router/router_signals.h"
#include "weft/pin/signals.h"

namespace weft::pin {
namespace {

using testing::ContainerEq;
using values = std::map<std::string, std::uint64_t>;

// Decomposes each type into its fields, so that a missing or additional field does not compile. Every field must appear
// by name.

template <typename Field>
void expect(values& all, const std::string& name, const Field& value) {
  all[name] = static_cast<std::uint64_t>(value);
}

void expect(values& all, const std::string& n, const flit<128>& f) {
  const auto& [valid, head, tail, vc, error, type, codec, cut, message_class, role, relay, overflow, tag, destination,
               source, flits, words, first, second, path_id, payload] = f;
  expect(all, n + ".valid", valid), expect(all, n + ".head", head), expect(all, n + ".tail", tail);
  expect(all, n + ".vc", vc), expect(all, n + ".way", path_id), expect(all, n + ".error", error);
  expect(all, n + ".type", type), expect(all, n + ".codec", codec), expect(all, n + ".cut", cut);
  expect(all, n + ".message_class", message_class), expect(all, n + ".role", role);
  expect(all, n + ".relay", relay), expect(all, n + ".overflow", overflow);
  expect(all, n + ".destination", destination), expect(all, n + ".source", source);
  expect(all, n + ".flits", flits), expect(all, n + ".words", words);
  expect(all, n + ".first", first), expect(all, n + ".second", second);
  for (unsigned i = 0; i < std::size(payload); ++i) expect(all, n + ".payload" + std::to_string(i), payload[i]);
  expect(all, n + ".tag", tag.bits);
}

void expect(values& all, const std::string& n, const head_announcement& h) {
  const auto& [valid, vc, destination, flits, path_id] = h;
  for (unsigned i = 0; i < head_announcement::Slots; ++i) {
    const std::string slot = n + ".slot" + std::to_string(i);
    expect(all, slot + ".valid", valid[i]), expect(all, slot + ".vc", vc[i]);
    expect(all, slot + ".destination", destination[i]), expect(all, slot + ".flits", flits[i]);
    expect(all, slot + ".way", path_id[i]);
  }
}

void expect(values& all, const std::string& n, const route_announcement& r) {
  const auto& [valid, vc, port, vcs, choices, choice_vcs, flits] = r;
  for (unsigned i = 0; i < head_announcement::Slots; ++i) {
    const std::string slot = n + ".slot" + std::to_string(i);
    expect(all, slot + ".valid", valid[i]), expect(all, slot + ".vc", vc[i]), expect(all, slot + ".flits", flits[i]);
    expect(all, slot + ".port", port[i]), expect(all, slot + ".vcs", vcs[i]);
    expect(all, slot + ".choices", choices[i]), expect(all, slot + ".choice_vcs", choice_vcs[i]);
  }
}

void expect(values& all, const std::string& n, const switch_grants& g) {
  const auto& [inputs, outputs, tails, vc, out_port, out_vc] = g;
  expect(all, n + ".inputs", inputs), expect(all, n + ".outputs", outputs), expect(all, n + ".tails", tails);
  for (unsigned p = 0; p < MaxPorts; ++p) {
    const std::string number = (p < 10 ? "0" : "") + std::to_string(p), input = n + ".by_input" + number;
    expect(all, input + ".vc", vc[p]), expect(all, input + ".out_port", out_port[p]);
    expect(all, input + ".out_vc", out_vc[p]);
  }
}

void expect(values& all, const std::string& n, const chunk<2>& c) {
  for (unsigned i = 0; i < std::size(c.words()); ++i) expect(all, n + std::to_string(i), c.words()[i]);
  expect(all, n + ".size", c.size());
}

/// The final value of each variable of a VCD file.
values read_vcd(const std::string& file) {
  std::ifstream in(file);
  std::map<std::string, std::string> name_of;
  values all;
  std::vector<std::string> scope;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word, type, width, id, name;
    if (!(words >> word)) continue;
    if (word == "$scope") {
      words >> type >> name;
      if (name != "SystemC") scope.push_back(name + ".");
    } else if (word == "$upscope") {
      if (!scope.empty()) scope.pop_back();
    } else if (word == "$var") {
      words >> type >> width >> id >> name;
      for (auto s = scope.rbegin(); s != scope.rend(); ++s) name.insert(0, *s);
      name_of[id] = name;
    } else if (word[0] == 'b') {
      words >> id;
      all[name_of.at(id)] = std::stoull(word.substr(1), nullptr, 2);
    } else if (name_of.count(word.substr(1)) != 0) {
      all[name_of.at(word.substr(1))] = word[0] == '1';
    }
  }
  return all;
}

/// Writes \p value to a traced wire and reads the file.
template <typename T>
void shows_all_of(const T& value) {
  sc_core::sc_signal<T> wire("wire");
  const std::string name = std::string("trace_") + testing::UnitTest::GetInstance()->current_test_info()->name();
  sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file(name.c_str());
  sc_core::sc_trace(file, wire, "wire");
  sc_core::sc_start(1, sc_core::SC_NS);
  wire.write(value);
  sc_core::sc_start(2, sc_core::SC_NS);
  sc_core::sc_close_vcd_trace_file(file);
  values due;
  expect(due, "wire", value);
  EXPECT_THAT(read_vcd(name + ".vcd"), ContainerEq(due));
  std::filesystem::remove(name + ".vcd");
}

TEST(levels_pin_trace, shows_all_fields_of_a_flit) {
  flit<128> f;
  f.valid = f.head = f.tail = true;
  f.vc = 3;
  f.path_id = 0x1234'5678'9abc'def0;
  f.error = codec_error::OverLong;
  const xor_code code{xor_role::Chain, true, true, {21, 22, 3, data_type::Int}, {31, 32, 4, data_type::Double}};
  put_header(f, {11, 12, 13, 14, data_type::Double, codec::LsbCut, 15, 2});
  put_code(f, code);
  put_words(f, word_row<4>({0x7654'3210, 0xfedc'ba98, 41, 0}));
  f.tag = flit_tag(51, 53);
  values all;
  expect(all, "flit", f);
  for (const auto& field : all)
    EXPECT_NE(field.second, 0U) << field.first << " cannot be distinguished from a field that is not traced";
  shows_all_of(f);
}

TEST(levels_pin_trace, shows_all_fields_of_announced_heads) {
  head_announcement h;
  announce(h, 0, 1, 2, 3, 4);
  announce(h, 1, 5, 6, 7, 8);
  shows_all_of(h);
}

TEST(levels_pin_trace, shows_all_fields_of_announced_routes) {
  route_announcement r;
  answer(r, 0, 1, {2, 3, 4, 5}, 6);
  answer(r, 1, 7, {8, 9, 10, 11}, 12);
  shows_all_of(r);
}

TEST(levels_pin_trace, shows_all_fields_of_grants) {
  switch_grants g;
  g.inputs = 1, g.outputs = 2, g.tails = 3;
  for (unsigned p = 0; p < MaxPorts; ++p) {
    const auto n = static_cast<std::uint8_t>(4 * p + 1);
    g.vc[p] = n, g.out_port[p] = n + 1, g.out_vc[p] = n + 2;
  }
  shows_all_of(g);
}

TEST(levels_pin_trace, shows_bits_of_a_chunk_and_their_number) {
  chunk<2> c;
  c.append(0x1'2345'6789, 40);
  c.append(0x7ff, 35);
  shows_all_of(c);
}

}  // namespace
}  // namespace weft::pin
