// SPDX-License-Identifier: Apache-2.0
/* 32-bit C arithmetic folded into one number, to compare RV32IM with the host's compiler and processor. */
#pragma once

static int signed_of(unsigned x) { return (int)x; }

static unsigned fold_arithmetic(unsigned rounds) {
  unsigned random = 12345, sum = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    random = random * 1664525 + 1013904223;
    const unsigned a = random;
    random = random * 1664525 + 1013904223;
    const unsigned b = i % 3 == 0 ? random >> 24 : random;
    const int sa = signed_of(a), sb = signed_of(b);
    const int overflows = a == 0x80000000u && b == 0xffffffffu;
    unsigned short half = (unsigned short)(a ^ b);
    signed char byte = (signed char)b;
    sum = (sum << 7 | sum >> 25) + (a + b) * 3 + (a - b);
    sum ^= a << (b & 31) | a >> (b & 31);
    sum += (unsigned)(sa >> (b & 31)) + (sa < sb) + 2 * (a < b) + half + (unsigned)byte;
    sum ^= (unsigned)((long long)sa * sb >> 32) + (unsigned)((unsigned long long)a * b >> 32);
    sum += (unsigned)((long long)sa * (long long)(unsigned long long)b >> 32);
    if (b != 0) sum += a / b ^ a % b;
    if (b != 0 && !overflows) sum ^= (unsigned)(sa / sb) + (unsigned)(sa % sb);
    switch (b & 7) {
      case 0:
        sum ^= a & b;
        break;
      case 1:
        sum ^= a | b;
        break;
      case 5:
        sum -= 1;
        break;
      default:
        sum += a >= b ? 5 : 3;
    }
  }
  return sum;
}
