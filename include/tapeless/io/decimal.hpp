// SPDX-License-Identifier: BSL-1.0
// Numbers from texts, whatever the program's locale is.
#pragma once

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <system_error>

#include <tapeless/graph/core/cmath.hpp>

namespace tapeless::io {

/// Reads all of [first, last), which has the form of a decimal number; false where that is not in the range
/// of double. Not every standard library has from_chars for double yet; strtod depends on the program's
/// locale.
inline bool read_decimal(const char* first, const char* last, double& result) {
#if defined(__cpp_lib_to_chars)
  const auto [end, problem] = std::from_chars(first, last, result);
  return problem == std::errc() && end == last;
#else
  const std::string text(first, last);
  char* end = nullptr;
  result = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() && std::abs(result) <= std::numeric_limits<double>::max();
#endif
}

}  // namespace tapeless::io
