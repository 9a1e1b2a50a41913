// SPDX-License-Identifier: BSL-1.0
// Kernels of tl::bare against plain loops, for extents that fill no vector, one, and more than one: element
// by element, with operands that are broadcast, transposed, sliced and flipped; reductions along each axis;
// products of all layouts. Every operation by itself is in the laws: see tests/bare/laws.
#include <tapeless/bare.hpp>
#include <tapeless/operations.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "bare/bare_function.hpp"
#include "catch.hpp"

namespace {

constexpr int extents[] = {1, 2, 3, 5, 7, 8, 9, 16, 17};
constexpr int count_of_extents = 9;

// By turns, so that each extent has both.
template <int Number>
using number_of = std::conditional_t<Number % 2 == 0, float, double>;

template <class View, class F>
void check(const char* what, const View& given, std::size_t rows, std::size_t columns, const F& wanted) {
  REQUIRE(given.size() == rows * columns);
  const double tolerance = sizeof(given[0]) == 4 ? 3e-6 : 1e-14;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      INFO(what << " at " << i << ", " << j);
      CHECK(static_cast<double>(given[i * columns + j]) ==
            test::Approx(static_cast<double>(wanted(i, j))).epsilon(0).margin(tolerance * 16));
    }
}

// A matrix of Rows by Columns and what meets it.
template <class T, int Rows, int Columns>
constexpr auto matrices = [] {
  auto x = tl::input<"x", T, Rows, Columns>;
  auto t = tl::transpose(tl::input<"t", T, Columns, Rows>);
  auto wide = tl::input<"wide", T, Rows, 2 * Columns + 1>;
  auto s = tl::slice<1, 0, 2 * Columns, 2>(wide);
  auto b = tl::input<"b", T, Columns>;
  auto c = tl::input<"c", T, Rows, 1>;
  return tl::outputs(
      tl::named<"rows">(x * x - b), tl::named<"columns">(x * c - c), tl::named<"transposed">(t * x - b),
      tl::named<"sliced">(s * x - b), tl::named<"beside">(tl::slice<1, 1, Columns + 1>(wide) * x),
      tl::named<"flipped">(tl::flip<1>(x) * b - tl::flip<0>(x)), tl::named<"outer">(b * c),
      tl::named<"sum_0">(tl::sum<0>(x * b)), tl::named<"sum_1">(tl::sum<1>(x * b)),
      tl::named<"sum">(tl::sum(x * x)), tl::named<"max_0">(tl::max<0>(x * c)),
      tl::named<"max_1">(tl::max<1>(x * c)), tl::named<"min_1">(tl::min<1>(s)),
      tl::named<"prod_0">(tl::prod<0>(x)), tl::named<"prod_1">(tl::prod<1>(x)),
      tl::named<"transposed_sum_0">(tl::sum<0>(t * b)), tl::named<"transposed_sum_1">(tl::sum<1>(t * b)),
      tl::named<"transposed_sum">(tl::sum(t * s)), tl::named<"cumsum_1">(tl::cumsum<1>(t)));
};

