// SPDX-License-Identifier: BSL-1.0
// CRC-32, the check of ZIP, gzip and PNG.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/array_view.hpp>

namespace tapeless::io {

namespace detail {

// Row k is of bytes that k others follow, so that eight are looked up at once.
inline constexpr auto crc32_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = before >> 8 ^ tables[0][before & 0xff];
    }
  return tables;
}();

}  // namespace detail

/// The CRC-32 of bytes that follow those whose CRC-32 is `crc`, 0 of none (ISO-HDLC, as in RFC 1952).
[[nodiscard]] constexpr std::uint32_t crc32(array_view<const std::byte> bytes, std::uint32_t crc = 0) {
  const auto& tables = detail::crc32_tables;
  crc = ~crc;
  std::size_t i = 0;
  for (; bytes.size() - i >= 8; i += 8) {
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const auto byte = std::to_integer<std::uint32_t>(bytes[i + k]);
      next ^= tables[7 - k][(k < 4 ? crc >> 8 * k ^ byte : byte) & 0xff];
    }
    crc = next;
  }
  for (; i < bytes.size(); ++i)
    crc = crc >> 8 ^ tables[0][(crc ^ std::to_integer<std::uint32_t>(bytes[i])) & 0xff];
  return ~crc;
}

}  // namespace tapeless::io
