// SPDX-License-Identifier: BSL-1.0
// info_nce_loss against PyTorch 2.15's cross_entropy of the logits: values and gradients; far logits, pairs
// that are left out, 16 bits.
#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <tapeless/ops/loss/info_nce_loss.hpp>

#include <cmath>
#include <limits>

namespace {

using tl::loss, tl::reduction;

constexpr auto n = tl::dyn<"n">;
constexpr loss each{.reduce = reduction::none};
constexpr loss both_ways{.reduce = reduction::none, .temperature = 0.5, .symmetric = true};
constexpr loss plain{.temperature = 1}, plain_both_ways{.temperature = 1, .symmetric = true};

using test::check;

template <tl::extent Batch>
struct pairs {
  constexpr auto operator()() const {
    auto q = tl::input<"q", double, Batch, 3>;
    auto k = tl::input<"k", double, Batch, 3>;
    auto mean = tl::info_nce_loss(q, k);
    auto both = tl::info_nce_loss<both_ways>(q, k);
    auto weights = tl::sample_weights(tl::input<"w", double, Batch>);
    return tl::outputs(tl::named<"each">(tl::info_nce_loss<each>(q, k)), tl::named<"mean">(mean),
                       tl::named<"mean by q">(tl::grad(mean, q)), tl::named<"mean by k">(tl::grad(mean, k)),
                       tl::named<"both">(both), tl::named<"both by q">(tl::grad(tl::sum(both), q)),
                       tl::named<"both by k">(tl::grad(tl::sum(both), k)),
                       tl::named<"weighted">(tl::info_nce_loss(q, k, weights)));
  }
};

}  // namespace

TEST_CASE("info_nce_loss and its gradients are those of PyTorch") {
  const auto q = test::numbers(1).vector(12), k = test::numbers(2).vector(12);
  const auto judge = [&](auto& f) {
    auto r = f("q"_t = q, "k"_t = k, "w"_t = std::vector<double>{2, 0.5, 1, 3});
    check(r.template get<"each">(), {0.94738707197, 1.1304185355, 20.958922708, 1.0333130153});
    check(r.template get<"mean">(), {6.0175103326});
    check(r.template get<"mean by q">(),
          {-0.13543980466, 0.054231961766, 1.4702606912, -1.5099462663, -0.74461322147, 0.21772843878,
           3.7053202948, 1.7124290309, -2.9416495229, -0.65763155211, -0.37534096298, 0.24159647232});
    check(r.template get<"mean by k">(),
          {1.9100055952, -1.0070432038, -0.4845960923, 0.62235294327, 1.697187408, -1.7222947401,
           -3.061816806, -1.0773329846, 3.4407401336, 0.52945826749, 0.38718878035, -1.2338493013});
    check(r.template get<"both">(), {1.0546595826, 1.8309511269, 2.8765559157, 1.7864159855});
    check(r.template get<"both by q">(),
          {0.28222955857, 0.18270131333, 0.61682270643, -1.0978502059, -0.61597668895, 0.69249748115,
           1.9136634261, 1.0738454109, -2.2078857333, -0.91087807109, -0.5547448292, 0.74008038042});
    check(r.template get<"both by k">(),
          {1.2277901188, -0.24161958573, -0.60927334244, 0.027681012233, 1.3776578514, -0.80557421456,
           -1.2432783918, -0.9593257788, 1.6444313724, 0.25567271188, 0.57094716707, -0.97508034941});
    check(r.template get<"weighted">(), {4.0798223331});
  };
  tl::function known{pairs<4>{}};
  tl::function bound{pairs<n>{}};
  judge(known);
  judge(bound);
}

TEST_CASE("info_nce_loss is finite where products are large, and 0 of one pair") {
  tl::function f{[] {
    auto q = tl::input<"q", double, n, 1>;
    auto k = tl::input<"k", double, n, 1>;
    auto l = tl::info_nce_loss<plain_both_ways>(q, k);
    return tl::outputs(tl::named<"l">(l), tl::named<"by q">(tl::grad(l, q)));
  }};
  auto far = f("q"_t = std::vector<double>{1000, -1000}, "k"_t = std::vector<double>{-2, 2});
  check(far.get<"l">(), {4000});
  check(far.get<"by q">(), {2, -2});
  auto one = f("q"_t = std::vector<double>{3}, "k"_t = std::vector<double>{-5});
  check(one.get<"l">(), {0});
  check(one.get<"by q">(), {0});
}

namespace {

template <loss Options>
struct weighted {
  constexpr auto operator()() const {
    auto q = tl::input<"q", double, n, 3>;
    auto k = tl::input<"k", double, n, 3>;
    auto l = tl::info_nce_loss<Options>(q, k, tl::sample_weights(tl::input<"w", double, n>));
    return tl::outputs(tl::named<"l">(l), tl::named<"by q">(tl::grad(l, q)),
                       tl::named<"by k">(tl::grad(l, k)));
  }
};

template <loss Options>
void leaves_out() {
  tl::function f{weighted<Options>{}};
  auto q = test::numbers(5).vector(9), k = test::numbers(6).vector(9);
  auto all = f("q"_t = q, "k"_t = k, "w"_t = std::vector<double>{2, 1, 3});
  const double with_all = all.template get<"l">()[0];
  for (auto* x : {&q, &k})
    for (std::size_t i = 3; i < 6; ++i) (*x)[i] = std::numeric_limits<double>::quiet_NaN();
  auto r = f("q"_t = q, "k"_t = k, "w"_t = std::vector<double>{2, 0, 3});
  const std::vector<double> l = test::elements(r.template get<"l">()),
                            by_q = test::elements(r.template get<"by q">()),
                            by_k = test::elements(r.template get<"by k">());
  CHECK(std::abs(l[0] - with_all) > 1e-3);
  for (auto* x : {&q, &k}) x->erase(x->begin() + 3, x->begin() + 6);
  auto two = f("q"_t = q, "k"_t = k, "w"_t = std::vector<double>{2, 3});
  check(two.template get<"l">(), l);
  const auto without = [](std::vector<double> x) {
    CHECK(std::vector<double>(x.begin() + 3, x.begin() + 6) == std::vector<double>{0, 0, 0});
    x.erase(x.begin() + 3, x.begin() + 6);
    return x;
  };
  check(two.template get<"by q">(), without(by_q));
  check(two.template get<"by k">(), without(by_k));
}

}  // namespace

TEST_CASE("a pair of the weight 0 is no negative either, and may be no numbers at all") {
  leaves_out<plain>();
  leaves_out<plain_both_ways>();
}

TEST_CASE("info_nce_loss in 16 bits has logits that 16 bits cannot hold") {
  tl::function f{[] {
    return tl::named<"y">(
        tl::info_nce_loss<each>(tl::input<"q", tl::f16, n, 1>, tl::input<"k", tl::f16, n, 1>));
  }};
  const std::vector<tl::f16> q{tl::f16(100), tl::f16(100)}, k{tl::f16(100), tl::f16(101)};
  auto r = f("q"_t = q, "k"_t = k);
  CHECK(float(r.get<"y">()[0]) == test::Approx(100 / 0.07).epsilon(1e-3));
  CHECK(float(r.get<"y">()[1]) == 0);
}
