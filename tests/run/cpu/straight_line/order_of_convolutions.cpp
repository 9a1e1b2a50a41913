// SPDX-License-Identifier: BSL-1.0
// Convolutions, their transposes and gradients as straight-line code have the bits of tables of kernels: with
// rows and channels below, at and above vectors' widths, all kinds of windows, infinities and numbers so
// small that products vanish.
#include <tapeless/run/common/order_of_convolutions.hpp>

#include <tapeless/ops/spatial.hpp>

#include "run/cpu/straight_line/same_bits.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::operand_kind;

namespace {

struct windows {
  int kernel[2], stride[2] = {1, 1}, padding[2] = {0, 0}, dilation[2] = {1, 1}, groups = 1;
  bool is_transposed = false;

  constexpr tl::conv options() const {
    return {.stride = {stride[0], stride[1]},
            .padding = {padding[0], padding[1]},
            .dilation = {dilation[0], dilation[1]},
            .groups = groups};
  }
  constexpr int positions(int axis, int extent) const {
    const int last = dilation[axis] * (kernel[axis] - 1);
    return is_transposed ? (extent - 1) * stride[axis] - 2 * padding[axis] + last + 1
                         : (extent + 2 * padding[axis] - last - 1) / stride[axis] + 1;
  }
};
constexpr windows square(int kernel, int padding = 0) {
  return {{kernel, kernel}, {1, 1}, {padding, padding}};
}

/// x is [batch, in, rows, columns].
struct extents {
  int batch, in, out, rows, columns;

  constexpr int weights(const windows& w) const { return in * out / w.groups * w.kernel[0] * w.kernel[1]; }
  constexpr int positions(const windows& w) const { return w.positions(0, rows) * w.positions(1, columns); }
};

template <class T, extents E, windows W, tl::extent Batch>
constexpr auto convolution = [] {
  constexpr int first = W.is_transposed ? E.in : E.out, second = W.is_transposed ? E.out : E.in;
  constexpr int height = W.positions(0, E.rows), width = W.positions(1, E.columns);
  auto x = tl::input<"x", T, Batch, E.in, E.rows, E.columns>;
  auto w = tl::input<"w", T, first, second / W.groups, W.kernel[0], W.kernel[1]>;
  auto t = tl::input<"t", T, Batch, E.out, height, width>;
  const auto all = [&](auto y) {
    return tl::outputs(tl::named<"y">(y), tl::named<"of x">(tl::vjp(y, x, t)),
                       tl::named<"of w">(tl::vjp(y, w, t)));
  };
  if constexpr (W.is_transposed) {
    return all(tl::conv_transpose2d<W.options()>(x, w));
  } else {
    return all(tl::conv2d<W.options()>(x, w));
  }
};

template <class T, extents E, windows W>
void check_in_rows(operand_kind of) {
  const auto some = [&](int count, unsigned seed, operand_kind kind) {
    return test::some_numbers<T>(static_cast<std::size_t>(count), seed, kind);
  };
  const int count = E.batch * E.in * E.rows * E.columns, positions = E.batch * E.out * E.positions(W);
  const bool is_extreme = of == operand_kind::extreme;
  const auto compare = [](const auto& x, const auto& w, const auto& t) {
    test::check_same_bits<"y", "of x", "of w">(convolution<T, E, W, E.batch>,
                                               convolution<T, E, W, tl::dyn<"batch">>, "x"_t = x, "w"_t = w,
                                               "t"_t = t);
  };
  // One factor is usual, so that few sums are no numbers.
  const auto usual = is_extreme ? operand_kind::usual : of;
  compare(some(count, 1, of), some(E.weights(W), 2, usual), some(positions, 3, usual));
  if (!is_extreme) return;
  compare(some(count, 1, usual), some(E.weights(W), 2, of), some(positions, 3, usual));
  compare(some(count, 1, usual), some(E.weights(W), 2, usual), some(positions, 3, of));
}
/// Where rows have room in registers.
template <class T, extents E, windows W>
void check(operand_kind of = operand_kind::usual) {
  constexpr int columns = W.positions(1, E.columns);
  if constexpr ((columns > E.columns ? columns : E.columns) <= 4 * tl::bare_kernels::vector_width<T>)
    check_in_rows<T, E, W>(of);
}
template <class T, extents E, windows W>
void check_all_numbers() {
  check<T, E, W>();
  check<T, E, W>(operand_kind::extreme);
  check<T, E, W>(operand_kind::tiny);
}

constexpr tl::gradient_order order_of(const extents& e, const windows& w, std::int64_t width) {
  tl::convolution_arguments c{.groups = w.groups, .batch = e.batch, .in = e.in, .out = e.out};
  for (int d = 0; d < 2; ++d) {
    c.image[d] = d == 0 ? e.rows : e.columns;
    c.positions[d] = w.positions(d, static_cast<int>(c.image[d]));
    c.kernel[d] = w.kernel[d], c.stride[d] = w.stride[d], c.dilation[d] = w.dilation[d];
    c.padding[d] = w.padding[d];
  }
  return tl::order_of_gradient(c, width);
}

}  // namespace

