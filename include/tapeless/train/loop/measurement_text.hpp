// SPDX-License-Identifier: BSL-1.0
// Measurements and times as text, with as many digits as are known.
#pragma once

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/measurement.hpp>

namespace tapeless::detail {

/// As printf; numbers only: what comes out is short, whatever they are. They have a point, whatever the
/// program's locale puts there; a comma in the format could be taken for one.
TAPELESS_COLD inline std::string printed(const char* format, ...) {
  char buffer[64] = {}, half[16] = {};
  std::va_list numbers;
  va_start(numbers, format);
  std::vsnprintf(buffer, sizeof buffer, format, numbers);
  va_end(numbers);
  std::snprintf(half, sizeof half, "%.1f", 0.5);
  const std::string_view digits = half, point = digits.substr(1, digits.size() - 2);
  std::string text;
  std::string_view rest = buffer;
  for (std::size_t at; point != "." && (at = rest.find(point)) != rest.npos;) {
    text.append(rest.substr(0, at)) += '.';
    rest.remove_prefix(at + point.size());
  }
  return text.append(rest);
}

/// How many columns a text takes: its characters, not its bytes.
inline int columns_of(std::string_view text) {
  int columns = 0;
  for (const char c : text) columns += (c & 0xC0) != 0x80 ? 1 : 0;
  return columns;
}

/// The decimal exponent of a positive number when it is rounded to that many digits: -1 for 0.0996 and two.
inline int exponent_of(double x, int digits) {
  const std::string text = printed("%.*e", digits - 1, x);
  return std::atoi(text.c_str() + std::min(text.find('e') + 1, text.size()));
}

/// 0.0712+-0.0012: two digits of the uncertainty, or `digits` many, and of the mean as many decimals; with
/// none, the mean alone, as with one. An uncertainty of 0 is not shown: it is that of too few samples to
/// tell.
TAPELESS_COLD inline std::string text_of(const measurement& m, int digits = 2) {
  const double u = std::abs(m.uncertainty);
  if (digits == 0) {
    const std::string text = text_of(m, 1);
    const std::size_t sign = text.find("+-");
    if (sign == std::string::npos) return text;
    return text.front() == '(' ? printed("%.4g", m.mean) : text.substr(0, sign);
  }
  if (u == 0) return printed("%.4g", m.mean);
  if (!std::isfinite(m.mean) || !std::isfinite(u)) return printed("%.4g+-%.*g", m.mean, digits, u);
  const int exponent = exponent_of(u, digits), decimals = digits - 1 - exponent;
  const double size = std::max(std::abs(m.mean), u);
  if (size < 1e6 && decimals <= 0) {  // zeros where there is no knowledge
    const double unit = std::pow(10.0, -decimals);
    return printed("%.0f+-%.0f", std::round(m.mean / unit) * unit, std::round(u / unit) * unit);
  }
  if (size < 1e6 && exponent >= -6) return printed("%.*f+-%.*f", decimals, m.mean, decimals, u);
  const int common = exponent_of(size, digits), shared = std::min(common + decimals, 9);
  // in two factors, since 10^common alone can leave the range of numbers
  const double half = std::pow(10.0, -(common / 2)), other = std::pow(10.0, -(common - common / 2));
  return printed("(%.*f+-%.*f)e%+d", shared, m.mean * half * other, shared, u * half * other, common);
}

/// 0:07, 12:34, 1:02:03, 3 d 04 h: whole seconds as a clock shows them.
TAPELESS_COLD inline std::string clock_text(double seconds) {
  if (!(seconds >= 0 && seconds < 1e10)) return "?";
  const long long s = std::llround(seconds);
  if (s < 3600) return printed("%lld:%02lld", s / 60, s % 60);
  if (s < 86400) return printed("%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
  return printed("%lld d %02lld h", s / 86400, s / 3600 % 24);
}

/// 1.61 ms, 4.21 s: what a short time took; a longer one as a clock shows it.
TAPELESS_COLD inline std::string duration_text(double seconds) {
  constexpr double one = 0.9995;  // what three digits show as 1
  if (!(seconds < 100)) return clock_text(seconds);
  if (seconds >= one || seconds <= 0) return printed("%.3g s", seconds);
  return seconds >= 1e-3 * one ? printed("%.3g ms", 1e3 * seconds) : printed("%.3g \u00b5s", 1e6 * seconds);
}

}  // namespace tapeless::detail
