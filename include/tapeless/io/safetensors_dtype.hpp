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

}  // namespace tapeless::io
