// SPDX-License-Identifier: BSL-1.0
// skip_nonfinite: what is skipped leaves no trace.
#include "optim/reference.hpp"

#include <limits>

namespace {

template <class T>
struct model {
  constexpr auto operator()() const {
    return tl::sum(tl::param<"a", T, 3> * tl::input<"ga", T, 3>) +
           tl::sum(tl::param<"b", T, 2> * tl::input<"gb", T, 2>);
  }
};

template <class T, class Rule>
void leaves_no_trace(const Rule& rule, double bad) {
  tl::trainer net{model<T>{}, tl::skip_nonfinite(rule)};
  tl::trainer other{model<T>{}, rule};
  test::numbers next(3);
  for (int t = 0; t < 12; ++t) {
    std::vector<T> ga = next.vector<T>(3), gb = next.vector<T>(2);
    if (t != 0 && t != 1 && t != 4) {
      net.step("ga"_t = ga, "gb"_t = gb);
      other.step("ga"_t = ga, "gb"_t = gb);
    } else {
      (t == 1 ? gb[1] : ga[2]) = static_cast<T>(bad);
      net.step("ga"_t = ga, "gb"_t = gb);
    }
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(net.template parameter<"a">()[i] == other.template parameter<"a">()[i]);
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(net.template parameter<"b">()[i] == other.template parameter<"b">()[i]);
  }
  CHECK(net.steps() == 12);
}

}  // namespace

TEST_CASE("steps are counted beyond what 16 bits can count") {
  tl::trainer net{
      [] {
        return tl::sum(tl::cast<float>(tl::param<"w", tl::bf16, 2>(tl::fill(1))) * tl::input<"g", float, 2>);
      },
      tl::skip_nonfinite(tl::sgd({.learning_rate = 0.5}))};
  const float inf = std::numeric_limits<float>::infinity();
  for (int t = 0; t < 300; ++t) net.step("g"_t = std::vector<float>{inf, 1});
  CHECK(net.state<"skip_nonfinite.skipped">()[0] == 300);
}

TEST_CASE("steps with an infinite or NaN gradient change neither parameters nor states") {
  const double inf = std::numeric_limits<double>::infinity();
  const auto adam = tl::adamw({.learning_rate = 0.1});
  leaves_no_trace<double>(adam, inf);
  leaves_no_trace<double>(adam, -inf);
  leaves_no_trace<double>(adam, std::nan(""));
  leaves_no_trace<float>(tl::chain(tl::clip_by_global_norm(1), tl::adagrad({.initial_accumulator = 0.5})),
                         std::nan(""));
}

TEST_CASE("an infinite gradient of a parameter that is frozen puts off nothing") {
  const auto trained = [](const auto& rule) {
    tl::trainer net{model<float>{}, rule};
    net.template freeze<"b">();
    const float inf = std::numeric_limits<float>::infinity();
    for (int t = 0; t < 8; ++t)
      net.step("ga"_t = std::vector<float>{1, 2, 3}, "gb"_t = std::vector{inf, inf});
    return net;
  };
  const auto sgd = tl::sgd({.learning_rate = 0.25});
  CHECK(trained(tl::freezable(tl::skip_nonfinite(sgd))).parameter<"a">()[0] == -2);
  auto outside = trained(tl::skip_nonfinite(tl::average(tl::freezable(sgd))));
  CHECK(outside.parameter<"a">()[0] == -2);
  CHECK(outside.parameter<"b">()[0] == 0);
  CHECK(outside.state<"skip_nonfinite.skipped">()[0] == 0);
  auto mixed = trained(tl::mixed_precision<tl::f16>(tl::freezable(sgd)));
  CHECK(mixed.master<"a">()[0] == -2);
  CHECK(mixed.state<"loss_scale">()[0] == 65536);
}
