// SPDX-License-Identifier: BSL-1.0
// scan<N>(x, body), scan(body, carry, xs): a loop in the program. The body is compiled once and runs for
// every layer, or for every step in time; so does the loop back that its derivative needs. A loop in the body
// of another one is unrolled.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <tapeless/expr/lower.hpp>
#include <tapeless/expr/pack.hpp>
#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/graph/transform/loop_invariants.hpp>
#include <tapeless/ops/control/repeat.hpp>
#include <tapeless/ops/control/unrolled_loop.hpp>

namespace tapeless {

namespace detail {

/// What the body of a loop is called with, in place of the loop's operands.
template <int I, class Tensor>
struct scan_argument {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return {&g, g.arguments[I]}; }
  static constexpr node_list infer(graph& g, const node_list&) {
    return node_list::only({&g, placeholder(g, I, Tensor{})});
  }
};

/// What one iteration sees of an operand with a first axis over all iterations.
struct iteration_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (x.rank() > 0) return {x.builder, x.builder->in_iteration(x.id)};
    return x.fail(text() << "scan goes along the first axis of its operands, but one is a scalar");
  }
};

template <class Signatures>
struct only_tensor;
template <class Tensor>
struct only_tensor<signatures<Tensor>> {
  using type = Tensor;
};
template <class Tensor>
using iteration_of = typename only_tensor<typename result_of_op<iteration_statement, Tensor>::type>::type;

}  // namespace detail

/// The statement of a loop. Body is called with Arguments: Carries values that the iterations hand on, then
/// one element of each other operand. Count is the number of iterations, or -1 where it is the others' first
/// extent.
template <class Body, int Carries, std::int64_t Count, class... Arguments>
struct scan_statement {
  static constexpr bool built_once = true;
  static constexpr int arity = -1;

  static constexpr node_list build_all(graph& g, const node_list& x) {
    const std::int64_t count = Count >= 0 ? Count : g.nodes[x.ids[Carries]].shape[0];
    for (int k = Carries; k < x.count; ++k)
      if (g.nodes[x.ids[k]].shape[0] != count) return node_list::only(first_extents_differ(g, x));
    return g.region == 0 ? loop(g, x, count) : unrolled(g, x, count);
  }

 private:
  static constexpr node_list loop(graph& g, const node_list& x, std::int64_t count) {
    node_list results;
    const int first = g.nodes.size();
    g.open_region({count, false, Count >= 0});
    g.arguments.clear();
    for (int k = 0; k < x.count; ++k) g.arguments.push(k < Carries ? g.carry(x.ids[k]) : element_of(g, x, k));
    const node_list y = lower_body(g, std::index_sequence_for<Arguments...>{});
    if (!hands_on_alike(g, y)) {
      g.region = 0;
      return node_list::only(not_handed_on(g, x, y));
    }
    for (int k = 0; k < Carries; ++k) g.set_next(g.arguments[k], y.ids[k]);
    const detail::loop_invariants body(g, first);
    for (int k = 0; k < Carries; ++k) {
      const int carry = body.number(g.arguments[k]);
      const bool changes = g.nodes[carry].region == g.region;
      results.append(node_list::only({&g, changes ? g.last_value(carry) : carry}));
    }
    for (int k = Carries; k < y.count; ++k) {
      results.append(node_list::only({&g, g.stack(detail::in_open_region(g, body.number(y.ids[k])))}));
    }
    g.region = 0;
    return results;
  }

  // Operand k of an iteration. One that is given twice is two arguments.
  static constexpr int element_of(graph& g, const node_list& x, int k) {
    const int id = g.in_iteration(x.ids[k]);
    for (int other = Carries; other < x.count; ++other)
      if (other != k && x.ids[other] == x.ids[k]) return detail::insert_argument({&g, id});
    return id;
  }

  /// In the body of another loop. Post-condition: the outer loop's arguments are again what they were.
  static constexpr node_list unrolled(graph& g, const node_list& x, std::int64_t count) {
    if (!extent_table::is_literal(count) || count == 0) return node_list::only(not_unrolled(g, x, count));
    list<int> outer = std::move(g.arguments), stacks[max_arguments];
    const int draws = g.draws.size();
    node_list carry, y;
    for (int k = 0; k < Carries; ++k) carry.append(node_list::only({&g, x.ids[k]}));
    for (std::int64_t i = 0; i < count && !g.failed(); ++i) {
      const detail::unrolled_iteration iteration(g, count, i, Count >= 0);
      forget_draws(g, draws);
      g.arguments.clear();
      for (int k = 0; k < x.count; ++k) {
        const value given =
            k < Carries ? value{&g, carry.ids[k]} : detail::element_of_iteration({&g, x.ids[k]}, i);
        g.arguments.push(detail::insert_argument(given));
      }
      y = lower_body(g, std::index_sequence_for<Arguments...>{});
      if (!hands_on_alike(g, y)) {
        not_handed_on(g, x, y);
        break;
      }
      for (int k = 0; k < Carries; ++k) carry.ids[k] = y.ids[k];
      for (int k = Carries; k < y.count; ++k) stacks[k].push(y.ids[k]);
    }
    g.arguments = std::move(outer);
    if (g.failed()) return node_list::only({&g, x.ids[0]});
    for (int k = Carries; k < y.count; ++k)
      carry.append(node_list::only(detail::stack_of(g, std::move(stacks[k]))));
    return carry;
  }

