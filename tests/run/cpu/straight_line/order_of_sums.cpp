// SPDX-License-Identifier: BSL-1.0
// Straight-line code adds up in the order of tables: reductions have the same bits, whatever their extents,
// layouts and element types, and so has the model with run-time extents.
#include <tapeless/run/common/order_of_sums.hpp>

#include <tapeless/operations.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace {

template <class T>
bool is_same(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return a == b;
  } else if constexpr (sizeof(T) == 2) {
    return a.bits == b.bits;
  } else {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<bits>(a) == std::bit_cast<bits>(b) || (std::isnan(a) && std::isnan(b));
  }
}
template <class View, class Other>
void require_same(const char* what, const View& given, const Other& wanted) {
  REQUIRE(given.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (is_same(given[i], wanted[i])) continue;
    INFO(what << ": element " << i << " of " << wanted.size() << ": " << given[i] << ", not " << wanted[i]);
    CHECK(false);
    return;
  }
}

// Numbers of very different sizes, whose sum depends on its order in its last bits; some of both signs of 0.
template <class T>
std::vector<T> numbers(std::int64_t count, int salt) {
  std::vector<T> all;
  std::uint64_t state = 88172645463325252u + static_cast<std::uint64_t>(salt);
  for (std::int64_t i = 0; i < count; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const double unit = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
    const double size = std::ldexp(1.0, static_cast<int>(state >> 3 & 7u) - 4);
    all.push_back(static_cast<T>((state & 15u) == 0 ? -0.0 : unit * size));
  }
  return all;
}

// Rows and columns, contiguous, transposed and strided.
template <class T, tl::extent Rows, tl::extent Columns>
constexpr auto matrix = [] {
  auto x = tl::input<"x", T, Rows, Columns>;
  auto y = tl::permute<1, 0>(tl::input<"y", T, Columns, Rows>);
  auto d = x - y;
  return tl::outputs(tl::named<"all">(tl::sum(x)), tl::named<"rows">(tl::sum<1>(x)),
                     tl::named<"columns">(tl::sum<0>(x)), tl::named<"strided">(tl::sum(d * d)),
                     tl::named<"strided_rows">(tl::sum<1>(tl::abs(d))),
                     tl::named<"strided_columns">(tl::sum<0>(d)), tl::named<"largest">(tl::max(d)),
                     tl::named<"smallest">(tl::min<1>(x)), tl::named<"largest_columns">(tl::max<0>(y)));
};
// All choices of axes, and sums of rows that cannot be joined.
template <class T, tl::extent A, tl::extent B, tl::extent C>
constexpr auto block = [] {
  auto x = tl::input<"x", T, A, B, C>;
  auto y = tl::permute<0, 2, 1>(tl::input<"y", T, A, C, B>);
  auto d = x - y;
  return tl::outputs(tl::named<"all">(tl::sum(d)), tl::named<"0">(tl::sum<0>(d)),
                     tl::named<"1">(tl::sum<1>(x)), tl::named<"2">(tl::sum<2>(d)),
                     tl::named<"01">(tl::sum<0, 1>(d)), tl::named<"02">(tl::sum<0, 2>(d)),
                     tl::named<"12">(tl::sum<1, 2>(d)), tl::named<"largest">(tl::max<0, 2>(d)),
                     tl::named<"smallest">(tl::min<0, 1>(d)));
};

