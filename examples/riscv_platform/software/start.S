/* SPDX-License-Identifier: Apache-2.0 */
/* Every core starts here, in its own copy of the program. Addresses are relative to pc, so a copy runs anywhere. */
    .section .text.start, "ax"
    .globl _start
_start:
    la sp, stack_top
    la t0, handler
    csrw mtvec, t0
    csrr a0, mhartid
    call main
    li t0, 0x10010010       /* FINISH: the program ends with the return value of main() */
    sw a0, 0(t0)
1:  wfi
    j 1b

    .balign 4
handler:                    /* saves the registers that a C function may change */
    addi sp, sp, -64
    sw ra, 0(sp)
    sw t0, 4(sp)
    sw t1, 8(sp)
    sw t2, 12(sp)
    sw t3, 16(sp)
    sw t4, 20(sp)
    sw t5, 24(sp)
    sw t6, 28(sp)
    sw a0, 32(sp)
    sw a1, 36(sp)
    sw a2, 40(sp)
    sw a3, 44(sp)
    sw a4, 48(sp)
    sw a5, 52(sp)
    sw a6, 56(sp)
    sw a7, 60(sp)
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    call trap
    lw ra, 0(sp)
    lw t0, 4(sp)
    lw t1, 8(sp)
    lw t2, 12(sp)
    lw t3, 16(sp)
    lw t4, 20(sp)
    lw t5, 24(sp)
    lw t6, 28(sp)
    lw a0, 32(sp)
    lw a1, 36(sp)
    lw a2, 40(sp)
    lw a3, 44(sp)
    lw a4, 48(sp)
    lw a5, 52(sp)
    lw a6, 56(sp)
    lw a7, 60(sp)
    addi sp, sp, 64
    mret
