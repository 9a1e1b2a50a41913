// SPDX-License-Identifier: BSL-1.0
// From the chain of statements to the graph: goes through the model's type once; each statement builds its
// nodes.
#pragma once

#include <type_traits>
#include <utility>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/make.hpp>
#include <tapeless/expr/model.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/graph/core/constant_graph.hpp>
#include <tapeless/graph/structural/check_initializers.hpp>
#include <tapeless/graph/structural/differentiated.hpp>
#include <tapeless/graph/structural/left_alone.hpp>

namespace tapeless {

namespace detail {

/// An operation of its own nature: its address tells it from others.
template <class Op>
inline constexpr char identity_of = 0;

/// What a statement has made of its operands.
struct built_statement {
  const char* operation = nullptr;
  node_list operands, results;
};

/// What is known while statements are gone through: each one's values, and the initial values not yet given
/// out.
struct lowering {
  graph& g;
  list<node_list> values;
  const initializer* initializers = nullptr;
  list<built_statement> built = {};  // of the operations with `built_once`
  list<int> by = {};                 // nodes that derivatives are by, and that others have looked through
  const lowering* before = nullptr;  // the same chain, gone through to find these
};

/// Notes what a statement takes derivatives by.
constexpr void note_differentiated(lowering& state, const node_list& operands) {
  for (int k = 1; k < operands.count; ++k)
    if (operands.ids[k] >= 0 && is_looked_through(state.g.nodes[operands.ids[k]]))
      state.by.push(operands.ids[k]);
}

/// The next statement's results, which derivatives are by as nodes of their own.
constexpr node_list kept_apart(lowering& state, node_list results) {
  if (state.before == nullptr) return results;
  const node_list& same = state.before->values[state.values.size()];
  for (int i = 0; i < results.count; ++i)
    for (int id : state.before->by)
      if (same.ids[i] == id) results.ids[i] = insert_differentiated(state.g, results.ids[i]);
  return results;
}

/// A chain can hold a statement several times, where expressions that share it begin with others. Most
/// operations make the same nodes again. Loops and random numbers would be others: these say `built_once`.
template <class Op>
constexpr node_list build_once(lowering& state, const node_list& operands) {
  for (const built_statement& b : state.built) {
    bool is_same = b.operation == &identity_of<Op> && b.operands.count == operands.count;
    for (int i = 0; is_same && i < operands.count; ++i) is_same = b.operands.ids[i] == operands.ids[i];
    if (is_same) return b.results;
  }
  const node_list results = build_statement<Op>(state.g, operands);
  state.built.push({&identity_of<Op>, operands, results});
  return results;
}

template <class Op, int A, int B>
constexpr void lower_statement(lowering& state) {
  node_list operands;
  if constexpr (A >= 0) operands.append(state.values[A]);
  if constexpr (B >= 0) operands.append(state.values[B]);
  if constexpr (requires { Op::differentiates; }) note_differentiated(state, operands);
  if constexpr (requires { Op::built_once; }) {
    state.values.push(kept_apart(state, build_once<Op>(state, operands)));
  } else {
    state.values.push(kept_apart(state, build_statement<Op>(state.g, operands)));
  }
}

template <class Op>
constexpr void lower_initialized(lowering& state, int initializer_number) {
  state.values.push(node_list::only(Op::build(state.g, state.initializers[initializer_number])));
}

/// What lowering a statement needs to know of it: not the statements before.
template <class Op, int A, int B, int Initializer>
struct statement_key {};
template <class... Keys>
struct statement_keys {};

/// The keys of the chain's last Count statements.
template <int Count, class C, class... Later>
struct keys_of_last
    : keys_of_last<
          Count - 1, typename C::prev,
          statement_key<typename C::op, C::a, C::b,
                        (int(C::initializers) > int(C::prev::initializers) ? int(C::initializers) - 1 : -1)>,
          Later...> {};
template <class C, class... Later>
struct keys_of_last<0, C, Later...> {
  using type = statement_keys<Later...>;
};

template <class Op, int A, int B, int Initializer>
constexpr void lower_key(lowering& state, statement_key<Op, A, B, Initializer>) {
  if constexpr (Initializer >= 0) {
    lower_initialized<Op>(state, Initializer);
  } else {
    lower_statement<Op, A, B>(state);
  }
}
template <class... Keys>
constexpr void lower_keys(lowering& state, statement_keys<Keys...>) {
  (lower_key(state, Keys{}), ...);
}

// 16 statements a recursion level, so that long models stay off the compilers' limits.
template <class C>
inline constexpr int piece_of = int(C::size) < 16 ? int(C::size) : 16;
template <class C>
using statements_before_piece = typename first_statements<int(C::size) - piece_of<C>, C>::type;
template <class C>
using last_piece = typename keys_of_last<piece_of<C>, C>::type;

template <class C>
constexpr void lower_chain(lowering& state) {
  if constexpr (int(C::size) > piece_of<C>) lower_chain<statements_before_piece<C>>(state);
  lower_keys(state, last_piece<C>{});
}

template <class Op, int A, int B, int Initializer>
constexpr bool key_differentiates(statement_key<Op, A, B, Initializer>) {
  return requires { Op::differentiates; };
}
template <class... Keys>
constexpr bool keys_differentiate(statement_keys<Keys...>) {
  return (key_differentiates(Keys{}) || ...);
}

/// Whether a chain takes derivatives.
template <class C>
constexpr bool differentiates() {
  if constexpr (int(C::size) > piece_of<C>) {
    if (differentiates<statements_before_piece<C>>()) return true;
  }
  return keys_differentiate(last_piece<C>{});
}

/// Builds the nodes of a chain. Where derivatives are by nodes that others would look through, they are built
/// again, and these are kept apart. Post-condition: the last statement's values.
template <class C>
constexpr node_list lower_values(graph& g, const initializer* initializers) {
  lowering state{g, {}, initializers};
  state.values.reserve(C::size);
  if constexpr (differentiates<C>()) {
    graph before(g);
    lower_chain<C>(state);
    if (state.by.size() > 0) {
      g = std::move(before);
      lowering again{g, {}, initializers, {}, {}, &state};
      lower_chain<C>(again);
      state.values = std::move(again.values);
    }
  } else {
    lower_chain<C>(state);
  }
  return state.values[int(C::size) - 1];
}

}  // namespace detail

/// A model whose run-time extents have values, as far as these are given: its graph is that of the model with
/// the numbers in their place.
template <class Model, extent_values Values>
struct model_at {
  static constexpr extent_values values = Values;
  constexpr auto operator()() const { return Model{}(); }
};

namespace detail {

template <class Model>
inline constexpr const extent_values* extent_values_of = nullptr;
template <class Model, extent_values Values>
inline constexpr const extent_values* extent_values_of<model_at<Model, Values>> =
    &model_at<Model, Values>::values;

/// The loss without a name, then what has one: in the order in which the model lists its values, and behind
/// them what it names elsewhere.
constexpr void put_outputs_in_order(graph& g, const node_list& values) {
  list<graph_output> named;
  for (const graph_output& o : g.outputs) named.push(o);
  g.outputs.clear();
  g.outputs.push({values.ids[0], nullptr});
  const auto is_there = [&](const graph_output& o) {
    for (const graph_output& other : g.outputs)
      if (other.label == o.label) return true;
    return false;
  };
  for (int i = 0; i < values.count; ++i)
    for (const graph_output& o : named)
      if (o.node == values.ids[i] && !is_there(o)) {  // a value may have several names
        g.outputs.push(o);
        break;
      }
  for (const graph_output& o : named)
    if (!is_there(o)) g.outputs.push(o);
}

}  // namespace detail

/// Builds a model's graph. Output 0 is the loss: the first of outputs(...), or the model's
/// only value; the others are those with a name.
template <class Model, bool Training = true>
struct lower {
  static constexpr int expected_nodes() {
    constexpr int statements = model_expression<Model>::chain::size;
    return 64 * statements + 256;
  }
  static constexpr void build(graph& g) {
    g.training = Training;
    g.extents.set_values(detail::extent_values_of<Model>);
    detail::put_outputs_in_order(g, build_values(g));
    number_parameters(g);
    find_left_alone(g);
    check_initializers(g);
  }

