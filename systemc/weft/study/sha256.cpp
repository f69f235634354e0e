// SPDX-License-Identifier: Apache-2.0
#include "weft/study/sha256.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

namespace weft::experiment {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, 32> digest;
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1 || size != digest.size())
    throw std::runtime_error("libcrypto on this machine provides no SHA-256; install OpenSSL with it");
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace weft::experiment
