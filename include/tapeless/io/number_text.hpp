// SPDX-License-Identifier: BSL-1.0
// Numbers as text in files.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::io {

/// The decimal number that reads back as `x`, without digits that it does not need; "nan", "inf", "-inf". It
/// has a point, whatever the program's locale puts there.
TAPELESS_COLD inline std::string number_text(double x) {
  if (std::isnan(x)) return "nan";
  char digits[40] = {};
  for (int precision = 15; precision <= 17; ++precision) {
    std::snprintf(digits, sizeof digits, "%.*g", precision, x);
    if (std::strtod(digits, nullptr) == x) break;
  }
  constexpr const char* allowed = "0123456789+-einf";
  std::string text;
  bool is_point = false;  // that of a locale may have several bytes
  for (const char* c = digits; *c != 0; ++c) {
    bool is_allowed = false;
    for (const char* a = allowed; *a != 0; ++a) is_allowed = is_allowed || *a == *c;
    if (is_allowed || !is_point) text += is_allowed ? *c : '.';
    is_point = !is_allowed;
  }
  return text;
}

}  // namespace tapeless::io
