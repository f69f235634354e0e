// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cstdlib>
#include <functional>
#include <map>

const char* const Usage =
    "usage: riscv_platform [options] PROGRAM.elf\n"
    "  --network KIND                 what connects the platform (cycle):\n"
    "                                 bus        a plain bus, one transfer at a time\n"
    "                                 loose      a mesh, latency by formula\n"
    "                                 contended  the same, with an estimate of waiting\n"
    "                                 cycle      every flit is simulated\n"
    "                                 pin        every wire is simulated\n"
    "  --cores N                      1 to 4 (4)\n"
    "  --size N                       rows and columns of the matrices, 1 to 32 (16)\n"
    "  --shared                       programs and data lie in shared memory; no DMA\n"
    "  --dmi                          cores access memories by pointers\n"
    "  --quantum NS                   how far cores may run ahead, in nanoseconds (1000)\n"
    "  --limit MS                     simulated milliseconds after which it is given up (1000)\n"
    "  --report FILE                  writes the traffic as a list of packets, which weft run takes\n"
    "  --help                         this text\n";

namespace {

std::uint32_t number(const std::string& option, const std::string& text, std::uint32_t least, std::uint32_t most) {
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text.c_str(), &end, 10);
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || value < least || value > most)
    throw usage_error(option + ": '" + text + "' is not a number from " + std::to_string(least) + " to " +
                      std::to_string(most));
  return static_cast<std::uint32_t>(value);
}

network_kind network_named(const std::string& name) {
  static const std::map<std::string, network_kind> names = {{"bus", network_kind::Bus},
                                                            {"loose", network_kind::Loose},
                                                            {"contended", network_kind::Contended},
                                                            {"cycle", network_kind::Cycle},
                                                            {"pin", network_kind::Pin}};
  const auto found = names.find(name);
  if (found == names.end())
    throw usage_error("--network: '" + name + "' is not one of bus, loose, contended, cycle, pin");
  return found->second;
}

}  // namespace

options read_options(int argc, const char* const* argv) {
  options o;
  const std::map<std::string, std::function<void(const std::string&)>> with_value = {
      {"--network", [&](const std::string& v) { o.network = network_named(v); }},
      {"--cores", [&](const std::string& v) { o.platform.cores = number("--cores", v, 1, MostCores); }},
      {"--size", [&](const std::string& v) { o.platform.size = number("--size", v, 1, 32); }},
      {"--quantum",
       [&](const std::string& v) {
         o.quantum = sc_core::sc_time(number("--quantum", v, 0, 1'000'000), sc_core::SC_NS);
       }},
      {"--limit",
       [&](const std::string& v) { o.limit = sc_core::sc_time(number("--limit", v, 1, 1'000'000), sc_core::SC_MS); }},
      {"--report", [&](const std::string& v) { o.platform.traffic_file = v; }},
  };
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help") {
      o.help = true;
      return o;
    }
    if (argument == "--dmi") {
      o.platform.dmi = true;
    } else if (argument == "--shared") {
      o.platform.shared = true;
    } else if (const auto option = with_value.find(argument); option != with_value.end()) {
      if (++i == argc) throw usage_error(argument + " needs a value");
      option->second(argv[i]);
    } else if (argument.rfind("--", 0) == 0) {
      throw usage_error("unknown option " + argument);
    } else if (!o.program.empty()) {
      throw usage_error("expected one program, got " + o.program + " and " + argument);
    } else {
      o.program = argument;
    }
  }
  if (o.program.empty()) throw usage_error("no program");
  return o;
}
