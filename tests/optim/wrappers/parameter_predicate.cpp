// SPDX-License-Identifier: BSL-1.0
// Which parameters are chosen, and what groups of them are called.
#include <tapeless/optim/wrappers/parameter_predicate.hpp>

#include "catch.hpp"

namespace tl = tapeless;

namespace {

constexpr std::int64_t row[] = {3}, matrix[] = {2, 3};

/// Whether the predicate chooses a parameter of that name.
constexpr bool chooses(auto predicate, std::string_view name, std::span<const std::int64_t> shape = row) {
  return predicate(name, shape);
}

using decoder = decltype([](std::string_view name, std::span<const std::int64_t>) {
  return name.starts_with("decoder.");
});
using weights = std::remove_const_t<decltype(tl::names_like<"*.weight">)>;
using two_patterns = std::remove_const_t<decltype(tl::names_like<"norm?.*", "*.bias">)>;
using of_matrices = std::remove_const_t<decltype(tl::matrices)>;

}  // namespace

TEST_CASE("parameter_predicate: names fit one of the patterns") {
  STATIC_REQUIRE(chooses(weights{}, "fc1.weight"));
  STATIC_REQUIRE(!chooses(weights{}, "fc1.bias"));
  STATIC_REQUIRE(!chooses(weights{}, "weight"));
  STATIC_REQUIRE(chooses(two_patterns{}, "norm1.weight"));
  STATIC_REQUIRE(chooses(two_patterns{}, "fc1.bias"));
  STATIC_REQUIRE(!chooses(two_patterns{}, "norm10.weight"));
}

TEST_CASE("parameter_predicate: matrices have two axes or more") {
  STATIC_REQUIRE(chooses(tl::matrices, "w", matrix));
  STATIC_REQUIRE(!chooses(tl::matrices, "w", row));
  STATIC_REQUIRE(!chooses(tl::matrices, "w", {}));
}

TEST_CASE("parameter_predicate: any function object without a state chooses") {
  STATIC_REQUIRE(tl::parameter_predicate<weights>);
  STATIC_REQUIRE(tl::parameter_predicate<decoder>);
  STATIC_REQUIRE(!tl::parameter_predicate<bool (*)(std::string_view, std::span<const std::int64_t>)>);
  STATIC_REQUIRE(!tl::parameter_predicate<decltype([](std::string_view) { return true; })>);
}

TEST_CASE("parameter_predicate: a group is called by its pattern, its kind or its own name") {
  using tl::detail::group_of;
  STATIC_REQUIRE(group_of<weights>().view() == "*.weight");
  STATIC_REQUIRE(group_of<of_matrices>().view() == "matrices");
  STATIC_REQUIRE(group_of<two_patterns>().view().empty());
  STATIC_REQUIRE(group_of<decoder>().view().empty());
  STATIC_REQUIRE(group_of<tl::detail::named_group<"decoder", decoder>>().view() == "decoder");
}

TEST_CASE("parameter_predicate: of two groups the first one takes a parameter, the rest is the last one's") {
  using second = tl::detail::chosen_by<of_matrices, weights>;
  STATIC_REQUIRE(!chooses(second{}, "fc1.weight", matrix));
  STATIC_REQUIRE(chooses(second{}, "table", matrix));
  using rest = tl::detail::rest_of<weights, of_matrices>;
  STATIC_REQUIRE(chooses(rest{}, "fc1.bias"));
  STATIC_REQUIRE(!chooses(rest{}, "table", matrix));
  STATIC_REQUIRE(!chooses(rest{}, "norm.weight"));
  STATIC_REQUIRE(rest::hyperparameters_group.view() == "rest");
}
