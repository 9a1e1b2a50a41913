// SPDX-License-Identifier: BSL-1.0
// What becomes of gradients that wait, and of running statistics, where ranks forget or keep them.
#include <cmath>
#include <string>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/thread_group.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto normed = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::batch_norm<"bn">(x) * tl::param<"w", float, 2>(tl::fill(1))));
};
auto sgd() { return tl::sgd({.learning_rate = 0.01f}); }

/// The first rank has one third of the samples.
std::vector<float> samples_of(int rank) {
  return rank == 0 ? std::vector<float>{10, 1, 12, 3} : std::vector<float>{14, 5, 16, 7, 18, 9, 20, 11};
}

template <class Net>
float mean_of(Net& net) {
  return net.template parameter<"bn.running_mean">()[0];
}
bool is_near(float a, double b) { return a == test::Approx(b).epsilon(1e-5); }

}  // namespace

TEST_CASE("Running statistics are the ranks' mean, also where gradients were forgotten in between") {
  const auto check = [](double expected, const auto& body) {
    test::on_ranks(2, [&](tl::process_group& world) {
      tl::trainer net{normed, tl::data_parallel(world, sgd())};
      body(net, samples_of(world.rank()));
      test::check(is_near(mean_of(net), expected));
    });
  };
  // of the samples, with momentum 0.1: the first rank's have the mean 11, the second's 17
  const double once = 0.1 * (11 + 2 * 17) / 3, twice = 1.9 * once;
  check(once, [](auto& net, const auto& x) { net.step("x"_t = x); });
  check(twice, [](auto& net, const auto& x) {
    net.gradients("x"_t = x);
    net.gradients("x"_t = x);
    net.apply();
  });
  check(twice, [](auto& net, const auto& x) {
    net.accumulate(1, "x"_t = x);
    net.discard_gradients();
    net.step("x"_t = x);
  });
  check(twice, [](auto& net, const auto& x) {
    const tl::trainer_state begin = net.position();
    net.accumulate(1, "x"_t = x);
    net.set_position(begin);
    net.step("x"_t = x);
  });
  // what all go on from is the first rank's
  check(0.9 * 0.1 * 11 + once, [](auto& net, const auto& x) {
    net.accumulate(1, "x"_t = x);
    net.synchronize();
    net.step("x"_t = x);
  });
}

TEST_CASE("A fit whose last steps have waited for no update is followed by another one") {
  std::vector<float> x;
  for (int i = 0; i < 12; ++i) x.insert(x.end(), {10.0f, 5.0f});
  tl::data::dataset data;
  data.add("x", {2}, x);
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{normed, tl::data_parallel(world, tl::accumulate(2, sgd()))};
    for (int k = 0; k < 20; ++k) tl::fit(net, data, {.epochs = 1, .batch = 4});
    test::check(is_near(mean_of(net), 10 * (1 - std::pow(0.9, 60))));
  });
}

TEST_CASE("Ranks go on from a snapshot between updates bit for bit, whoever has more samples") {
  test::on_ranks(2, [](tl::process_group& world) {
    const auto x = samples_of(world.rank());
    const auto rule = [&] { return tl::data_parallel(world, tl::accumulate(3, sgd())); };
    tl::trainer net{normed, rule()}, other{normed, rule()};
    const auto none = tl::snapshot(net);
    net.step("x"_t = x);
    net.step("x"_t = x);
    const auto some = tl::snapshot(net);
    const auto go_on = [&](auto& from) {
      from.step("x"_t = x);
      return mean_of(from);
    };
    const float expected = go_on(net);
    test::check(is_near(expected, (1 - 0.9 * 0.9 * 0.9) * (11 + 2 * 17) / 3));
    tl::restore(net, some);
    test::check(go_on(net) == expected);
    tl::restore(other, some);
    test::check(go_on(other) == expected);
    tl::restore(other, some);
    tl::restore(other, none);
    for (int i = 0; i < 3; ++i) test::check(other.position().collected == i), other.step("x"_t = x);
    test::check(mean_of(other) == expected);
  });
}

TEST_CASE("Gradients that wait in the checkpoint of one process count once on ranks") {
  const test::temporary_folder folder;
  const std::string path = folder.path("waits.safetensors");
  const std::vector<float> x = samples_of(1);
  const auto rule = tl::accumulate(3, sgd());
  tl::trainer alone{normed, rule};
  alone.step("x"_t = x);
  alone.step("x"_t = x);
  tl::save_checkpoint(alone, path);
  alone.step("x"_t = x);
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{normed, tl::data_parallel(world, rule)};
    net.accumulate(1, "x"_t = x);
    tl::load_checkpoint(net, path);
    test::check(net.position().collected == 2);
    net.step("x"_t = x);
    test::check(net.steps() == 1);
    test::check(is_near(mean_of(net), mean_of(alone)));
    test::check(is_near(net.parameter<"w">()[0], alone.parameter<"w">()[0]));
  });
}
