// SPDX-License-Identifier: Apache-2.0
/// A hart of RISC-V: RV32IM with the machine-mode CSRs that traps, interrupts and counters need. It does not use
/// SystemC.
///
/// Source: "The RISC-V Instruction Set Manual", volumes I (20191213) and II (20211203). Not implemented: user and
/// supervisor mode, atomics (A), and vectored traps (mtvec holds the address of all traps). Writing a counter is an
/// illegal instruction, and so is access to a CSR that is not in csr_number. Misaligned loads and stores trap.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

/// Interface of a hart to memory and clock.
class hart_bus {
 public:
  virtual ~hart_bus() = default;
  /// Access to \p value with \p bytes (1, 2 or 4) bytes at \p address, a multiple of \p bytes; upper bits are 0.
  /// \return false for an access fault
  virtual bool fetch(std::uint32_t address, std::uint32_t& value) = 0;
  virtual bool load(std::uint32_t address, unsigned bytes, std::uint32_t& value) = 0;
  virtual bool store(std::uint32_t address, unsigned bytes, std::uint32_t value) = 0;
  /// Value of mcycle.
  virtual std::uint64_t cycles() const = 0;
};

/// Exceptions by their code in mcause. Codes of interrupts also have the highest bit.
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

/// Description of \p cause, such as "load access fault".
const char* describe(trap_cause cause);

/// Bits of mip and mie.
inline constexpr std::uint32_t SoftwarePending = 1U << 3, TimerPending = 1U << 7, ExternalPending = 1U << 11;

class rv32im {
 public:
  enum class state : std::uint8_t {
    Running,
    Waiting,  ///< at a WFI, until an interrupt that mie enables is pending
    Stopped,  ///< permanently, by a trap without a handler (mtvec is 0)
  };

  rv32im(hart_bus& bus, std::uint32_t id) : m_bus(bus), m_id(id) {}

  /// Sets the address of the next instruction.
  void start_at(std::uint32_t address) { m_pc = address; }

  /// Executes one instruction, or the trap in its place. Does nothing while the hart waits or has stopped.
  state step();

  /// Sets the interrupt wires: bits of mip.
  void set_pending(std::uint32_t bits) { m_pending = bits; }

  std::uint32_t pc() const { return m_pc; }
  std::uint32_t get(unsigned r) const { return m_x[r]; }
  void set(unsigned r, std::uint32_t value) {
    if (r != 0) m_x[r] = value;
  }
  /// Number of executed instructions: minstret.
  std::uint64_t instructions() const { return m_instructions; }
  /// Why and where the hart has stopped, as a sentence.
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

  /// Replaces the effect of the current instruction by a jump to the handler.
  /// \param value new value of mtval
  void raise(trap_cause cause, std::uint32_t value);
  void enter_handler(trap_cause cause, std::uint32_t value, std::uint32_t from);
  bool takes_interrupt();

  hart_bus& m_bus;
  const std::uint32_t m_id;
  std::array<std::uint32_t, 32> m_x{};
  std::uint32_t m_pc = 0;
  std::uint32_t m_next_pc = 0;  ///< within step(): address of the next instruction
  bool m_raised = false;        ///< within step(): the instruction trapped
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
