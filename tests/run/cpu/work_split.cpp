// SPDX-License-Identifier: BSL-1.0
// Split over threads, fused kernels and products give the bits that one thread gives.
#include <tapeless/run/cpu/work_split.hpp>

#include <cmath>
#include <cstring>

#include "catch.hpp"
#include "forked.hpp"
#include "program.hpp"
#include "thread_shares.hpp"

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

// The weight is packed once, for all iterations.
constexpr auto loop = [] {
  auto w = tl::input<"w", float, 144, 144>;
  auto [h, y] = tl::scan(
      [](auto h, auto x) {
        auto next = tl::tanh(tl::matmul(h, tl::permute<1, 0>(tl::input<"w", float, 144, 144>)) + x);
        return tl::pack(next, next);
      },
      tl::input<"h", float, 5, 144>, tl::input<"x", float, 4>);
  return tl::outputs(tl::named<"h">(h), tl::named<"slope">(tl::grad(tl::sum(h), w)));
};

// A gradient by a weight that each of 20 iterations uses.
template <int Rows, int Width>
constexpr auto recurrent = [] {
  auto w = tl::input<"w", float, Width, Width>;
  auto [h, y] = tl::scan(
      [](auto h, auto x) {
        auto next = tl::tanh(tl::matmul(h, tl::input<"w", float, Width, Width>) + x);
        return tl::pack(next, next);
      },
      tl::input<"h", float, Rows, Width>, tl::input<"x", float, 20>);
  return tl::outputs(tl::named<"slope">(tl::grad(tl::sum(h), w)));
};

template <class A, class B>
bool same_bits(const A& a, const B& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

}  // namespace

TEST_CASE("fused kernels on several threads give the same bits") {
  const test::smallest_shares shares;
  tl::function one{fused_kernels, tl::cpu{.threads = 1}};
  for (const int threads : {2, 3, 16}) {
    tl::function several{fused_kernels, tl::cpu{.threads = threads}};
    using shape = std::pair<std::size_t, std::size_t>;
    for (const auto& [m, n] :
         {shape(60, 300), shape(1, 20000), shape(20001, 1), shape(3, 9001), shape(2001, 5), shape(20, 20)}) {
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
  const test::smallest_shares shares;
  tl::function one{line, tl::cpu{.threads = 1}}, three{line, tl::cpu{.threads = 3}};
  for (const std::size_t n : {16383u, 16384u, 16385u, 50001u}) {
    const auto x = test::numbers().vector(n);
    const auto a = one("x"_t = x), b = three("x"_t = x);
    CHECK(same_bits(a.get<"map">(), b.get<"map">()));
    CHECK(same_bits(a.get<"total">(), b.get<"total">()));
    CHECK(b.get<"map">()[n - 1] == test::Approx(std::sin(x[n - 1]) + 1));
  }
}

TEST_CASE("products of a model are right on several threads, and the same") {
  tl::function one{products, tl::cpu{.threads = 1}};
  for (const int threads : {2, 3}) {
    tl::function several{products, tl::cpu{.threads = threads}};
    const auto [m, n, depth] = std::array<std::size_t, 3>{33, 127, 1000};
    INFO(threads << " threads");
    test::numbers random;
    const auto a = random.vector<float>(m * depth), b = random.vector<float>(depth * n),
               c = random.vector<float>(n * depth);
    const auto inner_extent = static_cast<std::int64_t>(depth);
    const auto x = one("a"_t = a, "b"_t = b, "c"_t = c, "inner"_t = inner_extent);
    const auto y = several("a"_t = a, "b"_t = b, "c"_t = c, "inner"_t = inner_extent);
    CHECK(same_bits(x.get<"ab">(), y.get<"ab">()));
    CHECK(same_bits(x.get<"act">(), y.get<"act">()));
    CHECK(same_bits(x.get<"btat">(), y.get<"btat">()));
    double wrong = 0;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t p = 0; p < depth; ++p) sum += double(a[i * depth + p]) * double(b[p * n + j]);
        wrong = std::max(wrong, std::abs(sum - double(y.get<"ab">()[i * n + j])));
      }
    CHECK(wrong < 1e-4);
  }
}

