// SPDX-License-Identifier: BSL-1.0
// The product kernels against plain loops: all layouts, odd extents, extents about the blocks' boundaries.
#include "catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <tapeless/run/cpu/product/product_kernel.hpp>
#include <tapeless/run/cpu/vectors/aligned_memory.hpp>

namespace k = tapeless::cpu_kernels;

namespace {

template <class T>
std::vector<T> numbers(std::int64_t count, unsigned seed) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T& x : all)
    x = static_cast<T>(static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 24) - 128) / T(128);
  return all;
}

// The elements of a matrix whose rows, or columns, are `apart`; those of the last one may be more than that.
constexpr std::int64_t room_for(std::int64_t lines, std::int64_t apart, std::int64_t elements) {
  return lines == 0 ? 0 : (lines - 1) * apart + std::max(apart, elements);
}

// Numbers are multiples of 1/128, so that sums of few are exact in any order.
template <class T, bool RowsA, bool RowsB>
void check_strides(std::int64_t m, std::int64_t n, std::int64_t depth, std::int64_t lda, std::int64_t ldb,
                   std::int64_t spare) {
  INFO(m << " x " << depth << " x " << n << ", rows: " << RowsA << RowsB << ", apart: " << lda << ", "
         << ldb);
  const std::vector<T> a = numbers<T>(RowsA ? room_for(m, lda, depth) : room_for(depth, lda, m), 1),
                       b = numbers<T>(RowsB ? room_for(depth, ldb, n) : room_for(n, ldb, depth), 2);
  const std::int64_t ldc = n + spare;
  std::vector<T> c(static_cast<std::size_t>(m * ldc + 1), T(7));
  const k::aligned_memory workspace(k::product_workspace<T>(m, n, depth));
  k::multiply<T>({a.data(), RowsA ? lda : 1, RowsA ? 1 : lda}, {b.data(), RowsB ? ldb : 1, RowsB ? 1 : ldb},
                 c.data(), ldc, m, n, depth, workspace.data(), k::product_steps_for<T, RowsA, RowsB>());
  const auto check_result = [&] {
    CHECK(c.back() == T(7));
    for (std::int64_t i = 0; i < m && spare > 0; ++i) CHECK(c[static_cast<std::size_t>(i * ldc + n)] == T(7));
    double worst = 0;
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::int64_t p = 0; p < depth; ++p)
          sum += double(a[static_cast<std::size_t>(RowsA ? i * lda + p : p * lda + i)]) *
                 double(b[static_cast<std::size_t>(RowsB ? p * ldb + j : j * ldb + p)]);
        worst = std::max(worst, std::abs(sum - double(c[static_cast<std::size_t>(i * ldc + j)])));
      }
    CHECK(worst < 1e-5);
  };
  check_result();
  // as loops do it, which pack the right one once
  if (depth == 0 || depth > tapeless::most_terms_of_block) return;
  const auto steps = k::product_steps_for<T, RowsA, RowsB>();
  std::vector<T> packed(static_cast<std::size_t>(depth * k::detail::in_whole_vectors<T>(n)));
  steps.pack_b(packed.data(), b.data(), ldb, depth, n, m == 1 && (RowsA || lda == 1));
  std::fill(c.begin(), c.end(), T(7));
  k::multiply<T>({a.data(), RowsA ? lda : 1, RowsA ? 1 : lda}, {b.data(), RowsB ? ldb : 1, RowsB ? 1 : ldb},
                 c.data(), ldc, m, n, depth, workspace.data(), steps, packed.data());
  check_result();
}

// Rows (or columns) with some room between them, as slices have.
template <class T, bool RowsA, bool RowsB>
void check(std::int64_t m, std::int64_t n, std::int64_t depth, std::int64_t spare) {
  check_strides<T, RowsA, RowsB>(m, n, depth, (RowsA ? depth : m) + spare, (RowsB ? n : depth) + spare,
                                 spare);
}

template <class T>
void check_layouts(std::int64_t m, std::int64_t n, std::int64_t depth, std::int64_t spare = 0) {
  check<T, true, true>(m, n, depth, spare);
  check<T, true, false>(m, n, depth, spare);
  check<T, false, true>(m, n, depth, spare);
  check<T, false, false>(m, n, depth, spare);
}

}  // namespace

