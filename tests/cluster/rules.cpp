// SPDX-License-Identifier: BSL-1.0
// What data_parallel wraps means what it does on one process with all samples; only the order of sums
// differs.
#include <cmath>
#include <csignal>
#include <limits>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using namespace tl::literals;

using test::adam, test::own_samples;

namespace {

constexpr int ranks = 3, steps = 8;

/// In one of its steps, rank 1 brings a sample whose gradient is not finite, if asked for.
template <class Net>
void train(Net& net, own_samples own, std::size_t broken_at, bool is_broken) {
  for (int i = 0; i < steps; ++i) {
    const double kept = own.y[broken_at];
    if (is_broken && i == 3) own.y[broken_at] = std::numeric_limits<double>::infinity();
    net.step("x"_t = own.x, "y"_t = own.y);
    own.y[broken_at] = kept;
  }
}

/// Compares ranks with one process, with divided states too where the rule can be divided.
template <class Rule>
void compare(const Rule& rule, bool is_broken = false) {
  tl::trainer alone{test::small_net<7>, rule};
  train(alone, own_samples::of_ranks(ranks), 2, is_broken);  // behind rank 0's one sample
  const std::vector<double> expected = test::weights_of(alone);
  for (const double w : expected) CHECK(std::isfinite(w));
  test::on_ranks(ranks, [&](tl::process_group& world) {
    const auto check = [&](auto net) {
      train(net, own_samples(world.rank()), world.rank() == 1 ? 1 : 0, is_broken && world.rank() == 1);
      const auto own = test::weights_of(net);
      test::check(test::difference(own, expected) < 1e-9);
      for (const double w : own)
        for (const double other : world.gather(w)) test::check(other == w);
      test::check(net.steps() == alone.steps());
    };
    check(tl::trainer{test::small_net<7>, tl::data_parallel(world, rule)});
    check(tl::trainer{test::small_net<7>, tl::data_parallel(world, tl::sharded_states(rule))});
  });
}

}  // namespace

TEST_CASE(
    "Clipping, collecting, and what leaves out steps or averages weights, go by the gradients of all ranks") {
  SECTION("clip_by_global_norm") { compare(test::clipped_adam()); }
  SECTION("accumulate, with a norm inside") { compare(tl::accumulate(2, test::clipped_adam())); }
  SECTION("skip_nonfinite, where one rank's samples are not finite") {
    compare(tl::skip_nonfinite(adam()), true);
  }
  SECTION("lookahead and averages") { compare(tl::lookahead(tl::average(adam()))); }
}

TEST_CASE("Rules that overwrite what they still read, by copies, train on ranks as on one process") {
  SECTION("lion") { compare(tl::lion({.learning_rate = 1e-3})); }
  SECTION("adan") { compare(tl::adan({.learning_rate = 1e-3})); }
  SECTION("muon") {
    compare(tl::partition(tl::for_parameters(tl::matrices, tl::muon({.learning_rate = 1e-3})), adam()));
  }
}

TEST_CASE("accumulate around data_parallel trains as one process does") {
  tl::trainer alone{test::small_net<7>, tl::accumulate(4, test::clipped_adam())};
  train(alone, own_samples::of_ranks(ranks), 0, false);
  const std::vector<double> expected = test::weights_of(alone);
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::trainer net{test::small_net<7>, tl::accumulate(4, tl::data_parallel(world, test::clipped_adam()))};
    train(net, own_samples(world.rank()), 0, false);
    test::check(net.steps() == 2);
    test::check(test::difference(test::weights_of(net), expected) < 1e-9);
  });
}

