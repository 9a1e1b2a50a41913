// SPDX-License-Identifier: BSL-1.0
// function: outputs of all shapes against plain loops, with static and with run-time extents.
#include <tapeless/tapeless.hpp>

#include <cmath>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::Approx;

namespace {

constexpr auto batch = tl::dyn<"batch">;

/// The same program for any number of rows; Rows is an integer or a run-time extent.
template <tl::extent Rows>
struct program {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, Rows, 5>;
    auto scale = tl::input<"scale", float>;
    auto y = tl::tanh(tl::linear<"fc", 3>(x)) * scale;
    return tl::outputs(tl::named<"y">(y), tl::named<"rows">(tl::sum<-1>(y)), tl::named<"total">(tl::sum(y)),
                       tl::named<"swapped">(tl::permute<1, 0>(y)), tl::named<"x">(x),
                       tl::named<"largest">(tl::max(y)));
  }
};

std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<float>(std::sin(1.3 * static_cast<double>(i)));
  return all;
}

/// Fills the weights by a program of its own, so that the loops below need no trainer.
float weight(std::size_t o, std::size_t i) {
  return static_cast<float>(std::cos(static_cast<double>(3 * o + i)));
}

constexpr auto with_weights = [] {
  auto x = tl::input<"x", float, batch, 5>;
  auto w = tl::input<"w", float, 3, 5>;
  auto y = tl::linear(x, w);
  return tl::outputs(tl::named<"y">(y), tl::named<"softmax">(tl::softmax(y)),
                     tl::named<"mean">(tl::mean<0>(y)),
                     tl::named<"gradient">(tl::grad(tl::sum(tl::square(y)), w)));
};

template <class View>
std::vector<double> elements(View v) {
  return {v.begin(), v.end()};
}
template <class View>
std::vector<std::int64_t> shape(const View& v) {
  return {v.shape().begin(), v.shape().end()};
}

using extents = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("several outputs, with their shapes") {
  tl::function f{program<batch>{}};
  for (const std::size_t n : {4u, 1u, 9u, 4u}) {
    const auto x = numbers(5 * n);
    const auto r = f("x"_t = x, "scale"_t = 2.0f);
    const auto y = r.get<"y">(), rows = r.get<"rows">(), total = r.get<"total">(),
               swapped = r.get<"swapped">();
    const auto m = static_cast<std::int64_t>(n);
    CHECK(shape(y) == extents{m, 3});
    CHECK(shape(rows) == extents{m});
    CHECK(shape(total) == extents{});
    CHECK(shape(swapped) == extents{3, m});
    CHECK(shape(r.get<"x">()) == extents{m, 5});
    CHECK(elements(r.get<"x">()) == elements(std::span(x)));
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(rows[i] == Approx(y[3 * i] + y[3 * i + 1] + y[3 * i + 2]).margin(1e-5));
      for (std::size_t j = 0; j < 3; ++j) CHECK(swapped[j * n + i] == y[3 * i + j]);
      sum += rows[i];
    }
    CHECK(total[0] == Approx(sum).margin(1e-5));
    CHECK(total.size() == 1);
    CHECK(r.get<"largest">()[0] == *std::max_element(y.begin(), y.end()));
    CHECK(*std::max_element(y.begin(), y.end()) > 0.01f);
  }
}

TEST_CASE("static and run-time extents agree") {
  tl::function fixed{program<6>{}, tl::cpu_by_tables{}};
  tl::function flexible{program<batch>{}, tl::cpu_by_tables{}};
  const auto x = numbers(30);
  const auto a = fixed("x"_t = x, "scale"_t = 0.5f);
  const auto b = flexible("x"_t = x, "scale"_t = 0.5f);
  CHECK(elements(a.get<"y">()) == elements(b.get<"y">()));
  CHECK(shape(a.get<"swapped">()) == shape(b.get<"swapped">()));
  CHECK(elements(a.get<"swapped">()) == elements(b.get<"swapped">()));
  CHECK(a.get<"total">()[0] == b.get<"total">()[0]);
  CHECK_THROWS_WITH(fixed("x"_t = numbers(25), "scale"_t = 0.5f),
                    "tapeless: input \"x\" expects the shape [6, 5], but got 25 elements");
}