 private:
  using chain = typename model_expression<Model>::chain;

  static constexpr node_list build_values(graph& g) {
#if defined(__CUDACC__)  // nvcc 13 crashes on some models unless they are evaluated here
    constexpr bool evaluates = true;
#else
    constexpr bool evaluates = int(chain::initializers) > 0;
#endif
    if constexpr (evaluates) {
      constexpr auto e = Model{}();
      const initializer* initializers = nullptr;
      if constexpr (int(chain::initializers) > 0) initializers = e.initializers.items;
      return detail::lower_values<chain>(g, initializers);
    } else {
      return detail::lower_values<chain>(g, nullptr);
    }
  }
};

/// Builds a model's graph for evaluation: the same as for training where they do not differ.
template <class Model>
using lower_for_evaluation =
    std::conditional_t<sizes_of<lower<Model>>.asked_mode, lower<Model, false>, lower<Model>>;

/// Whether a graph could be built.
template <class GraphBuilder>
constexpr bool is_sound_graph() {
  return sizes_of<GraphBuilder>.error.empty();
}

/// Stops the compiler with the sentence that says why a graph could not be built, where it could not. A base
/// class, so that nothing else is said.
template <class GraphBuilder, bool Sound = is_sound_graph<GraphBuilder>()>
struct graph_report {};
template <class GraphBuilder>
struct graph_report<GraphBuilder, false>
    : error_report<sentence_of<sizes_of<GraphBuilder>.error.size>(sizes_of<GraphBuilder>.error)> {};

}  // namespace tapeless
