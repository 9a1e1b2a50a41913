// SPDX-License-Identifier: BSL-1.0
// Split over threads, fused kernels give the bits that one thread gives, and products the same to rounding.
#include <tapeless/run/cpu/work_split.hpp>

#include <cmath>
#include <cstring>

#include "catch.hpp"
#include "program.hpp"

namespace k = tapeless::cpu_kernels;

namespace {

constexpr auto rows = tl::dyn<"rows">;
constexpr auto columns = tl::dyn<"columns">;

// Fused kernels of all kinds: maps, reductions along either axis and both, along broadcast operands, by
// index.
constexpr auto fused_kernels = [] {
  auto x = tl::input<"x", float, rows, columns>;
  auto row = tl::input<"row", float, columns>;
  auto label = tl::input<"label", std::int32_t, rows>;
  auto y = tl::tanh(x) * row;
  return tl::outputs(tl::named<"map">(y), tl::named<"by_row">(tl::sum<-1>(y)),
                     tl::named<"by_column">(tl::mean<0>(y)), tl::named<"total">(tl::sum(y)),
                     tl::named<"largest">(tl::max<0>(x)), tl::named<"softmax">(tl::softmax(x)),
                     tl::named<"swapped">(tl::exp(tl::permute<1, 0>(x))),
                     tl::named<"loss">(tl::cross_entropy(x, label)),
                     tl::named<"slope">(tl::grad(tl::cross_entropy(x, label), x)));
};

constexpr auto line = [] {
  auto x = tl::input<"x", double, rows>;
  return tl::outputs(tl::named<"map">(tl::sin(x) + 1_c), tl::named<"total">(tl::sum(tl::square(x))));
};

constexpr auto inner = tl::dyn<"inner">;
constexpr auto products = [] {
  auto a = tl::input<"a", float, rows, inner>;
  auto b = tl::input<"b", float, inner, columns>;
  auto c = tl::input<"c", float, columns, inner>;
  return tl::outputs(tl::named<"ab">(tl::matmul(a, b)), tl::named<"act">(tl::matmul(a, tl::permute<1, 0>(c))),
                     tl::named<"btat">(tl::matmul(tl::permute<1, 0>(b), tl::permute<1, 0>(a))));
};

template <class A, class B>
bool same_bits(const A& a, const B& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

}  // namespace

TEST_CASE("fused kernels on several threads give the same bits") {
  tl::function one{fused_kernels};
  for (const int threads : {2, 3}) {
    tl::function several{fused_kernels, tl::cpu{.threads = threads}};
    using shape = std::pair<std::size_t, std::size_t>;
    for (const auto& [m, n] :
         {shape(200, 300), shape(1, 40000), shape(40001, 1), shape(3, 9001), shape(7001, 5), shape(20, 20)}) {
      INFO(threads << " threads, " << m << " x " << n);
      test::numbers random;
      const auto x = random.vector<float>(m * n, -3, 3);
      const auto row = random.vector<float>(n);
      std::vector<std::int32_t> label(m);
      for (std::size_t i = 0; i < m; ++i) label[i] = static_cast<std::int32_t>(i * i % n);
      const auto a =
          one("x"_t = x, "row"_t = row, "label"_t = label, "rows"_t = static_cast<std::int64_t>(m));
      const auto b =
          several("x"_t = x, "row"_t = row, "label"_t = label, "rows"_t = static_cast<std::int64_t>(m));
      CHECK(same_bits(a.get<"map">(), b.get<"map">()));
      CHECK(same_bits(a.get<"by_row">(), b.get<"by_row">()));
      CHECK(same_bits(a.get<"by_column">(), b.get<"by_column">()));
      CHECK(same_bits(a.get<"total">(), b.get<"total">()));
      CHECK(same_bits(a.get<"largest">(), b.get<"largest">()));
      CHECK(same_bits(a.get<"softmax">(), b.get<"softmax">()));
      CHECK(same_bits(a.get<"swapped">(), b.get<"swapped">()));
      CHECK(same_bits(a.get<"loss">(), b.get<"loss">()));
      CHECK(same_bits(a.get<"slope">(), b.get<"slope">()));
      double sum = 0;
      for (std::size_t i = 0; i < m * n; ++i) sum += std::tanh(double(x[i])) * double(row[i % n]);
      CHECK(double(b.get<"total">()[0]) == test::Approx(sum).epsilon(1e-3).margin(1e-2));
    }
  }
}

TEST_CASE("fused kernels over one axis") {
  tl::function one{line}, three{line, tl::cpu{.threads = 3}};
  for (const std::size_t n : {16383u, 16384u, 16385u, 50001u}) {
    const auto x = test::numbers().vector(n);
    const auto a = one("x"_t = x), b = three("x"_t = x);
    CHECK(same_bits(a.get<"map">(), b.get<"map">()));
    CHECK(same_bits(a.get<"total">(), b.get<"total">()));
    CHECK(b.get<"map">()[n - 1] == test::Approx(std::sin(x[n - 1]) + 1));
  }
}

TEST_CASE("products on several threads are the same to rounding") {
  tl::function one{products};
  for (const int threads : {2, 3}) {
    tl::function several{products, tl::cpu{.threads = threads}};
    for (const auto& [m, n, depth] : {std::array<std::size_t, 3>{70, 80, 90},
                                      {200, 3, 500},
                                      {3, 200, 500},
                                      {1, 700, 500},
                                      {700, 1, 500},
                                      {33, 17, 1000},
                                      {8, 8, 8}}) {
      INFO(threads << " threads, " << m << " x " << depth << " x " << n);
      test::numbers random;
      const auto a = random.vector<float>(m * depth), b = random.vector<float>(depth * n),
                 c = random.vector<float>(n * depth);
      const auto inner_extent = static_cast<std::int64_t>(depth);
      const auto x = one("a"_t = a, "b"_t = b, "c"_t = c, "inner"_t = inner_extent);
      const auto y = several("a"_t = a, "b"_t = b, "c"_t = c, "inner"_t = inner_extent);
      double largest = 0, wrong = 0;
      const auto compare = [&](const auto& p, const auto& q) {
        REQUIRE(p.size() == q.size());
        for (std::size_t i = 0; i < p.size(); ++i)
          largest = std::max(largest, std::abs(double(p[i]) - double(q[i])));
      };
      compare(x.get<"ab">(), y.get<"ab">());
      compare(x.get<"act">(), y.get<"act">());
      compare(x.get<"btat">(), y.get<"btat">());
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          double sum = 0;
          for (std::size_t p = 0; p < depth; ++p) sum += double(a[i * depth + p]) * double(b[p * n + j]);
          wrong = std::max(wrong, std::abs(sum - double(y.get<"ab">()[i * n + j])));
        }
      CHECK(wrong < 1e-4);
      CHECK(largest < 1e-4);
    }
  }
}

TEST_CASE("the axis that is split is not reduced") {
  tl::fused_kernel_arguments arguments;
  arguments.rank = 3;
  arguments.extents[0] = arguments.extents[1] = arguments.extents[2] = 2;
  CHECK(k::axis_to_split(arguments) == 0);
  arguments.reduced = 0b001;
  CHECK(k::axis_to_split(arguments) == 1);
  arguments.extents[1] = 1;
  CHECK(k::axis_to_split(arguments) == 2);
  arguments.reduced = 0b011;
  CHECK(k::axis_to_split(arguments) == 2);
  arguments.reduced = 0b111;
  CHECK(k::axis_to_split(arguments) == -1);
  arguments.rank = 0;
  CHECK(k::axis_to_split(arguments) == -1);
}
