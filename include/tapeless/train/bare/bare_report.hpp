// SPDX-License-Identifier: BSL-1.0
// What tl::bare cannot train or compute, said once, where a trainer or function is made.
#pragma once

#include <string_view>
#include <type_traits>

#include <tapeless/graph/structural/rank_exchange.hpp>
#include <tapeless/optim/transforms/parts_of_chain.hpp>
#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/program/parameter_description.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/function_declaration.hpp>

namespace tapeless {

namespace detail {

/// Convolutions and poolings stay whole.
template <class GraphBuilder>
using bare_ready = ready<GraphBuilder, sizes_of<lower<typename GraphBuilder::model>>.has_expansion>;
template <class Model, class Rule, bool Eager>
using bare_step_of = bare_ready<step_graph_builder<Model, Rule, Eager>>;

/// The name of the graph's first operation of which tl::bare has no kernel; empty where it has all.
template <class GraphBuilder>
constexpr std::string_view operation_without_bare_kernel() {
  for (const node& n : constant_graph_of<GraphBuilder>.nodes)
    if (n.op->kind == family::matrix_function || n.op->kind == family::fourier) return n.op->name;
  return {};
}

/// Why tl::bare cannot compute a sound model; empty where it can.
template <class Model>
constexpr text bare_model_problem() {
  constexpr std::string_view missing = operation_without_bare_kernel<lower<Model>>();
  if (!missing.empty())
    return text() << "tl::bare has no kernel for " << missing
                  << ", as for all factors of matrices and Fourier transforms: these need tl::cpu";
  for (const derived_extent& e : constant_graph_of<lower<Model>>.extents)
    if (e.kind == extent_kind::symbol)
      return text() << "tl::bare knows all extents while compiling, but \"" << e.symbol->view()
                    << "\" is a run-time extent: give a number in place of dyn<\"" << e.symbol->view()
                    << "\">";
  for (const node& n : constant_graph_of<lower<Model>>.nodes)
    if (exchange_of(n) != rank_exchange::none)
      return text() << "tl::bare is one process: " << n.op->name << " needs tl::cpu_ranks";
  return {};
}

/// Why tl::bare cannot give a model's parameters their initial values; empty where it can.
template <class Model>
constexpr text bare_start_problem() {
  for (const parameter_description& p : parameters_of_model<Model>)
    if (p.start.is_computed())
      return text() << "tl::bare has no heap for initial values that are computed together, as those of "
                       "the parameter \""
                    << p.label->view() << "\" (orthogonal, norm): let it start otherwise, and load it";
  return {};
}

/// The first text that is not empty.
constexpr text first_of(const text& a, const text& b) { return a.empty() ? b : a; }

/// Why tl::bare cannot train a sound model by a rule; empty where it can.
template <class Model, class Rule, bool Eager>
constexpr text bare_problem() {
  if constexpr (trains_alone<Rule>) {
    return text()
           << "tl::bare has one loss, whose gradient is computed once in a step: lbfgs and in_turn need "
              "a trainer on tl::cpu";
  } else if constexpr (goes_uphill<Rule>) {
    return text() << uphill_sentence<Rule>.view();
  } else if constexpr (requires { Rule::accumulates; }) {
    return text() << "tl::bare updates in every step: accumulate(n, rule) needs a trainer on tl::cpu";
  } else if constexpr (compute_type_of<Rule>() != element::number) {
    return text()
           << "tl::bare keeps parameters in their own type: mixed_precision needs a trainer on tl::cpu";
  } else if constexpr (Eager && Rule::waits_for_all_gradients) {
    return text() << "eager updates change each parameter as soon as its own gradient is there, but a "
                     "transformation of this rule (clip_by_global_norm, ...) needs the gradients of all "
                     "parameters first: leave eager_updates out";
  } else {
    return first_of(bare_model_problem<Model>(), bare_start_problem<Model>());
  }
}

template <class Model, class Rule, bool Eager>
constexpr bool can_train_bare() {
  if constexpr (!is_rule<Rule> || !is_sound_model<Model>()) {
    return false;
  } else if constexpr (!bare_problem<Model, Rule, Eager>().empty()) {
    return false;
  } else {
    return is_sound_graph<bare_step_of<Model, Rule, Eager>>();
  }
}

/// Stops the compiler with the sentence that says why not, where it cannot.
template <class Model, class Rule, bool Eager, bool Sound = is_rule<Rule> && is_sound_model<Model>()>
struct bare_report : model_report<Model>,
                     contract_report<rule_contract<Rule>, is_rule<Rule> || is_erroneous<Rule>> {};

template <class Model, class Rule, bool Eager>
struct bare_sentence {
  static constexpr text message = bare_problem<Model, Rule, Eager>();
  static constexpr auto value = sentence_of<message.size>(message);
};
template <class Model, class Rule, bool Eager, bool Possible = bare_problem<Model, Rule, Eager>().empty()>
struct bare_step_report : error_report<bare_sentence<Model, Rule, Eager>::value> {};
template <class Model, class Rule, bool Eager>
struct bare_step_report<Model, Rule, Eager, true> : graph_report<bare_step_of<Model, Rule, Eager>> {};
template <class Model, class Rule, bool Eager>
struct bare_report<Model, Rule, Eager, true> : bare_step_report<Model, Rule, Eager> {};

/// The same of a function: one that reads its weights where they are gives them no initial values.
template <class Model, class Weights>
constexpr text bare_function_problem() {
  const text problem = bare_model_problem<Model>();
  if constexpr (std::is_same_v<Weights, own_weights>) return first_of(problem, bare_start_problem<Model>());
  return problem;
}
template <class Model>
using bare_function_of = bare_ready<forward_graph_builder<Model>>;
template <class Model, class Weights>
constexpr bool can_run_bare() {
  if constexpr (!is_sound_model<Model>()) {
    return false;
  } else if constexpr (!bare_function_problem<Model, Weights>().empty()) {
    return false;
  } else {
    return is_sound_graph<bare_function_of<Model>>();
  }
}

template <class Model, class Weights>
struct bare_function_sentence {
  static constexpr text message = bare_function_problem<Model, Weights>();
  static constexpr auto value = sentence_of<message.size>(message);
};
template <class Model, class Weights, bool Sound = is_sound_model<Model>()>
struct bare_function_report : model_report<Model> {};
template <class Model, class Weights>
struct bare_function_report<Model, Weights, true>
    : std::conditional_t<bare_function_problem<Model, Weights>().empty(),
                         graph_report<bare_function_of<Model>>,
                         error_report<bare_function_sentence<Model, Weights>::value>> {};

/// In the place of a model where nothing fits the arguments.
struct no_bare_model {};

}  // namespace detail

/// Has the members of a trainer and of a function on tl::bare.
class bare_error_stub : public error_stub {
 public:
  struct result : error_stub_result {
    bool is_valid() const { return false; }
    template <name>
    error_stub_result get() const {
      return {};
    }
  };
  result operator()(const auto&...) const { return {}; }
  void seed(const auto&) {}
  result step(const auto&...) { return {}; }
  result predict(const auto&...) { return {}; }
  template <name>
  float* parameter() {
    return nullptr;
  }
  long save(const auto&...) { return 0; }
  bool load(const auto&...) { return false; }
  static constexpr std::size_t saved_bytes() { return 0; }
  long save_checkpoint(const auto&...) { return 0; }
  bool load_checkpoint(const auto&...) { return false; }
  static constexpr std::size_t checkpoint_bytes() { return 0; }
};

}  // namespace tapeless
