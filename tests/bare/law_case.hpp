// SPDX-License-Identifier: BSL-1.0
// The laws' cases as models of tl::bare and tl::straight_line: outputs and gradients of operands that are
// views, strided, transposed and flipped ones, too.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/operations.hpp>

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
struct static_model {
  using number = std::conditional_t<std::string_view(Case::name).size() % 2 == 0, float, double>;

  constexpr auto operator()() const {
    constexpr int n = Case::size, m = Case::results;
    auto z = tl::input<"z", number, 2 * n>;
    auto y = tl::reshape<m>(Case{}(tl::slice<0, 0, 2 * n, 2>(z)));
    return tl::outputs(tl::named<"y">(y), tl::named<"vjp">(tl::vjp(y, z, tl::input<"u", number, m>)));
  }
};

/// What a case's z and u are bound to.
template <class Case>
struct law_inputs {
  using number = typename static_model<Case>::number;
  std::vector<number> z, u;

  law_inputs() {
    test::numbers random(7);
    constexpr auto n = static_cast<std::size_t>(Case::size);
    z.assign(2 * n, std::numeric_limits<number>::quiet_NaN());
    for (std::size_t i = 0; i < n; ++i)
      if constexpr (requires { Case::point; }) {
        z[2 * i] = static_cast<number>(Case::point[i]);
      } else {
        z[2 * i] = static_cast<number>(random(Case::low, Case::high));
      }
    u = random.vector<number>(static_cast<std::size_t>(Case::results));
  }
};

}  // namespace laws
