// SPDX-License-Identifier: BSL-1.0
// Reductions give what the CPU gives, whoever shares out the work: threads, warps, blocks, tiles, and parts.
#include <tapeless/run/thrust/reduce.hpp>

#include "run/thrust/both.hpp"

namespace {

constexpr auto rows = tl::dyn<"rows">;
constexpr auto columns = tl::dyn<"columns">;

template <class T>
struct sums {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, rows, columns>;
    return tl::outputs(tl::named<"by_row">(tl::sum<-1>(x)), tl::named<"by_column">(tl::sum<0>(x)),
                       tl::named<"all">(tl::sum(x)), tl::named<"largest">(tl::max<-1>(x)),
                       tl::named<"smallest">(tl::min<0>(x)), tl::named<"product">(tl::prod<-1>(x)));
  }
};

template <class T>
void compare(int r, int c, double tolerance) {
  static test::both<sums<T>> f;
  INFO(r << " x " << c);
  const auto x = test::numbers(4).vector<T>(test::count(r, c), 0.5, 1);
  CHECK(f.template differ<"largest", "smallest">("x"_t = x, "rows"_t = std::int64_t{r},
                                                 "columns"_t = std::int64_t{c}) == 0);
  CHECK(f.template differ<"by_row", "by_column", "all", "product">("x"_t = x, "rows"_t = std::int64_t{r},
                                                                   "columns"_t = std::int64_t{c}) <
        tolerance * static_cast<double>(r * c + 1));
}

}  // namespace

TEST_CASE("reduce: few elements by threads, rows by warps and blocks, columns by tiles") {
  for (const int r : {0, 1, 2, 9, 40})
    for (const int c : {0, 1, 3, 8, 9, 33, 1500}) compare<double>(r, c, 1e-15);
}

TEST_CASE("reduce: few results of many elements are reduced in parts") {
  compare<double>(1, 300000, 1e-15);
  compare<double>(3, 40000, 1e-15);
  compare<double>(40000, 3, 1e-15);
  compare<double>(9000, 40, 1e-15);
}

namespace {

/// So many sums of columns in one pass that there is memory for one part of each only, or for none.
template <int... K>
constexpr auto many_sums(std::integer_sequence<int, K...>) {
  auto x = tl::input<"x", double, rows, columns>;
  return tl::outputs(tl::named<tl::name{"y"} + K>(tl::sum<0>(tl::abs(x - tl::constant<K>)))...);
}
template <int Count>
struct sums_of_columns {
  constexpr auto operator()() const { return many_sums(std::make_integer_sequence<int, Count>{}); }
};

template <int Count>
void compare_many_sums(int r, int c) {
  test::both<sums_of_columns<Count>> f;
  const auto x = test::numbers(4).vector(test::count(r, c));
  CHECK(f.template differ<"y0", tl::name{"y"} + (Count - 1)>("x"_t = x, "rows"_t = std::int64_t{r},
                                                             "columns"_t = std::int64_t{c}) < 1e-12 * r);
}

}  // namespace

TEST_CASE("reduce: results that there is no memory for are not reduced in parts") {
  compare_many_sums<34>(130, 4096);
  compare_many_sums<34>(130, 8100);
}

TEST_CASE("reduce: long sums of float lose little") {
  tl::function<sums<float>, tl::thrust_host> f{sums<float>{}};
  const std::vector<float> x(1000000, 0.1f);
  const auto r = f("x"_t = x, "rows"_t = 250000, "columns"_t = 4);
  CHECK(r.get<"all">()[0] == test::Approx(100000).epsilon(1e-5));
  for (const float sum : r.get<"by_column">()) CHECK(sum == test::Approx(25000).epsilon(1e-5));
}

TEST_CASE("reduce: sums of 16 bits are added up in float") {
  tl::function<sums<tl::bf16>, tl::thrust_host> f{sums<tl::bf16>{}};
  const std::vector<tl::bf16> x(4096, tl::bf16(1.0f));
  const auto r = f("x"_t = x, "rows"_t = 1, "columns"_t = 4096);
  CHECK(static_cast<float>(r.get<"by_row">()[0]) == 4096.0f);
}