TEMPLATE_TEST_CASE("products of small and odd extents", "", float, double) {
  for (const std::int64_t m : {1, 2, 3, 7, 17})
    for (const std::int64_t n : {1, 2, 5, 16})
      for (const std::int64_t depth : {1, 2, 9, 31}) check_layouts<TestType>(m, n, depth);
}

TEMPLATE_TEST_CASE("products without terms are 0, not -0", "", float, double) {
  using T = TestType;
  const T none = 0;
  for (const std::int64_t m : {1, 2, 3, 40})
    for (const std::int64_t n : {1, 2, 5, 40}) {
      INFO(m << " x 0 x " << n);
      std::vector<T> c(static_cast<std::size_t>(m * n));
      const auto check_zeros = [&](auto compute) {
        std::fill(c.begin(), c.end(), T(7));
        compute();
        CHECK(std::all_of(c.begin(), c.end(), [](T x) { return x == 0 && !std::signbit(x); }));
      };
      check_zeros([&] {
        k::multiply<T>({&none, 1, 1}, {&none, n, 1}, c.data(), n, m, n, 0, nullptr,
                       k::product_steps_for<T, true, true>());
      });
      check_zeros([&] {
        k::multiply<T>({&none, 1, m}, {&none, 1, 1}, c.data(), n, m, n, 0, nullptr,
                       k::product_steps_for<T, false, false>());
      });
      tapeless::product_arguments p{.m = m, .n = n, .k = 0, .ldc = n};
      p.a = {reinterpret_cast<std::byte*>(const_cast<T*>(&none)), {1, 1}};
      p.b = p.a;
      p.c.data = reinterpret_cast<std::byte*>(c.data());
      if (m == 1)
        check_zeros([&] { k::vector_product_kernel<T, k::vector_product::row, true>::run(p, nullptr); });
      if (n == 1)
        check_zeros([&] { k::vector_product_kernel<T, k::vector_product::column, true>::run(p, nullptr); });
    }
}

TEMPLATE_TEST_CASE("products of slices", "", float, double) {
  check_layouts<TestType>(5, 7, 3, 4);
  check_layouts<TestType>(1, 9, 12, 1);
  check_layouts<TestType>(9, 1, 12, 1);
  check_layouts<TestType>(5, 21, 1, 4);
}

// Windows on one line, from each of which the next one is so far: nearer than it is long.
TEMPLATE_TEST_CASE("products of rows and of columns that overlap", "", float, double) {
  for (const std::int64_t m : {1, 2, 10, 40})
    for (const std::int64_t n : {1, 2, 17})
      for (const std::int64_t depth : {1, 3, 8, 33})
        for (const std::int64_t apart : {1, 2, 5}) {
          check_strides<TestType, true, true>(m, n, depth, apart, n, 0);
          check_strides<TestType, true, false>(m, n, depth, apart, apart, 0);
          check_strides<TestType, false, true>(m, n, depth, apart, apart, 0);
          check_strides<TestType, false, false>(m, n, depth, m, apart, 0);
        }
}

TEMPLATE_TEST_CASE("products about the blocks' boundaries", "", float, double) {
  for (const std::int64_t side : {127, 128, 129, 256, 257}) {
    check_layouts<TestType>(side, 3, 5);
    check_layouts<TestType>(3, side, 5);
    check_layouts<TestType>(3, 5, side);
  }
  check_layouts<TestType>(257, 259, 65);
  check_layouts<TestType>(1, 300, 700);
}

// About one, two, three, four and eight vectors of each width, and what does not fill them.
TEMPLATE_TEST_CASE("products with a vector", "", float, double) {
  for (const std::int64_t size : {1,  2,  3,  4,  5,  7,  8,  9,  12, 15, 16, 17,  24,  31,  32,
                                  33, 40, 47, 48, 49, 63, 64, 65, 79, 80, 96, 127, 128, 129, 200})
    for (const std::int64_t depth : {1, 2, 3, 4, 5, 15, 16, 17, 33, 64, 70}) {
      check_layouts<TestType>(1, size, depth, size % 3);
      check_layouts<TestType>(size, 1, depth);
    }
}

