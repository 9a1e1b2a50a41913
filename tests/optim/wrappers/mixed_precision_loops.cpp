// SPDX-License-Identifier: BSL-1.0
// mixed_precision in loops: what is added up over iterations, and what a body reads.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <tuple>
#include <vector>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr auto batch = tl::dyn<"batch">;

// The gradient of w is a sum over all iterations, one product in each.
template <class T>
struct summed_by_loop {
  constexpr auto operator()() const {
    return tl::cast<float>(tl::scan(
        [](auto s, auto x) {
          return s + tl::sum(tl::matmul(tl::cast<T>(x), tl::param<"w", T, 2, 2>(tl::fill(0))));
        },
        tl::input<"s", T>, tl::input<"x", float, tl::dyn<"time">, batch, 2>));
  }
};

/// Its product is stored in 16 bits, whatever its operands are.
struct own_product : tl::custom_op {
  static constexpr auto forward(auto a, auto b) { return tl::matmul(a, b); }
  static constexpr auto backward(auto g, auto a, auto b, auto /*y*/) {
    return std::tuple(tl::matmul(g, tl::transpose(b)), tl::matmul(tl::transpose(a), g));
  }
};

template <class View>
std::vector<float> floats(const View& view) {
  return std::vector<float>(view.begin(), view.end());
}

}  // namespace

TEST_CASE("what a loop's body reads of outside in float, products read rounded") {
  const auto model = [] {
    auto h = tl::scan<2>(tl::input<"h", float, 4, 3>, [](auto h) {
      return tl::tanh(tl::matmul(tl::input<"neighbours", float, 4, 4>, tl::linear<"fc", 3>(h)));
    });
    return tl::mean(tl::square(h));
  };
  tl::trainer plain{model, tl::sgd({.learning_rate = 0.0f}), tl::cpu{}, 7};
  tl::trainer mixed{model, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.0f})), tl::cpu{}, 7};
  test::numbers random;
  for (int step = 0; step < 3; ++step) {
    const auto h = random.vector<float>(12), neighbours = random.vector<float>(16);
    const float exact = plain.step("h"_t = h, "neighbours"_t = neighbours).loss();
    CHECK(mixed.step("h"_t = h, "neighbours"_t = neighbours).loss() == Approx(exact).epsilon(0.02));
    CHECK(mixed.evaluate("h"_t = h, "neighbours"_t = neighbours).loss() == Approx(exact).epsilon(0.02));
  }
}

TEST_CASE("gradients that a loop adds up are added up in float") {
  const std::vector<float> ones(2 * 1000, 1);
  const std::int64_t shape[] = {1000, 1, 2};
  const tl::tensor_view<const float> x(ones.data(), shape);
  tl::trainer mixed{summed_by_loop<float>{},
                    tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 1}), tl::no_loss_scale{})};
  mixed.step("s"_t = 0.0f, "x"_t = x);
  CHECK(mixed.master<"w">()[0] == -1000);
  tl::trainer half{summed_by_loop<tl::bf16>{}, tl::sgd({.learning_rate = 1})};
  half.step("s"_t = tl::bf16(0), "x"_t = x);
  CHECK(half.parameter<"w">()[0] == tl::bf16(-1000));
}

TEST_CASE("gradients of what a loop's body uses twice are added up in float, too") {
  const auto twice = [] {
    return tl::scan(
        [](auto s, auto x) {
          auto w = tl::param<"w", float, 2, 2>(tl::fill(0));
          return s + tl::sum(tl::matmul(x, w)) + tl::sum(tl::matmul(2_c * x, w));
        },
        tl::input<"s", float>, tl::input<"x", float, tl::dyn<"time">, batch, 2>);
  };
  const std::vector<float> ones(2 * 1000, 1);
  const std::int64_t shape[] = {1000, 1, 2};
  const tl::tensor_view<const float> x(ones.data(), shape);
  tl::trainer mixed{twice, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 1}), tl::no_loss_scale{})};
  mixed.step("s"_t = 0.0f, "x"_t = x);
  CHECK(mixed.master<"w">()[0] == -3000);
}

TEST_CASE("gradients of a scan in a scan's body are added up in float") {
  const auto nested = [] {
    auto [h, y] = tl::scan(
        [](auto h, auto x) {
          auto last = tl::scan(
              [](auto h, auto x) { return tl::tanh(0.5_c * tl::matmul(h, tl::param<"w", float, 4, 4>) + x); },
              h, x);
          return std::tuple{last, last};
        },
        tl::input<"h", float, 2, 4>, tl::input<"x", float, tl::dyn<"time">, 3, 2, 4>);
    return tl::mean(tl::square(y - 1_c));
  };
  constexpr std::size_t iterations = 1000;
  tl::trainer plain{nested, tl::sgd({.learning_rate = 1}), tl::cpu{}, 5};
  tl::trainer mixed{nested, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 1}), tl::no_loss_scale{}),
                    tl::cpu{}, 5};
  test::numbers random;
  const auto h = random.vector<float>(8), x = random.vector<float>(iterations * 24);
  const auto before = floats(plain.parameter<"w">());
  plain.step("h"_t = h, "x"_t = x);
  mixed.step("h"_t = h, "x"_t = x);
  const auto exact = floats(plain.parameter<"w">()), near = floats(mixed.master<"w">());
  double error = 0, size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::pow(near[i] - exact[i], 2);
    size += std::pow(exact[i] - before[i], 2);
  }
  CHECK(std::sqrt(error / size) < 0.02);
}

TEST_CASE("what leads from a carry to its next value stays in float") {
  const auto last_of = [](auto body) {
    tl::trainer net{[] {
                      return tl::mean(tl::scan(decltype(body){}, tl::input<"s", float, 2>,
                                               tl::input<"x", float, tl::dyn<"time">, 2>));
                    },
                    tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0}), tl::no_loss_scale{})};
    return net.step("s"_t = std::vector<float>(2), "x"_t = std::vector<float>(2 * 1000, 1)).loss();
  };
  CHECK(last_of([](auto s, auto x) {
          auto w = tl::param<"w", float, 2>(tl::fill(1));
          return s + w * x + w * tl::exp(x - 1_c);
        }) == 2000);
  CHECK(last_of([](auto s, auto x) {
          return 0.999_c * s + 0.001_c * (tl::param<"w", float, 2>(tl::fill(1)) * x);
        }) == Approx(1 - std::pow(0.999, 1000)).epsilon(0.005));
  CHECK(last_of([](auto s, auto x) {
          return tl::where(x > 0_c, s + tl::param<"w", float, 2>(tl::fill(1)) * x, s);
        }) == 1000);
}

TEST_CASE("a view of an operation of one's own on a carry is read as it is stored") {
  const auto model = [] {
    return tl::mean(tl::scan(
        [](auto s, auto x) {
          auto w = tl::param<"w", float, 4, 4>(tl::fill(0.125));
          return tl::transpose(tl::apply<own_product>(s, w)) + x;
        },
        tl::input<"s", float, 4, 4>, tl::input<"x", float, tl::dyn<"time">, 4, 4>));
  };
  const auto loss = [&](auto rule) {
    tl::trainer net{model, rule};
    return net.step("s"_t = std::vector<float>(16, 0.5f), "x"_t = std::vector<float>(16 * 6, 1)).loss();
  };
  CHECK(loss(tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0}), tl::no_loss_scale{})) ==
        Approx(loss(tl::sgd({.learning_rate = 0}))).epsilon(0.01));
}
