// SPDX-License-Identifier: Apache-2.0
/// Instructions as words, by format: "The RISC-V Instruction Set Manual", volume I, chapter 24.
#pragma once

#include <cstdint>

namespace riscv {

using word = std::uint32_t;

constexpr word r_type(word funct7, word rs2, word rs1, word funct3, word rd, word opcode) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr word i_type(std::int32_t immediate, word rs1, word funct3, word rd, word opcode) {
  return (static_cast<word>(immediate) & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr word s_type(std::int32_t immediate, word rs2, word rs1, word funct3) {
  const word i = static_cast<word>(immediate);
  return (i >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (i & 31) << 7 | 0x23;
}
constexpr word b_type(std::int32_t immediate, word rs2, word rs1, word funct3) {
  const word i = static_cast<word>(immediate);
  return (i >> 12 & 1) << 31 | (i >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (i >> 1 & 15) << 8 |
         (i >> 11 & 1) << 7 | 0x63;
}
constexpr word j_type(std::int32_t immediate, word rd) {
  const word i = static_cast<word>(immediate);
  return (i >> 20 & 1) << 31 | (i >> 1 & 0x3ff) << 21 | (i >> 11 & 1) << 20 | (i >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

constexpr word lui(word rd, word upper) { return upper << 12 | rd << 7 | 0x37; }
constexpr word auipc(word rd, word upper) { return upper << 12 | rd << 7 | 0x17; }
constexpr word op(word funct7, word funct3, word rd, word rs1, word rs2) {
  return r_type(funct7, rs2, rs1, funct3, rd, 0x33);
}
constexpr word op_imm(word funct3, word rd, word rs1, std::int32_t immediate) {
  return i_type(immediate, rs1, funct3, rd, 0x13);
}
constexpr word addi(word rd, word rs1, std::int32_t immediate) { return op_imm(0, rd, rs1, immediate); }
constexpr word load(word funct3, word rd, word rs1, std::int32_t offset) {
  return i_type(offset, rs1, funct3, rd, 0x03);
}
constexpr word store(word funct3, word rs2, word rs1, std::int32_t offset) { return s_type(offset, rs2, rs1, funct3); }
constexpr word jalr(word rd, word rs1, std::int32_t offset) { return i_type(offset, rs1, 0, rd, 0x67); }
constexpr word csr(word funct3, word rd, word number, word rs1) {
  return number << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x73;
}
constexpr word csrrw(word rd, word number, word rs1) { return csr(1, rd, number, rs1); }
constexpr word csrrs(word rd, word number, word rs1) { return csr(2, rd, number, rs1); }

inline constexpr word Ecall = 0x0000'0073, Ebreak = 0x0010'0073, Mret = 0x3020'0073, Wfi = 0x1050'0073;
inline constexpr word Mstatus = 0x300, Misa = 0x301, Mie = 0x304, Mtvec = 0x305, Mscratch = 0x340, Mepc = 0x341,
                      Mcause = 0x342, Mtval = 0x343, Mip = 0x344, Mcycle = 0xb00, Minstret = 0xb02, Mhartid = 0xf14;

}  // namespace riscv