namespace {

struct product_shape {
  std::int64_t batches, m, n, k;
};

template <class T>
std::vector<T> numbers_in(std::int64_t count, std::uint32_t seed) {
  return test::numbers(seed).vector<T>(static_cast<std::size_t>(count));
}

// Threads whose number changes nothing: every part is computed by kernels that know its own extents only.
template <class T, bool RowsA, bool RowsB>
void check_product(const product_shape& s) {
  auto a = numbers_in<T>(s.batches * s.m * s.k, 1), b = numbers_in<T>(s.batches * s.k * s.n, 2);
  tl::product_arguments arguments{.m = s.m, .n = s.n, .k = s.k, .ldc = s.n, .element_size = sizeof(T)};
  arguments.batch_rank = 1;
  arguments.batches = arguments.batch[0] = s.batches;
  arguments.a = {reinterpret_cast<std::byte*>(a.data()), {s.m * s.k, RowsA ? s.k : 1, RowsA ? 1 : s.m}};
  arguments.b = {reinterpret_cast<std::byte*>(b.data()), {s.k * s.n, RowsB ? s.n : 1, RowsB ? 1 : s.k}};
  const auto on = [&](int threads) {
    std::vector<T> c(static_cast<std::size_t>(s.batches * s.m * s.n));
    arguments.c = {reinterpret_cast<std::byte*>(c.data()), {s.m * s.n, s.n, 1}};
    k::thread_team team(threads);
    k::reserve_workspace(team, arguments, &k::product_kernel_workspace<T>);
    k::run_split(team, &k::product_kernel<T, RowsA, RowsB>::run, arguments);
    return c;
  };
  const auto expected = on(1);
  for (const int threads : {3, 16}) {  // the laws have more
    INFO(threads << " threads, " << s.batches << " products of " << s.m << " x " << s.k << " x " << s.n
                 << ", rows: " << RowsA << RowsB);
    CHECK(same_bits(on(threads), expected));
  }
}

// About the sizes of blocks in registers and in caches, of vectors, and of what is left over.
constexpr product_shape shapes[] = {{1, 1, 700, 500}, {1, 2, 700, 128}, {1, 3, 200, 1500}, {1, 700, 1, 500},
                                    {1, 700, 2, 128}, {1, 17, 49, 30},  {1, 33, 95, 1000}, {1, 97, 145, 7},
                                    {1, 47, 47, 47},  {1, 300, 10, 33}, {1, 500, 301, 40}, {1, 64, 1100, 1},
                                    {5, 31, 53, 64},  {16, 20, 20, 8},  {1, 32, 120, 400}, {1, 65, 290, 700},
                                    {1, 1, 97, 300},  {1, 101, 1, 300}};

}  // namespace

TEMPLATE_TEST_CASE("products give the same bits on any number of threads", "", float, double, tl::bf16) {
  const test::smallest_shares shares;
  for (const product_shape& s : shapes) {
    check_product<TestType, true, true>(s);
    check_product<TestType, true, false>(s);
    check_product<TestType, false, true>(s);
    check_product<TestType, false, false>(s);
  }
}

TEST_CASE("small work stays on one thread, and larger work gets as many as it is worth") {
  const k::thread_team sixteen(16), one(1);
  CHECK(sixteen.threads_for(19999) == 1);
  CHECK(sixteen.threads_for(20000) == 2);
  CHECK(sixteen.threads_for(99999) == 9);
  CHECK(sixteen.threads_for(1e12) == 16);
  CHECK(one.threads_for(1e12) == 1);
  const auto parts_of = [&](std::int64_t m, std::int64_t n, std::int64_t depth) {
    return k::product_split(sixteen, {.m = m, .n = n, .k = depth, .ldc = n, .element_size = 4}).parts;
  };
  CHECK(parts_of(32, 64, 64) == 1);
  CHECK(parts_of(1, 500, 100) == 1);
  CHECK(parts_of(1, 500, 784) > 1);  // few multiplications, but many bytes
  CHECK(parts_of(500, 784, 1) > 1);
  CHECK(parts_of(512, 512, 512) > 1);
  CHECK(parts_of(2048, 2048, 2048) == 16);
}

TEST_CASE("a program is shared if large kernels are half of its work or more") {
  // of 32768 multiplications, and of 16 million
  const tl::product_arguments small{.m = 32, .n = 32, .k = 32, .ldc = 32, .element_size = 4},
      large{.m = 256, .n = 256, .k = 256, .ldc = 256, .element_size = 4};
  k::program_work work;
  CHECK(work.is_shared());  // what is not known here decides for itself
  work.add(small, 511);
  CHECK_FALSE(work.is_shared());
  work.add(large, 1);
  CHECK(work.is_shared());
  work.add(small, 2);
  CHECK_FALSE(work.is_shared());
  const test::smallest_shares shares;
  k::program_work all_large;
  all_large.add(small, 1);
  CHECK(all_large.is_shared());
}

