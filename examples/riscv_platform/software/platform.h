// SPDX-License-Identifier: Apache-2.0
/* Registers of the devices, as in memory_map.h and devices.h of the platform, and functions of start.S. */
#pragma once

typedef unsigned int word;

static inline volatile word* reg(word address) { return (volatile word*)address; }

#define UART reg(0x10000000)
#define MTIME reg(0x10010000)
#define CORES reg(0x10010008)
#define SIZE reg(0x1001000c)
#define IN_PLACE reg(0x10010014)
#define FINISH reg(0x10010010)
#define TIMER_COMPARE(core) reg(0x10010100 + 16 * (core))
#define SOFTWARE_INTERRUPT(core) reg(0x10010108 + 16 * (core))
#define DMA(core) reg(0x10020000 + 32 * (core))
#define MAILBOX(core) reg(0x10030000 + 8 * (core))
#define SHARED 0x90000000u

/* Bits of mie and mip */
#define SOFTWARE (1u << 3)
#define TIMER (1u << 7)
#define EXTERNAL (1u << 11)

/* All of these are compiler barriers: data in registers are written to memory before, and read again after them. */
#define read_csr(name)                                          \
  ({                                                            \
    word v;                                                     \
    __asm__ volatile("csrr %0, " #name : "=r"(v) : : "memory"); \
    v;                                                          \
  })
#define set_csr(name, value) __asm__ volatile("csrs " #name ", %0" : : "r"(value) : "memory")
#define clear_csr(name, value) __asm__ volatile("csrc " #name ", %0" : : "r"(value) : "memory")
#define wait_for_interrupt() __asm__ volatile("wfi" : : : "memory")
#define fence() __asm__ volatile("fence" : : : "memory")

/* start.S calls main() on each core, and trap() for each trap, with interrupts off. */
int main(word core);
void trap(word cause, word pc, word value);
