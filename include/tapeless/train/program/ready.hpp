// SPDX-License-Identifier: BSL-1.0
// A program's graph, cut down to what it needs and made ready for planning.
#pragma once

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/structural/attention_support.hpp>
#include <tapeless/graph/transform/prune.hpp>
#include <tapeless/plan/materialize.hpp>
#include <tapeless/plan/plan_view.hpp>

namespace tapeless {

namespace detail {

/// How many times as many nodes as the model's graph there should be room for. clang takes time for room that
/// stays empty, too: a builder says `adds_nothing` where it adds no derivatives and no rule.
template <class GraphBuilder>
constexpr int expected_growth() {
  if constexpr (requires { GraphBuilder::adds_nothing; }) {
    return sizes_of<lower<typename GraphBuilder::model>>.has_expansion ? 16 : 4;
  } else {
    return 16;
  }
}

}  // namespace detail

/// A builder's graph, cut down to its outputs and effects and made ready for planning. The graph itself is
/// built along the way, in the same constant evaluation: a table of its own would be one more to compile.
/// Convolutions, poolings and attention stay whole for backends that have kernels for them. Builders with
/// for_model<Other> build the same of another model.
template <class GraphBuilder, bool WholeWindows = false,
          attention_support WholeAttention = attention_support::none>
struct ready {
  using builder = GraphBuilder;
  using model = typename GraphBuilder::model;
  template <class Other, class Builder = GraphBuilder>
  using for_model = ready<typename Builder::template for_model<Other>, WholeWindows, WholeAttention>;
  static constexpr bool eager = detail::is_eager<GraphBuilder>();
  static constexpr bool last_first = detail::is_last_first<GraphBuilder>();
  static constexpr int expected_nodes() {
    return detail::expected_growth<GraphBuilder>() * sizes_of<lower<model>>.nodes + 64;
  }
  static constexpr void build(graph& g) {
    graph whole, pruned;
    GraphBuilder::build(whole);
    if (whole.failed()) {
      g.fail(whole.error);
      return;
    }
    prune(whole, pruned, WholeWindows, WholeAttention);
    materialize(pruned, g);
  }
};

namespace detail {

template <class GraphBuilder, class Program>
constexpr attention_support attention_that_stays() {
  if constexpr (requires { Program::whole_attention; }) {
    if (sizes_of<lower<typename GraphBuilder::model>>.has_expansion) return Program::whole_attention;
  }
  return attention_support::none;
}

}  // namespace detail

/// The same for a policy's programs. Models without convolutions, pools and attention have one plan for all
/// policies.
template <class GraphBuilder, class Policy>
using ready_for =
    ready<GraphBuilder,
          Policy::program::whole_windows && sizes_of<lower<typename GraphBuilder::model>>.has_expansion,
          detail::attention_that_stays<GraphBuilder, typename Policy::program>()>;

/// The plan of a builder's graph; where there is none, the compiler stops with the sentence that says why.
template <class GraphBuilder>
constexpr const plan_view& checked_plan_of() {
  constexpr const text& error = detail::plan_sizes_of<GraphBuilder>.error;
  if constexpr (!error.empty()) static_assert(compile_error<sentence_of<error.size>(error)>::reported);
  return view_of_plan<GraphBuilder>();
}

}  // namespace tapeless
