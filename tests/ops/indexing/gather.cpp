// SPDX-License-Identifier: BSL-1.0
// both compilers: see tests/CMakeLists.txt
#include "catch.hpp"
#include "program.hpp"

using vector = std::vector<double>;

TEST_CASE("gather picks along an axis, and its gradient adds up where an index repeats") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 3, 2>;
    auto index = tl::input<"index", std::int64_t, 4, 2>;
    auto g = tl::input<"g", double, 4, 2>;
    auto y = tl::gather<0>(x, index);
    return tl::outputs(tl::named<"y">(y), tl::named<"dx">(tl::vjp(y, x, g)),
                       tl::named<"dg">(tl::grad(tl::sum(tl::square(tl::vjp(y, x, g))), g)));
  }};
  const vector x{1, 2, 3, 4, 5, 6}, g{1, 10, 2, 20, 3, 30, 4, 40};
  const std::vector<std::int64_t> index{0, 2, 0, 1, 2, 1, 0, 0};
  auto r = f("x"_t = x, "index"_t = index, "g"_t = g);
  CHECK(test::elements(r.get<"y">()) == vector{1, 6, 1, 4, 5, 4, 1, 2});
  CHECK(test::elements(r.get<"dx">()) == vector{7, 40, 0, 50, 3, 10});
  CHECK(test::elements(r.get<"dg">()) == vector{14, 20, 14, 100, 6, 100, 14, 80});
}

TEST_CASE("the rows of an index may be shorter than those of what it picks from") {
  tl::function f{[] {
    return tl::named<"y">(tl::gather<1>(tl::input<"x", float, 3, 4>, tl::input<"index", std::int32_t, 2, 1>));
  }};
  const std::vector<float> x{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const std::vector<std::int32_t> index{3, 1};
  auto r = f("x"_t = x, "index"_t = index);
  CHECK(test::elements(r.get<"y">()) == vector{3, 5});
}

TEST_CASE("index_select picks slices, of run-time extents, too") {
  tl::function f{[] {
    auto x = tl::input<"x", double, tl::dyn<"n">, 3>;
    auto index = tl::input<"index", std::int32_t, tl::dyn<"k">>;
    auto y = tl::index_select<0>(x, index);
    return tl::outputs(tl::named<"y">(y), tl::named<"dx">(tl::grad(tl::sum(tl::square(y)), x)),
                       tl::named<"last">(tl::index_select<-1>(x, tl::cast<std::int32_t>(index))));
  }};
  const vector x{1, 2, 3, 4, 5, 6};
  const std::vector<std::int32_t> index{1, 0, 1};
  auto r = f("x"_t = x, "index"_t = index);
  CHECK(test::elements(r.get<"y">()) == vector{4, 5, 6, 1, 2, 3, 4, 5, 6});
  CHECK(test::elements(r.get<"dx">()) == vector{2, 4, 6, 16, 20, 24});
  CHECK(test::elements(r.get<"last">()) == vector{2, 1, 2, 5, 4, 5});
}

TEST_CASE("embedding looks rows up") {
  tl::function f{[] {
    auto table = tl::input<"table", float, 4, 2>;
    auto index = tl::input<"index", std::int32_t, tl::dyn<"batch">, 2>;
    return tl::named<"y">(tl::embedding(table, index));
  }};
  const std::vector<float> table{0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<std::int32_t> index{3, 0, 1, 1};
  auto r = f("table"_t = table, "index"_t = index);
  CHECK(test::elements(r.get<"y">()) == vector{6, 7, 0, 1, 2, 3, 2, 3});
}

TEST_CASE("scatter_add adds to what is there") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2, 3>;
    auto index = tl::input<"index", std::int32_t, 2, 4>;
    auto source = tl::input<"source", double, 2, 4>;
    auto y = tl::scatter_add<-1>(x, index, source);
    return tl::outputs(tl::named<"y">(y), tl::named<"ds">(tl::grad(tl::sum(tl::square(y)), source)));
  }};
  const vector x{100, 200, 300, 400, 500, 600}, source{1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<std::int32_t> index{0, 0, 2, 0, 1, 1, 1, 2};
  auto r = f("x"_t = x, "index"_t = index, "source"_t = source);
  CHECK(test::elements(r.get<"y">()) == vector{107, 200, 303, 400, 518, 608});
  CHECK(test::elements(r.get<"ds">()) == vector{214, 214, 606, 214, 1036, 1036, 1036, 1216});
}

TEST_CASE("an index out of range is an error, from an input or computed") {
  const std::vector<float> x{1, 2, 3};
  const std::vector<std::int32_t> index{0, 3};
  tl::function bound{
      [] { return tl::gather<0>(tl::input<"x", float, 3>, tl::input<"index", std::int32_t, 2>); }};
  CHECK_THROWS_WITH(bound("x"_t = x, "index"_t = index), test::contains("\"index\"") && test::contains("3"));
  tl::function computed{
      [] { return tl::gather<0>(tl::input<"x", float, 3>, tl::input<"index", std::int32_t, 2> - 1_c); }};
  CHECK_THROWS_WITH(computed("x"_t = x, "index"_t = index),
                    test::contains("an index is -1, but must be from 0 to below 3"));
}

TEST_CASE("an index is an error where its place is no number and rows are fetched ahead of their turn") {
  constexpr std::int64_t count = 1024, width = 320;  // far: more than a cache holds
  const std::vector<float> x(count * width), g(12 * width);
  std::vector<std::int64_t> index(12, 1);
  index.back() = std::int64_t{1} << 62;
  const auto is_refused = test::contains("an index is 4611686018427387903, but must be from 0 to below 1024");
  tl::function picked{[] {
    auto index = tl::input<"index", std::int64_t, 12> - 1_c;
    return tl::named<"y">(tl::index_select<0>(tl::input<"x", float, count, width>, index));
  }};
  CHECK_THROWS_WITH(picked("x"_t = x, "index"_t = index), is_refused);
  tl::function added{[] {
    auto x = tl::input<"x", float, count, width>;
    auto index = tl::input<"index", std::int64_t, 12> - 1_c;
    auto g = tl::input<"g", float, 12, width>;
    return tl::named<"dx">(tl::vjp(tl::index_select<0>(x, index), x, g));
  }};
  CHECK_THROWS_WITH(added("x"_t = x, "index"_t = index, "g"_t = g), is_refused);
}
