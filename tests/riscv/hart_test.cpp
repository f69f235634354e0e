// SPDX-License-Identifier: Apache-2.0
/// The hart of examples/riscv_platform, instruction by instruction. Expected values are written out from the manual.
#include "riscv/encodings.h"
#include "rv32im.h"
#include <cstring>
#include <map>
#include <vector>

#include <gtest/gtest.h>

using namespace riscv;

namespace {

constexpr word Base = 0x8000'0000, Size = 4096;

/// Memory at Base, nothing elsewhere; a clock that the test sets.
class test_bus final : public hart_bus {
 public:
  test_bus() : content(Size) {}
  bool fetch(word address, word& value) override {
    return access(address, 4, [&](unsigned char* at) { std::memcpy(&value, at, 4); });
  }
  bool load(word address, unsigned bytes, word& value) override {
    return access(address, bytes, [&](unsigned char* at) { std::memcpy(&value, at, bytes); });
  }
  bool store(word address, unsigned bytes, word value) override {
    return access(address, bytes, [&](unsigned char* at) { std::memcpy(at, &value, bytes); });
  }
  std::uint64_t cycles() const override { return clock; }

  std::vector<unsigned char> content;
  std::uint64_t clock = 0;

 private:
  template <typename F>
  bool access(word address, unsigned bytes, F f) {
    if (address < Base || address - Base > Size - bytes) return false;
    f(content.data() + (address - Base));
    return true;
  }
};

/// A hart and a program at Base. x1 to x4 hold operands, x5 and above results.
class riscv_hart : public testing::Test {
 protected:
  void program(const std::vector<word>& words, word at = Base) {
    std::memcpy(bus.content.data() + (at - Base), words.data(), 4 * words.size());
  }
  /// Runs one instruction at Base. \return x5
  word result(word instruction, word x1 = 0, word x2 = 0) {
    program({instruction});
    hart.start_at(Base);
    hart.set(1, x1);
    hart.set(2, x2);
    hart.step();
    return hart.get(5);
  }
  /// Expects that \p instruction traps and changes no register; the handler is at Base + 0x100.
  void expect_trap(word instruction, trap_cause cause, word value) {
    program({csrrw(0, Mtvec, 1)});
    hart.set(1, Base + 0x100);
    hart.start_at(Base);
    hart.step();
    hart.set(5, 0x1234'5678);
    program({instruction}, Base + 8);
    hart.start_at(Base + 8);
    const std::uint64_t before = hart.instructions();
    hart.step();
    EXPECT_EQ(hart.pc(), Base + 0x100);
    EXPECT_EQ(hart.get(5), 0x1234'5678U);
    EXPECT_EQ(hart.instructions(), before) << "the instruction did not retire";
    EXPECT_EQ(csr_value(Mcause), static_cast<word>(cause));
    EXPECT_EQ(csr_value(Mepc), Base + 8);
    EXPECT_EQ(csr_value(Mtval), value);
  }
  word csr_value(word number) { return result(csrrs(5, number, 0)); }

  test_bus bus;
  rv32im hart{bus, 3};
};

TEST_F(riscv_hart, adds_subtracts_and_compares) {
  EXPECT_EQ(result(op(0, 0, 5, 1, 2), 0xffff'ffff, 2), 1U);
  EXPECT_EQ(result(op(0x20, 0, 5, 1, 2), 1, 2), 0xffff'ffffU);
  EXPECT_EQ(result(op(0, 2, 5, 1, 2), 0x8000'0000, 1), 1U) << "slt";
  EXPECT_EQ(result(op(0, 3, 5, 1, 2), 0x8000'0000, 1), 0U) << "sltu";
  EXPECT_EQ(result(op_imm(0, 5, 1, -2048), 0), 0xffff'f800U);
  EXPECT_EQ(result(op_imm(2, 5, 1, -1), 0xffff'fffe), 1U) << "slti";
  EXPECT_EQ(result(op_imm(3, 5, 1, -1), 0xffff'fffe), 1U) << "sltiu compares with the extended immediate";
}

TEST_F(riscv_hart, computes_bitwise_logic) {
  EXPECT_EQ(result(op(0, 4, 5, 1, 2), 0xff00'ff00, 0x0ff0'0ff0), 0xf0f0'f0f0U) << "xor";
  EXPECT_EQ(result(op(0, 6, 5, 1, 2), 0xff00'0000, 0x0000'00ff), 0xff00'00ffU) << "or";
  EXPECT_EQ(result(op(0, 7, 5, 1, 2), 0xff00'ff00, 0x0ff0'0ff0), 0x0f00'0f00U) << "and";
  EXPECT_EQ(result(op_imm(4, 5, 1, -1), 0x1234'5678), 0xedcb'a987U) << "xori";
  EXPECT_EQ(result(op_imm(6, 5, 1, 0x7f), 0x100), 0x17fU) << "ori";
  EXPECT_EQ(result(op_imm(7, 5, 1, -16), 0xffff), 0xfff0U) << "andi";
}

TEST_F(riscv_hart, shifts_by_the_low_five_bits) {
  EXPECT_EQ(result(op(0, 1, 5, 1, 2), 1, 33), 2U) << "sll";
  EXPECT_EQ(result(op(0, 5, 5, 1, 2), 0x8000'0000, 31), 1U) << "srl";
  EXPECT_EQ(result(op(0x20, 5, 5, 1, 2), 0x8000'0000, 31), 0xffff'ffffU) << "sra";
  EXPECT_EQ(result(op_imm(1, 5, 1, 4), 0xf000'000f), 0xf0U) << "slli";
  EXPECT_EQ(result(op_imm(5, 5, 1, 4), 0xf000'000f), 0x0f00'0000U) << "srli";
  EXPECT_EQ(result(op_imm(5, 5, 1, 0x400 | 4), 0xf000'000f), 0xff00'0000U) << "srai";
}

TEST_F(riscv_hart, executes_lui_and_auipc) {
  EXPECT_EQ(result(lui(5, 0xfffff)), 0xffff'f000U);
  EXPECT_EQ(result(auipc(5, 0x1)), Base + 0x1000);
  EXPECT_EQ(result(auipc(5, 0x80000)), 0U);
}

TEST_F(riscv_hart, multiplies_signed_and_unsigned_numbers) {
  EXPECT_EQ(result(op(1, 0, 5, 1, 2), 0x1'0001, 0x1'0001), 0x2'0001U) << "mul";
  EXPECT_EQ(result(op(1, 1, 5, 1, 2), 0x8000'0000, 0x8000'0000), 0x4000'0000U) << "mulh";
  EXPECT_EQ(result(op(1, 1, 5, 1, 2), 0xffff'ffff, 1), 0xffff'ffffU) << "mulh of -1 and 1";
  EXPECT_EQ(result(op(1, 2, 5, 1, 2), 0xffff'ffff, 0xffff'ffff), 0xffff'ffffU) << "mulhsu";
  EXPECT_EQ(result(op(1, 3, 5, 1, 2), 0xffff'ffff, 0xffff'ffff), 0xffff'fffeU) << "mulhu";
}

/// Includes Table 7.1 of the manual: division by zero, and overflow.
TEST_F(riscv_hart, divides_signed_and_unsigned_numbers) {
  EXPECT_EQ(result(op(1, 4, 5, 1, 2), static_cast<word>(-7), 2), static_cast<word>(-3)) << "div rounds toward zero";
  EXPECT_EQ(result(op(1, 6, 5, 1, 2), static_cast<word>(-7), 2), static_cast<word>(-1))
      << "rem has the dividend's sign";
  EXPECT_EQ(result(op(1, 5, 5, 1, 2), 0xffff'fff9, 2), 0x7fff'fffcU) << "divu";
  EXPECT_EQ(result(op(1, 7, 5, 1, 2), 0xffff'fff9, 16), 9U) << "remu";
  EXPECT_EQ(result(op(1, 4, 5, 1, 2), 5, 0), 0xffff'ffffU);
  EXPECT_EQ(result(op(1, 5, 5, 1, 2), 5, 0), 0xffff'ffffU);
  EXPECT_EQ(result(op(1, 6, 5, 1, 2), 5, 0), 5U);
  EXPECT_EQ(result(op(1, 7, 5, 1, 2), 5, 0), 5U);
  EXPECT_EQ(result(op(1, 4, 5, 1, 2), 0x8000'0000, 0xffff'ffff), 0x8000'0000U);
  EXPECT_EQ(result(op(1, 6, 5, 1, 2), 0x8000'0000, 0xffff'ffff), 0U);
}

TEST_F(riscv_hart, loads_and_stores_bytes_halves_and_words) {
  result(store(2, 2, 1, 0x20), Base + 0x100, 0x8182'f384);
  EXPECT_EQ(result(load(2, 5, 1, -4), Base + 0x124), 0x8182'f384U);
  EXPECT_EQ(result(load(0, 5, 1, 0), Base + 0x120), 0xffff'ff84U) << "lb";
  EXPECT_EQ(result(load(4, 5, 1, 0), Base + 0x120), 0x84U) << "lbu";
  EXPECT_EQ(result(load(1, 5, 1, 0), Base + 0x120), 0xffff'f384U) << "lh";
  EXPECT_EQ(result(load(5, 5, 1, 2), Base + 0x120), 0x8182U) << "lhu";
  result(store(0, 2, 1, 1), Base + 0x120, 0xaabb'ccdd);
  EXPECT_EQ(result(load(2, 5, 1, 0), Base + 0x120), 0x8182'dd84U) << "sb";
  result(store(1, 2, 1, 2), Base + 0x120, 0xaabb'ccdd);
  EXPECT_EQ(result(load(2, 5, 1, 0), Base + 0x120), 0xccdd'dd84U) << "sh";
}

TEST_F(riscv_hart, branches_on_the_specified_comparisons) {
  struct {
    word funct3, a, b;
    bool taken;
  } const cases[] = {{0, 5, 5, true},
                     {0, 5, 6, false},
                     {1, 5, 6, true},
                     {1, 5, 5, false},
                     {4, 0xffff'ffff, 0, true},
                     {4, 0, 0xffff'ffff, false},
                     {5, 0, 0xffff'ffff, true},
                     {5, 7, 7, true},
                     {5, 0xffff'ffff, 0, false},
                     {6, 0, 0xffff'ffff, true},
                     {6, 0xffff'ffff, 0, false},
                     {7, 0xffff'ffff, 0, true},
                     {7, 7, 7, true},
                     {7, 0, 1, false}};
  for (const auto& c : cases) {
    result(b_type(0x7fc, 2, 1, c.funct3), c.a, c.b);
    EXPECT_EQ(hart.pc(), Base + (c.taken ? 0x7fc : 4)) << c.funct3 << " of " << c.a << " and " << c.b;
  }
  program({b_type(-0x20, 0, 0, 0)}, Base + 0x40);
  hart.start_at(Base + 0x40);
  hart.step();
  EXPECT_EQ(hart.pc(), Base + 0x20);
}

TEST_F(riscv_hart, jumps_and_links) {
  EXPECT_EQ(result(j_type(0x800, 5)), Base + 4);
  EXPECT_EQ(hart.pc(), Base + 0x800);
  EXPECT_EQ(result(jalr(5, 1, -3), Base + 0x104), Base + 4);
  EXPECT_EQ(hart.pc(), Base + 0x100) << "the lowest bit of the sum is cleared";
  program({jalr(1, 1, 8)});
  hart.start_at(Base);
  hart.set(1, Base + 0x100);
  hart.step();
  EXPECT_EQ(hart.pc(), Base + 0x108) << "the target uses the old value of the register";
  EXPECT_EQ(hart.get(1), Base + 4);
}

TEST_F(riscv_hart, register_0_stays_zero) {
  program({addi(0, 0, 7), addi(5, 0, 0)});
  hart.start_at(Base);
  hart.step();
  hart.step();
  EXPECT_EQ(hart.get(0), 0U);
  EXPECT_EQ(hart.get(5), 0U);
}

TEST_F(riscv_hart, reads_and_writes_csrs) {
  EXPECT_EQ(csr_value(Mhartid), 3U);
  EXPECT_EQ(csr_value(Misa), 0x4000'1100U) << "RV32IM";
  bus.clock = 0x5'0000'0007;
  EXPECT_EQ(csr_value(Mcycle), 7U);
  EXPECT_EQ(csr_value(Mcycle + 0x80), 5U);
  EXPECT_EQ(csr_value(Minstret), 4U);
  EXPECT_EQ(result(csrrw(5, Mscratch, 1), 0xf0f0), 0U) << "the old value";
  EXPECT_EQ(result(csrrs(5, Mscratch, 1), 0x0f00), 0xf0f0U);
  EXPECT_EQ(result(csr(3, 5, Mscratch, 1), 0x00f0), 0xfff0U) << "csrrc";
  EXPECT_EQ(result(csr(5, 5, Mscratch, 21)), 0xff00U) << "csrrwi";
  EXPECT_EQ(result(csr(6, 5, Mscratch, 10)), 21U) << "csrrsi";
  EXPECT_EQ(result(csr(7, 5, Mscratch, 1)), 31U) << "csrrci";
  EXPECT_EQ(csr_value(Mscratch), 30U);
  result(csrrw(0, Mie, 1), 0xffff'ffff);
  EXPECT_EQ(csr_value(Mie), 0x888U) << "software, timer, external";
  result(csrrw(0, Mtvec, 1), Base + 0x103);
  EXPECT_EQ(csr_value(Mtvec), Base + 0x100) << "one address for all traps";
}

TEST_F(riscv_hart, traps_illegal_instructions) {
  for (const word w : {0U, 0xffff'ffffU, 0x0000'8082U, op(2, 0, 5, 1, 2), op(0x20, 4, 5, 1, 2),
                       op_imm(1, 5, 1, 0x400 | 3), load(3, 5, 1, 0), store(3, 2, 1, 0), b_type(8, 2, 1, 2),
                       i_type(0, 1, 1, 5, 0x67), r_type(2 << 2, 0, 1, 2, 5, 0x2f), csrrs(5, 0x7c0, 0),
                       csrrw(5, Mhartid, 1), csrrw(5, Mcycle, 1), csr(4, 5, Mscratch, 1), 0x1020'0073U}) {
    SCOPED_TRACE(w);
    expect_trap(w, trap_cause::IllegalInstruction, w);
  }
}

TEST_F(riscv_hart, traps_faulting_accesses_calls_and_breakpoints) {
  expect_trap(load(2, 5, 0, 0), trap_cause::LoadFault, 0);
  expect_trap(store(2, 5, 0, 16), trap_cause::StoreFault, 16);
  expect_trap(load(2, 5, 1, 2), trap_cause::LoadMisaligned, Base + 0x102);
  expect_trap(load(1, 5, 1, 1), trap_cause::LoadMisaligned, Base + 0x101);
  expect_trap(store(2, 5, 1, 1), trap_cause::StoreMisaligned, Base + 0x101);
  expect_trap(j_type(6, 5), trap_cause::InstructionMisaligned, Base + 14);
  expect_trap(Ecall, trap_cause::EnvironmentCall, 0);
  expect_trap(Ebreak, trap_cause::Breakpoint, Base + 8);
  result(j_type(-16, 0));  // below the memory
  hart.step();
  EXPECT_EQ(csr_value(Mcause), static_cast<word>(trap_cause::InstructionFault));
  EXPECT_EQ(csr_value(Mtval), Base - 16);
}

TEST_F(riscv_hart, takes_interrupts_by_priority_and_returns) {
  result(csrrw(0, Mtvec, 1), Base + 0x100);
  result(csrrw(0, Mie, 1), SoftwarePending | TimerPending | ExternalPending);
  hart.set_pending(TimerPending);
  result(csr(6, 0, Mstatus, 8));  // sets MIE
  program({addi(6, 0, 1)}, Base + 4);
  program({Mret}, Base + 0x100);
  hart.step();
  EXPECT_EQ(hart.pc(), Base + 0x100) << "before the next instruction";
  hart.set_pending(0);
  hart.step();
  EXPECT_EQ(hart.pc(), Base + 4) << "mret";
  EXPECT_EQ(hart.get(6), 0U);
  for (const auto& [pending, cause] :
       std::map<word, trap_cause>{{TimerPending, trap_cause::TimerInterrupt},
                                  {TimerPending | SoftwarePending, trap_cause::SoftwareInterrupt},
                                  {TimerPending | SoftwarePending | ExternalPending, trap_cause::ExternalInterrupt}}) {
    hart.set_pending(pending);
    hart.start_at(Base + 4);
    hart.step();
    EXPECT_EQ(hart.pc(), Base + 0x100);
    EXPECT_EQ(csr_value(Mip), pending);
    EXPECT_EQ(csr_value(Mcause), static_cast<word>(cause));
    EXPECT_EQ(csr_value(Mepc), Base + 4);
    EXPECT_EQ(csr_value(Mstatus), 0x1880U) << "MPP is machine mode, MPIE what MIE was, MIE off";
    hart.set_pending(0);
    result(Mret);
  }
  EXPECT_EQ(csr_value(Mstatus), 0x1888U);
}

TEST_F(riscv_hart, wakes_only_on_enabled_interrupts) {
  result(csrrw(0, Mie, 1), SoftwarePending);
  program({Wfi, addi(6, 6, 1), Wfi, addi(6, 6, 1)});
  hart.start_at(Base);
  EXPECT_EQ(hart.step(), rv32im::state::Waiting);
  hart.set_pending(TimerPending);
  EXPECT_EQ(hart.step(), rv32im::state::Waiting);
  hart.set_pending(SoftwarePending);
  EXPECT_EQ(hart.step(), rv32im::state::Running) << "without mstatus.MIE there is no trap";
  EXPECT_EQ(hart.get(6), 1U);
  EXPECT_EQ(hart.step(), rv32im::state::Running) << "a pending interrupt ends wfi";
}

TEST_F(riscv_hart, stops_at_a_trap_without_a_handler) {
  program({addi(6, 0, 1), load(2, 5, 0, 0x40)});
  hart.start_at(Base);
  hart.step();
  EXPECT_EQ(hart.step(), rv32im::state::Stopped);
  EXPECT_EQ(hart.step(), rv32im::state::Stopped);
  EXPECT_EQ(hart.pc(), Base + 4);
  EXPECT_EQ(hart.reason(), "load access fault at pc 0x80000004 (mtval 0x00000040), and mtvec has no handler");
}

}  // namespace
