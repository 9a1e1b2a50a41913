// SPDX-License-Identifier: BSL-1.0
// Axes and counts of indexing and sorting as arguments, or left out.
// both compilers
// expect: index_add: its axis is a template argument: tl::index_add<0>(x, index, source)
// expect: index_copy: its axis is a template argument: tl::index_copy<0>(x, index, source)
// expect: index_fill: its axis is a template argument: tl::index_fill<0>(x, index, 1_c)
// expect: scatter: its axis is a template argument: tl::scatter<0>(x, index, source)
// expect: scatter_reduce: its axis and its reduction are template arguments: tl::scatter_reduce<0, tl::reduce::amax>(x, index, source)
// expect: topk: how many, and the axis, are template arguments: tl::topk<3, -1>(x)
// expect: sort: its axis is a template argument, and the order stands behind x: tl::sort<1>(x, tl::descending)
// expect: argsort: its axis is a template argument, and the order stands behind x: tl::argsort<1>(x, tl::descending)
// expect: tile: how often, for each axis, are template arguments: tl::tile<1, 2>(x)
// expect: repeat_interleave: its axis and how often are template arguments: tl::repeat_interleave<0, 2>(x)
// expect: gumbel_softmax: its name and its options are template arguments: tl::gumbel_softmax<"g", tl::gumbel{.tau = 0.5}>(x)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: decompose
// reject: no member
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4, 4>;
  auto index = tl::input<"index", std::int64_t, 4>;
  auto places = tl::input<"places", std::int64_t, 4, 4>;
#ifdef CORRECTED
  auto [largest, at] = tl::topk<2>(x);
  return tl::sum(tl::index_add<0>(x, index, x)) + tl::sum(tl::index_copy<0>(x, index, x)) +
         tl::sum(tl::index_fill<0>(x, index, 0_c)) + tl::sum(tl::scatter<0>(x, places, x)) +
         tl::sum(tl::scatter_reduce<0, tl::reduce::amax>(x, places, x)) + tl::sum(largest) +
         tl::sum(tl::sort<1>(x, tl::descending).values) + tl::sum(tl::sort<1>(x).values) +
         tl::sum(tl::gather<1>(x, tl::argsort<1>(x, tl::descending))) + tl::sum(tl::tile<2, 2>(x)) +
         tl::sum(tl::repeat_interleave<0, 2>(x)) + tl::sum(tl::gumbel_softmax<"g">(x));
#else
  auto [largest, at] = tl::topk(x, 2);
  return tl::sum(tl::index_add(x, 0, index, x)) + tl::sum(tl::index_add(x, index, x)) +
         tl::sum(tl::index_copy(x, 0, index, x)) + tl::sum(tl::index_fill(x, 0, index, 0_c)) +
         tl::sum(tl::scatter(x, 0, places, x)) + tl::sum(tl::scatter_reduce(x, 0, places, x, "amax")) +
         tl::sum(tl::scatter_reduce<0>(x, places, x)) + tl::sum(largest) + tl::sum(tl::topk(x).values) +
         tl::sum(tl::topk<2>(x, 1).values) + tl::sum(tl::sort(x, 1).values) +
         tl::sum(tl::sort(x, 1, true).values) + tl::sum(tl::sort<1>(x, true).values) +
         tl::sum(tl::gather<1>(x, tl::argsort(x, 1))) + tl::sum(tl::tile(x, 2, 2)) +
         tl::sum(tl::repeat_interleave(x, 2)) + tl::sum(tl::repeat_interleave(x, 2, 0)) +
         tl::sum(tl::repeat_interleave<2>(x)) + tl::sum(tl::gumbel_softmax(x, 1.0)) +
         tl::sum(tl::gumbel_softmax<"g">(x, 1.0));
#endif
};

int main() { model(); }
