// SPDX-License-Identifier: Apache-2.0
#include "rv32im.h"

#include <cstdio>
#include <map>

namespace {

/// Bits [high:low] of an instruction.
constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((1U << (high - low + 1)) - 1);
}

constexpr std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }
constexpr std::uint32_t as_unsigned(std::int64_t value) { return static_cast<std::uint32_t>(value); }

/// Sign-extends the lowest \p width bits of \p value.
constexpr std::uint32_t extend(std::uint32_t value, unsigned width) {
  return as_unsigned(as_signed(value << (32 - width)) >> (32 - width));
}

// Immediates of the instruction formats
constexpr std::uint32_t immediate_i(std::uint32_t w) { return extend(bits(w, 31, 20), 12); }
constexpr std::uint32_t immediate_s(std::uint32_t w) { return extend(bits(w, 31, 25) << 5 | bits(w, 11, 7), 12); }
constexpr std::uint32_t immediate_b(std::uint32_t w) {
  return extend(bits(w, 31, 31) << 12 | bits(w, 7, 7) << 11 | bits(w, 30, 25) << 5 | bits(w, 11, 8) << 1, 13);
}
constexpr std::uint32_t immediate_u(std::uint32_t w) { return w & 0xffff'f000; }
constexpr std::uint32_t immediate_j(std::uint32_t w) {
  return extend(bits(w, 31, 31) << 20 | bits(w, 19, 12) << 12 | bits(w, 20, 20) << 11 | bits(w, 30, 21) << 1, 21);
}

/// Bits [6:2] of an instruction of 32 bits.
enum major_opcode : std::uint32_t {
  Load = 0x00,
  MiscMem = 0x03,
  OpImm = 0x04,
  Auipc = 0x05,
  Store = 0x08,
  Op = 0x0c,
  Lui = 0x0d,
  Branch = 0x18,
  Jalr = 0x19,
  Jal = 0x1b,
  System = 0x1c,
};

enum csr_number : std::uint32_t {
  Mstatus = 0x300,
  Misa = 0x301,
  Mie = 0x304,
  Mtvec = 0x305,
  Mscratch = 0x340,
  Mepc = 0x341,
  Mcause = 0x342,
  Mtval = 0x343,
  Mip = 0x344,
  Mcycle = 0xb00,
  Minstret = 0xb02,
  Mcycleh = 0xb80,
  Minstreth = 0xb82,
  Mvendorid = 0xf11,
  Marchid = 0xf12,
  Mimpid = 0xf13,
  Mhartid = 0xf14,
};

constexpr std::uint32_t StatusMie = 1U << 3, StatusMpie = 1U << 7, StatusMpp = 3U << 11;
constexpr std::uint32_t Interrupts = SoftwarePending | TimerPending | ExternalPending;

/// Multiplication and division. The results of a division by zero and of an overflow are those of the manual.
std::uint32_t multiply_or_divide(unsigned what, std::uint32_t a, std::uint32_t b) {
  const std::int64_t sa = as_signed(a), sb = as_signed(b);
  switch (what) {
    case 0:
      return a * b;  // MUL
    case 1:
      return as_unsigned(sa * sb >> 32);  // MULH
    case 2:
      return as_unsigned(sa * std::int64_t{b} >> 32);  // MULHSU
    case 3:
      return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);  // MULHU
    case 4:
      return b == 0 ? ~0U : as_unsigned(sa / sb);  // DIV
    case 5:
      return b == 0 ? ~0U : a / b;  // DIVU
    case 6:
      return b == 0 ? a : as_unsigned(sa % sb);  // REM
    default:
      return b == 0 ? a : a % b;  // REMU
  }
}

/// Instructions of OP and OP-IMM. \p alternative: SUB instead of ADD, SRA instead of SRL.
std::uint32_t add_or_shift(unsigned what, bool alternative, std::uint32_t a, std::uint32_t b) {
  const unsigned distance = b & 31;
  switch (what) {
    case 0:
      return alternative ? a - b : a + b;
    case 1:
      return a << distance;
    case 2:
      return as_signed(a) < as_signed(b);
    case 3:
      return a < b;
    case 4:
      return a ^ b;
    case 5:
      return alternative ? as_unsigned(as_signed(a) >> distance) : a >> distance;
    case 6:
      return a | b;
    default:
      return a & b;
  }
}

bool is_taken(unsigned what, std::uint32_t a, std::uint32_t b) {
  const bool first = what < 4 ? a == b : what < 6 ? as_signed(a) < as_signed(b) : a < b;
  return first != (what % 2 != 0);
}

}  // namespace

/// An instruction and its operands.
struct rv32im::operands {
  std::uint32_t word;
  unsigned rd, funct3;
  std::uint32_t a, b;  ///< values of rs1 and rs2
};

