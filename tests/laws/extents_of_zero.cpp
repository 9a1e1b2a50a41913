// SPDX-License-Identifier: BSL-1.0
// Each extent by turns is 0: straight-line code and tl::bare have the bits of tables of kernels. Sums without
// terms are 0, nothing is read of what has no elements, and all that is there is written.
#include <tapeless/bare.hpp>
#include <tapeless/operations.hpp>

#include <vector>

#include "catch.hpp"
#include "program.hpp"
#include "run/cpu/straight_line/same_bits.hpp"

namespace {

const std::vector<float> some(300, 2);
// Numbers of an operand; behind the last one there are more.
auto first(std::size_t count) { return tl::array_view<const float>(some.data(), count); }

template <int Batch, int Rows, int Columns, bool IsTransposed>
constexpr auto matrix(auto input_of) {
  if constexpr (IsTransposed) return tl::transpose(input_of.template operator()<Batch, Columns, Rows>());
  if constexpr (!IsTransposed) return input_of.template operator()<Batch, Rows, Columns>();
}
template <int Batch, int M, int K, int N, bool TransposesA, bool TransposesB>
struct product {
  constexpr auto operator()() const {
    auto a = matrix<Batch, M, K, TransposesA>([]<int... E>() { return tl::input<"a", float, E...>; });
    auto b = matrix<Batch, K, N, TransposesB>([]<int... E>() { return tl::input<"b", float, E...>; });
    return tl::outputs(tl::named<"y">(tl::matmul(a, b)));
  }
};
template <int Rows, int Columns>
struct lines {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, Rows, Columns>;
    return tl::outputs(tl::named<"cumsum">(tl::cumsum<1>(x)), tl::named<"cumprod">(tl::cumprod<1>(x)),
                       tl::named<"downward">(tl::cumprod<0>(x)), tl::named<"flipped">(tl::flip<0>(x)));
  }
};
// In all of these, kernels of elements have none.
template <int Rows, int Columns>
struct composed {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, Rows, Columns>;
    return tl::outputs(tl::named<"logcumsumexp">(tl::logcumsumexp<1>(x)),
                       tl::named<"gradient">(tl::grad(tl::sum(tl::cumprod<1>(x)), x)),
                       tl::named<"sorted">(tl::sort<1>(x).values), tl::named<"rows">(tl::sum<1>(x)),
                       tl::named<"columns">(tl::sum<0>(x)), tl::named<"prod">(tl::prod<1>(x)),
                       tl::named<"softmax">(tl::softmax(x)));
  }
};
// The gradient's memory held other numbers before.
template <int Batch, int Positions, tl::conv Windows>
struct images {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, Batch, 2, 6, 6>;
    auto k = tl::reshape<3, 2, 3, 3>(tl::cumsum<0>(tl::input<"k", float, 54>));
    auto y = tl::conv2d<Windows>(x, k);
    auto t = tl::input<"t", float, Batch, 3, Positions, Positions>;
    return tl::outputs(tl::named<"y">(y), tl::named<"gradient">(tl::vjp(y, k, t) + 1_c),
                       tl::named<"max">(tl::max_pool2d<tl::pool{.kernel = 2}>(x)),
                       tl::named<"mean">(tl::avg_pool2d<tl::pool{.kernel = 2}>(x)));
  }
};

// The outputs of those names, on all three. Twice, so that no memory is fresh.
template <class Model, bool IsStraight, tl::name... Names>
struct check {
  template <class... Bindings>
  static void of(const Bindings&... bindings) {
    const tl::function tables{Model{}, tl::cpu_by_tables{.threads = 1}};
    const tl::function line{Model{}, tl::straight_line{.threads = 1}};
    constexpr auto lines = tl::straight_line::in_line<typename decltype(line)::graph_builder>::count;
    STATIC_REQUIRE(lines == (IsStraight ? 1 : 0));
    static tl::function<Model, tl::bare> bare{Model{}};
    for (int call = 0; call < 2; ++call) {
      const auto wanted = tables(bindings...);
      const auto given = line(bindings...);
      const auto given_by_bare = bare(bindings...);
      REQUIRE(given_by_bare.is_valid());
      const auto check_one = [&]<tl::name Name>() {
        INFO("output " << Name.view());
        test::check_bits(given.template get<Name>(), wanted.template get<Name>());
        test::check_bits(given_by_bare.template get<Name>(), wanted.template get<Name>());
      };
      (check_one.template operator()<Names>(), ...);
    }
  }
};

// Where a matrix without elements is copied first, that is no straight-line code.
template <std::size_t Batch, std::size_t M, std::size_t K, std::size_t N, bool TransposesA, bool TransposesB>
void check_product() {
  INFO(Batch << " times " << M << " x " << K << " x " << N << ", " << TransposesA << ", " << TransposesB);
  constexpr bool copies_a = (M == 0 && TransposesA) || (K == 0 && !TransposesA),
                 copies_b = (K == 0 && TransposesB) || (N == 0 && !TransposesB);
  check<product<Batch, M, K, N, TransposesA, TransposesB>, Batch == 0 || (!copies_a && !copies_b), "y">::of(
      "a"_t = first(Batch * M * K), "b"_t = first(Batch * K * N));
}
template <std::size_t Batch, std::size_t M, std::size_t K, std::size_t N>
void check_products() {
  check_product<Batch, M, K, N, false, false>();
  check_product<Batch, M, K, N, true, false>();
  check_product<Batch, M, K, N, false, true>();
}
template <int Rows, int Columns>
void check_lines() {
  INFO(Rows << " x " << Columns);
  check<lines<Rows, Columns>, true, "cumsum", "cumprod", "downward", "flipped">::of("x"_t = first(0));
  check<composed<Rows, Columns>, false, "logcumsumexp", "gradient", "sorted", "rows", "columns", "prod",
        "softmax">::of("x"_t = first(0));
}
template <int Positions, tl::conv Windows>
void check_images() {
  check<images<0, Positions, Windows>, true, "y", "gradient", "max", "mean">::of(
      "x"_t = first(0), "k"_t = first(54), "t"_t = first(0));
}

}  // namespace

TEST_CASE("products of no batch, rows, terms, columns") {
  check_products<0, 3, 9, 2>();
  check_products<2, 0, 9, 2>();
  check_products<2, 8, 0, 2>();
  check_products<2, 3, 9, 0>();
}

TEST_CASE("lines of nothing, and no lines") {
  check_lines<3, 0>();
  check_lines<0, 3>();
}

TEST_CASE("no images") {
  check_images<6, tl::conv{.padding = 1}>();
  check_images<2, tl::conv{.stride = 2}>();
}
