// SPDX-License-Identifier: BSL-1.0
// Numbers from texts, whatever the program's locale is.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::io {

namespace detail {

/// Whether a decimal number that is not in the range of double is too small for it, not too large.
TAPELESS_COLD inline bool is_too_small(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, mark);
  std::int64_t exponent = 0;
  if (mark != std::string_view::npos) {
    text.remove_prefix(mark + (text[mark + 1] == '+' ? 2 : 1));
    if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec != std::errc())
      return text[0] == '-';
  }
  const std::size_t first = digits.find_first_of("123456789"), point = digits.find('.');
  return exponent < static_cast<std::int64_t>(first) -
                        static_cast<std::int64_t>(point < digits.size() ? point : digits.size());
}

}  // namespace detail

/// Reads all of [first, last), which has no other characters than a decimal number. One that is too
/// small for double is 0, with its sign. Returns result_out_of_range where it is too large for double,
/// invalid_argument where it is none. Not every standard library has from_chars for double yet; strtod
/// depends on the program's locale.
inline std::errc read_decimal(const char* first, const char* last, double& result) {
#if defined(__cpp_lib_to_chars)
  const auto [end, problem] = std::from_chars(first, last, result);
  if (end != last) return std::errc::invalid_argument;
  if (problem == std::errc::result_out_of_range &&
      detail::is_too_small({first, static_cast<std::size_t>(last - first)})) {
    result = *first == '-' ? -0.0 : 0.0;
    return std::errc();
  }
  return problem;
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
