// SPDX-License-Identifier: BSL-1.0
// Normalization layers against plain loops, with literal and run-time extents; their parameters; rows of
// equal numbers, one row and none; batches with one number of each channel.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>

#include <tapeless/graph/transform/prune.hpp>
#include <tapeless/ops/autodiff/grad.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr auto n = tl::dyn<"n">;
constexpr auto m = tl::dyn<"m">;

/// Each run of `length` elements less its mean (where centered), over its standard deviation.
std::vector<double> normalized(std::vector<double> x, std::size_t length, double eps, bool centered = true) {
  for (std::size_t begin = 0; begin < x.size(); begin += length) {
    double mean = 0, variance = 0;
    for (std::size_t i = begin; centered && i < begin + length; ++i) mean += x[i] / double(length);
    for (std::size_t i = begin; i < begin + length; ++i)
      variance += (x[i] - mean) * (x[i] - mean) / double(length);
    for (std::size_t i = begin; i < begin + length; ++i) x[i] = (x[i] - mean) / std::sqrt(variance + eps);
  }
  return x;
}

/// y weight + bias, each of which has `inner` elements a number.
std::vector<double> affine(std::vector<double> y, const std::vector<double>& weight,
                           const std::vector<double>& bias, std::size_t inner = 1) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t k = i / inner % weight.size();
    y[i] = y[i] * weight[k] + (bias.empty() ? 0 : bias[k]);
  }
  return y;
}

void check(const std::vector<double>& found, const std::vector<double>& expected, double margin = 1e-12) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i);
    CHECK(found[i] == test::Approx(expected[i]).epsilon(0).margin(margin));
  }
}

constexpr auto layers = [] {
  auto x = tl::input<"x", double, n, 4, m>;
  auto row = tl::input<"row", double, m>;
  auto channel = tl::input<"channel", double, 4>;
  return tl::outputs(tl::named<"plain">(tl::layer_norm(x)), tl::named<"two axes">(tl::layer_norm<2, 0.5>(x)),
                     tl::named<"affine">(tl::layer_norm(x, row, tl::square(row))),
                     tl::named<"rms">(tl::rms_norm<1e-3>(x, row)),
                     tl::named<"group">(tl::group_norm<2>(x, channel, tl::square(channel))),
                     tl::named<"instance">(tl::instance_norm<0.1>(x)),
                     tl::named<"one group">(tl::group_norm<1>(x)));
};

}  // namespace

TEST_CASE("normalizations agree with loops") {
  tl::function f{layers};
  for (const std::size_t batch : {0u, 1u, 3u})
    for (const std::size_t inner : {1u, 5u}) {
      INFO(batch << " samples with " << inner << " positions");
      test::numbers random(3);
      const auto x = random.vector(batch * 4 * inner, -2, 5), row = random.vector(inner),
                 channel = random.vector(4);
      std::vector<double> row_squares = row, channel_squares = channel;
      for (double& v : row_squares) v *= v;
      for (double& v : channel_squares) v *= v;
      auto r = f("x"_t = x, "row"_t = row, "channel"_t = channel);
      check(test::elements(r.get<"plain">()), normalized(x, inner, 1e-5), 1e-10);
      check(test::elements(r.get<"two axes">()), normalized(x, 4 * inner, 0.5));
      check(test::elements(r.get<"affine">()), affine(normalized(x, inner, 1e-5), row, row_squares), 1e-10);
      check(test::elements(r.get<"rms">()), affine(normalized(x, inner, 1e-3, false), row, {}));
      check(test::elements(r.get<"group">()),
            affine(normalized(x, 2 * inner, 1e-5), channel, channel_squares, inner));
      check(test::elements(r.get<"instance">()), normalized(x, inner, 0.1));
      check(test::elements(r.get<"one group">()), normalized(x, 4 * inner, 1e-5));
    }
}

