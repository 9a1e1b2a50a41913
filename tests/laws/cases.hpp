// SPDX-License-Identifier: BSL-1.0
// How a law's case is written down. laws::check<Case>() is whatever is checked of it.
#pragma once

#include <iterator>

/// A case: its name, how many elements z and the result have, the range of z's elements, and the function.
#define TAPELESS_LAW(NAME, SIZE, RESULTS, LOW, HIGH, ...)           \
  struct NAME##_case {                                              \
    static constexpr const char* name = #NAME;                      \
    static constexpr const char* expression = #__VA_ARGS__;         \
    static constexpr int size = SIZE, results = RESULTS;            \
    static constexpr double low = LOW, high = HIGH;                 \
    constexpr auto operator()(auto z) const { return __VA_ARGS__; } \
  };                                                                \
  TEST_CASE("laws: " #NAME) { laws::check<NAME##_case>(); }

/// The same at one point, an array of z's elements: where random ones never are.
#define TAPELESS_LAW_AT(NAME, POINT, RESULTS, ...)                  \
  struct NAME##_case {                                              \
    static constexpr const char* name = #NAME;                      \
    static constexpr const char* expression = #__VA_ARGS__;         \
    static constexpr auto& point = POINT;                           \
    static constexpr int size = static_cast<int>(std::size(POINT)); \
    static constexpr int results = RESULTS;                         \
    constexpr auto operator()(auto z) const { return __VA_ARGS__; } \
  };                                                                \
  TEST_CASE("laws: " #NAME) { laws::check<NAME##_case>(); }
