// SPDX-License-Identifier: BSL-1.0
// data_parallel: as many ranks as one likes train as one process does.
#include <cmath>
#include <string_view>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

using test::adam, test::own_samples, test::trained, test::weights_of;

constexpr auto batch = tl::dyn<"batch">;
constexpr auto model = test::small_net<7>;

std::vector<trained> on(int ranks) {
  std::vector<trained> all(static_cast<std::size_t>(ranks));
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, test::clipped_adam()), tl::cpu{},
                    static_cast<std::uint64_t>(world.rank())};
    trained& own = all[static_cast<std::size_t>(world.rank())];
    const std::int64_t before = world.received();
    own = test::fitted(net);
    own.received = world.received() - before;
  });
  return all;
}

void check_close(const std::vector<double>& a, const std::vector<double>& b) {
  CHECK(test::difference(a, b) < 1e-6);
}

// What a batch has of an output without an axis for samples.
struct mean_size {
  static constexpr std::string_view label = "size";
  void clear() { size = 0; }
  void add(const auto& result, const auto&) { size = result.template get<"mean">().size(); }
  tl::measurement get() const { return {static_cast<double>(size)}; }
  std::size_t size = 0;
};

}  // namespace

TEST_CASE("Ranks train as one process does on whole batches, whoever has more samples") {
  tl::trainer alone{model, test::clipped_adam()};
  const trained expected = test::fitted(alone);
  for (const int ranks : {1, 2, 3, 4}) {
    const std::vector<trained> all = on(ranks), again = on(ranks);
    if (ranks == 1) CHECK(all[0].weights == expected.weights);
    for (const trained& t : all) {
      check_close(t.weights, expected.weights);
      check_close(t.losses, expected.losses);
      check_close(t.validation, expected.validation);
      check_close(t.errors, expected.errors);
      CHECK(t.weights == all[0].weights);  // the same bits
      CHECK(t.losses == all[0].losses);
      CHECK(t.errors == all[0].errors);
    }
    CHECK(all[0].weights == again[0].weights);
    CHECK(all[0].losses == again[0].losses);
  }
}

TEST_CASE("Gradients of several steps travel once") {
  std::vector<double> weights;
  std::int64_t received = 0, expected = 0;
  test::on_ranks(4, [&](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, tl::accumulate(3, adam()))};
    const own_samples own(world.rank());
    const std::int64_t before = world.received();
    for (int i = 0; i < 12; ++i) net.step("x"_t = own.x, "y"_t = own.y);
    if (world.rank() != 0) return;
    test::check(net.steps() == 4);
    weights = weights_of(net);
    received = world.received() - before;
    for (const auto& g : net.gradient_descriptions()) expected += (g.bytes() + 63) / 64 * 64 * 4 * 3 / 2;
  });
  test::check(std::abs(received - expected) <= 4 * 3 * 64);  // parts are whole blocks of 64 bytes
  tl::trainer alone{model, tl::accumulate(3, adam())};
  const own_samples all = own_samples::of_ranks(4);
  for (int i = 0; i < 12; ++i) alone.step("x"_t = all.x, "y"_t = all.y);
  check_close(weights_of(alone), weights);
}

TEST_CASE("In 16 bits, with running statistics: the same everywhere") {
  constexpr auto normed = [] {
    auto x = tl::input<"x", float, batch, 3>;
    auto y = tl::input<"y", float, batch, 1>;
    return tl::mse_loss(tl::linear<"fc2", 1>(tl::batch_norm<"bn">(tl::linear<"fc1", 7>(x))), y);
  };
  test::on_ranks(3, [&](tl::process_group& world) {
    tl::trainer net{
        normed, tl::data_parallel(world, tl::sharded_states(tl::mixed_precision<tl::bf16>(tl::adam({}))))};
    std::vector<float> x, y;
    for (int i = 0; i < 6 + 3 * world.rank(); ++i)
      x.push_back(0.1f * static_cast<float>(i * (world.rank() + 1)));
    y.assign(x.size() / 3, 1.0f);
    for (int i = 0; i < 5; ++i) net.step("x"_t = x, "y"_t = y);
    for (std::size_t i = 0; i < net.parameter_data().size(); ++i) {
      std::uint64_t hash = 0;
      for (std::int64_t k = 0; k < net.parameter_descriptions()[i].bytes(); ++k)
        hash = hash * 31 + static_cast<std::uint64_t>(net.parameter_data()[i][k]);
      for (const std::uint64_t other : world.gather(hash)) test::check(other == hash);
    }
    test::check(net.parameter<"bn.running_mean">()[0] != 0);
  });
}

