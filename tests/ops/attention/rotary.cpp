// SPDX-License-Identifier: BSL-1.0
// Rotary positions, counted and given, in both orders of features.
#include <cmath>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/ops/attention.hpp>

namespace {

constexpr auto batch = tl::dyn<"batch">, length = tl::dyn<"length">;
constexpr tl::rotary_options neighbours{.interleaved = true};

// sin(0.07 i^2), [2, 2, 3, 4] or less
std::vector<float> features(int count) {
  std::vector<float> x;
  for (int i = 0; i < count; ++i) x.push_back(std::sin(0.07f * static_cast<float>(i * i)));
  return x;
}

template <class T>
double distance(const T& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a[i]) - b[i]));
  return most;
}

// What is asked of values is refused as what a model asks for.
static_assert([] {
  tl::graph g;
  tl::rotary<tl::rotary_options{.base = -1}>(tl::make_constant(g, 1.0, tl::element::f32));
  return g.error.view() == "rotary takes a base that is positive, but got -1";
}());

// transformers 5.24 for features(48) and the positions {1, 1, 0} and {5, 6, 700}: apply_rotary_pos_emb of
// models.llama and of models.gptj.
const std::vector<double> of_llama{
    -0.23255, 0.06405,  0.14932,  0.58981,  -0.00369, 0.98678,  1.07204,  -0.27457, -0.97312, -0.57548,
    0.65699,  0.81619,  -1.09853, -0.67115, -0.01877, -0.04874, 0.10191,  0.98052,  -1.01776, 0.14664,
    0.27091,  -0.51921, 0.62686,  -0.62029, -0.04573, -0.26452, -0.53233, 0.67982,  -0.90881, 0.78773,
    0.43877,  -0.91705, -0.08217, 1.0827,   0.87551,  -0.11739, 0.60727,  1.01555,  -0.21315, -0.28701,
    -1.0831,  -0.9534,  -0.53672, -0.64318, 0.59494,  0.14071,  0.14887,  -0.72369};
const std::vector<double> of_gptj{
    -0.05885, 0.03779,  0.27045,  0.59188,  -0.34167, 1.28906,  0.58515,  -0.27859, -0.97312, -0.57548,
    0.65699,  0.81619,  0.23591,  -0.87561, 0.91461,  -0.03288, -1.25925, -0.14377, -0.63699, 0.13047,
    0.27091,  -0.51921, 0.62686,  -0.62029, -0.07964, -0.54236, -0.22921, 0.68158,  -0.75123, 0.98027,
    0.22478,  -0.95086, -0.85954, -0.32363, 0.00532,  -1.05627, 1.06571,  -0.07754, 0.53808,  -0.3109,
    -1.13124, -0.70213, -0.78143, -0.63285, 0.55187,  0.08243,  0.08102,  -0.77571};

}  // namespace

TEST_CASE("positions of each element of the batch, as transformers has them") {
  test::on_each_policy([]<class Policy>() {
    tl::function f{[] {
                     auto x = tl::input<"x", float, batch, 2, length, 4>;
                     auto positions = tl::input<"positions", std::int64_t, batch, length>;
                     return tl::outputs(tl::named<"halves">(tl::rotary(x, positions)),
                                        tl::named<"neighbours">(tl::rotary<neighbours>(x, positions)));
                   },
                   Policy{}};
    const std::vector<float> x = features(48);
    const std::vector<std::int64_t> positions{1, 1, 0, 5, 6, 700};
    const auto y = f("x"_t = x, "positions"_t = positions, "batch"_t = 2, "length"_t = 3);
    CHECK(distance(y.template get<"halves">(), of_llama) < 2e-5);
    CHECK(distance(y.template get<"neighbours">(), of_gptj) < 2e-5);
  });
}