TEST_CASE("against plain loops") {
  tl::function f{with_weights};
  std::vector<float> w(15);
  for (std::size_t o = 0; o < 3; ++o)
    for (std::size_t i = 0; i < 5; ++i) w[5 * o + i] = weight(o, i);
  for (const std::size_t n : {1u, 2u, 11u}) {
    const auto x = numbers(5 * n);
    const auto r = f("x"_t = x, "w"_t = w);
    std::vector<double> y(3 * n), mean(3), gradient(15);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t o = 0; o < 3; ++o) {
        for (std::size_t k = 0; k < 5; ++k) y[3 * i + o] += double(x[5 * i + k]) * double(w[5 * o + k]);
        for (std::size_t k = 0; k < 5; ++k) gradient[5 * o + k] += 2 * y[3 * i + o] * double(x[5 * i + k]);
        mean[o] += y[3 * i + o] / static_cast<double>(n);
      }
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t o = 0; o < 3; ++o) sum += std::exp(y[3 * i + o]);
      for (std::size_t o = 0; o < 3; ++o) {
        CHECK(r.get<"y">()[3 * i + o] == Approx(y[3 * i + o]).margin(1e-5));
        CHECK(r.get<"softmax">()[3 * i + o] == Approx(std::exp(y[3 * i + o]) / sum).margin(1e-5));
      }
    }
    for (std::size_t o = 0; o < 3; ++o) CHECK(r.get<"mean">()[o] == Approx(mean[o]).margin(1e-5));
    for (std::size_t k = 0; k < 15; ++k)
      CHECK(r.get<"gradient">()[k] == Approx(gradient[k]).epsilon(1e-4).margin(1e-4));
  }
}

TEST_CASE("parameters start from the seed") {
  tl::function a{program<batch>{}}, b{program<batch>{}}, c{program<batch>{}, tl::cpu{}, 1};
  tl::function d{program<batch>{}, tl::cpu{.threads = 2}};
  const auto x = numbers(10);
  const auto y = elements(a("x"_t = x, "scale"_t = 1.0f).get<"y">());
  CHECK(elements(b("x"_t = x, "scale"_t = 1.0f).get<"y">()) == y);
  CHECK(elements(c("x"_t = x, "scale"_t = 1.0f).get<"y">()) != y);
  CHECK(elements(d("x"_t = x, "scale"_t = 1.0f).get<"y">()) == y);
}

TEST_CASE("without any row") {
  tl::function f{program<batch>{}};
  tl::function g{with_weights};
  const auto r = f("x"_t = std::vector<float>{}, "scale"_t = 1.0f);
  CHECK(r.get<"y">().size() == 0);
  CHECK(shape(r.get<"y">()) == extents{0, 3});
  CHECK(shape(r.get<"swapped">()) == extents{3, 0});
  CHECK(r.get<"rows">().size() == 0);
  CHECK(r.get<"total">()[0] == 0);
  CHECK(r.get<"largest">()[0] == -std::numeric_limits<float>::infinity());
  const auto s = g("x"_t = std::vector<float>{}, "w"_t = std::vector<float>(15, 1.0f));
  CHECK(elements(s.get<"gradient">()) == std::vector<double>(15, 0.0));
  CHECK(std::isnan(s.get<"mean">()[0]));
  CHECK(f("x"_t = numbers(5), "scale"_t = 1.0f).get<"y">().size() == 3);
}

TEST_CASE("a program without inputs") {
  constexpr auto constant = [] {
    return tl::outputs(tl::named<"y">(tl::param<"w", double, 3>(tl::fill(2)) + 1_c));
  };
  tl::function f{constant};
  CHECK(elements(f().get<"y">()) == std::vector<double>{3, 3, 3});
}