template <class A, class B>
void require_same_matrix(const A& given, const B& wanted) {
  require_same("all", given.template get<"all">(), wanted.template get<"all">());
  require_same("rows", given.template get<"rows">(), wanted.template get<"rows">());
  require_same("columns", given.template get<"columns">(), wanted.template get<"columns">());
  require_same("strided", given.template get<"strided">(), wanted.template get<"strided">());
  require_same("strided_rows", given.template get<"strided_rows">(), wanted.template get<"strided_rows">());
  require_same("strided_columns", given.template get<"strided_columns">(),
               wanted.template get<"strided_columns">());
  require_same("largest", given.template get<"largest">(), wanted.template get<"largest">());
  require_same("smallest", given.template get<"smallest">(), wanted.template get<"smallest">());
  require_same("largest_columns", given.template get<"largest_columns">(),
               wanted.template get<"largest_columns">());
}
template <class A, class B>
void require_same_block(const A& given, const B& wanted) {
  require_same("all", given.template get<"all">(), wanted.template get<"all">());
  require_same("0", given.template get<"0">(), wanted.template get<"0">());
  require_same("1", given.template get<"1">(), wanted.template get<"1">());
  require_same("2", given.template get<"2">(), wanted.template get<"2">());
  require_same("01", given.template get<"01">(), wanted.template get<"01">());
  require_same("02", given.template get<"02">(), wanted.template get<"02">());
  require_same("12", given.template get<"12">(), wanted.template get<"12">());
  require_same("largest", given.template get<"largest">(), wanted.template get<"largest">());
  require_same("smallest", given.template get<"smallest">(), wanted.template get<"smallest">());
}

// Kernels of several types, which have no vectors; conditions; several sums in one kernel; products.
template <class T, tl::extent Rows, tl::extent Columns>
constexpr auto others = [] {
  auto x = tl::input<"x", T, Rows, Columns>;
  auto y = tl::input<"y", T, Rows, Columns>;
  auto mixed = tl::where(tl::cast<int>(16_c * x) < 1_c, x, y);
  auto d = x - y;
  return tl::outputs(tl::named<"mixed">(tl::sum(mixed)), tl::named<"mixed_rows">(tl::sum<1>(mixed)),
                     tl::named<"mixed_columns">(tl::sum<0>(mixed)), tl::named<"any">(tl::any<1>(x > y)),
                     tl::named<"all">(tl::all<0>(x < y)), tl::named<"where">(tl::argmax<1>(d)),
                     tl::named<"first">(tl::sum<1>(d * x)), tl::named<"second">(tl::sum<1>(d)),
                     tl::named<"both">(tl::sum<1>(x) / tl::prod<1>(1.5_c + y)));
};

// Along rows and columns, from both ends; sums into places; a factor of each step.
template <class T, tl::extent Rows, tl::extent Columns>
constexpr auto scans = [] {
  auto x = tl::input<"x", T, Rows, Columns>;
  auto y = tl::permute<1, 0>(tl::input<"y", T, Columns, Rows>);
  auto loss = tl::sum(tl::cumsum<1>(x) * y) + tl::sum(tl::cumprod<0>(y) * x);
  return tl::outputs(tl::named<"rows">(tl::cumsum<1>(y)), tl::named<"columns">(tl::cumsum<0>(x)),
                     tl::named<"products">(tl::cumprod<1>(y)), tl::named<"largest">(tl::cummax<0>(y).indices),
                     tl::named<"gx">(tl::grad(loss, x)), tl::named<"gy">(tl::grad(loss, y)));
};

template <class Function>
constexpr bool is_straight_line = tl::straight_line::in_line<typename Function::graph_builder>::count > 0;

constexpr auto rows = tl::dyn<"rows">, columns = tl::dyn<"columns">;

template <class T, int Rows, int Columns>
void check_matrix(const std::vector<T>& x = numbers<T>(Rows * Columns, 1),
                  const std::vector<T>& y = numbers<T>(Rows * Columns, 2)) {
  INFO(Rows << " x " << Columns);
  const tl::function line{matrix<T, Rows, Columns>, tl::straight_line{.threads = 1}};
  const tl::function tables{matrix<T, Rows, Columns>, tl::cpu_by_tables{.threads = 1}};
  static const tl::function changing{matrix < T, rows, Columns == 1 ? tl::extent{1} : columns >,
                                     tl::cpu{.threads = 1}};
  STATIC_REQUIRE(is_straight_line<decltype(line)>);
  const auto wanted = tables("x"_t = x, "y"_t = y);
  require_same_matrix(line("x"_t = x, "y"_t = y), wanted);
  INFO("at run-time extents");
  if constexpr (Columns == 1)
    require_same_matrix(changing("x"_t = x, "y"_t = y, "rows"_t = Rows), wanted);
  else
    require_same_matrix(changing("x"_t = x, "y"_t = y, "rows"_t = Rows, "columns"_t = Columns), wanted);
}
template <class T, int... Columns>
void check_rows() {
  (check_matrix<T, 3, Columns>(), ...);
}