#ifdef TEST_HAS_FORK
TEST_CASE("small programs start no threads, and larger ones do") {
  CHECK(test::in_child([] {
          tl::function f{line, tl::cpu{.threads = 3}};
          const auto small = test::numbers().vector(1000), large = test::numbers().vector(1 << 20);
          f("x"_t = small);
          if (test::count_threads() != 1) return 1;
          f("x"_t = large);
          return test::count_threads() > 1 ? 7 : 2;
        }) == 7);
}
TEST_CASE("a recurrent layer of small iterations stays on one thread, one of large iterations does not") {
  // Its weight's gradient is one product over all iterations, large in both.
  const auto threads_of = [](auto layer, std::size_t width) {
    return test::in_child([&] {
      tl::function f{layer, tl::cpu_by_tables{.threads = 3}};
      const std::vector<float> numbers(width * width, 0.01f);
      f("h"_t = numbers, "w"_t = numbers, "x"_t = std::vector<float>(20));
      return static_cast<int>(test::count_threads());
    });
  };
  CHECK(threads_of(recurrent<32, 32>, 32) == 1);
  CHECK(threads_of(recurrent<256, 256>, 256) > 1);
}
#endif

TEST_CASE("parts of a product cover it once, and none is smaller than what stays together") {
  const test::smallest_shares shares;
  for (const int threads : {2, 3, 5, 16})
    for (const std::int64_t m : {1, 15, 16, 17, 31, 33, 100, 500})
      for (const std::int64_t n : {1, 47, 49, 95, 97, 500}) {
        const k::thread_team team(threads);
        const tl::product_arguments arguments{.m = m, .n = n, .k = 9, .ldc = n, .element_size = 4};
        const k::product_split split(team, arguments);
        std::int64_t elements = 0;
        for (int part = 0; part < split.parts; ++part) {
          const tl::product_arguments own = split.part_of(arguments, part);
          elements += own.m * own.n;
          CHECK((own.m == m || own.m >= k::rows_together));
          CHECK((own.n == n || own.n >= k::columns_together));
        }
        CHECK(elements == m * n);
        CHECK(split.parts <= threads);
      }
}

TEST_CASE("the axis that is split is not reduced") {
  tl::fused_kernel_arguments arguments;
  arguments.rank = 3;
  arguments.extents[0] = arguments.extents[1] = 2;
  arguments.extents[2] = 128;  // two times what stays together
  CHECK(k::axis_to_split(arguments, 2).axis == 0);
  arguments.reduced = 0b001;
  CHECK(k::axis_to_split(arguments, 2).axis == 1);
  arguments.extents[1] = 1;
  CHECK(k::axis_to_split(arguments, 2).axis == 2);
  arguments.reduced = 0b011;
  CHECK(k::axis_to_split(arguments, 2).axis == 2);
  arguments.reduced = 0b001;
  arguments.ordered = 0b010;
  CHECK(k::axis_to_split(arguments, 2).axis == 2);
  arguments.reduced = 0b111;
  CHECK(k::axis_to_split(arguments, 2).parts == 1);
  arguments.rank = 0;
  CHECK(k::axis_to_split(arguments, 2).parts == 1);
}

TEST_CASE("the axis that is split keeps as many threads busy as one can") {
  tl::fused_kernel_arguments arguments;
  arguments.rank = 3;
  arguments.extents[0] = 3;
  arguments.extents[1] = 100;
  arguments.extents[2] = 640;
  CHECK(k::axis_to_split(arguments, 3).axis == 0);
  CHECK(k::axis_to_split(arguments, 2).axis == 1);
  CHECK(k::axis_to_split(arguments, 16).parts == 16);
  arguments.extents[1] = 4;
  CHECK(k::axis_to_split(arguments, 10).axis == 2);
  CHECK(k::axis_to_split(arguments, 16).parts == 10);
}

TEST_CASE("a loop's products on several threads give the same bits") {
  const test::smallest_shares shares;
  tl::function one{loop, tl::cpu{.threads = 1}};
  std::vector<float> w(144 * 144), h(5 * 144), x{0.1f, -0.2f, 0.3f, 0};
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = 0.1f * std::sin(static_cast<float>(i));
  for (std::size_t i = 0; i < h.size(); ++i) h[i] = std::cos(static_cast<float>(i));
  for (const int threads : {2, 3, 16}) {
    tl::function several{loop, tl::cpu{.threads = threads}};
    auto a = one("w"_t = w, "h"_t = h, "x"_t = x), b = several("w"_t = w, "h"_t = h, "x"_t = x);
    CHECK(same_bits(test::elements(a.get<"h">()), test::elements(b.get<"h">())));
    CHECK(same_bits(test::elements(a.get<"slope">()), test::elements(b.get<"slope">())));
  }
}
