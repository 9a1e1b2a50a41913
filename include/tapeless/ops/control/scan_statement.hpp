// SPDX-License-Identifier: BSL-1.0
// The statement of a loop: its iterations' nodes in a region of the graph, or unrolled in the body of another
// loop.
#pragma once

#include <type_traits>
#include <utility>

#include <tapeless/expr/lower.hpp>
#include <tapeless/expr/pack.hpp>
#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/graph/transform/loop_invariants.hpp>
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
      const int first = g.nodes.size();
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
      if (!detail::can_be_so_many(g, "scan", first, i, count)) break;
    }
    g.arguments = std::move(outer);
    if (g.failed()) return node_list::only({&g, x.ids[0]});
    for (int k = Carries; k < y.count; ++k)
      carry.append(node_list::only(detail::stack_of(g, std::move(stacks[k]))));
    return carry;
  }

  // Each iteration draws by the body's names.
  static constexpr void forget_draws(graph& g, int count) {
    list<graph_draw> kept;
    for (int i = 0; i < count; ++i) kept.push(g.draws[i]);
    g.draws = std::move(kept);
  }

  template <std::size_t... I>
  static constexpr node_list lower_body(graph& g, std::index_sequence<I...>) {
    constexpr auto e =
        detail::packed(Body{}(leaf<detail::scan_argument<static_cast<int>(I), Arguments>>{}...));
    using chain = typename decltype(e)::chain;
    const initializer* initializers = nullptr;
    if constexpr (int(chain::initializers) > 0) initializers = e.initializers.items;
    return detail::lower_values<chain>(g, initializers);
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

}  // namespace tapeless
