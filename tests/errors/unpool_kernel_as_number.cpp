// SPDX-License-Identifier: BSL-1.0
// The kernel as a number, of poolings that say where their elements are, and back.
// expect: max_pool1d_with_indices: a pooling has its options as a template argument: tl::max_pool1d_with_indices<tl::pool{.kernel = 2}>(x)
// expect: max_unpool1d: a pooling has its options as a template argument: tl::max_unpool1d<tl::pool{.kernel = 2}>(x, index)
// expect: max_pool2d_with_indices: a pooling has its options as a template argument: tl::max_pool2d_with_indices<tl::pool{.kernel = 2}>(x)
// expect: max_unpool2d: a pooling has its options as a template argument: tl::max_unpool2d<tl::pool{.kernel = 2}>(x, index)
// expect: max_pool3d_with_indices: a pooling has its options as a template argument: tl::max_pool3d_with_indices<tl::pool{.kernel = 2}>(x)
// expect: max_unpool3d: a pooling has its options as a template argument: tl::max_unpool3d<tl::pool{.kernel = 2}>(x, index)
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
  auto [y1, index1] = tl::max_pool1d_with_indices<tl::pool{.kernel = 2}>(a);
  auto [y2, index2] = tl::max_pool2d_with_indices<tl::pool{.kernel = 2}>(b);
  auto [y3, index3] = tl::max_pool3d_with_indices<tl::pool{.kernel = 2}>(c);
  return tl::sum(tl::max_unpool1d<tl::pool{.kernel = 2}>(y1, index1)) +
         tl::sum(tl::max_unpool2d<tl::pool{.kernel = 2}>(y2, index2)) +
         tl::sum(tl::max_unpool3d<tl::pool{.kernel = 2}>(y3, index3));
#else
  auto [y1, index1] = tl::max_pool1d_with_indices<2>(a);
  auto [y2, index2] = tl::max_pool2d_with_indices<2>(b);
  auto [y3, index3] = tl::max_pool3d_with_indices<2>(c);
  return tl::sum(tl::max_unpool1d<2>(y1, index1)) + tl::sum(tl::max_unpool2d<2>(y2, index2)) +
         tl::sum(tl::max_unpool3d<2>(y3, index3));
#endif
};

int main() { model(); }
