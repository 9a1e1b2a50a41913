// SPDX-License-Identifier: BSL-1.0
// Poolings and their gradients as straight-line code have the bits of tables of kernels: windows of all
// kinds, rows around vectors' widths, ties, zeros of both signs, numbers that are none.
#include <tapeless/run/bare/bare_pooling.hpp>

#include <tapeless/ops/spatial.hpp>

#include "run/cpu/straight_line/same_bits.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::operand_kind;

namespace {

/// x is [batch, channels, rows, columns].
struct extents {
  int batch, channels, rows, columns;
};
struct windows {
  int kernel[2], stride[2], padding[2] = {0, 0};
  bool counts_padding = true;

  constexpr tl::pool options() const {
    return {.kernel = {kernel[0], kernel[1]},
            .stride = {stride[0], stride[1]},
            .padding = {padding[0], padding[1]},
            .count_include_pad = counts_padding};
  }
  constexpr int positions(int axis, int extent) const {
    return (extent + 2 * padding[axis] - kernel[axis]) / stride[axis] + 1;
  }
};
constexpr windows square(int kernel, int stride, int padding = 0) {
  return {{kernel, kernel}, {stride, stride}, {padding, padding}};
}

enum class pooling { largest, mean };

// A derivative along x sums up what is along ties.
template <class T, pooling P, extents E, windows W, tl::extent Batch>
constexpr auto pools = [] {
  auto x = tl::input<"x", T, Batch, E.channels, E.rows, E.columns>;
  auto t = tl::input<"t", T, Batch, E.channels, W.positions(0, E.rows), W.positions(1, E.columns)>;
  const auto all = [&](auto y) {
    return tl::outputs(tl::named<"y">(y), tl::named<"of x">(tl::vjp(y, x, t)),
                       tl::named<"along x">(tl::jvp(y, x, x)));
  };
  if constexpr (P == pooling::largest) {
    return all(tl::max_pool2d<W.options()>(x));
  } else {
    return all(tl::avg_pool2d<W.options()>(x));
  }
};

template <class T, pooling P, extents E, windows W>
void check(operand_kind of, bool has_ties) {
  INFO("kind of numbers " << static_cast<int>(of) << ", pooling " << static_cast<int>(P));
  auto x = test::some_numbers<T>(static_cast<std::size_t>(E.batch * E.channels * E.rows * E.columns), 1, of);
  if (has_ties)
    for (T& one : x) one = static_cast<T>(static_cast<float>(one) < 0 ? -0.0f : 0.0f);
  const auto t = test::some_numbers<T>(
      static_cast<std::size_t>(E.batch * E.channels * W.positions(0, E.rows) * W.positions(1, E.columns)), 2,
      of);
  test::check_same_bits<"y", "of x", "along x">(pools<T, P, E, W, E.batch>,
                                                pools<T, P, E, W, tl::dyn<"batch">>, "x"_t = x, "t"_t = t);
}
template <class T, pooling P, extents E, windows W>
void check_all_numbers() {
  for (const operand_kind of : {operand_kind::usual, operand_kind::extreme, operand_kind::tiny})
    check<T, P, E, W>(of, false);
  check<T, P, E, W>(operand_kind::extreme, true);
}
template <class T, extents E, windows W>
void check_all() {
  check_all_numbers<T, pooling::largest, E, W>();
  check_all_numbers<T, pooling::mean, E, W>();
}

}  // namespace

TEMPLATE_TEST_CASE("pairs of elements have the same bits", "", float, double) {
  check_all<TestType, extents{2, 3, 4, 6}, square(2, 2)>();
  check_all<TestType, extents{2, 3, 5, 17}, square(2, 2)>();
  check_all<TestType, extents{1, 2, 14, 16}, square(2, 2)>();
  check_all<TestType, extents{1, 1, 4, 70}, square(2, 2)>();
  check_all<TestType, extents{1, 2, 6, 71}, square(2, 2)>();
}
TEMPLATE_TEST_CASE("windows that overlap, or leave something out, have the same bits", "", float, double) {
  check_all<TestType, extents{2, 3, 7, 9}, square(3, 2, 1)>();
  check_all<TestType, extents{1, 2, 6, 33}, square(3, 1, 1)>();
  check_all<TestType, extents{2, 2, 9, 8}, square(2, 3)>();
  check_all<TestType, extents{1, 2, 6, 40}, square(2, 2, 1)>();
}
TEST_CASE("windows of unlike sides have the same bits") {
  check_all<float, extents{2, 3, 6, 21}, windows{{1, 3}, {1, 1}, {0, 1}}>();
  check_all<float, extents{1, 2, 5, 36}, windows{{3, 5}, {2, 3}, {1, 2}, false}>();
  check_all<float, extents{3, 1, 1, 19}, windows{{1, 2}, {1, 2}}>();
  check_all<float, extents{1, 2, 8, 30}, windows{{4, 10}, {1, 1}, {2, 5}, false}>();
}
TEMPLATE_TEST_CASE("windows of several rows that share nothing have the same bits", "", float, double) {
  check_all<TestType, extents{2, 2, 9, 37}, windows{{3, 4}, {3, 4}}>();
  check_all<TestType, extents{1, 2, 12, 31}, windows{{4, 3}, {5, 3}}>();
}
TEMPLATE_TEST_CASE("poolings of 16 bits have the same bits", "", tl::f16, tl::bf16) {
  check_all<TestType, extents{2, 2, 5, 7}, square(2, 2)>();
  check_all<TestType, extents{1, 2, 5, 7}, square(3, 2, 1)>();
}
