// SPDX-License-Identifier: Apache-2.0
/// Nodes of the 3x3 mesh and addresses of all modules. software/platform.h has the same addresses for the program.
///
///     core 2 ── mailbox ─ core 3
///       │         │         │
///     system ── shared ── DMA
///     control   memory      │
///       │         │         │
///     core 0 ── UART ──── core 1
#pragma once

#include <cstdint>

inline constexpr unsigned MostCores = 4;
/// A core and its local memory.
inline constexpr std::uint32_t CoreNodes[MostCores] = {0, 2, 6, 8};
inline constexpr std::uint32_t UartNode = 1, ControllerNode = 3, SharedNode = 4, DmaNode = 5, MailboxNode = 7;

inline constexpr std::uint32_t UartBase = 0x1000'0000, ControllerBase = 0x1001'0000, DmaBase = 0x1002'0000,
                               MailboxBase = 0x1003'0000, DeviceSize = 0x1000;
/// Devices have lower addresses.
inline constexpr std::uint32_t FirstMemoryAddress = 0x8000'0000;
inline constexpr std::uint32_t LocalBase = FirstMemoryAddress, LocalSize = 64 * 1024;
inline constexpr std::uint32_t SharedBase = 0x9000'0000, SharedSize = 1024 * 1024;

inline constexpr std::uint32_t local_base(unsigned core) { return LocalBase + core * LocalSize; }
