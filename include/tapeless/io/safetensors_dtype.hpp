// SPDX-License-Identifier: BSL-1.0
// What safetensors files call the types of elements.
#pragma once

#include <string_view>

#include <tapeless/graph/core/element.hpp>

namespace tapeless::io {

/// The name of an element type in safetensors files, e.g. "F32"; empty if it has none.
constexpr std::string_view dtype_of(element type) {
  constexpr std::string_view names[] = {"F32", "F64",  "F16", "BF16", "I32", "I64",
                                        "U8",  "BOOL", "",    "I8",   "I16", "U32"};
  return names[static_cast<int>(type)];
}

/// How many bits an element takes of a type that these files have and tensors lack; 0 of one that is unknown.
constexpr int bits_of_foreign(std::string_view dtype) {
  struct foreign {
    std::string_view name;
    int bits;
  };
  constexpr foreign all[] = {{"U16", 16},    {"U64", 64},    {"C64", 64},    {"F8_E4M3", 8}, {"F8_E5M2", 8},
                             {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4}};
  for (const foreign& f : all)
    if (f.name == dtype) return f.bits;
  return 0;
}

}  // namespace tapeless::io
