// SPDX-License-Identifier: BSL-1.0
// Views resolve to an offset and strides, as long as that is possible.
#include "catch.hpp"
#include "value_graph.hpp"

#include <tapeless/plan/access.hpp>

namespace {

struct found {
  bool possible = false;
  std::int64_t offset = 0, strides[4] = {};
  friend constexpr bool operator==(const found&, const found&) = default;
};

template <class View>
constexpr found resolved(View view) {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {4, 5, 6});
  tl::access a;
  found f;
  f.possible = tl::resolve(g, view(x).id, a);
  f.offset = a.offset;
  for (int i = 0; i < 4; ++i) f.strides[i] = a.strides[i];
  return f;
}

constexpr int exchange[] = {1, 0, 2};

static_assert(resolved([](tl::value x) { return x; }) == found{true, 0, {30, 6, 1}});
static_assert(resolved([](tl::value x) { return permute(x, exchange); }) == found{true, 0, {6, 30, 1}});
static_assert(resolved([](tl::value x) { return slice(x, 1, 2, 2, 2); }) == found{true, 12, {30, 12, 1}});
static_assert(resolved([](tl::value x) { return slice(slice(x, 1, 2, 2, 2), 1, 1, 1, 1); }) ==
              found{true, 24, {30, 0, 1}});
static_assert(resolved([](tl::value x) { return expand(x, {4, {3, 4, 5, 6}}); }) ==
              found{true, 0, {0, 30, 6, 1}});
static_assert(resolved([](tl::value x) { return expand(slice(x, 2, 3, 1, 1), {3, {4, 5, 6}}); }) ==
              found{true, 3, {30, 6, 0}});
static_assert(resolved([](tl::value x) { return reshape(x, {2, {20, 6}}); }) == found{true, 0, {6, 1}});
static_assert(resolved([](tl::value x) { return reshape(slice(x, 0, 1, 1, 2), {2, {2, 30}}); }) ==
              found{true, 30, {30, 1}});

// A reshape that splits axes, adds or drops axes of extent 1, keeps any strides; another one needs a copy.
static_assert(resolved([](tl::value x) { return reshape(permute(x, exchange), {4, {5, 4, 1, 6}}); }) ==
              found{true, 0, {6, 30, 0, 1}});
static_assert(resolved([](tl::value x) { return reshape(permute(x, exchange), {4, {5, 2, 2, 6}}); }) ==
              found{true, 0, {6, 60, 30, 1}});
static_assert(resolved([](tl::value x) { return reshape(slice(x, 2, 1, 1, 4), {4, {20, 1, 2, 2}}); }) ==
              found{false, 1, {}});
static_assert(!resolved([](tl::value x) { return reshape(permute(x, exchange), {2, {20, 6}}); }).possible);
static_assert(!resolved([](tl::value x) {
                 return reshape(permute(x, exchange), {4, {4, 5, 1, 6}});
               }).possible);
static_assert(!resolved([](tl::value x) {
                 return reshape(expand(slice(x, 0, 0, 1, 1), {3, {4, 5, 6}}), {2, {20, 6}});
               }).possible);

// With run-time extents, strides are numbers of the graph's table.
static_assert([] {
  tl::graph g;
  const std::int64_t n = g.extents.number(tl::dyn<"n">), m = g.extents.number(tl::dyn<"m">);
  const tl::value x = test::input<"x">(g, {4, n, m});
  tl::access a;
  return tl::resolve(g, permute(x, exchange).id, a) && a.strides[0] == m &&
         a.strides[1] == g.extents.multiply(n, m) && a.strides[2] == 1;
}());
static_assert([] {
  tl::graph g;
  const std::int64_t n = g.extents.number(tl::dyn<"n">), twice = g.extents.multiply(n, 2);
  const tl::value x = test::input<"x">(g, {3, twice, 7});
  tl::access a;
  return tl::resolve(g, reshape(permute(x, exchange), {4, {n, 2, 3, 7}}).id, a) && a.strides[0] == 14 &&
         a.strides[1] == 7 && a.strides[2] == g.extents.multiply(twice, 7) && a.strides[3] == 1;
}());

}  // namespace

TEST_CASE("views resolve to offsets and strides") { SUCCEED(); }
