// SPDX-License-Identifier: BSL-1.0
// What attention's masks keep out stays out; queries that may attend to nothing; scores that are large.
#include "catch.hpp"
#include "program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace {

constexpr auto batch = tl::dyn<"batch">, length = tl::dyn<"length">, queries = tl::dyn<"queries">,
               keys = tl::dyn<"keys">, width = tl::dyn<"width">;
constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr auto causal = [] {
  auto x = tl::input<"x", float, batch, length, 8>;
  auto y = tl::attention<"attn", tl::attention_options{.heads = 2, .causal = true, .rotary = true}>(x);
  return tl::outputs(tl::named<"y">(y),
                     tl::named<"first">(tl::grad(tl::sum(tl::square(tl::slice<1, 0, 3>(y))), x)));
};

// Everything that attention with this mask and its derivatives give.
template <class T, tl::attention_options Options>
struct masked {
  constexpr auto operator()() const {
    auto q = tl::input<"q", double, queries, width>;
    auto k = tl::input<"k", double, keys, width>;
    auto v = tl::input<"v", double, keys, 2>;
    auto mask = tl::input<"mask", T, queries, keys>;
    auto y = tl::scaled_dot_product_attention<Options>(q, k, v, mask);
    auto s = tl::sum(tl::square(y));
    auto gradient = tl::grad(s, q);
    return tl::outputs(tl::named<"y">(y), tl::named<"q">(gradient), tl::named<"k">(tl::grad(s, k)),
                       tl::named<"v">(tl::grad(s, v)),
                       tl::named<"second">(tl::grad(tl::sum(tl::square(gradient)), k)));
  }
};

struct given {
  std::int64_t queries = 3, keys = 4, width = 6;
  std::vector<double> q = test::numbers(1).vector(18), k = test::numbers(2).vector(24),
                      v = test::numbers(3).vector(8);

  template <class Model, class Mask>
  auto run(tl::function<Model>& f, const Mask& mask) const {
    return f("q"_t = q, "k"_t = k, "v"_t = v, "mask"_t = mask, "queries"_t = queries, "keys"_t = keys,
             "width"_t = width);
  }
};

template <class View>
void require_finite(const View& view) {
  for (const double x : view) REQUIRE(std::isfinite(x));
}

template <class Result>
void require_empty_row_1(Result& r) {
  CHECK(r.template get<"y">()[2] == 0);
  CHECK(r.template get<"y">()[3] == 0);
  for (std::size_t i = 6; i < 12; ++i) CHECK(r.template get<"q">()[i] == 0);
  require_finite(r.template get<"y">());
  require_finite(r.template get<"q">());
  require_finite(r.template get<"k">());
  require_finite(r.template get<"v">());
  require_finite(r.template get<"second">());
  CHECK(r.template get<"y">()[0] != 0);
}

}  // namespace

TEST_CASE("what comes later changes nothing, to the last bit") {
  tl::function f{causal};
  for (const std::size_t n : {4u, 9u, 33u}) {
    auto x = test::numbers(5).vector<float>(2 * n * 8);
    const auto l = static_cast<std::int64_t>(n);
    auto r = f("x"_t = x, "length"_t = l);
    const auto before = test::elements(r.get<"y">());
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t i = 3; i < n; ++i)
        for (std::size_t d = 0; d < 8; ++d) {
          CHECK(r.get<"first">()[(b * n + i) * 8 + d] == 0);
          x[(b * n + i) * 8 + d] += 1e6f;
        }
    auto s = f("x"_t = x, "length"_t = l);
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t e = 0; e < n * 8; ++e)
        CHECK((s.get<"y">()[b * n * 8 + e] == before[b * n * 8 + e]) == (e < 24));
  }
}