TEST_CASE("Ctrl-C ends a fit of ranks behind an update, where a checkpoint can be written") {
  const test::temporary_folder folder;
  const std::string path = folder.path("fit.safetensors");
  test::on_ranks(2, [&](tl::process_group& world) {
    const own_samples own = own_samples::of_ranks(3);
    tl::data::dataset data;
    data.add("x", {3}, own.x).add("y", {1}, own.y);
    tl::trainer net{test::small_net<7>, tl::data_parallel(world, tl::accumulate(3, adam()))};
    const auto history =
        tl::fit(net, data, {.epochs = 9, .batch = 2}, tl::checkpoint(path), [&](const auto& p) {
          if (p.step == 1 && world.rank() == 0) std::raise(SIGINT);
          return true;
        });
    test::check(history.interrupted());
    test::check(net.steps() == 1);
    test::check(net.position().collected == 0);
  });
  const auto file = tl::io::safetensors::read(path);
  CHECK(file.find("fc1.weight") != nullptr);
}

TEST_CASE("Ranks write checkpoints by rank 0's clock, behind the next update where gradients wait") {
  const test::temporary_folder folder;
  const std::string path = folder.path("fit.safetensors");
  const auto data = test::samples(40);
  test::on_ranks(3, [&](tl::process_group& world) {
    const auto fit = [&](const auto& rule, double seconds) {
      tl::trainer net{test::small_net<7>, tl::data_parallel(world, tl::sharded_states(rule))};
      tl::fit(net, data, tl::fit_options{.epochs = 30, .batch = 5},
              tl::checkpoint(path, {.every_seconds = seconds}));
      test::check(net.position().collected == 0);
    };
    for (const double seconds : {0.01, 0.003, 0.001}) fit(adam(), seconds);
    fit(tl::accumulate(3, adam()), 1e-12);
  });
}

TEST_CASE("rank 0 saves a part of the parameters, and a pattern that fits none is an error of all ranks") {
  const test::temporary_folder folder;
  const std::string path = folder.path("part.safetensors");
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{test::small_net<7>, tl::data_parallel(world, adam())};
    tl::save(net, path, {.only = {"fc1.*"}});
    test::check(test::error_of([&] {
                  tl::save(net, path, {.only = {"fc9.*"}});
                }).find("\"fc9.*\"; there are") != std::string::npos);
  });
  const auto file = tl::io::safetensors::read(path);
  CHECK(file.find("fc1.weight") != nullptr);
  CHECK(file.find("fc2.weight") == nullptr);
}

TEST_CASE("What wraps data_parallel means what it means inside, and is of that type") {
  const auto check_equal = []<class T>(const T&, const T& rule) {
    test::check(rule.options().bucket_bytes == 7);
  };
  test::on_ranks(2, [&](tl::process_group& world) {
    const auto parallel = [&](auto rule) { return tl::data_parallel(world, rule, {.bucket_bytes = 7}); };
    const auto rule = test::clipped_adam();
    check_equal(parallel(tl::accumulate(2, rule)), tl::accumulate(2, parallel(rule)));
    check_equal(parallel(tl::mixed_precision<tl::bf16>(rule)), tl::mixed_precision<tl::bf16>(parallel(rule)));
    check_equal(parallel(tl::mixed_precision<tl::f16>(rule, tl::dynamic_loss_scale<64>{})),
                tl::mixed_precision<tl::f16>(parallel(rule), tl::dynamic_loss_scale<64>{}));
    check_equal(parallel(tl::skip_nonfinite(rule)), tl::skip_nonfinite(parallel(rule)));
    check_equal(parallel(tl::lookahead(rule)), tl::lookahead(parallel(rule)));
    check_equal(parallel(tl::average(rule)), tl::average(parallel(rule)));
    check_equal(parallel(tl::average_equally(rule)), tl::average_equally(parallel(rule)));
    check_equal(parallel(tl::freezable(rule)), tl::freezable(parallel(rule)));
    check_equal(parallel(tl::states_as<tl::bf16>(rule)), tl::states_as<tl::bf16>(parallel(rule)));
    check_equal(parallel(tl::sharded_states(rule)), tl::sharded_states(parallel(rule)));
    check_equal(parallel(tl::sharded_states(tl::accumulate(2, rule))),
                tl::accumulate(2, parallel(tl::sharded_states(rule))));
    check_equal(parallel(tl::accumulate(2, tl::sharded_states(rule))),
                tl::sharded_states(tl::accumulate(2, parallel(rule))));
    check_equal(parallel(tl::accumulate(2, tl::mixed_precision<tl::bf16>(tl::skip_nonfinite(rule)))),
                tl::accumulate(2, tl::mixed_precision<tl::bf16>(tl::skip_nonfinite(parallel(rule)))));
  });
}