// What threads, and those who cut a product into parts, rely on.
TEMPLATE_TEST_CASE("an element of a product has the same bits in every layout and in every part", "", float,
                   double) {
  using T = TestType;
  for (const auto& [m, n, depth] : {std::array<std::int64_t, 3>{37, 101, 1100},
                                    {9, 700, 600},
                                    {120, 50, 40},
                                    {7, 205, 600},
                                    {48, 205, 600},
                                    {75, 205, 600}}) {
    INFO(m << " x " << depth << " x " << n);
    const std::vector<T> a = numbers<T>(m * depth, 1), b = numbers<T>(depth * n, 2);
    std::vector<T> by_column_a(a.size()), by_column_b(b.size());
    const auto transpose = [](const std::vector<T>& from, std::int64_t rows, std::int64_t columns,
                              std::vector<T>& to) {
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
          to[static_cast<std::size_t>(j * rows + i)] = from[static_cast<std::size_t>(i * columns + j)];
    };
    transpose(a, m, depth, by_column_a);
    transpose(b, depth, n, by_column_b);
    const auto product = [&, m = m, n = n, depth = depth]<bool RowsA, bool RowsB>(
                             std::bool_constant<RowsA>, std::bool_constant<RowsB>, std::int64_t first_row,
                             std::int64_t first_column) {
      const std::int64_t rows = m - first_row, columns = n - first_column;
      const T *left = RowsA ? a.data() : by_column_a.data(), *right = RowsB ? b.data() : by_column_b.data();
      const std::int64_t bytes = k::product_workspace<T>(rows, columns, depth);
      const k::aligned_memory workspace(bytes + 64);
      std::fill_n(workspace.data() + bytes, 64, std::byte{0x55});
      std::vector<T> c(static_cast<std::size_t>(rows * columns));
      k::multiply<T>({left + first_row * (RowsA ? depth : 1), RowsA ? depth : 1, RowsA ? 1 : m},
                     {right + first_column * (RowsB ? 1 : depth), RowsB ? n : 1, RowsB ? 1 : depth}, c.data(),
                     columns, rows, columns, depth, workspace.data(),
                     k::product_steps_for<T, RowsA, RowsB>());
      const std::byte* const end = workspace.data() + bytes;
      CHECK(std::all_of(end, end + 64, [](std::byte x) { return x == std::byte{0x55}; }));
      return c;
    };
    constexpr std::true_type by_rows;
    constexpr std::false_type by_columns;
    const std::vector<T> all = product(by_rows, by_rows, 0, 0);
    CHECK(all == product(by_rows, by_columns, 0, 0));
    CHECK(all == product(by_columns, by_rows, 0, 0));
    CHECK(all == product(by_columns, by_columns, 0, 0));
    for (const auto& [first_row, first_column] :
         {std::pair<std::int64_t, std::int64_t>{5, 0}, {0, 3}, {m - 2, n - 2}}) {
      INFO("from row " << first_row << " and column " << first_column << " on");
      bool same = true;
      for (const std::vector<T>& part : {product(by_rows, by_rows, first_row, first_column),
                                         product(by_columns, by_columns, first_row, first_column)})
        for (std::int64_t i = first_row; i < m; ++i)
          for (std::int64_t j = first_column; j < n; ++j)
            same =
                same &&
                all[static_cast<std::size_t>(i * n + j)] ==
                    part[static_cast<std::size_t>((i - first_row) * (n - first_column) + j - first_column)];
      CHECK(same);
    }
  }
}

TEMPLATE_TEST_CASE("rows have workspace only where columns are enough for packing them", "", float, double) {
  constexpr std::int64_t most = 4 * k::product_columns<TestType>, depth = 512, size = sizeof(TestType);
  CHECK(k::product_workspace<TestType>(most, most, depth) == depth * most * size);
  CHECK(k::product_workspace<TestType>(most, most + 1, depth) >
        depth * (most + k::tiles_together * k::product_rows) * size);
  check_layouts<TestType>(most, most, depth);
  check_layouts<TestType>(most, most + 1, depth);
}

TEMPLATE_TEST_CASE("products without a row, a column or a term", "", float, double) {
  check_layouts<TestType>(0, 3, 4);
  check_layouts<TestType>(3, 0, 4);
  check_layouts<TestType>(3, 4, 0);
  check_layouts<TestType>(300, 200, 0);
}

