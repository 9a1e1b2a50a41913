// SPDX-License-Identifier: BSL-1.0
// The kernel of a pooling as a number, and options as an argument.
// both compilers
// expect: max_pool1d: a pooling has its options as a template argument: tl::max_pool1d<tl::pool{.kernel = 2}>(x)
// expect: max_pool2d: a pooling has its options as a template argument: tl::max_pool2d<tl::pool{.kernel = 2}>(x)
// expect: max_pool3d: a pooling has its options as a template argument: tl::max_pool3d<tl::pool{.kernel = 2}>(x)
// expect: avg_pool1d: a pooling has its options as a template argument: tl::avg_pool1d<tl::pool{.kernel = 2}>(x)
// expect: avg_pool2d: a pooling has its options as a template argument: tl::avg_pool2d<tl::pool{.kernel = 2}>(x)
// expect: avg_pool3d: a pooling has its options as a template argument: tl::avg_pool3d<tl::pool{.kernel = 2}>(x)
// expect: lp_pool1d: a pooling has its options as a template argument: tl::lp_pool1d<tl::pool{.kernel = 2}>(x)
// expect: lp_pool2d: a pooling has its options as a template argument: tl::lp_pool2d<tl::pool{.kernel = 2}>(x)
// expect: lp_pool3d: a pooling has its options as a template argument: tl::lp_pool3d<tl::pool{.kernel = 2}>(x)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: decompose
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto a = tl::input<"a", float, 1, 1, 8>;
  auto b = tl::input<"b", float, 1, 1, 8, 8>;
  auto c = tl::input<"c", float, 1, 1, 8, 8, 8>;
#ifdef CORRECTED
  return tl::sum(tl::max_pool1d<tl::pool{.kernel = 2}>(a)) +
         tl::sum(tl::max_pool2d<tl::pool{.kernel = 2}>(b)) +
         tl::sum(tl::max_pool3d<tl::pool{.kernel = 2}>(c)) +
         tl::sum(tl::avg_pool1d<tl::pool{.kernel = 2}>(a)) +
         tl::sum(tl::avg_pool2d<tl::pool{.kernel = 2}>(b)) +
         tl::sum(tl::avg_pool3d<tl::pool{.kernel = 2}>(c)) +
         tl::sum(tl::lp_pool1d<tl::pool{.kernel = 2}>(a)) + tl::sum(tl::lp_pool2d<tl::pool{.kernel = 2}>(b)) +
         tl::sum(tl::lp_pool3d<tl::pool{.kernel = 2}>(c));
#else
  return tl::sum(tl::max_pool1d<2>(a)) + tl::sum(tl::max_pool2d<2>(b)) + tl::sum(tl::max_pool3d<2>(c)) +
         tl::sum(tl::avg_pool1d<2>(a)) + tl::sum(tl::avg_pool2d<2, 2>(b)) + tl::sum(tl::avg_pool3d<2>(c)) +
         tl::sum(tl::lp_pool1d<2>(a)) + tl::sum(tl::lp_pool2d(b, 2)) +
         tl::sum(tl::lp_pool3d(c, tl::pool{.kernel = 2}));
#endif
};

int main() { model(); }
