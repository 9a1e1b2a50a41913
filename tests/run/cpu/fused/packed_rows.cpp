// SPDX-License-Identifier: BSL-1.0
// Loops against the order of memory, which go through packed tiles: against plain loops, for extents around
// those of vectors and tiles, in sums and in what is stored.
#include <tapeless/run/cpu/fused/packed_rows.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace {

template <class T>
std::size_t wrong_copies(std::size_t rows, std::size_t columns) {
  const std::size_t from_stride = columns + 3, to_stride = rows + 2;
  std::vector<T> from(rows * from_stride), to(columns * to_stride, T(-1));
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i);
  tl::cpu_kernels::copy_transposed(
      sizeof(T), reinterpret_cast<const std::byte*>(from.data()), static_cast<std::int64_t>(from_stride),
      reinterpret_cast<std::byte*>(to.data()), static_cast<std::int64_t>(to_stride),
      static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns));
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < columns; ++k)
    for (std::size_t i = 0; i < to_stride; ++i)
      wrong += to[k * to_stride + i] != (i < rows ? from[i * from_stride + k] : T(-1));
  return wrong;
}

constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">, k = tl::dyn<"k">;

template <class T>
constexpr auto permuted = [] {
  auto x = tl::input<"x", T, n, m, k>;
  auto y = tl::permute<0, 2, 1>(x);
  auto z = tl::permute<2, 1, 0>(x);
  return tl::outputs(tl::named<"y">(y + tl::iota<T, 1>()), tl::named<"z">(z),
                     tl::named<"total">(tl::sum(y * y)), tl::named<"rows">(tl::sum<2>(y * y)),
                     tl::named<"columns">(tl::sum<1>(z * z)), tl::named<"planes">(tl::max<0>(z)),
                     tl::named<"of x">(tl::grad(tl::sum(y * tl::square(tl::stop_gradient(y))), x)));
};

template <class T>
void check_permuted(std::size_t planes, std::size_t rows, std::size_t columns) {
  INFO(planes << " x " << rows << " x " << columns);
  tl::function f{permuted<T>, tl::cpu_by_tables{}};
  std::vector<T> x(planes * rows * columns);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i * 7919 % 13) - T(6);
  auto r = f("x"_t = x, "n"_t = static_cast<int>(planes), "m"_t = static_cast<int>(rows));
  std::vector<double> y(x.size()), z(x.size()), of_rows(planes * columns), of_columns(columns * planes),
      of_planes(rows * planes, -100), of_x(x.size());
  double total = 0;
  for (std::size_t p = 0; p < planes; ++p)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t at = (p * rows + i) * columns + j;
        const double one = static_cast<double>(x[at]);
        y[(p * columns + j) * rows + i] = one;
        z[(j * rows + i) * planes + p] = one;
        total += one * one;
        of_rows[p * columns + j] += one * one;
        of_columns[j * planes + p] += one * one;
        of_planes[i * planes + p] = std::max(of_planes[i * planes + p], one);
        of_x[at] = one * one;
      }
  CHECK(test::elements(r.template get<"y">()) == y);
  CHECK(test::elements(r.template get<"z">()) == z);
  CHECK(r.template get<"total">()[0] == static_cast<T>(total));
  CHECK(test::elements(r.template get<"rows">()) == of_rows);
  CHECK(test::elements(r.template get<"columns">()) == of_columns);
  CHECK(test::elements(r.template get<"planes">()) == of_planes);
  CHECK(test::elements(r.template get<"of x">()) == of_x);
}

/// The last loop is too short to be the innermost one: results are written against their order.
template <class T, int Last>
constexpr auto interleaved = [] {
  auto x = tl::input<"x", T, Last, n, m>;
  return tl::outputs(tl::named<"all">(tl::permute<1, 2, 0>(x) + tl::iota<T, 1>()),
                     tl::named<"roots">(tl::sqrt(tl::permute<2, 1, 0>(x))),
                     tl::named<"large">(tl::permute<1, 2, 0>(x) > 9_c),
                     tl::named<"chosen">(tl::where(tl::permute<2, 1, 0>(x > 9_c), 1_c, 0_c)));
};