template <class T, int Rows, int Columns>
void check_others(std::vector<T> x = numbers<T>(Rows * Columns, 1)) {
  INFO(Rows << " x " << Columns);
  const tl::function line{others<T, Rows, Columns>, tl::straight_line{.threads = 1}};
  const tl::function tables{others<T, Rows, Columns>, tl::cpu_by_tables{.threads = 1}};
  STATIC_REQUIRE(is_straight_line<decltype(line)>);
  const std::vector<T> y = numbers<T>(Rows * Columns, 2);
  const auto given = line("x"_t = x, "y"_t = y);
  const auto wanted = tables("x"_t = x, "y"_t = y);
  require_same("mixed", given.template get<"mixed">(), wanted.template get<"mixed">());
  require_same("mixed_rows", given.template get<"mixed_rows">(), wanted.template get<"mixed_rows">());
  require_same("mixed_columns", given.template get<"mixed_columns">(),
               wanted.template get<"mixed_columns">());
  require_same("any", given.template get<"any">(), wanted.template get<"any">());
  require_same("all", given.template get<"all">(), wanted.template get<"all">());
  require_same("where", given.template get<"where">(), wanted.template get<"where">());
  require_same("first", given.template get<"first">(), wanted.template get<"first">());
  require_same("second", given.template get<"second">(), wanted.template get<"second">());
  require_same("both", given.template get<"both">(), wanted.template get<"both">());
}

// Numbers of which each row and column has all kinds.
template <class T, int Rows, int Columns>
void check_special_values() {
  using limits = std::numeric_limits<T>;
  for (const T special : {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), T(-0.0)}) {
    for (const int every : {1, 2, 5}) {
      std::vector<T> x = numbers<T>(Rows * Columns, 1);
      for (std::size_t i = 0; i < x.size(); i += static_cast<std::size_t>(every)) x[i] = special;
      check_others<T, Rows, Columns>(x);
      check_matrix<T, Rows, Columns>(x);
    }
    check_matrix<T, Rows, Columns>(std::vector<T>(Rows * Columns, special),
                                   std::vector<T>(Rows * Columns, T(0)));
  }
}

template <class T, int Rows, int Columns>
void check_scans() {
  INFO(Rows << " x " << Columns);
  const tl::function line{scans<T, Rows, Columns>, tl::straight_line{.threads = 1}};
  const tl::function tables{scans<T, Rows, Columns>, tl::cpu_by_tables{.threads = 1}};
  STATIC_REQUIRE(is_straight_line<decltype(line)>);
  const std::vector<T> x = numbers<T>(Rows * Columns, 1), y = numbers<T>(Rows * Columns, 2);
  const auto given = line("x"_t = x, "y"_t = y);
  const auto wanted = tables("x"_t = x, "y"_t = y);
  require_same("rows", given.template get<"rows">(), wanted.template get<"rows">());
  require_same("columns", given.template get<"columns">(), wanted.template get<"columns">());
  require_same("products", given.template get<"products">(), wanted.template get<"products">());
  require_same("largest", given.template get<"largest">(), wanted.template get<"largest">());
  require_same("gx", given.template get<"gx">(), wanted.template get<"gx">());
  require_same("gy", given.template get<"gy">(), wanted.template get<"gy">());
}