TEST_CASE(
    "Batches in parts, dropout, and a rule whose updates have products: divided or not, the same bits") {
  constexpr auto dropping = [] {
    auto x = tl::input<"x", float, batch, 3>;
    auto y = tl::input<"y", float, batch, 1>;
    return tl::mse_loss(tl::linear<"fc2", 1>(tl::dropout<0.2>(tl::tanh(tl::linear<"fc1", 7>(x)))), y);
  };
  test::on_ranks(3, [&](tl::process_group& world) {
    std::vector<float> x(60);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7);
    tl::data::dataset data;
    data.add("x", {3}, x).add("y", {1}, std::vector<float>(20, 1.0f));
    const tl::fit_in_parts_options in_parts{.epochs = 3, .batch = 9, .physical_batch = 2};
    const auto muon = tl::partition(tl::for_parameters(tl::matrices, tl::muon({})), tl::adamw({}));

    tl::trainer net{dropping, tl::data_parallel(world, muon)};
    const double loss = tl::fit(net, data, in_parts).back().train["loss"].mean;
    for (const double other : world.gather(loss)) test::check(other == loss);
    const float weight = net.parameter<"fc1.weight">()[3];
    for (const float other : world.gather(weight)) test::check(other == weight);
    test::check(net.steps() == 9);

    tl::trainer divided{dropping, tl::data_parallel(world, tl::sharded_states(muon))};
    test::check(tl::fit(divided, data, in_parts).back().train["loss"].mean == loss);
    test::check(divided.parameter<"fc1.weight">()[3] == weight);
  });
}

TEST_CASE("A rule that draws gives all ranks the same weights, also where some have fewer parts of a batch") {
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::data::dataset data;
    data.add("x", {3}, std::vector<float>(30, 1.0f)).add("y", {1}, std::vector<float>(10, 1.0f));
    constexpr auto line = [] {
      return tl::mse_loss(tl::linear<"fc", 1>(tl::input<"x", float, batch, 3>),
                          tl::input<"y", float, batch, 1>);
    };
    const auto noisy = tl::chain(tl::add_noise({.eta = 0.1, .gamma = 0}), tl::sgd({.learning_rate = 0.1f}));
    tl::trainer net{line, tl::data_parallel(world, noisy)};
    tl::fit(net, data, {.epochs = 2, .batch = 5, .physical_batch = 2});
    const float weight = net.parameter<"fc.weight">()[0];
    for (const float other : world.gather(weight)) test::check(other == weight);
  });
}

TEST_CASE(
    "An output without an axis for samples is averaged, also where ranks have as many samples as it "
    "elements") {
  constexpr auto with_mean = [] {
    auto x = tl::input<"x", float, batch, 3>;
    auto y = tl::input<"y", float, batch, 1>;
    return tl::outputs(tl::mse_loss(tl::linear<"fc", 1>(x), y), tl::named<"mean">(tl::mean<0>(x)));
  };
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::data::dataset data;
    data.add("x", {3}, std::vector<float>(18, 1.0f)).add("y", {1}, std::vector<float>(6, 1.0f));
    tl::trainer net{with_mean, tl::data_parallel(world, tl::sgd({.learning_rate = 0.1f}))};
    const auto history = tl::fit(net, data, {.epochs = 1, .batch = 6}, mean_size{});
    test::check(history.back().train["size"].mean == 3);
  });
}
