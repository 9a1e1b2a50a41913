// SPDX-License-Identifier: BSL-1.0
// A type's name, as the compiler writes it.
#pragma once

#include <string_view>

#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::detail {

/// The name stands between the marks that this compiler puts around it.
template <class Type>
constexpr std::string_view type_text() {
  constexpr std::string_view whole = TAPELESS_FUNCTION_TEXT;
  constexpr std::size_t begin = whole.find("Type = ") + 7;
  constexpr std::size_t semicolon = whole.find("; std::string_view", begin);
  constexpr std::size_t end = semicolon != std::string_view::npos ? semicolon : whole.size() - 1;
  return whole.substr(begin, end - begin);
}

}  // namespace tapeless::detail
