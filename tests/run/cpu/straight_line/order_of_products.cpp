// SPDX-License-Identifier: BSL-1.0
// Products have the same bits as straight-line code, through tables, and through tables where their extents
// are known at run time: about every extent on which the order of sums depends, in all layouts.
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

#include <bit>
#include <cstdint>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

template <class T>
std::uint64_t bits_of(T x) {
  if constexpr (sizeof(T) == 2) return std::bit_cast<std::uint16_t>(x);
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(x);
  if constexpr (sizeof(T) == 8) return std::bit_cast<std::uint64_t>(x);
}

// Numbers whose products and sums are rounded.
template <class T>
std::vector<T> numbers(std::int64_t count, unsigned seed) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T& x : all) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<T>(static_cast<float>(static_cast<int>(seed >> 8) - (1 << 23)) / (1 << 22));
  }
  return all;
}

// [m, k] times [k, n], both by rows or transposed.
template <class T, auto M, auto N, auto K>
struct products {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, M, K>;
    auto u = tl::transpose(tl::input<"u", T, K, M>);
    auto w = tl::input<"w", T, K, N>;
    auto v = tl::transpose(tl::input<"v", T, N, K>);
    return tl::outputs(tl::named<"xw">(tl::matmul(x, w)), tl::named<"xv">(tl::matmul(x, v)),
                       tl::named<"uw">(tl::matmul(u, w)), tl::named<"uv">(tl::matmul(u, v)));
  }
};
// The same of a batch, where one operand may be the same for all.
template <class T, auto M, auto N, auto K>
struct batches {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, 3, M, K>;
    auto u = tl::transpose(tl::input<"u", T, K, M>);
    auto w = tl::input<"w", T, K, N>;
    auto v = tl::permute<0, 2, 1>(tl::input<"v", T, 3, N, K>);
    return tl::outputs(tl::named<"xw">(tl::matmul(x, w)), tl::named<"xv">(tl::matmul(x, v)),
                       tl::named<"uv">(tl::matmul(u, v)));
  }
};
// What reverse mode makes of x v^T.
template <class T, auto M, auto N, auto K>
struct gradients {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, M, K>;
    auto v = tl::input<"v", T, N, K>;
    auto y = tl::matmul(x, tl::transpose(v));
    auto [by_x, by_v] = tl::vjp(y, tl::pack(x, v), tl::input<"g", T, M, N>);
    return tl::outputs(tl::named<"by_x">(by_x), tl::named<"by_v">(by_v));
  }
};
// In loops whose right operands are the same in all iterations.
template <class T, auto M, auto N, auto K>
struct loops {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, 3, M, K>;
    auto state = tl::input<"state", T, M, 1>;
    auto [a, xw] = tl::scan(
        [](auto s, auto row) { return tl::pack(s, tl::matmul(row, tl::input<"w", T, K, N>)); }, state, x);
    auto [b, xv] = tl::scan(
        [](auto s, auto row) { return tl::pack(s, tl::matmul(row, tl::transpose(tl::input<"v", T, N, K>))); },
        state, x);
    return tl::outputs(tl::named<"xw">(xw), tl::named<"xv">(xv));
  }
};

template <class Result, class Other>
void require_same_bits(const Result& given, const Other& wanted) {
  REQUIRE(given.size() == wanted.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    different += bits_of(given[i]) == bits_of(wanted[i]) ? 0u : 1u;
  CHECK(different == 0);
}
// Results at one set of extents, of the first model as straight-line code.
template <class Model, class Dynamic, int M, int N, int K, tl::name... Output>
struct comparison {
  tl::function<Model, tl::straight_line> line{Model{}, tl::straight_line{.threads = 1}};
  tl::function<Model, tl::cpu_by_tables> tables{Model{}, tl::cpu_by_tables{.threads = 1}};

  template <class... Bindings>
  void of(const Bindings&... bindings) const {
    static const tl::function dynamic{Dynamic{}, tl::cpu{.threads = 1}};
    using graph_builder = typename decltype(line)::graph_builder;
    STATIC_REQUIRE(tl::straight_line::in_line<graph_builder>::count > 0);
    const auto given = line(bindings...);
    const auto wanted = tables(bindings...);
    const auto at_run_time = dynamic(bindings..., "m"_t = M, "n"_t = N, "k"_t = K);
    const auto compare = [&]<tl::name Name>() {
      INFO(Name.view());
      require_same_bits(given.template get<Name>(), wanted.template get<Name>());
      require_same_bits(at_run_time.template get<Name>(), wanted.template get<Name>());
    };
    (compare.template operator()<Output>(), ...);
  }
};

template <class T, template <class, auto, auto, auto> class Model, int M, int N, int K, tl::name... Output>
using comparison_of =
    comparison<Model<T, M, N, K>, Model<T, tl::dyn<"m">, tl::dyn<"n">, tl::dyn<"k">>, M, N, K, Output...>;

// Once with numbers, once where all products are -0.
template <class T, class F>
void with_numbers(int m, int n, int k, int batch, const F& f) {
  INFO(m << " x " << k << " x " << n);
  std::vector<T> x = numbers<T>(batch * m * k, 1), w = numbers<T>(batch * n * k, 2);
  f(x, w);
  for (T& number : x) number = T(0.0f);
  for (T& number : w) number = T(-1.0f);
  f(x, w);
}

template <class T, int M, int N, int... K>
void check_products() {
  const auto at = [](const auto& c, int k) {
    with_numbers<T>(M, N, k, 1,
                    [&](const auto& x, const auto& w) { c.of("x"_t = x, "u"_t = x, "w"_t = w, "v"_t = w); });
  };
  (at(comparison_of<T, products, M, N, K, "xw", "xv", "uw", "uv">{}, K), ...);
}
template <class T, int M, int N, int... K>
void check_batches() {
  const auto at = [](const auto& c, int k) {
    with_numbers<T>(M, N, k, 3, [&](const auto& x, const auto& w) {
      const tl::array_view<const T> u(x.data(), static_cast<std::size_t>(M * k)),
          one_w(w.data(), static_cast<std::size_t>(N * k));
      c.of("x"_t = x, "u"_t = u, "w"_t = one_w, "v"_t = w);
    });
  };
  (at(comparison_of<T, batches, M, N, K, "xw", "xv", "uv">{}, K), ...);
}
template <class T, int M, int N, int... K>
void check_gradients() {
  const auto at = [](const auto& c, int k) {
    with_numbers<T>(M, N, k, 1, [&](const auto& x, const auto& w) {
      const std::vector<T> g = numbers<T>(M * N, 3);
      c.of("x"_t = x, "v"_t = w, "g"_t = g);
    });
  };
  (at(comparison_of<T, gradients, M, N, K, "by_x", "by_v">{}, K), ...);
}
template <class T, int M, int N, int... K>
void check_loops() {
  const auto at = [](const auto& c, int k) {
    with_numbers<T>(3 * M, N, k, 1, [&](const auto& x, const auto& w) {
      const std::vector<T> state(M, T(0.0f));
      c.of("x"_t = x, "w"_t = w, "v"_t = w, "state"_t = state);
    });
  };
  (at(comparison_of<T, loops, M, N, K, "xw", "xv">{}, K), ...);
}

template <class T>
inline constexpr int width = tl::cpu_kernels::packet_size<T>;

}  // namespace