template <class T, int Last>
void check_interleaved(std::size_t rows, std::size_t columns) {
  INFO(Last << " x " << rows << " x " << columns);
  tl::function f{interleaved<T, Last>, tl::cpu_by_tables{}};
  std::vector<T> x(Last * rows * columns);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>((i * 7919 % 13) * (i * 7919 % 13));
  auto r = f("x"_t = x, "n"_t = static_cast<int>(rows));
  std::vector<double> all(x.size()), roots(x.size()), large(x.size()), chosen(x.size());
  for (std::size_t l = 0; l < Last; ++l)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        const double one = static_cast<double>(x[(l * rows + i) * columns + j]);
        all[(i * columns + j) * Last + l] = one;
        large[(i * columns + j) * Last + l] = one > 9;
        roots[(j * rows + i) * Last + l] = std::sqrt(one);
        chosen[(j * rows + i) * Last + l] = one > 9;
      }
  CHECK(test::elements(r.template get<"all">()) == all);
  CHECK(test::elements(r.template get<"roots">()) == roots);
  CHECK(test::elements(r.template get<"large">()) == large);
  CHECK(test::elements(r.template get<"chosen">()) == chosen);
}

}  // namespace

TEST_CASE("copies are transposed, and nothing else is written") {
  for (const std::size_t rows : {1u, 2u, 3u, 4u, 5u, 8u, 11u, 16u, 17u, 33u})
    for (const std::size_t columns : {1u, 2u, 3u, 4u, 7u, 8u, 15u, 16u, 21u, 40u}) {
      INFO(rows << " x " << columns);
      CHECK(wrong_copies<std::int8_t>(rows, columns) == 0);
      CHECK(wrong_copies<std::uint16_t>(rows, columns) == 0);
      CHECK(wrong_copies<std::uint32_t>(rows, columns) == 0);
      CHECK(wrong_copies<std::int64_t>(rows, columns) == 0);
    }
}

TEST_CASE("a tile has elements, and they fit into its memory") {
  namespace kernels = tl::cpu_kernels;
  tl::fused_kernel_operand operands[80];
  kernels::operand_place place[80];
  kernels::operand_step step[80];
  std::byte anywhere;
  for (const std::int64_t size : {1, 2, 4, 8})
    for (int count = 1; count <= 80; ++count) {
      for (int o = 0; o < count; ++o) {
        operands[o].data = &anywhere;
        operands[o].size = o == 0 ? size : 8;
        place[o].stride = 100;
        step[o].bytes = operands[o].size;
      }
      tl::fused_kernel_arguments arguments;
      arguments.operands = operands;
      kernels::kernel_functions kernel{.operand_count = count, .first_store = count, .run_rows = nullptr};
      for (const bool reduces : {false, true})
        for (const std::int64_t rows : {2, 3, 17, 1000})
          for (const std::int64_t columns : {1, 16, 100, 5000}) {
            kernel.begin = reduces ? +[](kernels::kernel_sums&) {} : nullptr;
            const kernels::packed_tile tile =
                kernels::detail::tile_for(arguments, kernel, place, step, {.rows = rows, .count = columns});
            if (tile.rows == 0) continue;
            CHECK(tile.columns > 0);
            CHECK(tile.rows * tile.columns * (size + 8 * (count - 1)) <= kernels::detail::packed_bytes);
          }
    }
}

TEMPLATE_TEST_CASE("what is permuted is what its definition says", "", float, double) {
  for (const std::size_t planes : {1u, 3u, 17u})
    for (const std::size_t rows : {1u, 2u, 3u, 16u, 37u})
      for (const std::size_t columns : {1u, 2u, 5u, 16u, 33u})
        check_permuted<TestType>(planes, rows, columns);
  check_permuted<TestType>(1, 40, 1100);
  check_permuted<TestType>(1, 1100, 40);
  check_permuted<TestType>(2, 9000, 3);
  check_permuted<TestType>(2, 3, 9000);
}

TEMPLATE_TEST_CASE("what is interleaved is what its definition says", "", float, double) {
  for (const std::size_t rows : {1u, 3u, 16u, 40u})
    for (const std::size_t columns : {1u, 2u, 9u, 33u, 700u}) {
      check_interleaved<TestType, 2>(rows, columns);
      check_interleaved<TestType, 3>(rows, columns);
      check_interleaved<TestType, 4>(rows, columns);
    }
}
