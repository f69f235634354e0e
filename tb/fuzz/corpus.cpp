// SPDX-License-Identifier: Apache-2.0
/// Writes the seed corpus of a fuzz target: fuzz_corpus TARGET FOLDER. Each seed is a small valid example of one
/// feature, in the input format of the target. The fuzzer makes invalid inputs from them.
#include "tb/fuzz/text_corpus.h"
#include "tests/unit/workload/chakra_graph.h"
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "weft/core/coded_packet.h"
#include "weft/mpi/trace/trace_bytes.h"
#include "weft/mpi/trace/trace_writer.h"

namespace {

using namespace weft;
using words_t = std::vector<std::uint32_t>;

/// An input in the format of the targets: numbers with the low byte first.
struct input {
  std::string bytes;

  input& byte(unsigned value) {
    bytes += static_cast<char>(value);
    return *this;
  }
  input& word(std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) byte(value >> (8 * i) & 0xff);
    return *this;
  }
  input& words(const words_t& list) {
    for (const std::uint32_t value : list) word(value);
    return *this;
  }
  input& message(const words_t& list) { return byte(static_cast<unsigned>(list.size())).words(list); }
};

words_t doubles(const std::vector<double>& values) {
  words_t list;
  for (const double value : values) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    list.push_back(static_cast<std::uint32_t>(bits));
    list.push_back(static_cast<std::uint32_t>(bits >> 32));
  }
  return list;
}