const char* describe(trap_cause cause) {
  static const std::map<trap_cause, const char*> names = {
      {trap_cause::InstructionMisaligned, "jump to a misaligned address"},
      {trap_cause::InstructionFault, "instruction access fault"},
      {trap_cause::IllegalInstruction, "illegal instruction"},
      {trap_cause::Breakpoint, "breakpoint"},
      {trap_cause::LoadMisaligned, "misaligned load"},
      {trap_cause::LoadFault, "load access fault"},
      {trap_cause::StoreMisaligned, "misaligned store"},
      {trap_cause::StoreFault, "store access fault"},
      {trap_cause::EnvironmentCall, "environment call"},
      {trap_cause::SoftwareInterrupt, "software interrupt"},
      {trap_cause::TimerInterrupt, "timer interrupt"},
      {trap_cause::ExternalInterrupt, "external interrupt"},
  };
  return names.at(cause);
}

rv32im::state rv32im::step() {
  if (m_state == state::Stopped) return m_state;
  if ((m_pending & m_enabled) != 0) {
    m_state = state::Running;
    if (takes_interrupt()) return m_state;
  }
  if (m_state == state::Waiting) return m_state;
  m_raised = false;
  m_next_pc = m_pc + 4;
  std::uint32_t word = 0;
  if (m_bus.fetch(m_pc, word))
    execute(word);
  else
    raise(trap_cause::InstructionFault, m_pc);
  m_pc = m_next_pc;
  if (!m_raised) ++m_instructions;
  return m_state;
}

void rv32im::execute(std::uint32_t word) {
  const operands op{word, bits(word, 11, 7), bits(word, 14, 12), m_x[bits(word, 19, 15)], m_x[bits(word, 24, 20)]};
  if ((word & 3) != 3) return raise(trap_cause::IllegalInstruction, word);
  switch (bits(word, 6, 2)) {
    case Lui:
      return set(op.rd, immediate_u(word));
    case Auipc:
      return set(op.rd, m_pc + immediate_u(word));
    case OpImm:
    case Op:
      return compute(op);
    case Load:
      return load(op);
    case Store:
      return store(op);
    case Branch:
      return branch(op);
    case Jal:
      jump(m_pc + immediate_j(word));
      if (!m_raised) set(op.rd, m_pc + 4);
      return;
    case Jalr:
      if (op.funct3 != 0) break;
      jump((op.a + immediate_i(word)) & ~1U);
      if (!m_raised) set(op.rd, m_pc + 4);
      return;
    case MiscMem:
      if (op.funct3 > 1) break;
      return;  // FENCE, FENCE.I have no effect: accesses are in order, and instructions are not cached
    case System:
      return system(op);
    default:
      break;
  }
  raise(trap_cause::IllegalInstruction, word);
}

void rv32im::compute(const operands& op) {
  const bool is_immediate = bits(op.word, 6, 2) == OpImm;
  const bool is_shift = op.funct3 == 1 || op.funct3 == 5;
  const std::uint32_t funct7 = bits(op.word, 31, 25);
  if (is_immediate && !is_shift) return set(op.rd, add_or_shift(op.funct3, false, op.a, immediate_i(op.word)));
  if (!is_immediate && funct7 == 1) return set(op.rd, multiply_or_divide(op.funct3, op.a, op.b));
  const bool has_alternative = op.funct3 == 5 || (op.funct3 == 0 && !is_immediate);
  if (funct7 != 0 && !(funct7 == 0x20 && has_alternative)) return raise(trap_cause::IllegalInstruction, op.word);
  set(op.rd, add_or_shift(op.funct3, funct7 != 0, op.a, is_immediate ? bits(op.word, 24, 20) : op.b));
}

void rv32im::load(const operands& op) {
  if (op.funct3 == 3 || op.funct3 > 5) return raise(trap_cause::IllegalInstruction, op.word);
  const std::uint32_t address = op.a + immediate_i(op.word);
  const unsigned bytes = 1U << op.funct3 % 4;
  if (address % bytes != 0) return raise(trap_cause::LoadMisaligned, address);
  std::uint32_t value = 0;
  if (!m_bus.load(address, bytes, value)) return raise(trap_cause::LoadFault, address);
  set(op.rd, op.funct3 < 4 ? extend(value, 8 * bytes) : value);
}

void rv32im::store(const operands& op) {
  if (op.funct3 > 2) return raise(trap_cause::IllegalInstruction, op.word);
  const std::uint32_t address = op.a + immediate_s(op.word);
  const unsigned bytes = 1U << op.funct3;
  if (address % bytes != 0) return raise(trap_cause::StoreMisaligned, address);
  if (!m_bus.store(address, bytes, op.b)) raise(trap_cause::StoreFault, address);
}

void rv32im::branch(const operands& op) {
  if (op.funct3 == 2 || op.funct3 == 3) return raise(trap_cause::IllegalInstruction, op.word);
  if (is_taken(op.funct3, op.a, op.b)) jump(m_pc + immediate_b(op.word));
}

void rv32im::jump(std::uint32_t target) {
  if (target % 4 != 0) return raise(trap_cause::InstructionMisaligned, target);
  m_next_pc = target;
}

