// SPDX-License-Identifier: BSL-1.0
// What files of tensors are put together from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tapeless/io/tensor_entry.hpp>

namespace test {

template <class T>
tapeless::io::tensor_entry entry(std::string name, std::vector<std::int64_t> extents,
                                 const std::vector<T>& values) {
  return {std::move(name), tapeless::element_of<T>, std::move(extents), std::as_bytes(std::span(values))};
}

/// The last `bytes` bytes of a number, the lowest first.
inline std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> 8 * i & 0xff);
  return text;
}

}  // namespace test
