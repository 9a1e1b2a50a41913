// SPDX-License-Identifier: BSL-1.0
// Fused kernels: long sums keep their accuracy, odd extents and strides keep their places, several
// results and element types in one of them.
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <tapeless/operations.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace {

constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">;

constexpr auto sums = [] {
  auto x = tl::input<"x", float, n, m>;
  return tl::outputs(tl::named<"all">(tl::sum(x)), tl::named<"rows">(tl::sum<1>(x)),
                     tl::named<"columns">(tl::sum<0>(x)), tl::named<"mean">(tl::mean(x)),
                     tl::named<"mixed">(tl::sum(tl::where(tl::cast<int>(x) < 1_c, x, 0_c))),
                     tl::named<"scaled">(tl::sum(x * tl::input<"column", float, n, 1>)));
};

constexpr auto strided = [] {
  auto x = tl::input<"x", float, n, m>;
  auto y = tl::permute<1, 0>(tl::input<"y", float, m, n>);
  auto difference = x - y;
  return tl::outputs(tl::named<"difference">(difference), tl::named<"total">(tl::sum(tl::square(difference))),
                     tl::named<"both">(tl::exp(difference) * x), tl::named<"first">(tl::sum<0>(difference)));
};

// Numbers of columns and rows in kernels of vectors, among operands that have places in memory.
constexpr auto numbered = [] {
  auto x = tl::input<"x", float, n, m>;
  auto column = tl::iota_like<1>(x);
  auto row = tl::iota_like<0>(x);
  auto picked = tl::where(column == tl::input<"place", float, n, 1>, x, 0_c);
  return tl::outputs(tl::named<"by_column">(x * column), tl::named<"by_row">(x * row + column),
                     tl::named<"picked">(tl::sum<1>(picked)),
                     tl::named<"rows">(tl::sum<0>(tl::where(row < 3_c, x, 0_c))),
                     tl::named<"turned">(tl::permute<1, 0>(x) * tl::iota_like<1>(tl::permute<1, 0>(x))),
                     tl::named<"all">(tl::sum(column + row * 0_c)));
};

}  // namespace

TEST_CASE("numbers of places are those of each vector, of what fills none, and of each row") {
  test::on_each_policy([]<class Policy> {
    tl::function f{numbered, Policy{}};
    for (const std::size_t rows : {1u, 3u, 19u})
      for (std::size_t columns = 1; columns < 40; ++columns) {
        INFO(rows << " rows of " << columns);
        const auto x = test::numbers(3).vector<float>(rows * columns);
        std::vector<float> place(rows);
        for (std::size_t i = 0; i < rows; ++i) place[i] = static_cast<float>((7 * i) % columns);
        const auto r = f("x"_t = x, "place"_t = place, "m"_t = std::int64_t(columns));
        std::vector<float> sums(columns);
        for (std::size_t i = 0; i < rows; ++i) {
          CHECK(r.template get<"picked">()[i] == x[i * columns + (7 * i) % columns]);
          for (std::size_t j = 0; j < columns; ++j) {
            const float element = x[i * columns + j], row = static_cast<float>(i),
                        column = static_cast<float>(j);
            CHECK(r.template get<"by_column">()[i * columns + j] == element * column);
            CHECK(r.template get<"by_row">()[i * columns + j] ==
                  test::Approx(element * row + column).margin(1e-5));
            CHECK(r.template get<"turned">()[j * rows + i] == element * row);
            if (i < 3) sums[j] += element;
          }
        }
        for (std::size_t j = 0; j < columns; ++j)
          CHECK(r.template get<"rows">()[j] == test::Approx(sums[j]).epsilon(1e-5).margin(1e-6));
        CHECK(r.template get<"all">()[0] == float(rows * columns * (columns - 1) / 2));
      }
  });
}

