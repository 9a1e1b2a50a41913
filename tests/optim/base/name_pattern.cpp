// SPDX-License-Identifier: BSL-1.0
// Patterns of names: * is any characters, none among them, ? is any one.
#include "catch.hpp"

#include <tapeless/optim/base/name_pattern.hpp>

using tapeless::detail::fits;

static_assert(fits("", "") && !fits("", "a") && !fits("a", ""));
static_assert(fits("fc1", "fc1") && !fits("fc1", "fc12") && !fits("fc12", "fc1"));
static_assert(fits("*", "") && fits("*", "fc1.weight") && fits("**", "x"));
static_assert(fits("*.bias", "fc1.bias") && fits("*.bias", ".bias") && !fits("*.bias", "bias") &&
              !fits("*.bias", "fc1.bias2"));
static_assert(fits("fc*", "fc") && fits("fc*", "fc1.weight") && !fits("fc*", "conv.fc"));
static_assert(fits("fc?.*", "fc1.weight") && !fits("fc?.*", "fc.weight") && !fits("fc?.*", "fc12.weight"));

// What follows a star is tried again further on.
static_assert(fits("*.w*t", "a.wt.weight") && fits("*ab", "aab") && fits("*a?b", "aaab") &&
              !fits("*a?b", "ab"));
static_assert(fits("a*b*c", "abbc") && fits("a*b*c", "abcbc") && !fits("a*b*c", "acb"));

constexpr bool means(std::string_view wanted, std::string_view full) {
  constexpr std::string_view all[]{"matrices.rest.beta1", "rest.beta1", "beta1", "beta2"};
  return tapeless::detail::wanted_name(wanted, 4, [&](std::size_t i) { return all[i]; }).means(full);
}
static_assert(means("rest.beta1", "rest.beta1") && !means("rest.beta1", "matrices.rest.beta1"));
static_assert(means("beta1", "matrices.rest.beta1") && means("beta1", "beta1") && !means("beta1", "beta2"));
static_assert(means("matrices.rest.beta1", "matrices.rest.beta1") &&
              !means("matrices.rest.beta1", "rest.beta1"));

TEST_CASE("patterns are decided by the compiler") {}
