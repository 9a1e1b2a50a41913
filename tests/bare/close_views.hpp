// SPDX-License-Identifier: BSL-1.0
// Outputs of a law's case that agree with those by tables of kernels within rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "catch.hpp"
#include "program.hpp"

namespace laws {

inline bool are_equal(double a, double b, double margin) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= margin;
}
template <class View, class Other>
void require_equal(const View& given, const Other& wanted, double tolerance) {
  REQUIRE(given.size() == wanted.size());
  double most = 1;
  for (const auto x : wanted)
    if (std::isfinite(x)) most = std::max(most, std::abs(static_cast<double>(x)));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    INFO("element " << i << ": " << static_cast<double>(given[i]) << ", by tables "
                    << static_cast<double>(wanted[i]));
    CHECK(are_equal(static_cast<double>(given[i]), static_cast<double>(wanted[i]), tolerance * most));
  }
}

template <class Number, class Result, class Other>
void require_close_outputs(const Result& given, const Other& wanted) {
  constexpr double tolerance = sizeof(Number) == 4 ? 2e-5 : 1e-12;
  require_equal(given.template get<"y">(), wanted.template get<"y">(), tolerance);
  require_equal(given.template get<"vjp">(), wanted.template get<"vjp">(), tolerance);
}

}  // namespace laws