TEST_CASE("sums of a million numbers") {
  tl::function f{sums};
  const std::vector<float> x(1000000, 0.1f);
  for (const std::size_t rows : {1u, 1000u, 250000u, 1000000u}) {
    const std::size_t columns = x.size() / rows;
    INFO(rows << " x " << columns);
    auto r = f("x"_t = x, "column"_t = std::vector<float>(rows, 1.0f), "n"_t = static_cast<int>(rows));
    CHECK(r.get<"all">()[0] == test::Approx(1e5).epsilon(1e-5));
    CHECK(r.get<"mean">()[0] == test::Approx(0.1).epsilon(1e-5));
    CHECK(r.get<"rows">()[rows / 2] == test::Approx(0.1 * static_cast<double>(columns)).epsilon(1e-5));
  }
}

TEST_CASE("sums of a million numbers along an outer axis, or of several element types") {
  tl::function f{sums};
  const std::vector<float> x(1000000, 0.1f);
  for (const std::size_t rows : {1u, 1000u, 250000u, 1000000u}) {
    const std::size_t columns = x.size() / rows;
    INFO(rows << " x " << columns);
    auto r = f("x"_t = x, "column"_t = std::vector<float>(rows, 1.0f), "n"_t = static_cast<int>(rows));
    CHECK(r.get<"mixed">()[0] == test::Approx(1e5).epsilon(1e-5));
    CHECK(r.get<"scaled">()[0] == test::Approx(1e5).epsilon(1e-5));
    CHECK(r.get<"columns">()[columns / 2] == test::Approx(0.1 * static_cast<double>(rows)).epsilon(1e-5));
  }
}

namespace {

constexpr auto inner_and_outer = [] {
  auto x = tl::input<"x", float, n, 2, m>;
  auto y = tl::cast<tl::bf16>(x);
  return tl::outputs(tl::named<"float">(tl::sum<0, 2>(x)), tl::named<"bf16">(tl::sum<0, 2>(y)),
                     tl::named<"middle">(tl::max<0>(x)), tl::named<"largest">(tl::max<0, 2>(y)));
};

}  // namespace

TEST_CASE("reductions over axes around one that stays") {
  tl::function f{inner_and_outer};
  for (const std::size_t outer : {1u, 2u, 300u, 9000u})
    for (const std::size_t inner : {1u, 3u, 4u, 9u}) {
      INFO(outer << " x 2 x " << inner);
      const auto x = test::numbers(3).vector<float>(outer * 2 * inner, 0, 1);
      auto r = f("x"_t = x, "n"_t = static_cast<int>(outer));
      for (std::size_t k = 0; k < 2; ++k) {
        double total = 0;
        float largest = 0;
        std::vector<float> middle(inner);
        for (std::size_t i = 0; i < outer; ++i)
          for (std::size_t j = 0; j < inner; ++j) {
            const float one = x[(2 * i + k) * inner + j];
            total += double(one);
            largest = std::max(largest, one);
            middle[j] = std::max(middle[j], one);
          }
        CHECK(r.get<"float">()[k] == test::Approx(total).epsilon(1e-5));
        CHECK(r.get<"bf16">()[k] == test::Approx(total).epsilon(0x1p-8));
        CHECK(r.get<"largest">()[k].bits == tl::bf16(largest).bits);
        for (std::size_t j = 0; j < inner; ++j) CHECK(r.get<"middle">()[k * inner + j] == middle[j]);
      }
    }
}

