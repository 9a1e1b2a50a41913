// SPDX-License-Identifier: BSL-1.0
// CRC-32C, the checksum of TensorBoard's files.
#pragma once

#include <cstdint>
#include <string_view>

#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::io {

/// The cyclic redundancy check with Castagnoli's polynomial, bits reversed (RFC 3720, appendix B.4): bit by
/// bit, for records of some hundred bytes.
TAPELESS_COLD inline std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0x82f63b78u : 0u);
  }
  return ~crc;
}

}  // namespace tapeless::io