TEST_CASE("the gradient of rows of equal numbers is finite") {
  tl::function f{[] {
    auto x = tl::input<"x", float, n, 2, 3>;
    auto u = tl::input<"u", float, n, 2, 3>;
    return tl::outputs(tl::named<"layer">(tl::grad(tl::sum(u * tl::layer_norm(x)), x)),
                       tl::named<"rms">(tl::grad(tl::sum(u * tl::rms_norm(x)), x)),
                       tl::named<"group">(tl::grad(tl::sum(u * tl::group_norm<1>(x)), x)));
  }};
  std::vector<float> x(12);
  for (std::size_t i = 0; i < 6; ++i) x[6 + i] = 3;
  const std::vector<float> u{1, 0, 0, 0, 2, 0, 1, 0, 0, 0, 2, 0};
  auto r = f("x"_t = x, "u"_t = u);
  const double one = 1 / std::sqrt(1e-5);
  const std::vector<double> layer = test::elements(r.get<"layer">());
  check(layer,
        {2 * one / 3, -one / 3, -one / 3, -2 * one / 3, 4 * one / 3, -2 * one / 3, 2 * one / 3, -one / 3,
         -one / 3, -2 * one / 3, 4 * one / 3, -2 * one / 3},
        1e-3);
  for (double g : test::elements(r.get<"rms">())) CHECK(std::isfinite(g));
  check({test::elements(r.get<"rms">())[0], test::elements(r.get<"rms">())[4]}, {one, 2 * one}, 1e-3);
  for (double g : test::elements(r.get<"group">())) CHECK(std::isfinite(g));
}

TEST_CASE("the named forms own PyTorch's parameters, which start at 1 and 0") {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, n, 4, 2>;
    auto a = tl::layer_norm<"ln">(x) + tl::layer_norm<"ln2", 2, 1e-3>(x) + tl::rms_norm<"rms">(x);
    auto b =
        tl::group_norm<"gn", 2>(x) + tl::instance_norm<"in">(x) + tl::instance_norm<"in0", 1e-5, false>(x);
    auto same = tl::layer_norm(x) + tl::layer_norm<2, 1e-3>(x) + tl::rms_norm(x) + tl::group_norm<2>(x) +
                2_c * tl::instance_norm(x);
    return tl::outputs(tl::sum(tl::square(a + b - same)), tl::named<"y">(a + b));
  };
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  check(test::elements(net.parameter<"ln.weight">()), {1, 1});
  check(test::elements(net.parameter<"ln.bias">()), {0, 0});
  check(test::elements(net.parameter<"ln2.weight">()), std::vector<double>(8, 1));
  check(test::elements(net.parameter<"rms.weight">()), {1, 1});
  check(test::elements(net.parameter<"gn.weight">()), {1, 1, 1, 1});
  check(test::elements(net.parameter<"in.bias">()), {0, 0, 0, 0});
  auto r = net.evaluate("x"_t = test::numbers().vector<float>(24));
  CHECK(r.loss() < 1e-9);
}

TEST_CASE("layer_norm over one axis with an eps alone") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2, 3>;
    auto w = tl::input<"w", double, 3>;
    return tl::outputs(tl::named<"layer">(tl::layer_norm<"ln", 0.5>(x)),
                       tl::named<"no bias">(tl::layer_norm<"ln2", 0.5f, tl::norm_parameters::weight>(x)),
                       tl::named<"plain">(tl::layer_norm<0.5>(x)),
                       tl::named<"weighted">(tl::layer_norm<0.5>(x, w)));
  }};
  const auto x = test::numbers(4).vector(6);
  const std::vector<double> w{1, -2, 3}, y = normalized(x, 3, 0.5);
  auto r = f("x"_t = x, "w"_t = w);
  check(test::elements(r.get<"layer">()), y);
  check(test::elements(r.get<"no bias">()), y);
  check(test::elements(r.get<"plain">()), y);
  check(test::elements(r.get<"weighted">()), affine(y, w, {}));
  CHECK(f.parameters().size() == 3);
}

namespace {

template <tl::extent Batch, tl::batch_norm_options O>
constexpr auto norm_of_batch = [] {
  auto y = tl::batch_norm<"bn", O>(tl::input<"x", float, Batch, 3>);
  return tl::outputs(tl::sum(y * tl::input<"u", float, 3>), tl::named<"y">(y));
};
constexpr tl::batch_norm_options by_momentum{}, as_means{.cumulative = true};
const std::vector<float> one_sample{1, -2, 30}, two_samples{4, 4, 4, 0, 0, 0}, u{1, 2, 3};

}  // namespace

