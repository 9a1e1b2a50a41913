// SPDX-License-Identifier: BSL-1.0
// Numbers for the tests of straight-line code, and whether those of two policies are the same.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "catch.hpp"

namespace test {

inline std::vector<float> waves(std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = std::sin(0.7f * static_cast<float>(i) + 1);
  return all;
}

template <class A, class B>
void check_same(const A& a, const B& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(static_cast<double>(a[i]) == static_cast<double>(b[i]));
}

}  // namespace test
