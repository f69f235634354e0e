// SPDX-License-Identifier: Apache-2.0
/// The processors that this process may use.
#pragma once

namespace weft::experiment {

/// Number of processors that this process may use, at least 1: those of its CPU set (taskset, cpuset), or fewer if the
/// quota of its control group (cpu.max; cpu.cfs_quota_us of version 1) or of a group around it allows less.
unsigned usable_processors();

}  // namespace weft::experiment
