// SPDX-License-Identifier: BSL-1.0
// How many samples a rank's step has, and when ranks make an update.
#include <cmath>
#include <string>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto of_sequences = [] {
  auto x = tl::input<"x", double, tl::dyn<"batch">, tl::dyn<"length">, 2>;
  return tl::mean(tl::square(x * tl::param<"w", double, 2>(tl::fill(1))));
};

auto sgd() { return tl::sgd({.learning_rate = 0.1}); }

}  // namespace

TEST_CASE("Samples are counted where one of several run-time extents is bound by its name") {
  const std::vector<double> one(4, 1.0), three(12, 3.0);  // [1, 2, 2] and [3, 2, 2]
  std::vector<double> all = one;
  all.insert(all.end(), three.begin(), three.end());
  tl::trainer alone{of_sequences, sgd()};
  const double loss = alone.step("x"_t = all, "length"_t = 2).loss();
  const double expected = alone.parameter<"w">()[0];
  test::on_ranks(2, [&](tl::process_group& world) {
    const auto check = [&](const auto&... extent) {
      tl::trainer net{of_sequences, tl::data_parallel(world, sgd())};
      net.step("x"_t = world.rank() == 0 ? one : three, extent...);
      test::check(std::abs(net.template parameter<"w">()[0] - expected) < 1e-12);
      test::check(std::abs(net.mean_loss() - loss) < 1e-12);
    };
    check("length"_t = 2);
    check("batch"_t = world.rank() == 0 ? 1 : 3);
  });
}
