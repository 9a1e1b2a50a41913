// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <limits>

#include "catch.hpp"
#include "program.hpp"

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/loop/fit.hpp>
#include <tapeless/train/trainer/function.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr auto model = [] {
  return tl::mean(tl::square(tl::linear<"out", 2>(tl::input<"x", float, tl::dyn<"n">, 3>)));
};

template <class Seed>
std::vector<double> started_from(Seed seed) {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, seed};
  return test::elements(net.template parameter<"out.weight">());
}

}  // namespace

TEST_CASE("a seed is any integer, whatever its type") {
  int seven = 7;
  const auto at_seven = started_from(std::uint64_t{7});
  CHECK(started_from(seven) == at_seven);
  CHECK(started_from(static_cast<short>(7)) == at_seven);
  CHECK(started_from(7LL) == at_seven);
  tl::trainer written{model, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, seven};
  CHECK(test::elements(written.parameter<"out.weight">()) == at_seven);
  tl::function f{model, tl::cpu{}, seven};
  CHECK(test::elements(f.parameter<"out.weight">()) == at_seven);
}

TEST_CASE("a negative seed is one of its own") {
  const auto below_zero = started_from(-1);
  CHECK(below_zero == started_from(std::numeric_limits<std::uint64_t>::max()));
  CHECK(below_zero != started_from(1));
  CHECK(below_zero != started_from(0));
  CHECK(below_zero != started_from(-2));
}

TEST_CASE("options take a seed of any integer, too") {
  int seed = -3;
  const tl::fit_options options{.epochs = 1, .seed = seed};
  CHECK(options.seed == static_cast<std::uint64_t>(-3));
}
