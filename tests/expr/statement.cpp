// SPDX-License-Identifier: BSL-1.0
// The chain of statements stays linear: what two operands share is there once, however often it is used.
#include "catch.hpp"

#include <concepts>
#include <type_traits>

#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/lower.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/kernel_operations.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto x = tl::input<"x", float, 3>;
constexpr auto y = tl::input<"y", float, 3>;

template <class E>
constexpr int statements_of(E) {
  return E::chain::size;
}
template <class X, class Y>
constexpr int common(X, Y) {
  return tl::detail::common_of<typename X::chain, typename Y::chain>::value;
}
template <class E>
constexpr int nodes(E) {
  struct model {
    constexpr auto operator()() const { return E{}; }
  };
  return tl::sizes_of<tl::lower<model>>.nodes;
}

static_assert(statements_of(x) == 1 && statements_of(tl::exp(x)) == 2 &&
              statements_of(tl::exp(tl::exp(x))) == 3);

// a parameter is the same with empty parentheses
static_assert(std::same_as<decltype(tl::param<"t", float, 2>()),
                           std::remove_const_t<decltype(tl::param<"t", float, 2>)>>);
static_assert(statements_of(x * tl::param<"t", float>()) == 3);

// what two chains have in common
static_assert(common(x, x) == 1 && common(x, y) == 0 && common(tl::exp(x), x) == 1);
static_assert(common(tl::exp(x), tl::sin(x)) == 1 && common(tl::exp(tl::sin(x)), tl::cos(tl::sin(x))) == 2);

// both operands in one chain, one a continuation of the other, both of their own
static_assert(statements_of(x + x) == 2);
static_assert(statements_of(x + tl::exp(x)) == 3 && statements_of(tl::exp(x) + x) == 3);
static_assert(statements_of(tl::exp(x) * tl::sin(x)) == 4 && statements_of(x + y) == 3);

// The operands are those that were meant, in their order.
constexpr auto difference = tl::exp(x) - x;
static_assert(decltype(difference)::chain::a == 1 && decltype(difference)::chain::b == 0);
constexpr auto reversed = x - tl::exp(x);
static_assert(decltype(reversed)::chain::a == 0 && decltype(reversed)::chain::b == 1);

// A diamond, and a ladder of them.
template <int N, class E>
constexpr auto ladder(E e) {
  if constexpr (N == 0) {
    return e;
  } else {
    return ladder<N - 1>(tl::exp(e) * tl::sin(e));
  }
}
static_assert(statements_of(ladder<20>(x)) == 1 + 20 * 3);

// A deep residual network: h + f(h) adds f's statements and one more.
template <int N, class E>
constexpr auto residual(E h) {
  if constexpr (N == 0) {
    return h;
  } else {
    return residual<N - 1>(h + tl::tanh(tl::exp(h)));
  }
}
static_assert(statements_of(residual<60>(x)) == 1 + 60 * 3);
static_assert(nodes(residual<60>(x)) == 1 + 60 * 3);

// Two long towers on one trunk are joined once.
template <int N, class E>
constexpr auto tower(E e) {
  if constexpr (N == 0) {
    return e;
  } else {
    return tower<N - 1>(tl::sin(e));
  }
}
constexpr auto trunk = tower<20>(x);
static_assert(statements_of(tower<40>(trunk) + tower<30>(tl::cos(trunk))) == 21 + 40 + 31 + 1);
static_assert(common(tower<40>(trunk), tower<30>(tl::cos(trunk))) == 21);
static_assert(nodes(tower<40>(trunk) + tower<30>(tl::cos(trunk))) == 21 + 40 + 31 + 1);

// What was built twice is one node in the graph, though not in the chain.
static_assert(nodes((y + tl::exp(x)) * (tl::exp(x) + x)) == 6);

// The sentences for what numbers can do leave expressions what they are. Who asks whether one is a number of
// its own type gets the sentence; of any other it is none.
using plain = std::remove_const_t<decltype(x)>;
static_assert(std::semiregular<plain> && std::is_trivially_copyable_v<plain>);
static_assert(!std::equality_comparable<plain> && !std::convertible_to<plain, bool> &&
              !std::convertible_to<plain, double>);

}  // namespace

TEST_CASE("chains are linear in the number of operations") { SUCCEED(); }
