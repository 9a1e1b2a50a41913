// SPDX-License-Identifier: BSL-1.0
// Draws of normal numbers: their distribution, and that names, steps, iterations and seeds have numbers of
// their own, which are the same on every policy.
#include "catch.hpp"
#include "ops/random/draws.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <bit>
#include <cstdint>

#include <tapeless/optim/optim.hpp>
#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr auto n = tl::dyn<"n">;

struct draws {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, n, 4>;
    auto w = tl::param<"w", float, 4>;
    auto step = [](auto h, auto y) {
      auto noise = tl::normal_like<"in scan">(h);
      return tl::pack(h + 0_c * y, noise);
    };
    auto [last, stacked] = tl::scan(step, tl::normal_like<"start">(w), x);
    auto first = tl::normal<"first", float, n, 4>();
    return tl::outputs(tl::sum(first * w + x), tl::named<"first">(first),
                       tl::named<"second">(tl::normal_like<"second">(x)),
                       tl::named<"double">(tl::normal<"wide", double, n, 4>()),
                       tl::named<"of">(tl::normal<"of">(x, w)), tl::named<"stacked">(stacked),
                       tl::named<"scalar">(tl::normal<"scalar", float>()), tl::named<"last">(last));
  }
};

template <class View>
std::vector<std::uint64_t> bits(const View& view) {
  std::vector<std::uint64_t> all;
  for (const auto x : view) all.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(x)));
  return all;
}

double probability_below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("normal numbers are the same to the last bit on every policy, with any number of threads") {
  const std::vector<float> x(4 * 501, 0.5f);
  tl::function alone{draws{}, tl::cpu{.threads = 1}, 3};
  auto expected = alone("x"_t = x);
  const auto compare = [&](const auto& r) {
    CHECK(bits(r.template get<"first">()) == bits(expected.get<"first">()));
    CHECK(bits(r.template get<"second">()) == bits(expected.get<"second">()));
    CHECK(bits(r.template get<"double">()) == bits(expected.get<"double">()));
    CHECK(bits(r.template get<"of">()) == bits(expected.get<"of">()));
    CHECK(bits(r.template get<"stacked">()) == bits(expected.get<"stacked">()));
    CHECK(bits(r.template get<"scalar">()) == bits(expected.get<"scalar">()));
    CHECK(bits(r.template get<"last">()) == bits(expected.get<"last">()));
  };
  tl::function three{draws{}, tl::cpu{.threads = 3}, 3};
  compare(three("x"_t = x));
  test::on_each_policy([&]<class Policy>() {
    tl::function<draws, Policy> f{draws{}, Policy{}, 3};
    compare(f("x"_t = x));
  });
  // Of any compiler and target, too.
  CHECK(expected.get<"double">()[0] == 0.823550296627929);
  CHECK(expected.get<"double">()[1] == -0.5569531300794518);
  CHECK(expected.get<"first">()[0] == 1.5954995155334473f);
  CHECK(expected.get<"scalar">()[0] == 0.7395398020744324f);
}

TEST_CASE("normal numbers are distributed as they should be") {
  tl::function f{draws{}};
  const std::vector<float> x(4 * 50000);
  for (const std::uint64_t seed : {1u, 2u}) {
    f.seed(seed);
    auto r = f("x"_t = x);
    for (const std::vector<double>& all :
         {test::elements(r.get<"first">()), test::elements(r.get<"double">()),
          test::elements(r.get<"stacked">())}) {
      const double root = std::sqrt(static_cast<double>(all.size()));
      CHECK(std::abs(test::moment(all, 1)) < 3 / root);
      CHECK(std::abs(test::moment(all, 2) - 1) < 3 * std::sqrt(2.0) / root);
      CHECK(std::abs(test::moment(all, 3)) < 3 * std::sqrt(15.0) / root);
      CHECK(std::abs(test::moment(all, 4) - 3) < 3 * std::sqrt(96.0) / root);
      CHECK(test::distance_from(all, probability_below) < 1.63);
      for (const double end : {2.0, 3.0, 3.5}) {
        const double expected = static_cast<double>(all.size()) * 2 * probability_below(-end);
        const auto beyond =
            std::count_if(all.begin(), all.end(), [&](double y) { return std::abs(y) > end; });
        CHECK(std::abs(static_cast<double>(beyond) - expected) < 3.5 * std::sqrt(expected));
      }
    }
  }
}