  // Each iteration draws by the body's names.
  static constexpr void forget_draws(graph& g, int count) {
    list<graph_output> kept;
    for (int i = 0; i < count; ++i) kept.push(g.draws[i]);
    g.draws = std::move(kept);
  }

  template <std::size_t... I>
  static constexpr node_list lower_body(graph& g, std::index_sequence<I...>) {
    constexpr auto e =
        detail::packed(Body{}(leaf<detail::scan_argument<static_cast<int>(I), Arguments>>{}...));
    using chain = typename decltype(e)::chain;
    detail::lowering state{g, {}, nullptr};
    if constexpr (int(chain::initializers) > 0) state.initializers = e.initializers.items;
    state.values.reserve(chain::size);
    detail::lower_chain<chain>(state);
    return state.values[int(chain::size) - 1];
  }

  static constexpr bool hands_on_alike(const graph& g, const node_list& y) {
    if (y.count < Carries) return false;
    for (int k = 0; k < Carries; ++k) {
      const node &before = g.nodes[g.arguments[k]], &next = g.nodes[y.ids[k]];
      if (before.type != next.type || before.rank != next.rank) return false;
      for (int i = 0; i < before.rank; ++i)
        if (before.shape[i] != next.shape[i]) return false;
    }
    return true;
  }

  static constexpr void describe(graph& g, text& t, const node_list& x, int count) {
    for (int k = 0; k < count && k < x.count; ++k) {
      t << (k == 0 ? " " : ", ") << name_of(g.nodes[x.ids[k]].type);
      g.describe_shape(t, g.nodes[x.ids[k]]);
    }
  }
  static constexpr value not_handed_on(graph& g, const node_list& x, const node_list& y) {
    text t;
    t << "scan's body is given";
    describe(g, t, x, Carries);
    t << " and returns";
    describe(g, t, y, Carries);
    return {&g, g.fail(t << ": a carry must keep its element type and shape")};
  }
  static constexpr value not_unrolled(graph& g, const node_list& x, std::int64_t count) {
    text t;
    t << "scan in the body of another scan is unrolled, so its number of iterations is an integer of 1 or "
         "more, but here it is \"";
    g.extents.describe(t, count);
    return value{&g, x.ids[0]}.fail(t << "\"");
  }
  static constexpr value first_extents_differ(graph& g, const node_list& x) {
    text t;
    t << "scan goes along the first axis of its operands, whose extents differ:";
    for (int k = Carries; k < x.count; ++k) {
      t << (k == Carries ? " " : ", ");
      g.describe_shape(t, g.nodes[x.ids[k]]);
    }
    return {&g, g.fail(t)};
  }
};

namespace detail {

constexpr text wrong_body_arguments(int carries, int elements) {
  text t;
  t << "scan's body is given " << carries << (carries == 1 ? " value" : " values") << " of the carry";
  if (elements > 0)
    t << " and " << elements << (elements == 1 ? " element of the other operand" : " elements of the others");
  return t << ", one by one, but does not take them: it is a lambda [](auto h, auto x) for one of each";
}

template <class X>
inline constexpr bool has_tuple_inside = false;
template <class... X>
inline constexpr bool has_tuple_inside<std::tuple<X...>> = (tuple_of_expressions<X> || ...);

template <class Body, int Carries, std::int64_t Count, class... Arguments, class... Operands>
TAPELESS_FACTORY auto scanned(Operands... operands) {
  constexpr bool captures = !std::is_empty_v<Body> || !std::is_default_constructible_v<Body>;
  static_assert(!captures,
                "tapeless: scan's body captures nothing: give it what it needs as a carry or an operand "
                "(inputs and parameters can be named inside)");
  constexpr int elements = static_cast<int>(sizeof...(Arguments)) - Carries;
  constexpr int usual_count = Carries + (elements > 0 ? 1 : 0);  // where only an error is to be said
  if constexpr (captures) {
    return erroneous_results<usual_count>();
  } else if constexpr (!std::is_invocable_v<const Body&, leaf<scan_argument<0, Arguments>>...>) {
    constexpr text t = wrong_body_arguments(Carries, elements);
    static_assert(compile_error<sentence_of<t.size>(t)>::reported);
    return erroneous_results<usual_count>();
  } else {
    using returned = std::remove_cvref_t<std::invoke_result_t<Body, leaf<scan_argument<0, Arguments>>...>>;
    constexpr bool is_packable = expression_operand<returned>;
    static_assert(!has_tuple_inside<returned>,
                  "tapeless: scan's body returns its values one by one, not a tuple in a tuple: return "
                  "std::tuple{a, b, y};");
    static_assert(is_packable || has_tuple_inside<returned>,
                  "tapeless: scan's body returns the next carry's values and then those to stack: return "
                  "next; or return std::tuple{next, y};");
    if constexpr (!is_packable) {
      return erroneous_results<usual_count>();
    } else if constexpr (is_erroneous<decltype(packed(std::declval<returned>()))>) {
      return erroneous_results<usual_count>();
    } else {
      using result = decltype(packed(std::declval<returned>()));
      return counted_results_of<static_cast<int>(value_count<typename result::plain>::value)>(
          make<scan_statement<Body, Carries, Count, Arguments...>>(operands...));
    }
  }
}

// What has been refused.
template <std::int64_t N, class Body>
constexpr erroneous scan_layers(erroneous) {
  return {};
}
template <class Body>
constexpr erroneous scan_iterations(auto, auto) {
  return {};
}
template <std::int64_t N, class Body, class Chain, class... Carries>
TAPELESS_FACTORY auto scan_layers(expr<Chain, Carries...> x) {
  return scanned<Body, static_cast<int>(sizeof...(Carries)), N, Carries...>(x);
}
template <class Body, class C, class... Carries, class X, class... Stacked>
TAPELESS_FACTORY auto scan_iterations(expr<C, Carries...> carry, expr<X, Stacked...> xs) {
  return scanned<Body, static_cast<int>(sizeof...(Carries)), -1, Carries..., iteration_of<Stacked>...>(carry,
                                                                                                       xs);
}

}  // namespace detail