template <class T, int Rows, int Columns>
void check_matrices() {
  INFO(Rows << " x " << Columns << ", " << sizeof(T) << " bytes");
  constexpr std::size_t m = Rows, n = Columns;
  test::numbers random(Rows + 31 * Columns);
  const auto x = random.vector<T>(m * n), t = random.vector<T>(n * m),
             wide = random.vector<T>(m * (2 * n + 1)), b = random.vector<T>(n), c = random.vector<T>(m);
  static test::bare_function<std::remove_const_t<decltype(matrices<T, Rows, Columns>)>> f;
  const auto y = f("x"_t = x, "t"_t = t, "wide"_t = wide, "b"_t = b, "c"_t = c);
  const auto at = [&](std::size_t i, std::size_t j) { return x[i * n + j]; };
  const auto t_at = [&](std::size_t i, std::size_t j) { return t[j * m + i]; };
  const auto s_at = [&](std::size_t i, std::size_t j) { return wide[i * (2 * n + 1) + 2 * j]; };
  using all = std::size_t;
  check("rows", y.template get<"rows">(), m, n, [&](all i, all j) { return at(i, j) * at(i, j) - b[j]; });
  check("columns", y.template get<"columns">(), m, n, [&](all i, all j) { return at(i, j) * c[i] - c[i]; });
  check("transposed", y.template get<"transposed">(), m, n,
        [&](all i, all j) { return t_at(i, j) * at(i, j) - b[j]; });
  check("sliced", y.template get<"sliced">(), m, n,
        [&](all i, all j) { return s_at(i, j) * at(i, j) - b[j]; });
  check("beside", y.template get<"beside">(), m, n,
        [&](all i, all j) { return wide[i * (2 * n + 1) + j + 1] * at(i, j); });
  check("flipped", y.template get<"flipped">(), m, n,
        [&](all i, all j) { return at(i, n - 1 - j) * b[j] - at(m - 1 - i, j); });
  check("outer", y.template get<"outer">(), m, n, [&](all i, all j) { return b[j] * c[i]; });

  // f of one row's or one column's elements, combined from the first one on
  const auto along = [](all count, const auto& element, const auto& combine) {
    double total = static_cast<double>(element(0));
    for (all k = 1; k < count; ++k) total = combine(total, static_cast<double>(element(k)));
    return total;
  };
  const auto sum = [](double p, double q) { return p + q; };
  const auto product = [](double p, double q) { return p * q; };
  const auto larger = [](double p, double q) { return std::max(p, q); };
  const auto smaller = [](double p, double q) { return std::min(p, q); };
  check("sum_0", y.template get<"sum_0">(), 1, n,
        [&](all, all j) { return along(m, [&](all k) { return at(k, j) * b[j]; }, sum); });
  check("sum_1", y.template get<"sum_1">(), m, 1,
        [&](all i, all) { return along(n, [&](all k) { return at(i, k) * b[k]; }, sum); });
  check("sum", y.template get<"sum">(), 1, 1,
        [&](all, all) { return along(m * n, [&](all k) { return x[k] * x[k]; }, sum); });
  check("max_0", y.template get<"max_0">(), 1, n,
        [&](all, all j) { return along(m, [&](all k) { return at(k, j) * c[k]; }, larger); });
  check("max_1", y.template get<"max_1">(), m, 1,
        [&](all i, all) { return along(n, [&](all k) { return at(i, k) * c[i]; }, larger); });
  check("min_1", y.template get<"min_1">(), m, 1,
        [&](all i, all) { return along(n, [&](all k) { return s_at(i, k); }, smaller); });
  check("prod_0", y.template get<"prod_0">(), 1, n,
        [&](all, all j) { return along(m, [&](all k) { return at(k, j); }, product); });
  check("prod_1", y.template get<"prod_1">(), m, 1,
        [&](all i, all) { return along(n, [&](all k) { return at(i, k); }, product); });
  check("transposed_sum_0", y.template get<"transposed_sum_0">(), 1, n,
        [&](all, all j) { return along(m, [&](all k) { return t_at(k, j) * b[j]; }, sum); });
  check("transposed_sum_1", y.template get<"transposed_sum_1">(), m, 1,
        [&](all i, all) { return along(n, [&](all k) { return t_at(i, k) * b[k]; }, sum); });
  check("transposed_sum", y.template get<"transposed_sum">(), 1, 1, [&](all, all) {
    return along(m * n, [&](all k) { return t_at(k / n, k % n) * s_at(k / n, k % n); }, sum);
  });
  check("cumsum_1", y.template get<"cumsum_1">(), m, n,
        [&](all i, all j) { return along(j + 1, [&](all k) { return t_at(i, k); }, sum); });
}

// Batch products; rows or columns of both sides are contiguous, and one matrix is every sample's.
template <class T, int Batch, int M, int N, int K>
constexpr auto products = [] {
  auto a = tl::input<"a", T, Batch, M, K>;
  auto b = tl::input<"b", T, Batch, K, N>;
  auto u = tl::transpose(tl::input<"u", T, Batch, K, M>);
  auto v = tl::transpose(tl::input<"v", T, N, K>);
  return tl::outputs(tl::named<"ab">(tl::matmul(a, b)), tl::named<"av">(tl::matmul(a, v)),
                     tl::named<"ub">(tl::matmul(u, b)), tl::named<"uv">(tl::matmul(u, v)));
};