TEST_CASE("a query that may attend to no key gets 0, with finite gradients") {
  const given g;
  tl::function f{masked<bool, tl::attention_options{}>{}};
  const std::array<bool, 12> mask{true,  false, true,  true, false, false,
                                  false, false, false, true, false, false};
  auto r = g.run(f, mask);
  require_empty_row_1(r);
  CHECK(r.get<"y">()[4] == test::Approx(g.v[2]));  // one key only
  CHECK(r.get<"y">()[5] == test::Approx(g.v[3]));

  tl::function added{masked<double, tl::attention_options{}>{}};
  std::vector<double> numbers;
  for (const bool may : mask) numbers.push_back(may ? 0 : -infinity);
  auto s = g.run(added, numbers);
  require_empty_row_1(s);
  for (std::size_t i = 0; i < 24; ++i) {
    CHECK(s.get<"k">()[i] == test::Approx(r.get<"k">()[i]).margin(1e-14));
    CHECK(s.get<"second">()[i] == test::Approx(r.get<"second">()[i]).margin(1e-14));
  }
  for (double& x : numbers) x = std::max(x, std::numeric_limits<double>::lowest());
  auto t = g.run(added, numbers);
  require_empty_row_1(t);
}

TEST_CASE("a mask and the causal mask together") {
  const given g;
  tl::function f{masked<bool, tl::attention_options{.causal = true}>{}};
  tl::function added{masked<double, tl::attention_options{.causal = true}>{}};
  const std::array<bool, 12> mask{true, true, true, true, false, false, true, true, false, true, true, true};
  std::vector<double> numbers;
  for (const bool may : mask) numbers.push_back(may ? 0 : -infinity);
  auto r = g.run(f, mask);
  require_empty_row_1(r);
  CHECK(r.get<"y">()[0] == g.v[0]);
  auto s = g.run(added, numbers);
  require_empty_row_1(s);
  for (std::size_t i = 0; i < 6; ++i) CHECK(s.get<"y">()[i] == test::Approx(r.get<"y">()[i]));
}

TEST_CASE("large scores, and no keys") {
  given g;
  tl::function f{masked<bool, tl::attention_options{.scale = 1e4}>{}};
  std::array<bool, 12> all{};
  all.fill(true);
  auto r = g.run(f, all);
  require_finite(r.get<"y">());
  require_finite(r.get<"q">());
  for (std::size_t i = 0; i < 3; ++i) {  // the key that fits best gets all
    std::size_t best = 0;
    double most = -infinity;
    for (std::size_t j = 0; j < 4; ++j) {
      double score = 0;
      for (std::size_t d = 0; d < 6; ++d) score += g.q[i * 6 + d] * g.k[j * 6 + d];
      if (score > most) best = j;
      most = std::max(most, score);
    }
    CHECK(r.get<"y">()[2 * i] == test::Approx(g.v[2 * best]));
  }
  g.keys = 0;
  g.k.clear();
  g.v.clear();
  auto s = g.run(f, std::span<const bool>());
  for (const double y : s.get<"y">()) CHECK(y == 0);
}

// What kernels of their own compute goes on where a value passes from one loop to another, and where it is
// computed again.
TEST_CASE("attention in a loop, and in a checkpoint, has the derivatives that it has outside") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2, 5, 6>;
    constexpr auto step = [](auto h) {
      constexpr tl::attention_options o{.causal = true, .window = 3};
      return tl::scaled_dot_product_attention<o>(h, tl::sin(h), h * h + h);
    };
    auto once = step(step(step(x)));
    auto looped = tl::scan<3>(x, step);
    auto again = tl::checkpoint(once);
    return tl::outputs(tl::named<"once">(tl::grad(tl::sum(once * once), x)),
                       tl::named<"looped">(tl::grad(tl::sum(looped * looped), x)),
                       tl::named<"again">(tl::grad(tl::sum(again * again), x)));
  }};
  test::numbers random(3);
  const std::vector<double> x = random.vector(60);
  const auto r = f("x"_t = x);
  const std::vector<double> once = test::elements(r.get<"once">()),
                            looped = test::elements(r.get<"looped">()),
                            again = test::elements(r.get<"again">());
  for (std::size_t i = 0; i < once.size(); ++i) {
    INFO("element " << i);
    CHECK(looped[i] == test::Approx(once[i]).epsilon(1e-12).margin(1e-12));
    CHECK(again[i] == test::Approx(once[i]).epsilon(1e-12).margin(1e-12));
  }
}
