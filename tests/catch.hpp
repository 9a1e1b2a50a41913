// SPDX-License-Identifier: BSL-1.0
// Catch2, version 3 or 2.13: what the tests use of it is spelled the same with both.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <string>

namespace test {

#if __has_include(<catch2/catch_test_macros.hpp>)
using Catch::Approx;
#else
using Catch::Detail::Approx;
#endif

/// For REQUIRE_THROWS_WITH: a message that contains `part`.
inline auto contains(const std::string& part) {
#if __has_include(<catch2/catch_test_macros.hpp>)
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace test
