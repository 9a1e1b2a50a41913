// SPDX-License-Identifier: BSL-1.0
// What a value is (element type and shape), as a type; and what an operation makes of such values, found by
// building it alone in a small graph. So what does not fit is noticed at the user's line. Keyed on the
// operation and its operands' signatures, not on chains: equal layers share it.
#pragma once

#include <utility>

#include <tapeless/expr/statement.hpp>
#include <tapeless/graph/structural/leaf.hpp>

namespace tapeless {

inline constexpr int max_arguments = 8;

/// Derived extents that a shape mentions, numbered as in a table of their own.
template <derived_extent...>
struct derived_extents {};

/// Numbers of the nodes that a statement's values are.
struct node_list {
  int count = 0;
  int ids[max_arguments] = {};

  static constexpr node_list only(value v) {
    node_list l;
    l.count = 1;
    l.ids[0] = v.id;
    return l;
  }
  constexpr void append(const node_list& more) {
    for (int i = 0; i < more.count && count < max_arguments; ++i) ids[count++] = more.ids[i];
  }
};

namespace detail {

inline constexpr operation placeholder_operation{"placeholder", family::input};

template <element Type, derived_extent... Derived, std::int64_t... Shape>
constexpr int placeholder(graph& g, int index, tensor<Type, derived_extents<Derived...>, Shape...>) {
  const derived_extent table[] = {Derived..., {}};
  const std::int64_t shape[] = {Shape..., 0};
  node n;
  n.op = &placeholder_operation;
  n.type = Type;
  n.rank = sizeof...(Shape);
  for (int i = 0; i < n.rank; ++i) n.shape[i] = g.extents.import(table, shape[i]);
  set_leaf_number(n, index);
  return g.insert(n);
}

template <class Op, std::size_t... I>
constexpr value build_statement(graph& g, const node_list& x, std::index_sequence<I...>) {
  if constexpr (sizeof...(I) == 0) {
    return Op::build(g);
  } else {
    return Op::build(value{&g, x.ids[I]}...);
  }
}

}  // namespace detail

namespace detail {

/// What is said of what would have more axes than a value can.
constexpr text too_many_axes(text of, int count) {
  return of << ": a value has at most " << max_rank << " axes, but got " << count;
}

/// What an operation's refusal() says of a template argument: nothing where it fits.
constexpr text unless_fits(bool fits, std::string_view op, std::string_view takes, auto got) {
  if (fits) return {};
  return text() << op << " takes " << takes << ", but got " << got;
}

}  // namespace detail

/// What Op says of its own template arguments by refusal(): nothing where it takes them, or has no refusal().
template <class Op>
constexpr text refusal_of() {
  if constexpr (requires { Op::refusal(); }) {
    return Op::refusal();
  } else {
    return {};
  }
}
template <class Op>
inline constexpr bool is_refused = false;
template <class Op>
  requires requires { Op::refusal(); }
inline constexpr bool is_refused<Op> = !Op::refusal().empty();

/// Builds what Op makes of the operands. An Op has `arity` and build(values...); one with `gathers` only
/// lists its operands for the next statement; one with build_all takes any number. Where an Op is refused,
/// nothing is built: its class must be sound with any template arguments, its functions need not.
template <class Op>
constexpr node_list build_statement(graph& g, const node_list& x) {
  if constexpr (requires { Op::gathers; }) {
    return x;
  } else if constexpr (requires { Op::build_all(g, x); }) {
    return Op::build_all(g, x);
  } else {
    return {
        1,
        {detail::build_statement<Op>(g, x, std::make_index_sequence<static_cast<std::size_t>(Op::arity)>())
             .id}};
  }
}

namespace detail {

/// A value's signature as a value.
struct value_signature {
  static constexpr int max_derived = 16;
  element type = element::f32;
  shape_list shape;
  int derived_count = 0;
  derived_extent derived[max_derived] = {};

  /// Takes over an extent and what it is made of, once each. Post-condition: its number here.
  constexpr std::int64_t take(const extent_table& from, std::int64_t e) {
    if (extent_table::is_literal(e)) return e;
    derived_extent entry = from[e];
    if (entry.kind != extent_kind::symbol) {
      entry.left = take(from, entry.left);
      entry.right = take(from, entry.right);
    }
    for (int k = 0; k < derived_count && k < max_derived; ++k)
      if (derived[k] == entry) return -1 - k;
    if (derived_count < max_derived) derived[derived_count] = entry;
    return -1 - derived_count++;
  }
};

struct inference {
  int count = 0;
  value_signature values[max_arguments] = {};
  text error;
};

constexpr value_signature signature_of(value v) {
  value_signature s{.type = v.type(), .shape = shape_of(v)};
  for (int i = 0; i < s.shape.rank; ++i) s.shape.extents[i] = s.take(v.builder->extents, s.shape.extents[i]);
  if (s.derived_count > value_signature::max_derived) {
    v.fail(text() << "a shape mentions more than " << value_signature::max_derived << " run-time extents");
    s.derived_count = 0;
  }
  return s;
}

template <class Op, class... Operands>
constexpr inference infer() {
  inference result;
  graph g;
  node_list x;
  if constexpr (sizeof...(Operands) > max_arguments) {
    result.error << "an operation takes at most " << max_arguments << " values, but got "
                 << static_cast<int>(sizeof...(Operands));
    return result;
  }
  ((x.ids[x.count] = placeholder(g, x.count, Operands{}), ++x.count), ...);
  node_list values;
  if constexpr (is_refused<Op>) {
    g.fail(refusal_of<Op>());
  } else if constexpr (requires { Op::infer(g, x); }) {
    values = Op::infer(g, x);
  } else {
    values = build_statement<Op>(g, x);
  }
  if (!g.failed())
    for (; result.count < values.count; ++result.count)
      result.values[result.count] = signature_of({&g, values.ids[result.count]});
  result.error = g.error;
  return result;
}

/// What Op makes of operands with these signatures.
template <class Op, class... Operands>
inline constexpr inference inferred = infer<Op, Operands...>();

/// The signatures of an operation's values, as a list of types.
template <class... Values>
struct signatures {
  template <class Chain>
  using with = expr<Chain, Values...>;
};

template <class Op, int Value, class Derived, class Axes, class... Operands>
struct tensor_of;
template <class Op, int Value, std::size_t... D, std::size_t... A, class... Operands>
struct tensor_of<Op, Value, std::index_sequence<D...>, std::index_sequence<A...>, Operands...> {
  using type = tensor<inferred<Op, Operands...>.values[Value].type,
                      derived_extents<inferred<Op, Operands...>.values[Value].derived[D]...>,
                      inferred<Op, Operands...>.values[Value].shape.extents[A]...>;
};

template <class Op, class Values, class... Operands>
struct tensors_of;
template <class Op, std::size_t... Value, class... Operands>
struct tensors_of<Op, std::index_sequence<Value...>, Operands...> {
  using type = signatures<typename tensor_of<
      Op, static_cast<int>(Value),
      std::make_index_sequence<static_cast<std::size_t>(
          inferred<Op, Operands...>.values[Value].derived_count)>,
      std::make_index_sequence<static_cast<std::size_t>(inferred<Op, Operands...>.values[Value].shape.rank)>,
      Operands...>::type...>;
};

template <class Op, class... Operands>
struct result_of_op
    : tensors_of<Op, std::make_index_sequence<static_cast<std::size_t>(inferred<Op, Operands...>.count)>,
                 Operands...> {};

}  // namespace detail

}  // namespace tapeless
