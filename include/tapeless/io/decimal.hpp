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

/// Reads all of [first, last), which has no other characters than a decimal number. Returns
/// result_out_of_range where it is one that is not in the range of double, invalid_argument where it is none.
/// Not every standard library has from_chars for double yet; strtod depends on the program's locale.
inline std::errc read_decimal(const char* first, const char* last, double& result) {
#if defined(__cpp_lib_to_chars)
  const auto [end, problem] = std::from_chars(first, last, result);
  return end == last ? problem : std::errc::invalid_argument;
#else
  const std::string text(first, last);
  char* end = nullptr;
  result = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return std::errc::invalid_argument;
  return std::abs(result) <= std::numeric_limits<double>::max() ? std::errc()
                                                                : std::errc::result_out_of_range;
#endif
}

}  // namespace tapeless::io
