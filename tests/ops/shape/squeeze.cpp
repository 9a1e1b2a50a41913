// SPDX-License-Identifier: BSL-1.0
// Axes of extent 1, left out and new.
#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto n = tl::dyn<"n">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 1, n, 1, 2>;
  auto y = tl::squeeze<0, -2>(x);
  auto scalar = tl::sum(y);
  return tl::outputs(tl::named<"one">(tl::squeeze<2>(x)), tl::named<"both">(y),
                     tl::named<"front">(tl::unsqueeze<0>(y)), tl::named<"middle">(tl::unsqueeze<-2>(y)),
                     tl::named<"last">(tl::unsqueeze<-1>(y)), tl::named<"behind">(tl::unsqueeze<2>(y)),
                     tl::named<"vector">(tl::unsqueeze<0>(scalar)),
                     tl::named<"scalar">(tl::squeeze<0>(scalar)),
                     tl::named<"columns">(tl::unsqueeze<1>(tl::squeeze<0>(x)) + tl::unsqueeze<0>(y)));
};

template <class View>
std::vector<std::int64_t> shape_of(const View& view) {
  return {view.shape().begin(), view.shape().end()};
}
using extents = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("axes of extent 1 go and come") {
  tl::function f{model};
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  auto r = f("x"_t = x);
  CHECK(shape_of(r.get<"one">()) == extents{1, 3, 2});
  CHECK(shape_of(r.get<"both">()) == extents{3, 2});
  CHECK(shape_of(r.get<"front">()) == extents{1, 3, 2});
  CHECK(shape_of(r.get<"middle">()) == extents{3, 1, 2});
  CHECK(shape_of(r.get<"last">()) == extents{3, 2, 1});
  CHECK(shape_of(r.get<"behind">()) == extents{3, 2, 1});
  CHECK(shape_of(r.get<"vector">()) == extents{1});
  CHECK(shape_of(r.get<"scalar">()).empty());
  CHECK(shape_of(r.get<"columns">()) == extents{3, 1, 3, 2});
  CHECK(test::elements(r.get<"middle">()) == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(r.get<"vector">()[0] == 21);
  CHECK(r.get<"columns">()[17] == 12);
}
