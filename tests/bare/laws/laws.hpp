// SPDX-License-Identifier: BSL-1.0
// The laws' cases on tl::bare: what the sources of tests/laws include as "laws/laws.hpp" where this folder
// comes first. Outputs and gradients are those of tl::cpu within rounding. Operands are views here: strided,
// transposed and flipped ones, too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/operations.hpp>
#include <tapeless/run/cpu/cpu.hpp>

#include "bare/bare_function.hpp"
#include "catch.hpp"
#include "laws/cases.hpp"
#include "program.hpp"

namespace laws {

namespace detail {

template <std::int64_t... E, std::size_t... I>
constexpr auto reversed(auto x, std::index_sequence<I...>) {
  constexpr std::int64_t extents[] = {E...};
  constexpr int last = static_cast<int>(sizeof...(E)) - 1;
  return tl::permute<(last - static_cast<int>(I))...>(tl::reshape<extents[sizeof...(E) - 1 - I]...>(x));
}

}  // namespace detail

/// Elements Begin.. of z in the shape E...: an operand, by turns as it stands in memory, with its axes in the
/// opposite order, and flipped.
template <std::int64_t Begin, std::int64_t... E, class Z>
constexpr auto part(Z z) {
  constexpr std::int64_t count = (1 * ... * E);
  constexpr int turn = static_cast<int>((Begin + count + static_cast<int>(sizeof...(E))) % 3);
  auto x = tl::slice<0, Begin, Begin + count>(z);
  if constexpr (turn == 1 && sizeof...(E) > 1) {
    return detail::reversed<E...>(x, std::make_index_sequence<sizeof...(E)>{});
  } else if constexpr (turn == 2 && count > 1) {
    return tl::reshape<E...>(tl::flip<0>(x));
  } else {
    return tl::reshape<E...>(x);
  }
}

/// y(z) and its vector-Jacobian product with u, in float or double by turns; the case's operand is every
/// second element of z.
template <class Case>
struct bare_model {
  using number = std::conditional_t<std::string_view(Case::name).size() % 2 == 0, float, double>;

  constexpr auto operator()() const {
    constexpr int n = Case::size, m = Case::results;
    auto z = tl::input<"z", number, 2 * n>;
    auto y = tl::reshape<m>(Case{}(tl::slice<0, 0, 2 * n, 2>(z)));
    return tl::outputs(tl::named<"y">(y), tl::named<"vjp">(tl::vjp(y, z, tl::input<"u", number, m>)));
  }
};

inline bool are_equal(double a, double b, double margin) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= margin;
}
template <class View, class Other>
void require_equal(const View& given, const Other& wanted, double tolerance) {
  REQUIRE(given.size() == wanted.size());
  double most = 1;
  for (const auto x : wanted)
    if (std::isfinite(x)) most = std::max(most, std::abs(static_cast<double>(x)));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    INFO("element " << i << ": " << static_cast<double>(given[i]) << ", by tl::cpu "
                    << static_cast<double>(wanted[i]));
    CHECK(are_equal(static_cast<double>(given[i]), static_cast<double>(wanted[i]), tolerance * most));
  }
}

template <class Case>
void compare() {
  using number = typename bare_model<Case>::number;
  test::numbers random(7);
  constexpr auto n = static_cast<std::size_t>(Case::size), m = static_cast<std::size_t>(Case::results);
  std::vector<number> z(2 * n, std::numeric_limits<number>::quiet_NaN());
  for (std::size_t i = 0; i < n; ++i)
    if constexpr (requires { Case::point; }) {
      z[2 * i] = static_cast<number>(Case::point[i]);
    } else {
      z[2 * i] = static_cast<number>(random(Case::low, Case::high));
    }
  const auto u = random.vector<number>(m);

  const tl::function<bare_model<Case>, tl::cpu> usual{bare_model<Case>{}, tl::cpu{.threads = 1}};
  static test::bare_function<bare_model<Case>> bare;
  const auto wanted = usual("z"_t = z, "u"_t = u);
  const auto given = bare("z"_t = z, "u"_t = u);
  constexpr double tolerance = sizeof(number) == 4 ? 2e-5 : 1e-12;
  require_equal(given.template get<"y">(), wanted.template get<"y">(), tolerance);
  require_equal(given.template get<"vjp">(), wanted.template get<"vjp">(), tolerance);
}

template <class Case>
void check() {
  using graph_builder = typename tl::function<bare_model<Case>, tl::cpu>::graph_builder;
  if constexpr (!tl::detail::operation_without_bare_kernel<graph_builder>().empty()) {
    SUCCEED("tl::bare says that it has no kernel for it");
  } else {
    compare<Case>();
  }
}

}  // namespace laws