TEST_CASE("the order of a gradient depends on extents and the width of vectors") {
  using enum tl::gradient_order;
  STATIC_REQUIRE(order_of({1, 1, 8, 28, 28}, square(3, 1), 16) == over_columns);  // of one channel
  STATIC_REQUIRE(order_of({1, 8, 16, 14, 14}, square(3, 1), 16) == over_pixels);  // fewer vectors
  STATIC_REQUIRE(order_of({1, 8, 16, 16, 16}, square(3, 1), 16) == over_columns);
  STATIC_REQUIRE(order_of({1, 8, 17, 16, 16}, square(3, 1), 16) == over_columns);
  STATIC_REQUIRE(order_of({1, 3, 16, 14, 14}, square(3, 1), 16) == over_columns);  // too few channels
  STATIC_REQUIRE(order_of({5, 8, 16, 14, 14}, square(3, 1), 16) == in_blocks);     // too many products
  STATIC_REQUIRE(order_of({1, 1, 4, 16, 65}, square(3, 1), 16) == in_blocks);      // long rows
  STATIC_REQUIRE(order_of({1, 1, 4, 16, 64}, square(3, 1), 16) == over_columns);
  STATIC_REQUIRE(order_of({1, 1, 4, 16, 64}, square(9, 4), 16) == in_blocks);  // long windows
  STATIC_REQUIRE(order_of({1, 1, 1, 4, 256}, square(1), 16) == over_columns);  // 1,024 products
  STATIC_REQUIRE(order_of({1, 1, 1, 5, 256}, square(1), 16) == in_blocks);
}