/// body(... body(x)), N times: as repeat<N>, but the body is compiled once. Each iteration has parameters of
/// its own: param<"w", float, 3> in the body declares one iteration's, and the model has N of them, as "w" of
/// the shape [N, 3], whose element i belongs to iteration i; repeat's [](auto x) has one set for all N, as
/// the loop along xs has. The body is a lambda [](auto x) without captures that returns a value of x's type
/// and shape. x may be several values, std::tuple{h, c}, as in the loop along xs.
/// In the body of another scan it is unrolled, and names no parameters.
/// @formula (h, y[i]) = body(h, xs[i]) for each i; or y = body(.. body(x)), N times
/// @shapes carry and xs [n, ..] -> the last carry and the stacks [n, ..]
/// @errors jacobian_of_scan scan_in_scan scan_in_scan_parameter recurrent_sequence_in_scan
///   scan_carry scan_body_arguments scan_body_captures scan_body_returns_tuple scan_body_returns_nested
///   scan_body_last
/// @torch a Python loop; torch.func has none
/// @jax jax.lax.scan
/// @given x = [1, 2, 3]; h = 0
/// @example auto [last, sums] = tl::scan([](auto s, auto v) { auto t = s + v; return std::tuple{t, t * t};
///   }, h, x);
/// @gives last = 6
/// @gives sums = [1, 9, 36]
template <int N, class Body>
TAPELESS_FACTORY auto scan(expression_operand auto x, const Body&) {
  static_assert(N >= 0, "tapeless: scan<N> takes N >= 0");
  return detail::scan_layers<N, Body>(detail::packed(x));
}

/// Refuses another order.
template <int N, class Body>
  requires(!expression_operand<Body>)
constexpr auto scan(const Body&, expression_operand auto) {
  return detail::refuse_repeated_body<Body>();
}

/// A loop along the first axis of xs: with h = carry, for each i (h, y[i]) = body(h, xs[i]).
///   carry is one value or several, std::tuple{h, c}; xs are, too, or are given one by one: x1, x2
///   the body gets them one by one; returns the next carry's values, then those to stack: std::tuple{next, y}
///   the results are the last carry's values, then stacks [iterations, ...]: one expression or a std::tuple
///   parameters named in the body are the same in every iteration
///   in the body of another scan it is unrolled, so its number of iterations is an integer
template <class Body>
  requires(!expression_operand<Body>)
TAPELESS_FACTORY auto scan(const Body&, expression_operand auto carry, expression_operand auto xs) {
  return detail::scan_iterations<Body>(detail::packed(carry), detail::packed(xs));
}
template <class Body>
  requires(!expression_operand<Body>)
TAPELESS_FACTORY auto scan(const Body& body, expression_operand auto carry, expression_operand auto x,
                           expression_operand auto... xs) {
  return scan(body, carry, pack(detail::packed(x), detail::packed(xs)...));
}
/// Refuses another order.
template <class Body>
  requires(!expression_operand<Body>)
TAPELESS_FACTORY auto scan(expression_operand auto carry, expression_operand auto, const Body&) {
  static_assert(std::is_void_v<Body>, "tapeless: scan takes its body first: tl::scan(body, carry, xs)");
  return detail::erroneous_results<detail::values_in_all<decltype(detail::packed(carry))>() + 1>();
}

}  // namespace tapeless
