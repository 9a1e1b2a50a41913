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

template <class Op, int A, int B>
constexpr void lower_cell(lowering& state) {
  node_list operands;
  if constexpr (A >= 0) operands.append(state.values[A]);
  if constexpr (B >= 0) operands.append(state.values[B]);
  state.values.push(build_cell<Op>(state.g, operands));
}

template <class Op>
constexpr void lower_initialized(lowering& state, int initializer_number) {
  state.values.push(node_list::only(Op::build(state.g, state.initializers[initializer_number])));
}

/// What lowering a cell needs to know of it: not the cells before.
template <class Op, int A, int B, int Initializer>
struct cell_key {};
template <class... Keys>
struct cell_keys {};

/// The keys of the chain's last Count cells.
template <int Count, class C, class... Later>
struct keys_of_last
    : keys_of_last<
          Count - 1, typename C::prev,
          cell_key<typename C::op, C::a, C::b,
                   (int(C::initializers) > int(C::prev::initializers) ? int(C::initializers) - 1 : -1)>,
          Later...> {};
template <class C, class... Later>
struct keys_of_last<0, C, Later...> {
  using type = cell_keys<Later...>;
};

template <class Op, int A, int B, int Initializer>
constexpr void lower_key(lowering& state, cell_key<Op, A, B, Initializer>) {
  if constexpr (Initializer >= 0) {
    lower_initialized<Op>(state, Initializer);
  } else {
    lower_cell<Op, A, B>(state);
  }
}
template <class... Keys>
constexpr void lower_keys(lowering& state, cell_keys<Keys...>) {
  (lower_key(state, Keys{}), ...);
}

// 16 cells a recursion level, so that long models stay off the compilers' limits.
template <class C>
constexpr void lower_chain(lowering& state) {
  constexpr int size = C::size, piece = size < 16 ? size : 16;
  if constexpr (size > piece) lower_chain<typename first_cells<size - piece, C>::type>(state);
  lower_keys(state, typename keys_of_last<piece, C>::type{});
}

}  // namespace detail

/// The stage that builds a model's graph. Output 0 is the loss: the first of outputs(...), or the model's
/// only value; the others are those with a name.
template <class Model, bool Training = true>
struct lower {
  static constexpr int expected_nodes() {
    constexpr int cells = model_expression<Model>::chain::size;
    return 16 * cells + 64;
  }
  static constexpr void build(graph& g) {
    g.training = Training;
    constexpr auto e = Model{}();
    using chain = typename decltype(e)::chain;
    detail::lowering state{g, {}, nullptr};
    if constexpr (int(chain::initializers) > 0) state.initializers = e.initializers.items;
    state.values.reserve(chain::size);
    detail::lower_chain<chain>(state);
    list<graph_output> labelled;
    for (const graph_output& o : g.outputs) labelled.push(o);
    g.outputs.clear();
    g.outputs.push({state.values[int(chain::size) - 1].ids[0], nullptr});
    for (const graph_output& o : labelled) g.outputs.push(o);
    number_parameters(g);
  }
};

/// The stage that builds a model's graph for evaluation: the same as for training where they do not differ.
template <class Model>
using lower_for_evaluation =
    std::conditional_t<sizes_of<lower<Model>>.asked_mode, lower<Model, false>, lower<Model>>;

/// Whether a stage went well.
template <class Stage>
constexpr bool is_sound_stage() {
  return sizes_of<Stage>.error.empty();
}

/// Stops the compiler with the sentence that says why a stage did not go well, where it did not. A base
/// class, so that nothing else is said.
template <class Stage, bool Sound = is_sound_stage<Stage>()>
struct stage_report {};
template <class Stage>
struct stage_report<Stage, false>
    : compile_error<sentence_of<sizes_of<Stage>.error.size>(sizes_of<Stage>.error)> {};

}  // namespace tapeless
