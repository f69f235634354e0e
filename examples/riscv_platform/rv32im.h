// SPDX-License-Identifier: Apache-2.0
/// A hart of RISC-V: RV32IM with the machine-mode CSRs that traps, interrupts and counters need. No SystemC.
///
/// After "The RISC-V Instruction Set Manual", volumes I (20191213) and II (20211203). What is left out: user and
/// supervisor mode, atomics (A), vectored traps (mtvec holds an address, traps all go there) and writing the counters,
/// which is an illegal instruction, as every CSR is that is not in csr_number. Loads and stores must be aligned; others
/// trap.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

/// What a hart reaches: memory and a clock.
class hart_bus {
 public:
  virtual ~hart_bus() = default;
  /// \p value of \p bytes (1, 2 or 4) at \p address, a multiple of \p bytes; upper bits are 0. False: an access fault.
  virtual bool fetch(std::uint32_t address, std::uint32_t& value) = 0;
  virtual bool load(std::uint32_t address, unsigned bytes, std::uint32_t& value) = 0;
  virtual bool store(std::uint32_t address, unsigned bytes, std::uint32_t value) = 0;
  /// What mcycle reads.
  virtual std::uint64_t cycles() const = 0;
};

/// Exceptions by their code in mcause. Those of interrupts have the highest bit besides.
enum class trap_cause : std::uint32_t {
  InstructionMisaligned = 0,
  InstructionFault = 1,
  IllegalInstruction = 2,
  Breakpoint = 3,
  LoadMisaligned = 4,
  LoadFault = 5,
  StoreMisaligned = 6,
  StoreFault = 7,
  EnvironmentCall = 11,
  SoftwareInterrupt = 0x8000'0003,
  TimerInterrupt = 0x8000'0007,
  ExternalInterrupt = 0x8000'000b,
};

/// In words, as "load access fault".
const char* describe(trap_cause cause);

/// Bits of mip and mie.
inline constexpr std::uint32_t SoftwarePending = 1U << 3, TimerPending = 1U << 7, ExternalPending = 1U << 11;

class rv32im {
 public:
  enum class state : std::uint8_t {
    Running,
    Waiting,  ///< at a WFI, until an interrupt that mie enables is pending
    Stopped,  ///< by a trap without a handler (mtvec is 0); for ever
  };

  rv32im(hart_bus& bus, std::uint32_t id) : m_bus(bus), m_id(id) {}

  /// The next instruction is the one at \p address.
  void start_at(std::uint32_t address) { m_pc = address; }

  /// One instruction, or the trap in its place. Nothing happens while the hart waits or has stopped.
  state step();

  /// The wires of interrupts: bits of mip.
  void set_pending(std::uint32_t bits) { m_pending = bits; }

  std::uint32_t pc() const { return m_pc; }
  std::uint32_t get(unsigned r) const { return m_x[r]; }
  void set(unsigned r, std::uint32_t value) {
    if (r != 0) m_x[r] = value;
  }
  /// Instructions that have been done: minstret.
  std::uint64_t instructions() const { return m_instructions; }
  /// Of a hart that has stopped: why and where, a sentence.
  const std::string& reason() const { return m_reason; }

 private:
  struct operands;
  void execute(std::uint32_t word);
  void compute(const operands& op);
  void load(const operands& op);
  void store(const operands& op);
  void branch(const operands& op);
  void system(const operands& op);
  void jump(std::uint32_t target);
  void change_csr(const operands& op);
  std::optional<std::uint32_t> read_csr(std::uint32_t number) const;
  bool write_csr(std::uint32_t number, std::uint32_t value);

  /// The present instruction has no effect but that the handler comes next. \p value: what mtval gets.
  void raise(trap_cause cause, std::uint32_t value);
  void enter_handler(trap_cause cause, std::uint32_t value, std::uint32_t from);
  bool takes_interrupt();

  hart_bus& m_bus;
  const std::uint32_t m_id;
  std::array<std::uint32_t, 32> m_x{};
  std::uint32_t m_pc = 0;
  std::uint32_t m_next_pc = 0;  ///< within step(): of the instruction after this
  bool m_raised = false;        ///< within step(): it was a trap
  state m_state = state::Running;
  std::uint64_t m_instructions = 0;
  std::string m_reason;
  // CSRs
  std::uint32_t m_pending = 0;       ///< mip
  std::uint32_t m_enabled = 0;       ///< mie
  bool m_interrupts = false;         ///< mstatus.MIE
  bool m_interrupts_before = false;  ///< mstatus.MPIE
  std::uint32_t m_handler = 0;       ///< mtvec
  std::uint32_t m_scratch = 0, m_trap_pc = 0, m_trap_cause = 0, m_trap_value = 0;
};