TEST_CASE("operands by rows and by columns in one fused kernel") {
  tl::function f{strided};
  for (const std::size_t rows : {1u, 2u, 5u, 16u})
    for (const std::size_t columns : {1u, 2u, 3u, 7u, 8u, 9u, 15u, 16u, 17u, 33u}) {
      INFO(rows << " x " << columns);
      test::numbers random;
      const auto x = random.vector<float>(rows * columns), y = random.vector<float>(rows * columns);
      auto r = f("x"_t = x, "y"_t = y, "n"_t = static_cast<int>(rows));
      double total = 0;
      std::vector<double> first(columns);
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
          const float difference = x[i * columns + j] - y[j * rows + i];
          CHECK(r.get<"difference">()[i * columns + j] == difference);
          CHECK(r.get<"both">()[i * columns + j] ==
                test::Approx(std::exp(difference) * x[i * columns + j]).epsilon(1e-5).margin(1e-6));
          total += double(difference) * double(difference);
          first[j] += double(difference);
        }
      CHECK(r.get<"total">()[0] == test::Approx(total).epsilon(1e-5));
      for (std::size_t j = 0; j < columns; ++j)
        CHECK(r.get<"first">()[j] == test::Approx(first[j]).margin(1e-5));
    }
}

namespace {

constexpr auto in_pairs = [] {
  auto x = tl::input<"x", float, n, 3, m>;
  return tl::outputs(tl::named<"columns">(tl::tile<1, 2>(x)),
                     tl::named<"rows">(tl::repeat_interleave<1, 2>(x)));
};

}  // namespace

TEST_CASE("short rows that are copied twice, few and many") {
  tl::function f{in_pairs, tl::cpu_by_tables{}};
  for (const std::size_t planes : {1u, 2u, 3u, 60u, 30000u})
    for (const std::size_t columns : {1u, 5u, 16u}) {
      INFO(planes << " x 3 x " << columns);
      std::vector<float> x(planes * 3 * columns);
      std::vector<double> twice;  // columns side by side, or rows one below the other: in memory the same
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
      for (std::size_t row = 0; row < planes * 3; ++row)
        for (int time = 0; time < 2; ++time)
          for (std::size_t j = 0; j < columns; ++j) twice.push_back(double(x[row * columns + j]));
      auto r = f("x"_t = x, "n"_t = static_cast<int>(planes));
      CHECK((test::elements(r.get<"columns">()) == twice));
      CHECK((test::elements(r.get<"rows">()) == twice));
    }
}

TEST_CASE("a program runs again with other extents, and with the first ones") {
  tl::function f{strided};
  for (const std::size_t rows : {3u, 50u, 0u, 3u}) {
    const std::vector<float> x(rows * 4, 2.0f), y(rows * 4, 1.0f);
    auto r = f("x"_t = x, "y"_t = y, "n"_t = static_cast<int>(rows), "m"_t = 4);
    CHECK(r.get<"total">()[0] == static_cast<float>(rows * 4));
    CHECK(r.get<"difference">().size() == rows * 4);
    CHECK(r.get<"first">()[3] == static_cast<float>(rows));
  }
}

TEST_CASE("the same inputs give the same bits") {
  tl::function f{strided}, g{strided};
  const auto x = test::numbers(1).vector<float>(7000), y = test::numbers(2).vector<float>(7000);
  const auto once = test::elements(f("x"_t = x, "y"_t = y, "n"_t = 70).get<"total">());
  CHECK(test::elements(f("x"_t = x, "y"_t = y, "n"_t = 70).get<"total">()) == once);
  CHECK(test::elements(g("x"_t = x, "y"_t = y, "n"_t = 70).get<"total">()) == once);
}

