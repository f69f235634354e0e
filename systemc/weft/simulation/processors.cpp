// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/processors.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace weft::experiment {

namespace {

using std::filesystem::path;

/// The processors that a quota of \p quota µs in \p period µs amounts to, rounded up; 0 if there is no quota.
unsigned processors_of(long long quota, long long period) {
  return quota <= 0 || period <= 0 ? 0 : static_cast<unsigned>((quota + period - 1) / period);
}

/// The quota of the group \p directory itself; 0 if it has none.
unsigned quota_of(const path& directory) {
  long long quota = 0, period = 0;
  if (std::ifstream file(directory / "cpu.max"); file) {  // "max" is no number, so there is no quota then
    file >> quota >> period;
    return processors_of(quota, period);
  }
  std::ifstream(directory / "cpu.cfs_quota_us") >> quota;
  std::ifstream(directory / "cpu.cfs_period_us") >> period;
  return processors_of(quota, period);
}

/// The path of this process's group of the controller `cpu`, below the directory where these groups are mounted.
path cpu_group(const std::string& line) {
  const std::size_t first = line.find(':'), second = line.find(':', first + 1);
  if (second == std::string::npos) return {};
  const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
  const path group = path(line.substr(second + 1)).relative_path();
  if (controllers == ",,") return path("/sys/fs/cgroup") / group;
  return controllers.find(",cpu,") != std::string::npos ? path("/sys/fs/cgroup/cpu") / group : path();
}

}  // namespace

unsigned usable_processors() {
  unsigned most = std::max(1U, std::thread::hardware_concurrency());  // of the CPU set
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    for (path group = cpu_group(line); group.string().size() >= std::string("/sys/fs/cgroup").size();
         group = group.parent_path()) {
      if (const unsigned quota = quota_of(group); quota != 0) most = std::min(most, quota);
    }
  }
  return most;
}

}  // namespace weft::experiment
