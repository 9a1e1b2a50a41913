// SPDX-License-Identifier: BSL-1.0
// sync_batch_norm on ranks is batch_norm of one process on all samples: weights, statistics, and evaluation
// by one rank alone.
#include <cmath>
#include <cstddef>
#include <vector>

#include <tapeless/cluster/collectives.hpp>
#include <tapeless/cluster/cpu_ranks.hpp>
#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr int in = 3, hidden = 4, out = 2;

template <bool Synchronous>
constexpr auto normed = [] {
  auto h = tl::linear<"first", hidden, false>(tl::input<"x", double, batch, in>);
  const auto normalized = [=] {
    if constexpr (Synchronous)
      return tl::sync_batch_norm<"bn">(h);
    else
      return tl::batch_norm<"bn">(h);
  };
  return tl::mse_loss(tl::linear<"last", out>(tl::tanh(normalized())), tl::input<"y", double, batch, out>);
};

struct samples {
  std::vector<double> x, y;
  // `count` samples from the first one on.
  samples(int first, int count) {
    for (int i = first * in; i < (first + count) * in; ++i) x.push_back(std::sin(0.7 * i * i));
    for (int i = first * out; i < (first + count) * out; ++i) y.push_back(std::cos(1.3 * i));
  }
};

template <tl::name... Names>
void check_parameters(auto& net, auto& expected) {
  const auto check = [](const auto& here, const auto& there) {
    for (std::size_t i = 0; i < there.size(); ++i) test::check(std::abs(here[i] - there[i]) < 1e-10);
  };
  (check(net.template parameter<Names>(), expected.template parameter<Names>().copy()), ...);
}

}  // namespace

TEST_CASE("Ranks that normalize together train as one process on all samples") {
  const samples all(0, 12);
  const auto rule = [] { return tl::adam({.learning_rate = 0.03}); };
  tl::trainer whole{normed<false>, rule()};
  for (int i = 0; i < 10; ++i) whole.step("x"_t = all.x, "y"_t = all.y);
  const double expected = whole.evaluate("x"_t = all.x, "y"_t = all.y).loss();
  for (const int ranks : {2, 3})
    test::on_ranks(ranks, [&](tl::process_group& world) {
      tl::trainer net{normed<true>, tl::data_parallel(world, rule()), tl::cpu_ranks(world, {.threads = 1})};
      const int each = 12 / ranks;
      const samples own(world.rank() * each, each);
      for (int i = 0; i < 10; ++i) net.step("x"_t = own.x, "y"_t = own.y);
      check_parameters<"first.weight", "last.bias", "bn.weight", "bn.bias", "bn.running_mean",
                       "bn.running_var">(net, whole);
      if (world.rank() == 0)
        test::check(std::abs(net.evaluate("x"_t = all.x, "y"_t = all.y).loss() - expected) < 1e-10);
      const double here = net.parameter<"bn.weight">()[0];
      for (const double other : world.gather(here)) test::check(other == here);  // bit for bit
    });
}

TEST_CASE("Statistics are those of all samples, whoever has more") {
  const samples all(0, 8);
  const auto rule = [] { return tl::sgd({.learning_rate = 0.0}); };
  tl::trainer whole{normed<false>, rule()};
  whole.step("x"_t = all.x, "y"_t = all.y);
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{normed<true>, tl::data_parallel(world, rule()), tl::cpu_ranks(world, {.threads = 1})};
    const samples own(world.rank() * 3, world.rank() == 0 ? 3 : 5);
    net.step("x"_t = own.x, "y"_t = own.y);
    check_parameters<"bn.running_mean", "bn.running_var">(net, whole);
  });
}
