// SPDX-License-Identifier: BSL-1.0
// The parameters of a trainer's model, by name and all of them.
#include <tapeless/train/trainer/trainer_parameters.hpp>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "parameters.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 4>;
  return tl::mean(tl::square(tl::linear<"fc2", 3>(tl::tanh(tl::linear<"fc1", 8>(x)))));
};

}  // namespace

TEST_CASE("parameters with their names") {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.5f})};
  std::vector<std::pair<std::string, std::size_t>> all;
  for (auto& p : net.parameters()) all.emplace_back(p.name(), p.size());
  const std::vector<std::pair<std::string, std::size_t>> expected{
      {"fc1.weight", 32}, {"fc1.bias", 8}, {"fc2.weight", 24}, {"fc2.bias", 3}};
  CHECK(all == expected);
  for (auto& p : net.parameters()) std::fill(p.begin(), p.end(), 0.25f);
  CHECK(test::all_parameters(net) == std::vector<double>(67, 0.25));
}

TEST_CASE("a parameter is assigned as many values as it has elements, while no averages stand in for it") {
  tl::trainer net{model, tl::average(tl::sgd({.learning_rate = 0.5f}))};
  net.assign<"fc2.bias">(std::vector<double>{1, 2, 3});
  CHECK(test::elements(net.parameter<"fc2.bias">()) == std::vector<double>{1, 2, 3});
  CHECK_THROWS_WITH(net.assign<"fc2.bias">(std::vector<double>{1, 2}),
                    "tapeless: assign: the parameter \"fc2.bias\" has 3 elements, but 2 are given");
  const auto averages = net.averaged_weights();
  CHECK(net.averages_stand_in());
  CHECK_THROWS_WITH(net.assign<"fc2.bias">(std::vector<double>{1, 2, 3}), test::contains("stand in"));
}
