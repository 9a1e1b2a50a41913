// SPDX-License-Identifier: BSL-1.0
// mixed_precision: float weights with the rule, 16 bits in the model; loss scales; with everything else that
// wraps a rule or changes its timing.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>

#include <tapeless/io/safetensors.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/files/checkpoint_file.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/trainer/snapshot.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "io/temporary_folder.hpp"

namespace {

constexpr auto batch = tl::dyn<"batch">;

// Its gradient is the input, which stays in float.
constexpr auto linear_loss = [] {
  return tl::sum(tl::param<"w", float, 6>(tl::normal(1)) * tl::input<"g", float, 6>);
};

// Two branches share a layer, which is used again behind a checkpoint.
constexpr auto shared = [] {
  auto x = tl::input<"x", float, batch, 16>;
  auto y = tl::input<"y", float, batch, 16>;
  auto left = tl::tanh(tl::linear<"shared", 16>(x));
  auto right = tl::checkpoint(tl::relu(tl::linear<"own", 16>(tl::linear<"shared", 16>(y))));
  auto both = tl::tanh(tl::linear<"shared", 16>(left * right));
  return tl::mean(tl::square(tl::linear<"head", 4>(both) - tl::slice<1, 0, 4>(x)));
};

// Gradients of 1e-8, which are zero in f16.
constexpr auto faint = [] {
  auto x = tl::input<"x", float, 1, 2>;
  return 1e-8_c * tl::sum(tl::matmul(tl::matmul(x, tl::param<"a", float, 2, 3>(tl::fill(1))),
                                     tl::param<"b", float, 3, 2>(tl::fill(1))));
};

template <class View>
std::vector<float> floats(const View& view) {
  return std::vector<float>(view.begin(), view.end());
}

template <class Net>
void train(Net& net, int steps = 6) {
  test::numbers random(5);
  for (int step = 0; step < steps; ++step) {
    const auto x = random.vector<float>(8 * 16), y = random.vector<float>(8 * 16);
    net.step("x"_t = x, "y"_t = y);
  }
}

template <class Net>
std::vector<std::vector<float>> elements_of_weights(Net& net) {
  return {floats(net.template master<"shared.weight">()), floats(net.template master<"own.weight">()),
          floats(net.template parameter<"shared.weight">()), floats(net.template parameter<"head.bias">())};
}

template <class T, class Scale>
void follows_float(Scale scale) {
  tl::trainer plain{linear_loss, tl::adamw({.learning_rate = 1e-2f}), tl::cpu{}, 7};
  tl::trainer mixed{linear_loss, tl::mixed_precision<T>(tl::adamw({.learning_rate = 1e-2f}), scale),
                    tl::cpu{}, 7};
  CHECK(floats(mixed.template master<"w">()) == floats(plain.template parameter<"w">()));
  test::numbers random;
  for (int step = 0; step < 50; ++step) {
    const auto g = random.vector<float>(6);
    plain.step("g"_t = g);
    mixed.step("g"_t = g);
  }
  const auto exact = floats(plain.template parameter<"w">());
  CHECK(floats(mixed.template master<"w">()) == exact);
  for (std::size_t i = 0; i < exact.size(); ++i)
    CHECK(static_cast<float>(mixed.template parameter<"w">()[i]) == static_cast<float>(T(exact[i])));
}

}  // namespace

TEST_CASE("the rule sees float weights and gradients without the loss scale") {
  follows_float<tl::bf16>(tl::no_loss_scale{});
  follows_float<tl::f16>(tl::no_loss_scale{});
  follows_float<tl::f16>(tl::fixed_loss_scale{256});
  follows_float<tl::f16>(tl::dynamic_loss_scale<64>{.growth_interval = 5});
}

TEST_CASE("a dynamic loss scale stays finite, and comes back") {
  tl::trainer net{linear_loss, tl::mixed_precision<tl::f16>(tl::sgd({.learning_rate = 1.0f}),
                                                            tl::dynamic_loss_scale<8>{.growth_interval = 1})};
  const std::vector<float> none(6, 0.0f), bad(6, std::numeric_limits<float>::infinity());
  for (int i = 0; i < 200; ++i) net.step("g"_t = none);
  CHECK(net.state<"loss_scale">()[0] == 0x1p126f);
  for (int i = 0; i < 200; ++i) net.step("g"_t = bad);
  CHECK(net.state<"loss_scale">()[0] == 0x1p-24f);
  net.step("g"_t = none);
  CHECK(net.state<"loss_scale">()[0] == 0x1p-23f);
}

TEST_CASE("a dynamic loss scale is halved at an overflow, whose step is left out, and doubled later") {
  tl::trainer net{linear_loss, tl::mixed_precision<tl::f16>(tl::sgd({.learning_rate = 1.0f}),
                                                            tl::dynamic_loss_scale<8>{.growth_interval = 2})};
  const std::vector<float> good(6, 0.5f), bad(6, std::numeric_limits<float>::infinity());
  const auto scale = [&] { return net.state<"loss_scale">()[0]; };
  CHECK(scale() == 8);
  net.step("g"_t = good);
  CHECK(scale() == 8);
  net.step("g"_t = good);
  CHECK(scale() == 16);
  const auto before = floats(net.master<"w">());
  net.step("g"_t = bad);
  CHECK(scale() == 8);
  CHECK(floats(net.master<"w">()) == before);
  CHECK(net.state<"loss_scale.skipped">()[0] == 1);
  net.step("g"_t = good);
  CHECK(net.master<"w">()[0] == before[0] - 0.5f);
  CHECK(scale() == 8);
  net.step("g"_t = good);
  CHECK(scale() == 16);
}

