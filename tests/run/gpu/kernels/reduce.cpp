// SPDX-License-Identifier: BSL-1.0
// Reductions give what the CPU gives, whoever shares out the work: threads, warps, blocks, tiles, and parts.
#include <tapeless/run/gpu/kernels/reduce.hpp>

#include <span>
#include <utility>

#include "run/gpu/both.hpp"

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

/// A fused kernel with so many sums of the columns of its one operand.
template <int... Store>
auto sums_of_columns(std::integer_sequence<int, Store...>) {
  using enum tl::element;
  using loads = tl::load_keys<tl::load_key{tl::lane::contiguous, f64}>;
  constexpr int sum = tl::reduction_code(&tl::sum_operation::op);
  using stores = tl::store_keys<((void)Store, tl::store_key{tl::lane::contiguous, f64, -1, sum})...>;
  return tl::thrust_kernels::kernel_body<tl::kernel_key<loads, tl::instruction_keys<>, stores, false>,
                                         tl::max_rank>{};
}

/// Sums of columns, so many times.
template <int Count>
void check_sums_of_columns(std::int64_t count, std::int64_t across) {
  std::vector<double> x = test::numbers(4).vector(static_cast<std::size_t>(count * across));
  std::vector<std::vector<double>> y(Count, std::vector<double>(static_cast<std::size_t>(across)));
  std::vector<tl::fused_kernel_operand> operands(Count + 1);
  const auto place = [&](std::size_t k, std::vector<double>& data, std::int64_t step) {
    operands[k] = {.data = reinterpret_cast<std::byte*>(data.data()), .size = 8, .strides = {step, 1}};
  };
  place(0, x, across);
  for (std::size_t k = 0; k < Count; ++k) place(k + 1, y[k], 0);
  const tl::fused_kernel_arguments arguments{.rank = 2,
                                             .extents = {count, across},
                                             .reduced = 1,
                                             .operands = operands.data(),
                                             .operand_count = Count + 1};
  tl::thrust_kernels::host_executor executor;
  using body = decltype(sums_of_columns(std::make_integer_sequence<int, Count>{}));
  tl::thrust_kernels::reduce<body>::run(arguments, executor);
  double most = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(across); ++i) {
    double expected = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      expected += x[k * static_cast<std::size_t>(across) + i];
    for (const auto& sums : y) most = std::max(most, std::abs(sums[i] - expected));
  }
  CHECK(most < 1e-13 * static_cast<double>(count));
}

}  // namespace

TEST_CASE("reduce: results that there is no memory for are not reduced in parts") {
  check_sums_of_columns<17>(130, 8160);  // memory for one part
  check_sums_of_columns<34>(130, 8160);  // for none
  check_sums_of_columns<4>(130, 8160);
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

TEST_CASE(
    "reduce: neighbours of 16 bits at a time, where rows start at multiples of 16 bytes, else one by one") {
  static test::both<sums<tl::bf16>> f;
  for (const auto& [r, c] :
       {std::pair{9, 8}, {40, 16}, {40, 20}, {9, 1032}, {3, 20480}, {20000, 8}, {3000, 264}})
    for (const std::size_t first : {0u, 1u}) {  // of an array that starts there
      INFO(r << " x " << c << " from element " << first);
      std::vector<tl::bf16> x(first + test::count(r, c));
      for (std::size_t i = 0; i < x.size(); ++i)  // whole numbers, whose sums bf16 has: few are not 0
        x[i] = tl::bf16(i * 7919 % 1021 == 0 ? static_cast<float>(i % 5) - 2.0f : 0.0f);
      const std::span<const tl::bf16> part = std::span(x).subspan(first);
      CHECK(f.differ<"by_row", "by_column", "all", "largest", "smallest", "product">(
                "x"_t = part, "rows"_t = std::int64_t{r}, "columns"_t = std::int64_t{c}) == 0);
    }
}
