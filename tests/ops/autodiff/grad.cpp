// SPDX-License-Identifier: BSL-1.0
// Derivatives by several values at once: inputs, parameters and what is computed of them.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", double, 3>;
  auto w = tl::param<"w", double, 3>(tl::fill(2));
  auto h = x * w;
  auto y = tl::sum(tl::cube(h));
  auto [by_x, by_w, by_h] = tl::grad(y, x, w, h);
  auto [second_x, second_w] = tl::grad(tl::dot(by_x, by_w), x, w);
  auto [back_x, back_w] = tl::vjp(h, tl::pack(x, w), x);
  return tl::outputs(tl::named<"by x">(by_x), tl::named<"by w">(by_w), tl::named<"by h">(by_h),
                     tl::named<"second x">(second_x), tl::named<"second w">(second_w),
                     tl::named<"back x">(back_x), tl::named<"back w">(back_w),
                     tl::named<"along">(tl::jvp(h, tl::pack(x, w), tl::pack(w, x))),
                     tl::named<"alone x">(tl::grad(y, x)), tl::named<"alone w">(tl::grad(y, w)));
};

// Two gradients of one sweep are three nodes more than one of them: they share what is inside.
struct one {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, 3>;
    auto w = tl::param<"w", double, 3>;
    return tl::outputs(tl::named<"x">(tl::grad(tl::sum(tl::tanh(tl::exp(x * w))), x)));
  }
};
struct two {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, 3>;
    auto w = tl::param<"w", double, 3>;
    auto [by_x, by_w] = tl::grad(tl::sum(tl::tanh(tl::exp(x * w))), x, w);
    return tl::outputs(tl::named<"x">(by_x), tl::named<"w">(by_w));
  }
};

}  // namespace

TEST_CASE("grad, vjp and jvp by several values are the derivatives by each of them") {
  test::on_each_policy([]<class Policy>() {
    tl::function<std::remove_const_t<decltype(model)>, Policy> f{model};
    const std::vector<double> x{1, 2, 3};
    auto r = f("x"_t = x);
    const auto check = [](const auto& view, auto expected) {
      for (std::size_t i = 0; i < 3; ++i) CHECK(view[i] == test::Approx(expected(double(i + 1), 2.0)));
    };
    check(r.template get<"by x">(), [](double a, double w) { return 3 * a * a * w * w * w; });
    check(r.template get<"by w">(), [](double a, double w) { return 3 * a * a * a * w * w; });
    check(r.template get<"by h">(), [](double a, double w) { return 3 * a * a * w * w; });
    const auto power = [](double a) { return a * a * a * a; };
    check(r.template get<"second x">(), [&](double a, double w) { return 45 * power(a * w) * w; });
    check(r.template get<"second w">(), [&](double a, double w) { return 45 * power(a * w) * a; });
    check(r.template get<"back x">(), [](double a, double w) { return a * w; });
    check(r.template get<"back w">(), [](double a, double) { return a * a; });
    check(r.template get<"along">(), [](double a, double w) { return w * w + a * a; });
    CHECK(test::elements(r.template get<"by x">()) == test::elements(r.template get<"alone x">()));
    CHECK(test::elements(r.template get<"by w">()) == test::elements(r.template get<"alone w">()));
  });
}

TEST_CASE("several gradients come from one sweep") {
  constexpr int alone = tl::constant_graph_of<tl::lower<one>>.nodes.size(),
                both = tl::constant_graph_of<tl::lower<two>>.nodes.size();
  CHECK(both > alone);
  CHECK(both <= alone + 3);
}
