// SPDX-License-Identifier: BSL-1.0
// Values and gradients of one operation, compared with PyTorch's.
#pragma once

#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace test {

/// f of a vector z, and the gradient of the sum of its squares.
template <class F, int N>
struct squared_model {
  constexpr auto operator()() const {
    auto z = tl::input<"z", double, N>;
    auto y = F{}(z);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(tl::grad(tl::sum(tl::square(y)), z)));
  }
};

template <class X>
constexpr auto flat(X x) {
  return tl::flatten<0, -1>(x);
}

/// Element i is (37 i mod 101 - 50) / 16: up to 101 different numbers.
inline std::vector<double> different_numbers(std::int64_t count) {
  std::vector<double> x;
  for (std::int64_t i = 0; i < count; ++i) x.push_back(static_cast<double>(37 * i % 101 - 50) / 16);
  return x;
}

inline void require_close(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i);
    CHECK(found[i] == Approx(expected[i]).epsilon(1e-6).margin(1e-6));
  }
}

/// Whether f of N different_numbers is y, and the gradient of the sum of its squares g. One program for
/// several operations, whose results are joined, compiles faster than one for each.
template <int N, class F>
void check_values(F, const std::vector<double>& y, const std::vector<double>& g) {
  tl::function program{squared_model<F, N>{}};
  auto r = program("z"_t = different_numbers(N));
  require_close(elements(r.template get<"y">()), y);
  require_close(elements(r.template get<"g">()), g);
}

}  // namespace test
