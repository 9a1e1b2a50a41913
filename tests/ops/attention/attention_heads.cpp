// SPDX-License-Identifier: BSL-1.0
// Where heads stand among the axes.
#include <tapeless/ops/attention/attention_heads.hpp>

#include "catch.hpp"
#include "value_graph.hpp"

namespace {

constexpr bool has_shape(tl::value x, std::initializer_list<std::int64_t> extents) {
  const tl::node& n = x.get();
  return std::equal(n.shape, n.shape + n.rank, extents.begin(), extents.end());
}

/// Whether a permutation makes axis i of its operand's axes.
constexpr bool is_permutation(tl::value x, std::initializer_list<int> axes) {
  int i = 0;
  for (int axis : axes)
    if (tl::permuted_axis(x.get(), i++) != axis) return false;
  return x.is(tl::view_kind::permute);
}

}  // namespace

TEST_CASE("attention_heads: features become heads") {
  STATIC_REQUIRE([] {
    tl::graph g;
    return has_shape(tl::detail::split_heads(test::input<"x">(g, {2, 5, 12}), 3), {2, 5, 4, 3});
  }());
}

TEST_CASE("attention_heads: heads come before the length, and go back behind it") {
  STATIC_REQUIRE([] {
    tl::graph g;
    const tl::value first = tl::detail::heads_first(test::input<"x">(g, {2, 5, 4, 3}), 1);
    return has_shape(first, {2, 4, 5, 3}) && is_permutation(first, {0, 2, 1, 3}) &&
           has_shape(tl::detail::length_first(first, 1), {2, 5, 4, 3});
  }());
  STATIC_REQUIRE([] {
    tl::graph g;
    const tl::value first = tl::detail::heads_first(test::input<"x">(g, {2, 5, 4, 3, 7}), 2);
    const tl::value back = tl::detail::length_first(test::input<"y">(g, {2, 4, 3, 5, 7}), 2);
    return has_shape(first, {2, 4, 3, 5, 7}) && is_permutation(first, {0, 2, 3, 1, 4}) &&
           has_shape(back, {2, 5, 4, 3, 7}) && is_permutation(back, {0, 3, 1, 2, 4});
  }());
}

TEST_CASE("attention_heads: heads that share keys and values are neighbours") {
  STATIC_REQUIRE([] {
    tl::graph g;
    const tl::value x = tl::detail::grouped_heads_first(test::input<"x">(g, {2, 5, 6, 7}), 2);
    return has_shape(x, {2, 2, 3, 5, 7}) && has_shape(x.operand(0), {2, 5, 2, 3, 7});
  }());
}