namespace {

template <class T>
constexpr auto masked = [] {
  auto x = tl::input<"x", T, n>;
  auto mask = tl::input<"mask", bool, n>;
  auto all = tl::input<"all", bool, 1>;
  auto other = tl::reshape<n>(tl::slice<0, 0, 1>(tl::permute<1, 0>(tl::input<"pairs", bool, n, 2>)));
  return tl::outputs(
      tl::named<"chosen">(tl::where(mask, x, tl::exp(x))), tl::named<"below">(x < 0_c && mask),
      tl::named<"numbers">(tl::cast<T>(mask) * x), tl::named<"everywhere">(tl::where(all, x, 0_c)),
      tl::named<"strided">(tl::where(other, x, 1_c)), tl::named<"negated">(tl::logical_not(mask)),
      tl::named<"total">(tl::sum(tl::where(mask, x, 0_c))));
};

// Functions whose vectors have formulas of their own.
template <class T>
constexpr auto functions = [] {
  auto x = tl::input<"x", T, n>;
  return tl::outputs(tl::named<"exp">(tl::exp(x)), tl::named<"log1p">(tl::log1p(x)),
                     tl::named<"sin">(tl::sin(x)), tl::named<"tan">(tl::tan(x)),
                     tl::named<"atan">(tl::atan(x)), tl::named<"erf">(tl::erf(x)),
                     tl::named<"sinh">(tl::sinh(x)), tl::named<"pow">(tl::pow(x, 2.5_c)),
                     tl::named<"fmod">(tl::fmod(x, 0.3_c)));
};

}  // namespace

TEMPLATE_TEST_CASE("conditions in memory next to numbers, in vectors and what does not fill one", "", float,
                   double) {
  tl::function f{masked<TestType>};
  for (std::size_t count = 1; count <= 40; ++count) {
    INFO(count);
    const auto x = test::numbers(5).vector<TestType>(count);
    std::array<bool, 40> mask{};
    std::array<bool, 80> pairs{};
    for (std::size_t i = 0; i < count; ++i)
      mask[i] = i % 3 == 1, pairs[2 * i] = i % 5 < 2, pairs[2 * i + 1] = i % 2 == 0;
    for (const bool all : {false, true}) {
      const std::array<bool, 1> one{all};
      auto r =
          f("x"_t = x, "mask"_t = std::span<const bool>(mask.data(), count),
            "pairs"_t = std::span<const bool>(pairs.data(), 2 * count), "all"_t = std::span<const bool>(one));
      double total = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const TestType chosen = mask[i] ? x[i] : std::exp(x[i]);
        CHECK(r.template get<"chosen">()[i] == test::Approx(chosen).epsilon(1e-6));
        CHECK(r.template get<"below">()[i] == (mask[i] && x[i] < 0));
        CHECK(r.template get<"numbers">()[i] == (mask[i] ? x[i] : 0));
        CHECK(r.template get<"everywhere">()[i] == (all ? x[i] : 0));
        CHECK(r.template get<"strided">()[i] == (pairs[2 * i] ? x[i] : 1));
        CHECK(r.template get<"negated">()[i] == !mask[i]);
        if (mask[i]) total += double(x[i]);
      }
      CHECK(r.template get<"total">()[0] == test::Approx(total).epsilon(1e-5).margin(1e-6));
    }
  }
}

TEMPLATE_TEST_CASE("a result's bits do not depend on where its number lies", "", float, double) {
  tl::function f{functions<TestType>};
  const auto x = test::numbers(6).vector<TestType>(40, 0, 5);
  const auto all = [&](std::size_t first, std::size_t count) {
    auto r = f("x"_t = std::vector<TestType>(x.begin() + std::ptrdiff_t(first),
                                             x.begin() + std::ptrdiff_t(first + count)));
    std::vector<std::vector<TestType>> found;
    const auto add = [&](const auto& part) { found.emplace_back(part.begin(), part.end()); };
    add(r.template get<"exp">()), add(r.template get<"log1p">()), add(r.template get<"sin">());
    add(r.template get<"tan">()), add(r.template get<"atan">()), add(r.template get<"erf">());
    add(r.template get<"sinh">()), add(r.template get<"pow">()), add(r.template get<"fmod">());
    return found;
  };
  const auto whole = all(0, 40);
  for (std::size_t count = 1; count < 40; ++count)
    for (const std::size_t first : {std::size_t{0}, 40 - count}) {
      INFO(count << " from " << first);
      const auto part = all(first, count);
      for (std::size_t k = 0; k < whole.size(); ++k)
        for (std::size_t i = 0; i < count; ++i) CHECK(part[k][i] == whole[k][first + i]);
    }
}