void rv32im::system(const operands& op) {
  if (op.funct3 == 4) return raise(trap_cause::IllegalInstruction, op.word);
  if (op.funct3 != 0) return change_csr(op);
  switch (op.word) {
    case 0x0000'0073:
      return raise(trap_cause::EnvironmentCall, 0);
    case 0x0010'0073:
      return raise(trap_cause::Breakpoint, m_pc);
    case 0x3020'0073:  // MRET
      m_interrupts = m_interrupts_before;
      m_interrupts_before = true;
      m_next_pc = m_trap_pc;
      return;
    case 0x1050'0073:  // WFI
      if ((m_pending & m_enabled) == 0) m_state = state::Waiting;
      return;
    default:
      return raise(trap_cause::IllegalInstruction, op.word);
  }
}

/// CSRRW, CSRRS, CSRRC, and their forms with an immediate instead of rs1.
void rv32im::change_csr(const operands& op) {
  const std::uint32_t number = bits(op.word, 31, 20), rs1 = bits(op.word, 19, 15);
  const std::optional<std::uint32_t> old = read_csr(number);
  if (!old) return raise(trap_cause::IllegalInstruction, op.word);
  const std::uint32_t given = op.funct3 < 4 ? op.a : rs1;
  const unsigned what = op.funct3 % 4;
  const std::uint32_t value = what == 1 ? given : what == 2 ? *old | given : *old & ~given;
  const bool writes = what == 1 || rs1 != 0;
  if (writes && !write_csr(number, value)) return raise(trap_cause::IllegalInstruction, op.word);
  set(op.rd, *old);
}

std::optional<std::uint32_t> rv32im::read_csr(std::uint32_t number) const {
  switch (number) {
    case Mstatus:
      return StatusMpp | (m_interrupts ? StatusMie : 0) | (m_interrupts_before ? StatusMpie : 0);
    case Misa:
      return 1U << 30 | 1U << ('I' - 'A') | 1U << ('M' - 'A');
    case Mie:
      return m_enabled;
    case Mtvec:
      return m_handler;
    case Mscratch:
      return m_scratch;
    case Mepc:
      return m_trap_pc;
    case Mcause:
      return m_trap_cause;
    case Mtval:
      return m_trap_value;
    case Mip:
      return m_pending;
    case Mcycle:
      return static_cast<std::uint32_t>(m_bus.cycles());
    case Mcycleh:
      return static_cast<std::uint32_t>(m_bus.cycles() >> 32);
    case Minstret:
      return static_cast<std::uint32_t>(m_instructions);
    case Minstreth:
      return static_cast<std::uint32_t>(m_instructions >> 32);
    case Mvendorid:
    case Marchid:
    case Mimpid:
      return 0;
    case Mhartid:
      return m_id;
    default:
      return std::nullopt;
  }
}

bool rv32im::write_csr(std::uint32_t number, std::uint32_t value) {
  switch (number) {
    case Mstatus:
      m_interrupts = (value & StatusMie) != 0;
      m_interrupts_before = (value & StatusMpie) != 0;
      return true;
    case Misa:
    case Mip:
      return true;  // none of their bits can be changed
    case Mie:
      m_enabled = value & Interrupts;
      return true;
    case Mtvec:
      m_handler = value & ~3U;
      return true;
    case Mscratch:
      m_scratch = value;
      return true;
    case Mepc:
      m_trap_pc = value & ~3U;
      return true;
    case Mcause:
      m_trap_cause = value;
      return true;
    case Mtval:
      m_trap_value = value;
      return true;
    default:
      return false;
  }
}

void rv32im::raise(trap_cause cause, std::uint32_t value) {
  m_raised = true;
  enter_handler(cause, value, m_pc);
}

/// Takes a pending interrupt. Priority as in the manual: external before software before timer.
bool rv32im::takes_interrupt() {
  if (!m_interrupts) return false;
  const std::uint32_t which = m_pending & m_enabled;
  const trap_cause cause = (which & ExternalPending) != 0   ? trap_cause::ExternalInterrupt
                           : (which & SoftwarePending) != 0 ? trap_cause::SoftwareInterrupt
                                                            : trap_cause::TimerInterrupt;
  enter_handler(cause, 0, m_pc);
  m_pc = m_next_pc;
  return true;
}

void rv32im::enter_handler(trap_cause cause, std::uint32_t value, std::uint32_t from) {
  m_trap_pc = from;
  m_trap_cause = static_cast<std::uint32_t>(cause);
  m_trap_value = value;
  m_interrupts_before = m_interrupts;
  m_interrupts = false;
  m_next_pc = m_handler;
  if (m_handler != 0) return;
  m_next_pc = from;
  m_state = state::Stopped;
  char text[160];
  std::snprintf(text, sizeof text, "%s at pc 0x%08x (mtval 0x%08x), and mtvec has no handler", describe(cause), from,
                value);
  m_reason = text;
}