constexpr auto a = tl::dyn<"a">, b = tl::dyn<"b">, c = tl::dyn<"c">;
template <class T, int A, int B, int C>
void check_block() {
  INFO(A << " x " << B << " x " << C);
  const tl::function line{block<T, A, B, C>, tl::straight_line{.threads = 1}};
  const tl::function tables{block<T, A, B, C>, tl::cpu_by_tables{.threads = 1}};
  static const tl::function changing{block < T, a, b, C == 1 ? tl::extent{1} : c >, tl::cpu{.threads = 1}};
  STATIC_REQUIRE(is_straight_line<decltype(line)>);
  const std::vector<T> x = numbers<T>(A * B * C, 3), y = numbers<T>(A * B * C, 4);
  const auto wanted = tables("x"_t = x, "y"_t = y);
  require_same_block(line("x"_t = x, "y"_t = y), wanted);
  INFO("at run-time extents");
  if constexpr (C == 1)
    require_same_block(changing("x"_t = x, "y"_t = y, "a"_t = A, "b"_t = B), wanted);
  else
    require_same_block(changing("x"_t = x, "y"_t = y, "a"_t = A, "b"_t = B, "c"_t = C), wanted);
}

}  // namespace

TEST_CASE("rows of floats below, at and above the width of vectors") {
  check_rows<float, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13>();
}
TEST_CASE("longer rows of floats") { check_rows<float, 15, 16, 17, 20, 24, 31, 32, 33, 45, 50, 63, 100>(); }
TEST_CASE("rows of doubles") { check_rows<double, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 31>(); }
TEST_CASE("rows of 16 bits") { check_rows<tl::bf16, 1, 3, 4, 9, 16, 19, 33>(); }
TEST_CASE("rows of whole numbers") { check_rows<std::int32_t, 3, 9>(); }

TEST_CASE("one row or column") {
  check_matrix<float, 1, 1>();
  check_matrix<float, 1, 21>();
  check_matrix<float, 21, 1>();
  check_matrix<double, 1, 9>();
  check_matrix<double, 9, 1>();
  check_matrix<tl::f16, 11, 1>();
  check_matrix<tl::f16, 1, 11>();
}

TEST_CASE("blocks of iterations") {
  check_matrix<float, 2, 1023>();  // 256 iterations of 4
  check_matrix<float, 2, 1025>();
  check_matrix<float, 2, 4097>();  // of 16
  check_matrix<double, 2, 513>();
  check_matrix<double, 2, 2049>();
  check_matrix<tl::bf16, 2, 1027>();
}
TEST_CASE("many rows") {
  check_matrix<float, 257, 5>();
  check_matrix<float, 1024, 5>();  // in memory
  check_matrix<float, 1025, 5>();  // in accumulators
  check_matrix<double, 1300, 3>();
  check_matrix<tl::bf16, 257, 5>();
  check_matrix<tl::bf16, 700, 20>();
}

TEST_CASE("several axes") {
  check_block<float, 2, 3, 4>();
  check_block<float, 3, 2, 17>();
  check_block<float, 5, 4, 9>();
  check_block<float, 1, 4, 9>();
  check_block<float, 4, 1, 9>();
  check_block<float, 4, 9, 1>();
  check_block<double, 3, 5, 6>();
  check_block<tl::bf16, 3, 5, 6>();
  check_block<tl::bf16, 3, 5, 19>();
}
TEST_CASE("several long axes") {
  check_block<float, 40, 2, 20>();
  check_block<float, 1100, 2, 3>();
  check_block<float, 2, 1100, 3>();
  check_block<double, 2, 1100, 3>();
  check_block<tl::bf16, 20, 30, 17>();
}

TEST_CASE("kernels of several types, conditions, and several sums at once") {
  check_others<float, 3, 5>();
  check_others<float, 3, 17>();
  check_others<float, 3, 300>();
  check_others<float, 1100, 3>();
  check_others<double, 3, 5>();
  check_others<double, 5, 23>();
}
TEST_CASE("NaN, infinities and both zeros") {
  check_special_values<float, 3, 5>();
  check_special_values<float, 4, 21>();
  check_special_values<double, 3, 7>();
}

TEST_CASE("prefix scans") {
  check_scans<float, 5, 40>();
  check_scans<double, 3, 700>();  // blocks of 256
  check_scans<double, 700, 3>();
  check_scans<tl::bf16, 5, 40>();
}