/// Messages that together use every code.
const std::map<std::string, words_t>& messages() {
  static const std::map<std::string, words_t> list = {
      {"small", {1, 2, 3, 0xffff'fffe, 5, 6, 7, 8}},
      {"zeros", words_t(20)},
      {"classes", {0, 0, 0xffff'fff8, 127, 0xffff'ff80, 32767, 0x12340000, 0x007f'ff80, 0x5a5a5a5a, 0x12345678, 0}},
      {"run_lengths", {0x3fff, 0x4000, 0x7fff, 0x8000, 0x1'0000, 0x2'0000, 0x4'0000, 0x8'0000}},
      {"large", {0x89ab'cdef, 0x7654'3210, 0xdead'beef, 0x1357'9bdf, 0xfdb9'7531}},
      {"doubles", doubles({1.0, -2.5, 0.1, 3e300, 1e-3})},
      {"special", doubles({0.0, -0.0, 1.0 / 3.0, 5e-324, 1e308 * 10.0, -(1e308 * 10.0), 2.0})},
      {"odd", {1, 0x3ff0'0000, 7}},
  };
  return list;
}

using corpus = std::map<std::string, input>;

corpus decode_seeds() {
  corpus seeds;
  for (const auto& [name, message] : messages()) {
    for (const codec how : {codec::Fpc, codec::FpcClassic, codec::LsbCut}) {
      for (const unsigned log_k : {0U, 1U, 3U}) {
        codec_parameters parameters;
        parameters.classic = how == codec::FpcClassic;
        const unsigned cut = how == codec::LsbCut ? parameters.cut : 0;
        input in;
        in.byte(log_k | (parameters.classic ? 4 : 0) | 8).byte(static_cast<unsigned>(how) | cut << 2);
        in.byte(static_cast<unsigned>(message.size())).byte(0);
        in.words(encode(message, how, 1U << log_k, parameters).payload);
        seeds[name + "_" + std::to_string(static_cast<unsigned>(how)) + "_k" + std::to_string(1U << log_k)] = in;
      }
    }
  }
  return seeds;
}

constexpr std::uint32_t Steady = 0xffff'ffff, Half = 0x5555'5555, Slow = 0x0000'0101;

corpus decompressor_seeds() {
  corpus seeds;
  for (const auto& [name, message] : messages()) {
    for (const codec how : {codec::Raw, codec::Fpc, codec::FpcClassic, codec::LsbCut}) {
      const unsigned form = static_cast<unsigned>(how) | 28U << 2;
      const std::string stem = name + "_" + std::to_string(static_cast<unsigned>(how));
      seeds[stem] = input().word(Steady).word(Steady).byte(form).byte(1).message(message);
      input more;  // the message twice, the second time damaged, with a raw packet between; the sink stalls
      more.word(Half).word(Slow);
      more.byte(form).byte(1).message(message);
      more.byte(0).byte(0).message({1, 2, 3});
      more.byte(form).byte(2).byte(0x19).byte(3).message(message);
      seeds[stem + "_spoiled"] = more;
    }
  }
  return seeds;
}

corpus compressor_seeds() {
  corpus seeds;
  for (const auto& [name, message] : messages()) {
    for (const unsigned type : {0U, 1U, 2U}) {
      const std::string stem = name + "_" + std::to_string(type);
      const auto begin = [](std::uint32_t pauses, std::uint32_t stalls, unsigned mode) {
        return input().word(pauses).word(stalls).byte(mode | 28U << 2).byte(4).byte(3).byte(3);
      };
      seeds[stem + "_always"] = begin(Steady, Steady, 1).byte(type).byte(0).byte(0).message(message);
      // Three packets of different kinds; the sink stalls, so that memories fill.
      input many = begin(Half, Slow, 2);
      for (unsigned i = 0; i < 3; ++i) many.byte((type + i) % 4).byte(2 * i).byte(i).message(message);
      seeds[stem + "_selective"] = many;
    }
  }
  return seeds;
}

/// A packet of a netrace. The packets \p dependent wait for it.
input netrace_packet(std::uint64_t cycle, std::uint32_t number, unsigned type, unsigned from, unsigned to,
                     const words_t& dependent) {
  input in;
  append_fixed(in.bytes, cycle, 8);
  in.word(number).word(0).byte(type).byte(from).byte(to).byte(0).byte(static_cast<unsigned>(dependent.size()));
  return in.words(dependent);
}

/// Five packets: in one region, and in two regions, each of which is also read alone.
corpus netrace_seeds() {
  const std::vector<input> packets = {netrace_packet(50, 7, 1, 0, 2, {9, 8}), netrace_packet(60, 8, 16, 2, 0, {}),
                                      netrace_packet(60, 9, 27, 3, 3, {77}), netrace_packet(300, 10, 4, 1, 0, {11}),
                                      netrace_packet(1000, 11, 5, 0, 1, {})};
  constexpr std::size_t InFirst = 3, Nodes = 4, Cycles = 1000, Name = 30;
  std::string all, first;
  for (const input& p : packets) {
    if (&p - packets.data() < static_cast<std::ptrdiff_t>(InFirst)) first += p.bytes;
    all += p.bytes;
  }
  const auto file = [&](unsigned region, const std::string& regions, std::uint32_t count, const std::string& notes) {
    input in;
    in.byte(region | 15U << 2).bytes += "UTJH";
    in.word(0x3f80'0000).bytes += std::string("bench").append(Name - 5, '\0');
    in.byte(Nodes).byte(0);
    append_fixed(in.bytes, Cycles, 8);
    append_fixed(in.bytes, packets.size(), 8);
    in.word(static_cast<std::uint32_t>(notes.size())).word(count).word(0).word(0).bytes += notes + regions + all;
    return in;
  };
  std::string regions;
  for (const std::uint64_t n :
       {std::size_t{0}, std::size_t{100}, InFirst, first.size(), Cycles - 100, packets.size() - InFirst})
    append_fixed(regions, n, 8);
  return {{"whole", file(0, "", 0, "notes")}, {"first", file(1, regions, 2, "")}, {"second", file(2, regions, 2, "n")}};
}

/// Ranks that compute, send, receive, and execute all collectives.
corpus chakra_seeds() {
  using namespace chakra_trace;
  const auto files = [](const std::vector<graph>& ranks) {
    input in;
    in.byte(static_cast<unsigned>(ranks.size() - 1));
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (i + 1 < ranks.size()) append_fixed(in.bytes, ranks[i].text().size(), 2);
      in.bytes += ranks[i].text();
    }
    return in;
  };
  corpus seeds;
  seeds["computing"] = files({graph().add(1, Compute, {}, {}, 5).add(2, Compute, {1})});
  graph sender("");
  sender.add(0, Compute, {}, {{"runtime", 3}})
      .add(1, Send, {0}, {{"comm_size", 100}, {"comm_dst", 1}, {"comm_src", 0}});
  seeds["message"] =
      files({sender, graph().add(3, Receive, {}, {{"comm_src", 0}, {"comm_tag", 0}, {"comm_size", 100}})});
  for (std::int64_t operation = 0; operation < 10; ++operation) {
    const attributes with = {{"comm_type", operation}, {"comm_size", 11}, {"root", 2}};
    const graph member = graph().add(5, Collective, {}, with, 0, "all").add(6, Compute, {5}, {}, 1);
    seeds["collective_" + std::to_string(operation)] = files({member, member, member});
  }
  return seeds;
}

/// A trace with calls of each kind: complete, truncated, and only the content of its block.
corpus trace_seeds() {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "weft_fuzz_corpus.trace";
  {
    trace_header h;
    h.ranks = 4;
    h.rank = 1;
    trace_writer w(file.string(), h);
    w.add(trace_communicator{0, 0, {0, 1, 2, 3}, {}});
    w.add(trace_communicator{1, 1, {3, 1}, {0, 2}});
    w.add(trace_element{0, 8, data_type::Double, "MPI_DOUBLE"});
    trace_call c;
    c.peer = 2;
    c.bytes = 8;
    c.payload = "01234567";
    w.add(c);
    c.kind = call_kind::Receive;
    c.function = mpi_function::Irecv;
    c.peer = AnyRank;
    c.any_source = true;
    c.request = 1;
    w.add(c);
    c = {};
    c.kind = call_kind::Completion;
    c.function = mpi_function::Wait;
    c.completions = {{1, true, false, 3, 4, 8}};
    w.add(c);
    c = {};
    c.kind = call_kind::Collective;
    c.function = mpi_function::Alltoallv;
    c.sends = c.receives = {1, 2, 3, 300};
    w.add(c);
    c.function = mpi_function::NeighborAlltoallv;
    c.sends = c.receives = {5};
    c.to = c.from = {3};
    w.add(c);
    c = {};
    c.kind = call_kind::Uncovered;
    c.function = mpi_function::Put;
    w.add(c);
    w.add_threads(2);
    c.kind = call_kind::Collective;
    c.function = mpi_function::Barrier;
    c.request = 2;
    w.add(c);
    c.kind = call_kind::Completion;
    c.continues = true;
    c.completions = {{2, false, false, AnyRank, AnyTag, 0}};
    w.add(c);
    w.finish();
  }
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::filesystem::remove(file);
  constexpr std::size_t Headers = 52 + 16;
  corpus seeds;
  seeds["whole"].byte(31).bytes += bytes;
  seeds["cut_off"].byte(31).bytes += bytes.substr(0, bytes.size() - 3);
  seeds["content"].byte(15).bytes += bytes.substr(Headers);
  return seeds;
}

template <fuzz::seeds (*Make)()>
corpus texts() {
  corpus all;
  for (const auto& [name, text] : Make()) all[name].bytes = text;
  return all;
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::map<std::string, corpus (*)()> targets = {{"decode", decode_seeds},
                                                       {"decompressor", decompressor_seeds},
                                                       {"compressor", compressor_seeds},
                                                       {"trace", trace_seeds},
                                                       {"netrace", netrace_seeds},
                                                       {"chakra", chakra_seeds},
                                                       {"yaml", texts<fuzz::yaml_seeds>},
                                                       {"network", texts<fuzz::network_seeds>},
                                                       {"graphml", texts<fuzz::graphml_seeds>},
                                                       {"dot", texts<fuzz::dot_seeds>},
                                                       {"lists", texts<fuzz::lists_seeds>},
                                                       {"recording", texts<fuzz::recording_seeds>},
                                                       {"ccsched", texts<fuzz::ccsched_seeds>},
                                                       {"forwarding", texts<fuzz::forwarding_seeds>},
                                                       {"rules", texts<fuzz::rules_seeds>},
                                                       {"configuration", texts<fuzz::configuration_seeds>}};
  const auto target = argc == 3 ? targets.find(argv[1]) : targets.end();
  if (target == targets.end()) {
    std::cerr << "usage: fuzz_corpus TARGET FOLDER; targets:";
    for (const auto& [name, make] : targets) std::cerr << " " << name;
    std::cerr << "\n";
    return 2;
  }
  const std::filesystem::path folder = argv[2];
  std::filesystem::create_directories(folder);
  for (const auto& [name, in] : target->second()) {
    std::ofstream file(folder / name, std::ios::binary);
    file << in.bytes;
    if (!file.flush()) {
      std::cerr << "cannot write " << (folder / name).string() << "\n";
      return 1;
    }
  }
  return 0;
}
