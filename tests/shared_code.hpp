// SPDX-License-Identifier: BSL-1.0
// Parts that most tests' programs have: at the end of the headers that are precompiled with sanitizers, where
// clang compiles them, and all that they instantiate, once for all. Nothing calls these functions.
#pragma once

#include <cstdint>
#include <vector>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace test::shared_code {

template <class T>
constexpr auto network() {
  constexpr auto batch = tl::dyn<"batch">;
  auto x = tl::input<"x", T, batch, 3>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto logits = tl::linear<"fc2", 2>(tl::tanh(tl::linear<"fc1", 4>(x)));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
}

struct single_network {
  constexpr auto operator()() const { return network<float>(); }
};

struct double_network {
  constexpr auto operator()() const { return network<double>(); }
};

inline void train() {
  const std::vector<std::int32_t> label(2);
  const std::vector<float> x(6);
  tl::trainer single{single_network{}, tl::adamw({.learning_rate = 0.1f})};
  CHECK(single.step("x"_t = x, "label"_t = label).loss() == Approx(1).epsilon(1e-6));
  CHECK(single.evaluate("x"_t = x, "label"_t = label).loss() < 1);
  const std::vector<double> y(6);
  tl::trainer twice{double_network{}, tl::sgd({.learning_rate = 0.1f})};
  const auto loss = twice.step("x"_t = y, "label"_t = label).loss();
  CHECK(loss == Approx(1).margin(1e-6));
}

inline void differentiate() {
  on_each_policy([]<class Policy>() {
    const auto products = [] {
      auto x = tl::input<"x", double, 6>;
      auto a = tl::reshape<2, 3>(x);
      auto y = tl::sum(tl::matmul(a, tl::transpose<0, 1>(a)));
      return tl::outputs(tl::named<"y">(y), tl::named<"dx">(tl::grad(y, x)));
    };
    tl::function<decltype(products), Policy> f{products};
    const std::vector<double> x(6);
    const auto r = f("x"_t = x);
    CHECK(elements(r.template get<"y">())[0] == Approx(1));
    CHECK(elements(r.template get<"dx">()) == x);
  });
}

}  // namespace test::shared_code