TEST_CASE("products of one row") {
  constexpr int w = width<float>, v = width<double>;
  check_products<float, 1, 1, 1, 2, 3, 7, 8, 9, 4 * w, 600>();
  check_products<float, 1, 4, 2, 16, 17>();
  check_products<float, 1, 5, 2, 3, 9, 33>();
  check_products<float, 1, w, 4, 8, 20>();
  check_products<float, 1, 2 * w + 1, 4, 9>();
  check_products<float, 1, 3 * w - 1, 13>();
  check_products<float, 1, 4 * w, 3, 64>();
  check_products<float, 1, 4 * w + 1, 5>();
  check_products<double, 1, 3, 2, 9, 4 * v + 3>();
  check_products<double, 1, 2 * v + 1, 3, 8, 17>();
  check_products<double, 1, 4 * v + 1, 9>();
}

TEST_CASE("products of one column") {
  constexpr int w = width<float>, v = width<double>;
  check_products<float, 2, 1, 1, 3, 8, 600>();
  check_products<float, 7, 1, 4, 2 * w + 1>();
  check_products<float, 2 * w + 3, 1, 2, 4, 17>();
  check_products<float, 4 * w, 1, 8>();
  check_products<float, 4 * w + 2, 1, 33>();
  check_products<double, v + 1, 1, 2, 9, 33>();
}

TEST_CASE("products of few columns") {
  constexpr int w = width<float>, v = width<double>;
  check_products<float, 2, 2, 7, 8, 9, 600>();
  check_products<float, 3, 3, 8, 20>();
  check_products<float, 2 * w + 1, 3, 8, 17>();
  check_products<float, w, 4, 7, 8, 17>();
  check_products<double, v + 1, 2, 8, 21>();
  check_products<double, v + 1, 4, 9>();
}

TEST_CASE("products of many rows and columns") {
  constexpr int w = width<float>, v = width<double>;
  check_products<float, 2, 5, 1, 2, 8, 9, 512, 513>();
  check_products<float, 3, w, 8, 1100>();
  check_products<float, 17, 2 * w + 3, 10>();
  check_products<double, 3, v + 1, 8, 9, 513>();
}

TEST_CASE("products of 16 bits") {
  check_products<tl::bf16, 1, 1, 3, 513>();
  check_products<tl::bf16, 1, 20, 9>();
  check_products<tl::bf16, 5, 2, 9, 600>();
  check_products<tl::f16, 9, 17, 8>();
}

TEST_CASE("batches of products") {
  check_batches<float, 1, 3, 2, 9>();
  check_batches<float, 1, 20, 4>();
  check_batches<float, 5, 1, 9>();
  check_batches<float, 4, 6, 20>();
  check_batches<double, 9, 2, 10>();
}

TEST_CASE("gradients of products") {
  check_gradients<float, 1, 5, 20>();
  check_gradients<float, 32, 1, 2, 16>();
  check_gradients<float, 32, 16, 2>();
  check_gradients<double, 9, 3, 7, 17>();
}

// Of one row, the operand is packed where it fits into the nearest cache.
TEST_CASE("products in loops") {
  check_loops<float, 1, 1, 40>();
  check_loops<float, 1, 3, 2, 9>();
  check_loops<float, 1, 40, 8, 9, 300>();
  check_loops<float, 20, 4, 9>();
  check_loops<double, 1, 40, 9>();
  check_loops<double, 2, 3, 9>();
}