TEST_CASE("names, iterations, steps and seeds have numbers of their own") {
  const std::vector<float> x(4 * 20000);
  tl::trainer net{draws{}, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 5};
  std::vector<std::vector<double>> samples;
  for (int i = 0; i < 2; ++i) {
    auto r = net.step("x"_t = x);
    samples.push_back(test::elements(r.get<"first">()));
    samples.push_back(test::elements(r.get<"second">()));
    samples.push_back(test::elements(r.get<"double">()));
    samples.push_back(test::elements(r.get<"stacked">()));
  }
  for (int i = 0; i < 2; ++i) samples.push_back(test::elements(net.predict("x"_t = x).get<"first">()));
  samples.push_back(test::elements(net.evaluate("x"_t = x).get<"first">()));
  tl::trainer other{draws{}, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 6};
  samples.push_back(test::elements(other.step("x"_t = x).get<"first">()));
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      INFO(i << " and " << k);
      CHECK(std::abs(test::correlation(samples[i], samples[k])) < 4);
    }
  // one iteration after the other
  std::vector<double> before(samples[3].begin(), samples[3].end() - 4),
      after(samples[3].begin() + 4, samples[3].end());
  CHECK(std::abs(test::correlation(before, after)) < 4);
}

TEST_CASE("what is drawn depends on the seed and the steps alone") {
  const std::vector<float> x(4 * 7);
  tl::trainer net{draws{}, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 5},
      evaluating{draws{}, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 5};
  evaluating.predict("x"_t = x);
  evaluating.evaluate("x"_t = x);
  for (int i = 0; i < 3; ++i) {
    const auto one = test::elements(net.step("x"_t = x).get<"first">());
    CHECK(test::elements(evaluating.step("x"_t = x).get<"first">()) == one);
    if (i == 1) evaluating.evaluate("x"_t = x);
  }
  // the n-th evaluation after a step is the same again
  const auto there = net.position();
  const auto first = test::elements(net.predict("x"_t = x).get<"first">());
  const auto second = test::elements(net.predict("x"_t = x).get<"first">());
  CHECK(first != second);
  net.set_position(there);
  CHECK(test::elements(net.evaluate("x"_t = x).get<"first">()) == first);
  CHECK(test::elements(net.predict("x"_t = x).get<"first">()) == second);
  CHECK(test::elements(evaluating.predict("x"_t = x).get<"first">()) == first);

  tl::function f{draws{}, tl::cpu{}, 5};
  const auto drawn = test::elements(f("x"_t = x).get<"first">());
  CHECK(test::elements(f("x"_t = x).get<"first">()) == drawn);
  f.seed(6);
  CHECK(test::elements(f("x"_t = x).get<"first">()) != drawn);
  f.seed(5);
  CHECK(test::elements(f("x"_t = x).get<"first">()) == drawn);
}

namespace {

// The noise stands in two chains of statements, which do not begin alike.
constexpr auto twice = [] {
  auto x = tl::input<"x", float, 3>;
  auto a = tl::exp(tl::exp(tl::exp(x)));
  auto b = tl::sin(tl::sin(tl::sin(x)));
  auto noise = tl::normal_like<"noise">(x);
  return tl::named<"y">((a + noise) - a + b - (b + noise));
};

template <bool Checkpointed>
struct noisy {
  constexpr auto operator()() const {
    auto h = tl::repeat<3>(tl::input<"x", float, n, 8>, []<int I>(auto x) {
      auto y = tl::linear<tl::name{"fc"} + I, 8>(x);
      auto z = tl::tanh(tl::normal<tl::name{"z"} + I>(y, tl::softplus(y)));
      if constexpr (Checkpointed) {
        return tl::checkpoint(z);
      } else {
        return z;
      }
    });
    return tl::mean(tl::square(h));
  }
};

}  // namespace

TEST_CASE("a draw that is used twice is one") {
  tl::function f{twice};
  for (const double y : f("x"_t = std::vector<float>{0, 0.25f, 0.5f}).get<"y">())
    CHECK(y == test::Approx(0).margin(1e-5));
}

TEST_CASE("what a checkpoint computes again has the same noise") {
  tl::trainer plain{noisy<false>{}, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 3};
  tl::trainer again{noisy<true>{}, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 3};
  test::numbers random(2);
  for (int step = 0; step < 5; ++step) {
    const auto x = random.vector<float>(8 * 16);
    CHECK(again.step("x"_t = x).loss() == test::Approx(plain.step("x"_t = x).loss()).epsilon(1e-5));
  }
}