TEST_CASE("a batch of products, whose left operand is the same for all") {
  const std::vector<float> a = numbers<float>(2 * 3, 1), b = numbers<float>(2 * 4 * 3 * 5, 2);
  std::vector<float> c(2 * 4 * 2 * 5);
  std::vector<float> left = a, right = b;
  const auto bytes = [](std::vector<float>& v) { return reinterpret_cast<std::byte*>(v.data()); };
  const k::aligned_memory workspace(k::product_workspace<float>(16, 16, 16));
  k::product_kernel<float, true, true>::run({.m = 2,
                                             .n = 5,
                                             .k = 3,
                                             .ldc = 5,
                                             .batch_rank = 2,
                                             .batches = 8,
                                             .batch = {2, 4},
                                             .a = {bytes(left), {0, 0, 3, 1}},
                                             .b = {bytes(right), {60, 15, 5, 1}},
                                             .c = {bytes(c), {40, 10, 5, 1}}},
                                            workspace.data());
  for (std::size_t batch = 0; batch < 8; ++batch)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        float sum = 0;
        for (std::size_t p = 0; p < 3; ++p) sum += a[i * 3 + p] * b[batch * 15 + p * 5 + j];
        CHECK(c[batch * 10 + i * 5 + j] == test::Approx(sum).margin(1e-6));
      }
}

// The products that always are of vectors, by the kernels which know that.
namespace {

template <class T, k::vector_product Kind, bool RowsA, bool RowsB>
void check_vector_product(std::int64_t m, std::int64_t n, std::int64_t depth) {
  INFO(m << " x " << depth << " x " << n << ", rows: " << RowsA << RowsB);
  constexpr std::int64_t batches = 2;
  const std::vector<T> a = numbers<T>(batches * m * depth, 1), b = numbers<T>(batches * depth * n, 2);
  std::vector<T> c(static_cast<std::size_t>(batches * m * n + 1), T(7));
  tapeless::product_arguments p{.m = m, .n = n, .k = depth, .ldc = n, .batch_rank = 1, .batches = batches};
  p.batch[0] = batches;
  const auto place = [](tapeless::product_operand& o, const T* data, std::int64_t rows, std::int64_t columns,
                        bool by_rows) {
    o.data = reinterpret_cast<std::byte*>(const_cast<T*>(data));
    o.strides[0] = rows * columns;
    o.strides[1] = by_rows ? columns : 1;
    o.strides[2] = by_rows ? 1 : rows;
  };
  place(p.a, a.data(), m, depth, RowsA);
  place(p.b, b.data(), depth, n, RowsB);
  place(p.c, c.data(), m, n, true);
  using kernel = k::vector_product_kernel<T, Kind, Kind == k::vector_product::column ? RowsA : RowsB>;
  CHECK(kernel::workspace(m, n, depth) == 0);
  CHECK(kernel::pack(p, nullptr) == 0);
  kernel::run(p, nullptr);
  CHECK(c.back() == T(7));
  for (std::int64_t i = 0; i < batches; ++i)
    for (std::int64_t r = 0; r < m; ++r)
      for (std::int64_t j = 0; j < n; ++j) {
        T sum(0);
        for (std::int64_t d = 0; d < depth; ++d)
          sum += a[static_cast<std::size_t>(i * m * depth + (RowsA ? r * depth + d : d * m + r))] *
                 b[static_cast<std::size_t>(i * depth * n + (RowsB ? d * n + j : j * depth + d))];
        CHECK(std::abs(c[static_cast<std::size_t>((i * m + r) * n + j)] - sum) < T(1e-5));
      }
}

}  // namespace

TEMPLATE_TEST_CASE("products that always are of vectors", "", float, double) {
  using kind = k::vector_product;
  for (const std::int64_t size : {0, 1, 2, 5, 16, 37})
    for (const std::int64_t depth : {0, 1, 3, 33}) {
      check_vector_product<TestType, kind::row, true, true>(1, size, depth);
      check_vector_product<TestType, kind::row, true, false>(1, size, depth);
      check_vector_product<TestType, kind::column, true, true>(size, 1, depth);
      check_vector_product<TestType, kind::column, false, true>(size, 1, depth);
      check_vector_product<TestType, kind::outer, true, true>(size, 7, 1);
      check_vector_product<TestType, kind::outer, false, true>(3, size, 1);
    }
}