TEST_CASE("batch_norm of one number of each channel") {
  const auto check_net = [](auto& net) {
    const auto step = net.step("x"_t = one_sample, "u"_t = u);
    check(test::elements(step.template get<"y">()), {0, 0, 0}, 0);
    // The number is the mean; it has no variance.
    check(test::elements(net.template parameter<"bn.running_mean">()), {0.1, -0.2, 3}, 1e-6);
    check(test::elements(net.template parameter<"bn.running_var">()), {1, 1, 1}, 0);
    check(test::elements(net.template parameter<"bn.weight">()), {1, 1, 1}, 0);
    check(test::elements(net.template parameter<"bn.bias">()), {-0.5, -1, -1.5}, 0);
  };
  tl::trainer net{norm_of_batch<n, by_momentum>, tl::sgd({.learning_rate = 0.5f})};
  check_net(net);
  // Two numbers: 4 and 0 have the variance 4 / 1 * 2.
  net.step("x"_t = two_samples, "u"_t = u);
  check(test::elements(net.parameter<"bn.running_var">()), {1.7, 1.7, 1.7}, 1e-6);
  net.step("x"_t = one_sample, "u"_t = u);
  check(test::elements(net.parameter<"bn.running_var">()), {1.7, 1.7, 1.7}, 1e-6);

  tl::trainer literal{norm_of_batch<1, by_momentum>, tl::sgd({.learning_rate = 0.5f})};
  check_net(literal);
}

TEST_CASE("a mean of running statistics leaves out batches of one number of each channel") {
  const auto check_net = [](auto& net, std::int64_t batches, double mean, double variance) {
    CHECK(net.template parameter<"bn.num_batches_tracked">()[0] == batches);
    check(test::elements(net.template parameter<"bn.running_mean">()), {mean, mean, mean}, 1e-6);
    check(test::elements(net.template parameter<"bn.running_var">()), {variance, variance, variance}, 1e-6);
  };
  tl::trainer net{norm_of_batch<n, as_means>, tl::sgd({.learning_rate = 0.5f})};
  net.step("x"_t = one_sample, "u"_t = u);
  check_net(net, 0, 0, 1);
  net.step("x"_t = two_samples, "u"_t = u);
  check_net(net, 1, 2, 8);
  net.step("x"_t = one_sample, "u"_t = u);
  check_net(net, 1, 2, 8);
  net.step("x"_t = std::vector<float>{2, 2, 2, 0, 0, 0}, "u"_t = u);
  check_net(net, 2, 1.5, 5);

  tl::trainer literal{norm_of_batch<1, as_means>, tl::sgd({.learning_rate = 0.5f})};
  literal.step("x"_t = one_sample, "u"_t = u);
  check_net(literal, 0, 0, 1);
}

namespace {

constexpr int count(bool backward) {
  tl::graph g, pruned;
  const tl::shape_list shape{3, {g.extents.number(n), 64, 128}}, row{1, {128}};
  const auto input = [&g](const tl::name* label, const tl::shape_list& s) {
    return tl::make_input(g, label, tl::element::f32, s);
  };
  const tl::value x = input(&tl::interned<"x">, shape), seed = input(&tl::interned<"g">, shape);
  const tl::value w = input(&tl::interned<"w">, row), b = input(&tl::interned<"b">, row);
  const tl::value y = tl::layer_norm(x, w, b);
  g.outputs.push({y.id, nullptr});
  if (backward) {
    tl::list<int> wrt, cotangents;
    for (const tl::value& v : {x, w, b}) wrt.push(v.id);
    tl::reverse(y, seed, wrt, cotangents);
    for (int c : cotangents) g.outputs.push({c, nullptr});
  }
  tl::prune(g, pruned);
  return pruned.nodes.size();
}

// Transformers have many of them, and every node takes time to compile: 5 leaves and 13 operations; the
// derivatives by all three operands, 15 more and their seed.
static_assert(count(false) == 18);
static_assert(count(true) == 34);

}  // namespace
