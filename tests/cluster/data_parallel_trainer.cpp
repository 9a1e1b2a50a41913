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

constexpr auto in_context = [] {  // the first input has no samples
  auto context = tl::mean<0>(tl::input<"nodes", double, tl::dyn<"nodes">, 2>);
  auto x = tl::input<"x", double, tl::dyn<"batch">, 2> + context;
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

TEST_CASE("Samples are what the loss is a mean over, wherever their input stands") {
  const std::vector<double> one{1, 2}, three{3, 4, 5, 6, 7, 8}, nodes(10, 0.5), two_nodes(4, 0.5);
  std::vector<double> all = one;
  all.insert(all.end(), three.begin(), three.end());
  tl::trainer alone{in_context, sgd()};
  const double loss = alone.step("nodes"_t = nodes, "x"_t = all).loss();
  const double expected = alone.parameter<"w">()[0];
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{in_context, tl::data_parallel(world, sgd())};
    if (world.rank() == 0) {
      net.step("nodes"_t = nodes, "x"_t = one);
    } else {
      net.step("nodes"_t = two_nodes, "x"_t = three);
    }
    test::check(std::abs(net.parameter<"w">()[0] - expected) < 1e-12);
    test::check(std::abs(net.mean_loss() - loss) < 1e-12);
  });
}

TEST_CASE("apply is refused where no gradients wait, and where ranks have those of more steps than others") {
  const std::vector<double> x(4, 1.0);
  test::on_ranks(2, [&](tl::process_group& world) {
    const auto rule = tl::adamw({.learning_rate = 0.1, .weight_decay = 0.5});
    tl::trainer net{of_sequences, tl::data_parallel(world, rule)};
    const auto apply = [&] { return test::sentence_of([&] { net.apply(); }); };
    test::check(apply().find("apply: no gradients wait for it") != std::string::npos);
    test::check(net.steps() == 0 && net.parameter<"w">()[0] == 1 && !world.is_broken());
    net.gradients("x"_t = x, "length"_t = 2);
    test::check(apply().empty() && net.steps() == 1);
    net.gradients("x"_t = x, "length"_t = 2);
    if (world.rank() == 1) net.discard_gradients();
    const std::string said = apply();
    test::check(said.find("rank 0 is at apply, steps that wait for it: 1 (2), rank 1 at apply, steps that "
                          "wait for it: 0 (2)") != std::string::npos);
  });
}