TEST_CASE("a loss scale keeps small gradients from vanishing") {
  const std::vector<float> x{1, 1};
  tl::trainer without{faint,
                      tl::mixed_precision<tl::f16>(tl::sgd({.learning_rate = 1e6f}), tl::no_loss_scale{})};
  tl::trainer with{faint, tl::mixed_precision<tl::f16>(tl::sgd({.learning_rate = 1e6f}))};
  without.step("x"_t = x);
  with.step("x"_t = x);
  CHECK(without.master<"a">()[0] == 1);
  CHECK(with.master<"a">()[0] == Approx(1 - 1e6 * 2e-8).epsilon(1e-3));
}

TEST_CASE("mixed precision with eager updates, accumulation, checkpoints and shared parameters") {
  const auto rule = tl::mixed_precision<tl::bf16>(tl::adamw({.learning_rate = 1e-2f}));
  tl::trainer deferred{shared, rule};
  tl::trainer eager{shared, rule, tl::cpu{}, tl::eager_updates};
  train(deferred);
  train(eager);
  CHECK(elements_of_weights(deferred) == elements_of_weights(eager));
  tl::trainer in_parts{shared, tl::accumulate(2, rule)};
  tl::trainer eager_in_parts{shared, tl::accumulate(2, rule), tl::cpu{}, tl::eager_updates};
  train(in_parts);
  train(eager_in_parts);
  CHECK(elements_of_weights(in_parts) == elements_of_weights(eager_in_parts));
  CHECK(in_parts.steps() == 3);
  tl::trainer plain{shared, tl::adamw({.learning_rate = 1e-2f})};
  train(plain);
  const auto exact = floats(plain.parameter<"shared.weight">()),
             near = floats(eager.master<"shared.weight">());
  for (std::size_t i = 0; i < exact.size(); ++i) CHECK(near[i] == Approx(exact[i]).margin(0.02));
}

TEST_CASE("a model in 16 bits takes half the memory") {
  using rule = decltype(tl::adam({}));
  constexpr tl::memory_plan plain = tl::trainer<decltype(shared), rule>::plan("batch"_t = 512);
  using mixed = decltype(tl::mixed_precision<tl::bf16>(tl::adam({})));
  constexpr tl::memory_plan half = tl::trainer<decltype(shared), mixed>::plan("batch"_t = 512);
  STATIC_REQUIRE(half.parameters < 0.6 * static_cast<double>(plain.parameters));
  STATIC_REQUIRE(half.activations < 0.75 * static_cast<double>(plain.activations));
}

TEST_CASE("weights start from a file in 16 bits or in float, and are written as either") {
  const test::temporary_folder folder;
  const std::string in_half = folder.path("half.safetensors"), in_float = folder.path("float.safetensors");
  const auto rule = tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.1f}));
  tl::trainer net{linear_loss, rule};
  tl::save(net, in_half);
  tl::save(net, in_float, tl::masters);
  const auto half = tl::io::safetensors::read(in_half), whole = tl::io::safetensors::read(in_float);
  CHECK(half["w"].type == tl::element::bf16);
  CHECK(whole["w"].type == tl::element::f32);
  tl::trainer a{linear_loss, rule, tl::cpu{}, 1}, b{linear_loss, rule, tl::cpu{}, 2};
  tl::load(a, in_half);
  tl::load(b, in_float);
  CHECK(floats(a.parameter<"w">()) == floats(net.parameter<"w">()));
  CHECK(floats(a.master<"w">()) == floats(net.parameter<"w">()));
  CHECK(floats(b.parameter<"w">()) == floats(net.parameter<"w">()));
  CHECK(floats(b.master<"w">()) == floats(net.master<"w">()));
  b.assign<"w">(std::vector<double>{1.001, 2, 3, 4, 5, 6});
  CHECK(b.master<"w">()[0] == 1.001f);
  CHECK(static_cast<float>(b.parameter<"w">()[0]) == static_cast<float>(tl::bf16(1.001f)));
  CHECK_THROWS_WITH(b.assign<"w">(std::vector<float>(5)),
                    "tapeless: assign: the parameter \"w\" has 6 elements, but 5 are given");
}

TEST_CASE("checkpoints hold the float weights and the loss scale") {
  const test::temporary_folder folder;
  const std::string path = folder.path("checkpoint.safetensors");
  const auto rule = tl::mixed_precision<tl::f16>(tl::adam({.learning_rate = 1e-2f}),
                                                 tl::dynamic_loss_scale<64>{.growth_interval = 4});
  tl::trainer net{shared, rule}, other{shared, rule, tl::cpu{}, 3};
  train(net);
  tl::save_checkpoint(net, path);
  tl::load_checkpoint(other, path);
  train(net);
  train(other);
  CHECK(elements_of_weights(net) == elements_of_weights(other));
  CHECK(net.state<"loss_scale">()[0] == other.state<"loss_scale">()[0]);
}