namespace {

constexpr auto in_float = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
  auto y = tl::input<"y", float, tl::dyn<"batch">, 1>;
  return tl::mse_loss(tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc1", 7>(x))), y);
};

template <class Net>
void train_in_float(Net& net, const own_samples& own, bool is_broken = false) {
  const std::vector<float> x(own.x.begin(), own.x.end()), y(own.y.begin(), own.y.end());
  const std::vector<float> infinite(y.size(), std::numeric_limits<float>::infinity());
  for (int i = 0; i < steps; ++i) net.step("x"_t = x, "y"_t = is_broken && i == 3 ? infinite : y);
}

/// The float copies of weights after some steps.
template <class Net>
std::vector<float> masters(Net& net, const own_samples& own, bool is_broken = false) {
  train_in_float(net, own, is_broken);
  const auto m = net.template master<"fc1.weight">();
  return {m.begin(), m.end()};
}

/// Adam's steps go 8e-2 far, and 16 bits have 8.
void check_close(tl::process_group& world, const std::vector<float>& own,
                 const std::vector<float>& expected) {
  for (std::size_t i = 0; i < own.size(); ++i) {
    test::check(std::abs(own[i] - expected[i]) < 1e-2f);
    for (const float other : world.gather(own[i])) test::check(other == own[i]);
  }
}

}  // namespace

TEST_CASE("In 16 bits ranks train as one process does, as far as 16 bits go") {
  const auto rule =
      tl::mixed_precision<tl::bf16>(tl::adam({.learning_rate = 1e-2}), tl::fixed_loss_scale{64});
  tl::trainer alone{in_float, rule};
  const auto expected = masters(alone, own_samples::of_ranks(ranks));
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::trainer net{in_float, tl::data_parallel(world, rule)};
    check_close(world, masters(net, own_samples(world.rank())), expected);
  });
}

TEST_CASE("What rank 0 alone has set, divided float copies follow") {
  const auto rule = tl::sharded_states(tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 1e-3})));
  const std::vector<float> weight(21, 0.5f), bias(7, -0.75f), other(7, 0.25f);
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::trainer net{in_float, tl::data_parallel(world, rule)};
    if (world.rank() == 0) {
      net.template assign<"fc1.weight">(weight);
      net.template assign<"fc1.bias">(bias);
      net.template assign<"fc2.weight">(other);
    }
    net.synchronize();
    train_in_float(net, own_samples(world.rank()));
    const auto check_near = [](const auto& view, float value) {
      for (const auto w : view) test::check(std::abs(static_cast<float>(w) - value) < 0.1f);
    };
    check_near(net.template parameter<"fc1.weight">(), 0.5f);
    check_near(net.template parameter<"fc1.bias">(), -0.75f);
    check_near(net.template parameter<"fc2.weight">(), 0.25f);
  });
}

TEST_CASE(
    "A loss scale that one rank's samples are too large for is halved on all, and all leave out the step") {
  const auto rule =
      tl::mixed_precision<tl::f16>(tl::adam({.learning_rate = 1e-2}), tl::dynamic_loss_scale<1024>{});
  tl::trainer alone{in_float, rule};
  const auto expected = masters(alone, own_samples::of_ranks(ranks), true);
  CHECK(alone.state<"loss_scale">()[0] == 512);
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::trainer net{in_float, tl::data_parallel(world, rule)};
    check_close(world, masters(net, own_samples(world.rank()), world.rank() == 1), expected);
    test::check(net.state<"loss_scale">()[0] == 512);
    test::check(net.state<"loss_scale.skipped">()[0] == 1);
  });
}
