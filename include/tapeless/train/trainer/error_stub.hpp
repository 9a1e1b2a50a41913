// SPDX-License-Identifier: BSL-1.0
// Stands in for a trainer or function whose model has an error. Every use of it compiles, so that the
// sentence about the error is all that the compiler says.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include <tapeless/expr/lower.hpp>
#include <tapeless/expr/misuse.hpp>
#include <tapeless/train/program/output_names.hpp>
#include <tapeless/train/trainer/search_report.hpp>

namespace tapeless {

/// Whether a model can be lowered.
template <class Model>
constexpr bool is_sound_model() {
  if constexpr (is_model<Model>()) {
    return is_sound_graph<lower<Model>>();
  } else {
    return false;
  }
}

namespace detail {

template <class Model, bool IsModel = is_model<Model>()>
struct model_report_of {
  using type = no_model_report<Model>;
};
template <class Model>
struct model_report_of<Model, true> {
  using type = graph_report<lower<Model>>;
};

}  // namespace detail

/// Says why a model cannot be lowered, where it cannot. An alias, so that compilers need fewer lines to say
/// where.
template <class Model>
using model_report = typename detail::model_report_of<Model>::type;

namespace detail {

/// Stands for the rule where none is given, or one that is not called.
struct no_rule {};
template <class Model>
struct no_rule_sentence {
  static constexpr sentence value{
      "a trainer takes the model and a rule with its options: tl::trainer net{model, "
      "tl::adam({.learning_rate = 1e-3f})}"};
};
template <class Model>
struct no_rule_report : error_report<no_rule_sentence<Model>::value> {};

}  // namespace detail

struct error_stub_result : no_output {
  double loss() const { return 0; }
  search_report search() const { return {}; }
  template <name>
  error_stub_result get() const {
    return {};
  }
};

/// Stands in for a parameter in a loop through all.
struct named_error_stub : error_stub_result {
  std::string_view name() const { return {}; }
};
struct named_error_stubs : std::array<named_error_stub, 1> {
  void for_each(const auto&) const {}
};

/// Refuses a call of what is const.
template <class... X>
error_stub_result refuse_const() {
  static_assert(compile_error<misuse<void(X...)>::const_call>::reported);
  return {};
}

/// What a list of inputs in braces is taken for. Inputs that are arguments are another overload's.
struct inputs_in_braces {
  template <class... X>
  inputs_in_braces(const X&...) {
    static_assert(compile_error<misuse<void(X...)>::inputs_in_braces>::reported);
  }
};

/// Has the members of a trainer and of a function. What derives from it says what is wrong in its
/// constructors, by the size of a report: had it an erroneous base, clang would know nothing of an object's
/// members, and ask for `template` before each name<...> of them.
class error_stub {
 public:
  error_stub_result operator()(const auto&...) const { return {}; }
  error_stub_result step(const auto&...) { return {}; }
  template <name>
  error_stub_result step(const auto&...) {
    return {};
  }
  error_stub_result evaluate(const auto&...) { return {}; }
  error_stub_result predict(const auto&...) { return {}; }
  error_stub_result accumulate(double, const auto&...) { return {}; }
  error_stub_result gradients(const auto&...) { return {}; }
  void apply() {}
  void discard_gradients() {}
  template <name>
  error_stub_result parameter() const {
    return {};
  }
  named_error_stubs parameters() const { return {}; }
  template <name>
  error_stub_result gradient() {
    return {};
  }
  named_error_stubs all_gradients() { return {}; }
  template <name, name = name{}>
  error_stub_result state() {
    return {};
  }
  template <name>
  error_stub_result master() {
    return {};
  }
  template <name>
  void assign(const auto&) {}
  template <name, name = name{}>
  void freeze() {}
  template <name, name = name{}>
  void thaw() {}
  error_stub_result averaged_weights() { return {}; }
  template <name>
  void set(const auto&) {}
  template <name>
  double get() const {
    return 0;
  }
  long steps() const { return 0; }
  void seed(const auto&) {}
  template <name...>
  static constexpr error_stub_result plan(const auto&...) {
    return {};
  }
};

namespace detail {

/// What no stub stands for: a trainer, or a function, of a sound model. Const or a reference as well.
template <class Net>
concept no_stub = !std::derived_from<std::remove_cvref_t<Net>, error_stub>;

}  // namespace detail

}  // namespace tapeless