TEST_CASE("statistics, loops and windows of a model in 16 bits are near those in float") {
  const auto model = [] {
    auto x = tl::input<"x", float, batch, 2, 6, 6>;
    auto image = tl::max_pool2d<tl::pool{.kernel = 2}>(
        tl::relu(tl::batch_norm<"norm">(tl::conv2d<"conv", 4, tl::conv{.kernel = 3, .padding = 1}>(x))));
    auto sequence = tl::permute<1, 0, 2>(tl::flatten<2, 3>(image));
    auto last = tl::scan<3>(tl::mean<0>(tl::softmax(sequence)),
                            [](auto h) { return h + tl::tanh(tl::linear<"inner", 9>(h)); });
    return tl::mean(tl::square(last));
  };
  tl::trainer plain{model, tl::sgd({.learning_rate = 0.1f})};
  tl::trainer mixed{model, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.1f}))};
  test::numbers random;
  const auto x = random.vector<float>(4 * 2 * 36);
  for (int step = 0; step < 5; ++step) {
    const float exact = plain.step("x"_t = x).loss(), near = mixed.step("x"_t = x).loss();
    CHECK(near == Approx(exact).epsilon(0.02));
  }
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(mixed.parameter<"norm.running_mean">()[i] ==
          Approx(plain.parameter<"norm.running_mean">()[i]).epsilon(0.02).margin(0.002));
  const auto exact = floats(plain.parameter<"inner.weight">()), near = floats(mixed.master<"inner.weight">());
  for (std::size_t i = 0; i < exact.size(); ++i) CHECK(near[i] == Approx(exact[i]).margin(0.002));
}

// The number that gradients are times is taken off where they are used.
TEST_CASE("a loss scale stays as it is while gradients wait for their update") {
  const auto model = [] { return tl::sum(tl::param<"w", float, 2> * tl::input<"g", float, 2>); };
  const auto rule = tl::mixed_precision<tl::f16>(tl::sgd({.learning_rate = 1}), tl::fixed_loss_scale{1024});
  const std::vector<float> g{1, 2};
  tl::trainer net{model, rule};
  const float before = net.master<"w">()[1];
  net.gradients("g"_t = g);
  CHECK_THROWS_WITH(net.set<"loss_scale">(256), Catch::Contains("gradients wait for their update"));
  net.apply();
  CHECK(net.master<"w">()[1] == Approx(before - 2));
  net.set<"loss_scale">(256);
  net.step("g"_t = g);
  CHECK(net.master<"w">()[1] == Approx(before - 4));
  tl::trainer parts{model, tl::accumulate(2, rule)};
  parts.step("g"_t = g);
  CHECK_THROWS_AS(parts.set<"loss_scale">(256), tl::error);
}

TEST_CASE("gradients that wait in a checkpoint are read with the loss scale that they are times") {
  const auto model = [] { return tl::sum(tl::param<"w", float, 2> * tl::input<"g", float, 2>); };
  const auto with = [&](double scale) {
    return tl::trainer{model, tl::accumulate(2, tl::mixed_precision<tl::f16>(tl::sgd({.learning_rate = 1}),
                                                                             tl::fixed_loss_scale{scale}))};
  };
  const test::temporary_folder folder;
  const std::string half = folder.path("half"), whole = folder.path("whole");
  const std::vector<float> g{1, 2};
  auto net = with(1024), other = with(256), equal = with(1024);
  net.step("g"_t = g);
  tl::save_checkpoint(net, half);
  net.step("g"_t = g);
  tl::save_checkpoint(net, whole);

  const float before = other.master<"w">()[1];
  CHECK_THROWS_WITH(tl::load_checkpoint(other, half),
                    Catch::Contains("the gradients wait for their update, times the loss scale 1024, but "
                                    "this trainer's is 256"));
  auto waiting = with(1024);
  waiting.step("g"_t = g);
  CHECK_THROWS_WITH(
      tl::restore(other, tl::snapshot(waiting)),
      Catch::Contains("restore: the gradients wait for their update, times the loss scale 1024"));
  CHECK(other.master<"w">()[1] == before);
  CHECK(other.get<"loss_scale">() == 256);
  tl::load_checkpoint(equal, half);
  equal.step("g"_t = g);
  CHECK(equal.master<"w">()[1] == net.master<"w">()[1]);
  tl::load_checkpoint(other, whole);  // nothing waits there
  CHECK(other.master<"w">()[1] == net.master<"w">()[1]);

  other.set<"loss_scale">(1024);
  other.step("g"_t = g);
  tl::save_checkpoint(other, half);
  auto set_again = with(256);  // by the file
  tl::load_checkpoint(set_again, half);
  set_again.step("g"_t = g);
  other.step("g"_t = g);
  CHECK(set_again.master<"w">()[1] == other.master<"w">()[1]);
}
