// SPDX-License-Identifier: BSL-1.0
// Views of views, in strange orders, and their gradients: against index arithmetic.
#include "catch.hpp"
#include "program.hpp"
#include "value_graph.hpp"

#include <numeric>

namespace {

constexpr auto n = tl::dyn<"n">;

// x[i][j][k] of the shape [n, 4, 6] is 24 i + 6 j + k.
constexpr auto model = [] {
  auto x = tl::input<"x", float, n, 4, 6>;
  auto row = tl::at<-1>(tl::input<"w", float, 2, 6>);
  auto sliced = tl::slice<-1, 1, 6, 2>(tl::slice<1, 1, 4>(x));                         // [n, 3, 3]
  auto permuted = tl::slice<0, 1, 3, 3>(tl::permute<2, 0, 1>(sliced));                 // [1, n, 3]
  auto expanded = tl::permute<1, 2, 0>(tl::slice<2, 2, 5>(tl::expand<n, 4, 6>(row)));  // [4, 3, n]
  return tl::outputs(
      tl::named<"sliced">(sliced), tl::named<"permuted">(permuted), tl::named<"expanded">(expanded),
      tl::named<"reshaped">(tl::reshape<n, 6, 2, 2>(tl::permute<0, 2, 1>(x))),
      tl::named<"again">(tl::reshape<4, n, 6>(tl::reshape<n, 24>(x))),
      tl::named<"padded">(tl::pad<0, 1, 2>(tl::pad<-1, 0, 1>(tl::slice<1, 0, -1, 2>(x)))),
      tl::named<"sum">(tl::reshape<24, n>(tl::permute<1, 2, 0>(x)) +
                       tl::reshape<24, 1>(tl::permute<1, 0>(tl::reshape<6, 4>(tl::at<0>(x))))));
};

constexpr auto gradients = [] {
  auto x = tl::input<"x", double, 3, 4>;
  auto picked = tl::slice<0, 0, 3, 2>(tl::permute<1, 0>(tl::slice<1, 1, 4>(x)));  // [2, 3]
  auto f = tl::sum(tl::square(tl::reshape<3, 2>(picked)) * tl::reshape<3, 2>(tl::slice<1, 0, 2>(x)));
  return tl::outputs(tl::named<"g">(tl::grad(f, x)));
};

constexpr auto empty = [] {
  auto x = tl::input<"x", float, n, 6>;
  return tl::outputs(tl::named<"padded">(tl::pad<0, 1, 2>(tl::slice<1, 0, 5>(x))),
                     tl::named<"copied">(tl::reshape<3, n, 2>(tl::permute<1, 0>(x))));
};

// Whether f of a vector of three elements is refused.
template <class F>
constexpr bool is_refused(F f) {
  tl::graph g;
  f(test::input<"x">(g, {3}));
  return g.failed();
}

constexpr int axes[] = {0, 0};
static_assert(is_refused([](tl::value x) { transpose_last(x); }));
static_assert(is_refused([](tl::value x) { permute(tl::unsqueeze<0>(x), axes); }));
static_assert(!is_refused([](tl::value x) { permute(x, axes); }));
static_assert(is_refused([](tl::value x) { slice(x, 1, 0, 1, 1); }));
static_assert(is_refused([](tl::value x) { slice(x, 0, 2, 1, 2); }));
static_assert(is_refused([](tl::value x) { slice(x, 0, 0, 2, 3); }));
static_assert(is_refused([](tl::value x) { slice(x, 0, 0, 0, 3); }));
static_assert(!is_refused([](tl::value x) { slice(x, -1, 0, 2, 2); }));
static_assert(!is_refused([](tl::value x) { slice(x, 0, 3, 1, 0); }));
static_assert(is_refused([](tl::value x) { pad(x, 1, 0, 1, 4); }));
static_assert(is_refused([](tl::value x) { flip(x, 1); }));
static_assert(is_refused([](tl::value x) { unsqueeze(x, 2); }));
static_assert(is_refused([](tl::value x) { tl::concat<1>(x, x); }));
static_assert(is_refused([](tl::value x) { tl::concat<0>(x, tl::unsqueeze<0>(x)); }));
static_assert(is_refused([](tl::value x) { tl::stack<0>(x, tl::slice<0, 0, 2>(x)); }));
static_assert(is_refused([](tl::value x) { gather(x, 1, tl::cast<std::int64_t>(x)); }));
static_assert(!is_refused([](tl::value x) { tl::cumsum<0>(tl::flip<0>(tl::concat<0>(x, x))); }));

}  // namespace

TEST_CASE("views of views") {
  tl::function f{model};
  for (const std::size_t count : {1u, 2u, 5u}) {
    std::vector<float> x(count * 24), w(12);
    std::iota(x.begin(), x.end(), 0.0f);
    std::iota(w.begin(), w.end(), 100.0f);
    auto r = f("x"_t = x, "w"_t = w);
    const auto at = [&](std::size_t i, std::size_t j, std::size_t k) { return x[24 * i + 6 * j + k]; };
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k)
          CHECK(r.get<"sliced">()[(i * 3 + j) * 3 + k] == at(i, j + 1, 2 * k + 1));
      for (std::size_t j = 0; j < 3; ++j) CHECK(r.get<"permuted">()[i * 3 + j] == at(i, j + 1, 3));
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < 3; ++k)
          CHECK(r.get<"expanded">()[(j * 3 + k) * count + i] == static_cast<float>(108 + k));
      for (std::size_t j = 0; j < 24; ++j) {
        CHECK(r.get<"reshaped">()[24 * i + j] == at(i, j % 4, j / 4));
        CHECK(r.get<"sum">()[j * count + i] == at(i, j / 6, j % 6) + x[(j % 6) * 4 + j / 6]);
      }
    }
    CHECK(r.get<"permuted">().shape()[0] == 1);
    CHECK(r.get<"again">().shape()[1] == static_cast<std::int64_t>(count));
    CHECK(test::elements(r.get<"again">()) == std::vector<double>(x.begin(), x.end()));
    REQUIRE(r.get<"padded">().size() == (count + 3) * 14);
    for (std::size_t i = 0; i < count + 3; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        for (std::size_t k = 0; k < 7; ++k) {
          const bool inside = i >= 1 && i <= count && k < 6;
          CHECK(r.get<"padded">()[(i * 2 + j) * 7 + k] == (inside ? at(i - 1, 2 * j, k) : 0));
        }
  }
}

TEST_CASE("views of nothing") {
  tl::function f{empty};
  auto r = f("x"_t = std::vector<float>{});
  CHECK(r.get<"padded">().size() == 15);
  for (float number : r.get<"padded">()) CHECK(number == 0);
  CHECK(r.get<"copied">().size() == 0);
  CHECK(r.get<"copied">().shape()[1] == 0);
}

TEST_CASE("gradients through views") {
  tl::function f{gradients};
  const auto x = test::numbers().vector(12);
  auto r = f("x"_t = x);
  std::vector<double> expected(12);
  for (std::size_t p = 0; p < 6; ++p) {
    const std::size_t squared = (p % 3) * 4 + 1 + 2 * (p / 3);  // the place in x of picked element p
    const std::size_t factor = p / 2 * 4 + p % 2;
    expected[squared] += 2 * x[squared] * x[factor];
    expected[factor] += x[squared] * x[squared];
  }
  for (std::size_t i = 0; i < 12; ++i) CHECK(r.get<"g">()[i] == test::Approx(expected[i]).margin(1e-14));
}