template <class T, int Batch, int M, int N, int K>
void check_products() {
  INFO(Batch << " x " << M << " x " << K << " x " << N << ", " << sizeof(T) << " bytes");
  constexpr std::size_t batch = Batch, m = M, n = N, k = K;
  test::numbers random(Batch + 3 * M + 31 * N + 101 * K);
  const auto a = random.vector<T>(batch * m * k), b = random.vector<T>(batch * k * n),
             u = random.vector<T>(batch * k * m), v = random.vector<T>(n * k);
  static test::bare_function<std::remove_const_t<decltype(products<T, Batch, M, N, K>)>> f;
  const auto y = f("a"_t = a, "b"_t = b, "u"_t = u, "v"_t = v);
  const auto check_one = [&](const char* what, const auto& given, const auto& left, const auto& right) {
    check(what, given, batch * m, n, [&](std::size_t row, std::size_t j) {
      double sum = 0;
      for (std::size_t p = 0; p < k; ++p)
        sum += static_cast<double>(left(row / m, row % m, p)) * static_cast<double>(right(row / m, p, j));
      return sum;
    });
  };
  using all = std::size_t;
  const auto a_at = [&](all s, all i, all p) { return a[(s * m + i) * k + p]; };
  const auto b_at = [&](all s, all p, all j) { return b[(s * k + p) * n + j]; };
  const auto u_at = [&](all s, all i, all p) { return u[(s * k + p) * m + i]; };
  const auto v_at = [&](all, all p, all j) { return v[j * k + p]; };
  check_one("ab", y.template get<"ab">(), a_at, b_at);
  check_one("av", y.template get<"av">(), a_at, v_at);
  check_one("ub", y.template get<"ub">(), u_at, b_at);
  check_one("uv", y.template get<"uv">(), u_at, v_at);
}

// Long lines: of those that leave the same rest one kernel is told the lengths.
template <class T>
constexpr auto lines = [] {
  auto x = tl::input<"x", T, 528>;
  auto y = tl::input<"y", T, 517>;
  auto z = tl::input<"z", T, 1041>;
  auto w = tl::input<"w", T, 1029>;
  return tl::outputs(tl::named<"x2">(x * x - x), tl::named<"y2">(y * y - y), tl::named<"z2">(z * z - z),
                     tl::named<"w2">(w * w - w));
};

template <class T>
void check_lines() {
  INFO(sizeof(T) << " bytes");
  test::numbers random(7);
  const auto x = random.vector<T>(528), y = random.vector<T>(517), z = random.vector<T>(1041),
             w = random.vector<T>(1029);
  static test::bare_function<std::remove_const_t<decltype(lines<T>)>> f;
  const auto all = f("x"_t = x, "y"_t = y, "z"_t = z, "w"_t = w);
  const auto check_one = [](const char* what, const auto& given, const auto& of) {
    check(what, given, 1, of.size(), [&](std::size_t, std::size_t j) { return of[j] * of[j] - of[j]; });
  };
  check_one("x2", all.template get<"x2">(), x);
  check_one("y2", all.template get<"y2">(), y);
  check_one("z2", all.template get<"z2">(), z);
  check_one("w2", all.template get<"w2">(), w);
}

template <class F, int... I>
void for_each_of(std::integer_sequence<int, I...>, F f) {
  (f(std::integral_constant<int, I>{}), ...);
}
constexpr int extent_at(int i) { return extents[i % count_of_extents]; }

}  // namespace

TEST_CASE("kernels of awkward extents, for one row and for three") {
  for_each_of(std::make_integer_sequence<int, count_of_extents>{}, [](auto i) {
    check_matrices<number_of<i>, 1, extent_at(i)>();
    if constexpr (i % 2 == 1) check_matrices<number_of<i / 2>, 3, extent_at(i)>();
  });
}

TEST_CASE("long lines, whole numbers of vectors and more") {
  check_lines<float>();
  check_lines<double>();
}

// Each extent is that of rows, of columns and of terms.
TEST_CASE("products of awkward extents, alone and three at a time") {
  for_each_of(std::make_integer_sequence<int, count_of_extents>{}, [](auto i) {
    check_products<number_of<i>, 1, extent_at(i), extent_at(2 * i + 1), extent_at(4 * i + 3)>();
    if constexpr (i % 3 == 0)
      check_products<number_of<i / 3>, 3, extent_at(i), extent_at(5 * i + 4), extent_at(7 * i + 2)>();
  });
}

// Vectors of pairs, and what is beyond the last one.
TEST_CASE("one row of two terms, by rows of a matrix") {
  for_each_of(std::integer_sequence<int, 1, 4, 6, 16, 21, 40>{}, [](auto n) {
    check_products<float, 1, 1, n, 2>();
    check_products<double, 2, 1, n, 2>();
  });
}
