// SPDX-License-Identifier: BSL-1.0
// Appends an operation to its operands' chains; checks it at the line where the user wrote it.
#pragma once

#include <concepts>
#include <type_traits>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/signature.hpp>
#include <tapeless/graph/leaf.hpp>

namespace tapeless {

/// What an erroneous operation returns: anything can be done with it, so that the compiler reports one
/// sentence only.
struct erroneous {};

template <class X>
concept is_erroneous = std::same_as<std::remove_cvref_t<X>, erroneous>;
template <class X>
concept plain_number =
    std::is_arithmetic_v<std::remove_cvref_t<X>> && !std::same_as<std::remove_cvref_t<X>, bool>;

/// What operations take in a user's model.
template <class X>
concept expression_operand = expression<X> || is_erroneous<X>;

/// Operands of one operation in a user's model; a plain number among them is an error that is explained.
template <class... X>
concept expression_operands =
    ((expression_operand<X> || plain_number<X>) && ...) && (expression_operand<X> || ...);

/// Operands of one operation in a rule or a custom operation, while the graph is built; numbers are welcome.
template <class... X>
concept value_operands = ((is_value<X> || plain_number<X>) && ...) && (is_value<X> || ...);

namespace detail {

template <class Op, int Size, int A, int B, int Initializers, class Prev>
constexpr expr<Size, Op, A, B, Prev, Initializers> cell(ic<Size>, ic<A>, ic<B>, ic<Initializers>, Prev prev) {
  if constexpr (Initializers == 0) {
    return {};
  } else {
    return {prev.initializers};
  }
}

/// Appends Op to the chain x; its operands are the cells A and B.
template <class Op, int A, int B, class X>
constexpr auto append_cell(X x) {
  constexpr int size = X::size + 1, initializers = X::initializer_count;
  return cell<Op>(ic<size>{}, ic<A>{}, ic<B>{}, ic<initializers>{}, x);
}

// Appends Y's cell E, with its operands shifted, to z; a custom initial value goes along.
template <int Common, int Shift, class E, class Z, class Y>
constexpr auto replay_cell(Z z, const Y& y) {
  constexpr int a = E::a < Common ? E::a : E::a + Shift, b = E::b < Common ? E::b : E::b + Shift;
  constexpr int size = Z::size + 1;
  if constexpr (E::initializer_count == E::prev::initializer_count) {
    return append_cell<typename E::op, a, b>(z);
  } else {
    constexpr int count = Z::initializer_count + 1;
    expr<size, typename E::op, a, b, Z, count> result{};
    if constexpr (count > 1)
      for (int i = 0; i < count - 1; ++i) result.initializers.items[i] = z.initializers.items[i];
    result.initializers.items[count - 1] = y.initializers.items[E::initializer_count - 1];
    return result;
  }
}

// Z, then the cells of Y from number Next on.
template <int Common, int Shift, int Next, class Z, class Y>
constexpr auto replay(Z z, const Y& y) {
  if constexpr (Next == Y::size) {
    return z;
  } else {
    auto longer = replay_cell<Common, Shift, first_cells<Next + 1, Y>>(z, y);
    static_assert(signature_of_cell<decltype(longer)>.count > 0);  // bottom up, so that no recursion is deep
    return replay<Common, Shift, Next + 1>(longer, y);
  }
}

template <class E>
constexpr auto checked(E e) {
  constexpr const signature& s = signature_of_cell<E>;
  if constexpr (s.error.empty()) {
    return e;
  } else {
    static_assert(compile_error<sentence_of<s.error.size>(s.error)>::reported);
    return erroneous{};
  }
}

template <class Op, class X, class Y>
constexpr auto append_binary(X x, Y y) {
  if constexpr (Y::size > X::size) {
    constexpr int common = common_prefix<X, Y>(), shift = Y::size - common;
    auto z = replay<common, shift, common>(y, x);
    constexpr int a = X::size <= common ? X::size - 1 : decltype(z)::size - 1;
    constexpr int b = Y::size - 1;
    return append_cell<Op, a, b>(z);
  } else {
    constexpr int common = common_prefix<X, Y>(), shift = X::size - common;
    auto z = replay<common, shift, common>(x, y);
    constexpr int a = X::size - 1;
    constexpr int b = Y::size <= common ? Y::size - 1 : decltype(z)::size - 1;
    return append_cell<Op, a, b>(z);
  }
}

// A parameter that is not called is an expression by inheritance.
template <int Size, class Op, int A, int B, class Prev, int Initializers>
constexpr auto chain_of(const expr<Size, Op, A, B, Prev, Initializers>& e) {
  return e;
}

// Lists operands for an operation that takes more than two.
struct gathered {
  static constexpr int arity = -1;
  static constexpr bool gathers = true;
};

template <class X>
constexpr auto gather_operands(X x) {
  return x;
}
template <class X, class Y, class... Rest>
constexpr auto gather_operands(X x, Y y, Rest... rest) {
  return gather_operands(append_binary<gathered>(x, y), rest...);
}

template <class Op, class X>
constexpr auto append(X x) {
  constexpr int a = X::size - 1;
  return append_cell<Op, a, -1>(x);
}
template <class Op, class X, class Y>
constexpr auto append(X x, Y y) {
  return append_binary<Op>(x, y);
}
template <class Op, class X, class Y, class Z, class... Rest>
constexpr auto append(X x, Y y, Z z, Rest... rest) {
  return append<Op>(gather_operands(x, y, z, rest...));
}

constexpr value as_value(graph&, value v) { return v; }
constexpr value as_value(graph& g, plain_number auto n) { return make_constant(g, static_cast<double>(n)); }

constexpr graph* owner_of(value v) { return v.owner; }
constexpr graph* owner_of(plain_number auto) { return nullptr; }

template <class Op>
constexpr text plain_number_message() {
  text t;
  if constexpr (requires { Op::name; }) t << Op::name << ": ";
  return t << "a plain number stands next to an expression: write 2_c or 0.5_c (using namespace "
              "tapeless::literals), or constant<V>";
}

}  // namespace detail

/// Op of the operands, some of which are values: a node. The result's type is not deduced, so that rules
/// can refer to one another in circles.
template <class Op, class... X>
  requires value_operands<X...>
constexpr value make(X... x) {
  graph* g = nullptr;
  for (graph* owner : {detail::owner_of(x)...}) g = owner != nullptr ? owner : g;
  return Op::build(detail::as_value(*g, x)...);
}

/// Op of the operands, which are expressions: another cell.
template <class Op, class... X>
  requires expression_operands<X...>
constexpr auto make(X... x) {
  if constexpr ((is_erroneous<X> || ...)) {
    return erroneous{};
  } else if constexpr ((plain_number<X> || ...)) {
    constexpr text message = detail::plain_number_message<Op>();
    static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    return erroneous{};
  } else {
    return detail::checked(detail::append<Op>(detail::chain_of(x)...));
  }
}

/// A cell without operands: the start of a chain.
template <class Leaf>
constexpr auto make_leaf() {
  return detail::checked(expr<1, Leaf, -1, -1, empty_chain, 0>{});
}

}  // namespace tapeless