TEST_CASE("positions that are given are those that are counted, where they are the same") {
  tl::function f{[] {
    auto x = tl::input<"x", double, batch, length, 6>;
    auto one = tl::input<"one", std::int32_t, length>;
    auto each = tl::input<"each", std::int32_t, batch, length>;
    auto all = tl::input<"all", std::uint8_t, 1, length>;
    auto counted = tl::rotary<100>(x);
    auto same = tl::rotary<tl::rotary_options{.base = 100, .interleaved = true}>(x);
    constexpr tl::rotary_options o{.base = 100};
    return tl::outputs(
        tl::named<"counted">(counted), tl::named<"one">(tl::rotary<100>(x, one)),
        tl::named<"each">(tl::rotary<o>(x, each)), tl::named<"all">(tl::rotary<o>(x, all)),
        tl::named<"neighbours">(same),
        tl::named<"given">(tl::rotary<tl::rotary_options{.base = 100, .interleaved = true}>(x, one)),
        tl::named<"back">(tl::rotary<o>(counted, -one)));
  }};
  std::vector<double> x(2 * 4 * 6);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i * i));
  const std::vector<std::int32_t> one{0, 1, 2, 3}, each{0, 1, 2, 3, 0, 1, 2, 3};
  const std::vector<std::uint8_t> all{0, 1, 2, 3};
  const auto y = f("x"_t = x, "one"_t = one, "each"_t = each, "all"_t = all, "batch"_t = 2, "length"_t = 4);
  const auto counted = test::elements(y.get<"counted">());
  CHECK(distance(y.get<"one">(), counted) == 0);
  CHECK(distance(y.get<"each">(), counted) == 0);
  CHECK(distance(y.get<"all">(), counted) == 0);
  CHECK(distance(y.get<"given">(), test::elements(y.get<"neighbours">())) == 0);
  CHECK(distance(y.get<"back">(), x) < 1e-14);
}

TEST_CASE("neighbours are turned as halves are, in another order") {
  tl::function f{[] {
    auto x = tl::input<"x", float, length, 6>;
    // 0 3 1 4 2 5 -> 0 1 2 3 4 5
    auto halves = tl::reshape<length, 6>(tl::permute<0, 2, 1>(tl::reshape<length, 3, 2>(x)));
    auto turned = tl::reshape<length, 6>(tl::permute<0, 2, 1>(tl::reshape<length, 2, 3>(tl::rotary(halves))));
    return tl::outputs(tl::named<"turned">(turned), tl::named<"neighbours">(tl::rotary<neighbours>(x)));
  }};
  const auto y = f("x"_t = features(30));
  CHECK(distance(y.get<"neighbours">(), test::elements(y.get<"turned">())) < 1e-6);
}

TEST_CASE("features of 16 bits at far positions") {
  tl::function f{[] {
    auto x = tl::input<"x", tl::bf16, length, 4>;
    auto positions = tl::input<"positions", std::int32_t, length>;
    auto exact = tl::rotary(tl::cast<float>(x), positions);
    return tl::outputs(tl::named<"y">(tl::cast<float>(tl::rotary(x, positions))), tl::named<"exact">(exact),
                       tl::named<"counted">(tl::cast<float>(tl::rotary(x))));
  }};
  const std::vector<tl::bf16> x(4 * 1024, tl::bf16(1));
  std::vector<std::int32_t> counted;
  for (int i = 0; i < 1024; ++i) counted.push_back(i);
  const auto y = f("x"_t = x, "positions"_t = counted);
  const auto exact = test::elements(y.get<"exact">());
  CHECK(distance(y.get<"y">(), exact) < 0.02);
  CHECK(distance(y.get<"counted">(), exact) < 0.02);
}

TEST_CASE("no features, and no positions") {
  tl::function f{[] {
    auto positions = tl::input<"positions", std::int32_t, length>;
    return tl::outputs(
        tl::named<"narrow">(tl::rotary<neighbours>(tl::input<"narrow", float, length, 0>, positions)),
        tl::named<"short">(tl::rotary<neighbours>(tl::input<"short", float, length, 2>, positions)));
  }};
  const auto y = f("narrow"_t = std::vector<float>{}, "short"_t = std::vector<float>{},
                   "positions"_t = std::vector<std::int32_t>{}, "length"_t = 0);
  CHECK(y.get<"short">().size() == 0);
}
