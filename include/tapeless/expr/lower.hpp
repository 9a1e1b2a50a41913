// SPDX-License-Identifier: BSL-1.0
// From the chain of cells to the graph: walks the model's type once and lets every cell build its nodes.
#pragma once

#include <type_traits>
#include <utility>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/make.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/graph/frozen.hpp>

namespace tapeless {

/// A model: a callable without arguments or captures that returns an expression.
template <class Model>
using model_expression = std::remove_cvref_t<decltype(Model{}())>;

namespace detail {

/// What is known while cells are walked: each one's values, and the initial values not yet given out.
struct lowering {
  graph& g;
  list<node_list> values;
  const initializer* initializers = nullptr;
};

template <class E>
constexpr void lower_cell(lowering& state) {
  node_list operands;
  if constexpr (E::a >= 0) operands.append(state.values[E::a]);
  if constexpr (E::b >= 0) operands.append(state.values[E::b]);
  if constexpr (E::initializer_count > E::prev::initializer_count) {
    const value v = E::op::build(state.g, state.initializers[E::initializer_count - 1]);
    state.values.push({1, {v.id}});
  } else {
    state.values.push(build_cell<typename E::op>(state.g, operands));
  }
}

// 16 cells a recursion level, so that long models stay off the compilers' limits.
template <class E, int... I>
constexpr void lower_piece(lowering& state, std::integer_sequence<int, I...>) {
  constexpr int last = sizeof...(I) - 1;
  (lower_cell<first_cells<E::size - last + I, E>>(state), ...);
}

template <class E>
constexpr void lower_chain(lowering& state) {
  constexpr int piece = E::size < 16 ? E::size : 16;
  if constexpr (E::size > piece) lower_chain<first_cells<E::size - piece, E>>(state);
  lower_piece<E>(state, std::make_integer_sequence<int, piece>{});
}

}  // namespace detail

/// The stage that builds a model's graph. Output 0 is the loss: the first of outputs(...), or the model's
/// only value; the others are those with a name.
template <class Model>
struct lower {
  static constexpr void build(graph& g) {
    constexpr auto e = Model{}();
    using chain = decltype(detail::chain_of(e));
    detail::lowering state{g, {}, nullptr};
    if constexpr (chain::initializer_count > 0) state.initializers = e.initializers.items;
    state.values.reserve(chain::size);
    detail::lower_chain<chain>(state);
    list<graph_output> labelled;
    for (const graph_output& o : g.outputs) labelled.push(o);
    g.outputs.clear();
    g.outputs.push({state.values[chain::size - 1].ids[0], nullptr});
    for (const graph_output& o : labelled) g.outputs.push(o);
    number_parameters(g);
  }
};

/// Whether a stage went well; if not, stops the compiler with the sentence that says why.
template <class Stage>
constexpr bool check_stage() {
  constexpr const text& error = sizes_of<Stage>.error;
  if constexpr (!error.empty()) {
    return compile_error<sentence_of<error.size>(error)>::reported && false;
  } else {
    return true;
  }
}

}  // namespace tapeless