TEMPLATE_TEST_CASE("rows around the vectors' widths have the same bits", "", float, double) {
  check_all_numbers<TestType, extents{2, 3, 5, 6, 3}, square(3, 1)>();
  check<TestType, extents{3, 2, 3, 5, 4}, square(3, 1)>();
  check<TestType, extents{1, 2, 9, 7, 5}, square(2)>();
  check_all_numbers<TestType, extents{2, 1, 8, 8, 8}, square(3, 1)>();
  check_all_numbers<TestType, extents{2, 2, 6, 4, 9}, square(3)>();
  check_all_numbers<TestType, extents{1, 3, 4, 6, 12}, square(5)>();
  check_all_numbers<TestType, extents{1, 2, 7, 9, 16}, square(3, 1)>();
}
TEST_CASE("long rows have the same bits") {
  check<float, extents{1, 2, 3, 5, 15}, square(3, 2)>();
  check<float, extents{1, 2, 3, 5, 17}, square(3, 1)>();
  check_all_numbers<float, extents{1, 1, 8, 28, 28}, square(3, 1)>();
  check<float, extents{1, 1, 6, 28, 28}, square(5, 2)>();
  check<float, extents{2, 1, 2, 3, 32}, square(7, 3)>();
  check<float, extents{1, 2, 2, 4, 33}, square(3, 1)>();
  check<float, extents{1, 1, 2, 4, 64}, square(8, 3)>();
  check<double, extents{1, 1, 3, 5, 32}, square(3, 1)>();
}
TEMPLATE_TEST_CASE("vectors of channels have the same bits", "", float, double) {
  check_all_numbers<TestType, extents{1, 8, 16, 7, 7}, square(3, 1)>();
  check<TestType, extents{1, 6, 17, 6, 6}, square(5)>();
  check_all_numbers<TestType, extents{3, 4, 24, 3, 3}, square(3, 1)>();
  check<TestType, extents{1, 32, 33, 4, 4}, square(3, 1)>();
  check<TestType, extents{2, 13, 8, 5, 7}, square(1)>();
  check<TestType, extents{1, 4, 40, 2, 2}, square(1)>();
  check<TestType, extents{1, 12, 8, 7, 8}, square(4, 2)>();
}
TEST_CASE("strides, dilations and groups have the same bits") {
  check_all_numbers<float, extents{2, 2, 2, 7, 6}, windows{{3, 3}, {2, 2}, {1, 1}}>();
  check<float, extents{1, 2, 2, 7, 8}, windows{{3, 2}, {3, 3}, {1, 1}}>();
  check_all_numbers<float, extents{2, 6, 8, 9, 7}, windows{{3, 3}, {2, 1}, {1, 1}}>();
  check<float, extents{2, 6, 20, 9, 7}, windows{{3, 3}, {3, 1}, {1, 2}, {2, 2}}>();
  check<float, extents{1, 1, 2, 12, 4}, windows{{2, 3}, {5, 1}, {1, 1}}>();
  check<float, extents{1, 4, 4, 8, 8}, windows{{3, 3}, {1, 1}, {2, 2}, {2, 2}, 2}>();
  check_all_numbers<float, extents{1, 6, 6, 8, 8}, windows{{3, 3}, {1, 1}, {1, 1}, {1, 1}, 6}>();
  check<float, extents{1, 8, 48, 6, 6}, windows{{3, 3}, {1, 1}, {1, 1}, {1, 1}, 2}>();
  check<double, extents{1, 1, 2, 9, 5}, windows{{2, 2}, {2, 2}, {0, 1}, {3, 3}}>();
}
TEST_CASE("sequences have the same bits") {
  check_all_numbers<float, extents{3, 4, 6, 1, 13}, windows{{1, 5}, {1, 1}, {0, 2}}>();
  check<float, extents{1, 16, 9, 1, 16}, windows{{1, 3}, {1, 1}, {0, 1}}>();
  check<float, extents{2, 2, 3, 1, 21}, windows{{1, 4}, {1, 3}}>();
}
TEST_CASE("transposed convolutions have the same bits") {
  check_all_numbers<float, extents{2, 3, 4, 5, 6}, windows{.kernel = {3, 3}, .is_transposed = true}>();
  check<float, extents{1, 8, 4, 5, 5}, windows{.kernel = {3, 3}, .padding = {1, 1}, .is_transposed = true}>();
  check<float, extents{1, 2, 2, 4, 3},
        windows{.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}, .is_transposed = true}>();
  check<float, extents{1, 6, 8, 4, 6},
        windows{.kernel = {4, 3}, .stride = {2, 1}, .padding = {1, 1}, .groups = 2, .is_transposed = true}>();
}
TEMPLATE_TEST_CASE("elements of 16 bits have the same bits", "", tl::f16, tl::bf16) {
  check<TestType, extents{1, 2, 2, 5, 5}, square(3, 1)>();
  check<TestType, extents{2, 1, 2, 6, 6}, windows{{3, 3}, {2, 2}, {1, 1}}>();
}
