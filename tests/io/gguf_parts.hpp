// SPDX-License-Identifier: BSL-1.0
// What GGUF files are put together from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/file_parts.hpp"

namespace test::gguf {

inline std::string text(const std::string& t) { return little(t.size(), 8) + t; }

/// A file of these keys and tensors, and of data behind the padding.
inline std::string file_bytes(int keys, const std::string& pairs, int tensors, const std::string& places,
                              const std::string& data, std::size_t alignment = 32) {
  std::string bytes = "GGUF" + little(3, 4) + little(static_cast<std::uint64_t>(tensors), 8) +
                      little(static_cast<std::uint64_t>(keys), 8) + pairs + places;
  bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
  return bytes + data;
}
/// Where a tensor of a type by its number lies; the extent of the last axis comes first.
inline std::string place(const std::string& name, const std::vector<std::uint64_t>& extents,
                         std::uint64_t type, std::uint64_t offset) {
  std::string bytes = text(name) + little(extents.size(), 4);
  for (const std::uint64_t extent : extents) bytes += little(extent, 8);
  return bytes + little(type, 4) + little(offset, 8);
}

}  // namespace test::gguf
