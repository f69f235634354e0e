// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/study/sha256.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

namespace weft::experiment {

namespace {

using word = std::uint32_t;

/// FIPS 180-4, 4.2.2: fractions of the cube roots of the first 64 primes.
constexpr std::array<word, 64> Rounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr word rotated(word x, unsigned by) { return (x >> by) | (x << (32 - by)); }

/// 6.2.2: one block of 64 bytes.
void add_block(std::array<word, 8>& hash, const char* bytes) {
  std::array<word, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = 0;
    for (std::size_t k = 0; k < 4; ++k) w[i] = w[i] << 8 | static_cast<unsigned char>(bytes[4 * i + k]);
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const word a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ (a >> 3)) + w[i - 7] +
           (rotated(b, 17) ^ rotated(b, 19) ^ (b >> 10));
  }
  std::array<word, 8> s = hash;
  for (std::size_t i = 0; i < 64; ++i) {
    const word choice = (s[4] & s[5]) ^ (~s[4] & s[6]), majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const word t1 = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + choice + Rounds[i] + w[i];
    const word t2 = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + majority;
    s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) hash[i] += s[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  // 5.3.3: fractions of the square roots of the first eight primes.
  std::array<word, 8> hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::size_t at = 0;
  for (; at + 64 <= bytes.size(); at += 64) add_block(hash, bytes.data() + at);
  // 5.1.1: a one, zeros, and the number of bits.
  std::string rest(bytes.substr(at));
  rest += '\x80';
  while (rest.size() % 64 != 56) rest += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    rest += static_cast<char>(std::uint64_t{bytes.size()} * 8 >> shift & 0xff);
  for (at = 0; at < rest.size(); at += 64) add_block(hash, rest.data() + at);
  std::string text;
  for (const word part : hash) text += fmt::format("{:08x}", part);
  return text;
}

}  // namespace weft::experiment
