// SPDX-License-Identifier: BSL-1.0
// Batches of any size, none among them; parameters that two branches share.
#include <cmath>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2, 6, 6>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto c = tl::max_pool2d<tl::pool{.kernel = 2}>(
      tl::relu(tl::conv2d<"conv", 3, tl::conv{.kernel = 3, .padding = 1}>(x)));
  auto h = tl::layer_norm<"norm">(tl::linear<"fc", 8>(tl::flatten<1>(c)));
  auto a = tl::attention<"attention", tl::attention_options{.heads = 2}>(tl::reshape<batch, 2, 4>(h));
  auto logits = tl::linear<"head", 3>(tl::flatten<1>(a));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

}  // namespace

TEST_CASE("a batch of one is a row of a larger batch") {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  test::numbers random(3);
  const auto x = random.vector<float>(3 * 72);
  const std::vector<std::int32_t> label{0, 2, 1};
  auto whole = net.evaluate("x"_t = x, "label"_t = label);
  const std::vector<double> rows = test::elements(whole.get<"logits">());
  double loss = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    auto one =
        net.evaluate("x"_t = std::span(x).subspan(72 * i, 72), "label"_t = std::span(label).subspan(i, 1));
    loss += one.loss() / 3;
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(one.get<"logits">()[k] == test::Approx(rows[3 * i + k]).epsilon(1e-5).margin(1e-5));
  }
  auto again = net.evaluate("x"_t = x, "label"_t = label);
  CHECK(again.loss() == test::Approx(loss).epsilon(1e-5));
  CHECK(
      std::isfinite(net.step("x"_t = std::span(x).first(72), "label"_t = std::span(label).first(1)).loss()));
  CHECK(std::isfinite(net.step("x"_t = x, "label"_t = label).loss()));
}

TEST_CASE("without a sample there is an empty result, but no step") {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  const std::vector<float> x;
  const std::vector<std::int32_t> label;
  auto r = net.predict("x"_t = x);
  CHECK(r.get<"logits">().size() == 0);
  const auto before = test::elements(net.parameter<"fc.weight">());
  CHECK_THROWS_WITH(net.step("x"_t = x, "label"_t = label), test::contains("input \"x\" has no elements"));
  CHECK(test::elements(net.parameter<"fc.weight">()) == before);
}

TEST_CASE("a parameter that two branches share gets the sum of their gradients") {
  tl::trainer net{[] {
                    auto x = tl::input<"x", double, 3>;
                    auto y = tl::input<"y", double, 3>;
                    auto left = tl::linear<"shared", 2>(x);
                    auto right = tl::linear<"shared", 2>(tl::tanh(y));
                    return tl::sum(left * right);
                  },
                  tl::sgd({.learning_rate = 1.0})};
  const std::vector<double> x{1, 2, 3}, y{0.1, -0.2, 0.3};
  auto w = net.parameter<"shared.weight">();
  const std::vector<double> before = test::elements(w);
  net.step("x"_t = x, "y"_t = y);
  for (std::size_t o = 0; o < 2; ++o) {
    double left = 0, right = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      left += before[3 * o + i] * x[i];
      right += before[3 * o + i] * std::tanh(y[i]);
    }
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(w[3 * o + i] ==
            test::Approx(before[3 * o + i] - (x[i] * right + std::tanh(y[i]) * left)).epsilon(1e-12));
  }
}
