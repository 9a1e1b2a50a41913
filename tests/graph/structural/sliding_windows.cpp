// SPDX-License-Identifier: BSL-1.0
// Windows, poolings and convolutions carry what they were built with; so do their transposes.
#include "catch.hpp"
#include "value_graph.hpp"

#include <tapeless/graph/structural/sliding_windows.hpp>
#include <tapeless/ops/spatial/convolve.hpp>
#include <tapeless/ops/spatial/max_windows.hpp>
#include <tapeless/ops/spatial/mean_windows.hpp>

namespace {

constexpr bool same(const tl::window& a, const tl::window& b) {
  return a.size == b.size && a.stride == b.stride && a.dilation == b.dilation;
}
constexpr bool same(const tl::spatial_windows& a, const tl::spatial_windows& b) {
  bool equal = a.axes == b.axes;
  for (int s = 0; s < tl::max_spatial; ++s)
    equal = equal && same(a.along[s], b.along[s]) && a.padding[s] == b.padding[s];
  return equal;
}

static_assert([] {
  tl::graph g;
  const tl::value x = test::input<"x">(g, {2, 11});
  constexpr tl::window w{3, 2, 4};
  const tl::value seen = windows(x, 1, w), added = overlap_add(seen, 1, w, 11);
  const tl::sliding_windows of_view = windows_of(seen.get()), of_sum = windows_of(added.get(), seen.get());
  return of_view.axis == 1 && same(of_view.each, w) && of_sum.axis == 1 && same(of_sum.each, w);
}());

// Of sequences and of images: what is along an axis that is not there is as in a new node.
constexpr tl::spatial_windows in_sequences{1, {{3, 2}}, {1}}, in_images{2, {{3, 2}, {2, 1}}, {1, 0}};

template <int Axes>
constexpr tl::value image(tl::graph& g) {
  if constexpr (Axes == 1) return test::input<"x">(g, {2, 4, 9});
  if constexpr (Axes == 2) return test::input<"x">(g, {2, 4, 9, 8});
}

template <int Axes>
constexpr bool pools(const tl::spatial_windows& w) {
  tl::graph g;
  const tl::value x = image<Axes>(g);
  const tl::pooling_windows all = pooling_of(tl::largest_in_windows(x, w).get()),
                            inside = pooling_of(mean_of_windows(x, {w, false}).get());
  return same(all.windows, w) && all.counts_padding && same(inside.windows, w) && !inside.counts_padding;
}
static_assert(pools<1>(in_sequences) && pools<2>(in_images));

// The transposes have the windows and groups of what they are the transposes of.
template <int Axes>
constexpr bool convolves(tl::spatial_windows w) {
  for (int s = 0; s < Axes; ++s) w.along[s].dilation = 2 + s;
  tl::graph g;
  const tl::value x = image<Axes>(g);
  tl::shape_list s{2 + Axes, {6, 2}};
  for (int i = 0; i < Axes; ++i) s.extents[2 + i] = w.along[i].size;
  const tl::value weight = make_input(g, &tl::interned<"w">, tl::element::f32, s);
  const tl::value y = convolve(x, weight, w, 2);
  const tl::value operands[] = {x, weight};
  const tl::value of_x = tl::convolve_operation::cotangent_of(0, y, operands, y),
                  of_weight = tl::convolve_operation::cotangent_of(1, y, operands, y);
  for (const tl::value& v : {y, of_x, of_weight}) {
    const tl::convolution_windows c = convolution_of(v.get(), weight.get());
    if (!same(c.windows, w) || c.groups != 2) return false;
  }
  return of_x.is(tl::convolution_part::x) && shape_of(of_x) == shape_of(x) &&
         of_weight.is(tl::convolution_part::weight) && shape_of(of_weight) == shape_of(weight);
}
static_assert(convolves<1>(in_sequences) && convolves<2>(in_images));

}  // namespace

TEST_CASE("windows are constants") { SUCCEED(); }
