// SPDX-License-Identifier: BSL-1.0
// Models with run-time extents on tl::straight_line: one function where they have the values that the policy
// names, with the bits of tl::bare's program of the static model; tables everywhere else.
#include <tapeless/run/straight_line/straight_lines.hpp>

#include <tapeless/bare.hpp>
#include <tapeless/ops/indexing.hpp>
#include <tapeless/run/straight_line/straight_line.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace {

constexpr tl::extent batch = tl::dyn<"batch">, steps = tl::dyn<"steps">;
using at_1_and_32 = tl::straight_line_at<1, 32>;

std::vector<float> waves(std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = std::sin(0.7f * static_cast<float>(i) + 1);
  return all;
}

template <class A, class B>
void check_close(const A& a, const B& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    CHECK(static_cast<double>(a[i]) == test::Approx(static_cast<double>(b[i])).epsilon(0).margin(1e-5));
}

template <class Net>
std::vector<float> parameters_of(Net& net) {
  std::vector<float> all;
  for (std::size_t i = 0; i < net.parameter_descriptions().size(); ++i) {
    const auto* const begin = reinterpret_cast<const float*>(net.parameter_data()[i]);
    all.insert(all.end(), begin, begin + net.parameter_descriptions()[i].count);
  }
  return all;
}

// How many straight lines a program has on a policy.
template <class Policy, class Program>
constexpr std::size_t lines = Policy::template in_line<Program>::count;

template <tl::extent Batch>
constexpr auto regression = [] {
  auto x = tl::input<"x", float, Batch, 4>;
  auto y = tl::input<"y", float, Batch, 2>;
  auto p = tl::linear<"b", 2>(tl::tanh(tl::linear<"a", 12>(x)));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};

// Labels, dropout, statistics of a batch: gathers, random numbers, reductions of columns, effects.
template <tl::extent Batch>
constexpr auto classes = [] {
  auto words = tl::input<"words", std::int32_t, Batch, 4>;
  auto y = tl::input<"y", std::int64_t, Batch>;
  auto h = tl::layer_norm<"norm">(tl::mean<1>(tl::dropout<0.25>(tl::embedding<"table", 10, 8>(words))));
  auto p = tl::linear<"out", 5>(tl::gelu(h));
  return tl::outputs(tl::cross_entropy(p, y), tl::named<"p">(p));
};

template <tl::extent Steps, tl::extent Batch>
constexpr auto sequence = [] {
  auto x = tl::input<"x", float, Steps, Batch, 3>;
  auto y = tl::input<"y", float, Batch, 4>;
  auto [h, last_h, last_c] = tl::lstm<"lstm", 4>(x);
  return tl::outputs(tl::mse_loss(tl::at<-1>(h), y), tl::named<"h">(h));
};

// Losses bit for bit as those of tl::bare, which has the static model, and as on tl::cpu.
template <class Policy, class Model, class Static, class Rule, class... Bindings>
void check_same_training(Model model, Static constant, Rule rule, const Bindings&... bindings) {
  tl::trainer usual{model, rule, tl::cpu{.threads = 1}, 5};
  tl::trainer bare{constant, rule, tl::bare{}, 5};
  tl::trainer net{model, rule, Policy{}, 5};
  using program = typename decltype(net)::step_program;
  STATIC_REQUIRE(lines<Policy, program> > 0);
  for (int step = 0; step < 10; ++step) {
    INFO("step " << step);
    const auto loss = net.step(bindings...).loss();
    REQUIRE(static_cast<double>(loss) ==
            test::Approx(static_cast<double>(usual.step(bindings...).loss())).epsilon(0).margin(1e-5));
    REQUIRE(loss == bare.step(bindings...).loss());
  }
  check_close(parameters_of(net), parameters_of(usual));
  CHECK(net.evaluate(bindings...).loss() ==
        test::Approx(usual.evaluate(bindings...).loss()).epsilon(0).margin(1e-5));
}

const std::vector<float> x = waves(4 * 32), y = waves(2 * 32);
tl::array_view<const float> x_of(std::size_t samples) { return {x.data(), 4 * samples}; }
tl::array_view<const float> y_of(std::size_t samples) { return {y.data(), 2 * samples}; }
auto adam() { return tl::adam({.learning_rate = 0.01}); }

}  // namespace

TEST_CASE("one sample has the bits of the static model") {
  check_same_training<tl::straight_line>(regression<batch>, regression<1>,
                                         tl::sgd({.learning_rate = 0.1, .momentum = 0.9}), "x"_t = x_of(1),
                                         "y"_t = y_of(1));
  check_same_training<at_1_and_32>(
      regression<batch>, regression<1>,
      tl::adamw({.learning_rate = tl::warmup_cosine({.peak = 0.01, .warmup_steps = 5, .steps = 20})}),
      "x"_t = x_of(1), "y"_t = y_of(1));
}

TEST_CASE("many samples have the bits of the static model") {
  check_same_training<at_1_and_32>(regression<batch>, regression<32>, adam(), "x"_t = x, "y"_t = y);
}

TEST_CASE("labels, random numbers and loops at their extents") {
  const std::vector<std::int32_t> words{1, 9, 3, 4};
  const std::vector<std::int64_t> label{4};
  check_same_training<tl::straight_line>(classes<batch>, classes<1>, adam(), "words"_t = words,
                                         "y"_t = label);
  using at = tl::straight_line_at<tl::extent_values{{"batch", 2}, {"steps", 5}}>;
  static float some[5][2][3];
  const std::vector<float> wanted = waves(8);
  std::copy_n(waves(30).begin(), 30, &some[0][0][0]);
  check_same_training<at>(sequence<steps, batch>, sequence<5, 2>, adam(), "x"_t = some, "y"_t = wanted);
}
