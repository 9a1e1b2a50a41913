// SPDX-License-Identifier: BSL-1.0
// What a model is, and the sentence for what is none.
#pragma once

#include <type_traits>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/type_text.hpp>

namespace tapeless {

/// A model: a callable without arguments or captures that returns an expression.
template <class Model>
using model_expression = std::remove_cvref_t<decltype(Model{}())>;

namespace detail {

template <class Model>
concept has_no_captures = requires { Model{}; };
template <class Model>
concept is_called_without_arguments = requires { Model{}(); };
template <class Model>
concept runs_while_compiling = requires { typename std::integral_constant<int, (void(Model{}()), 0)>; };

template <class Argument, std::size_t>
using argument = Argument;
template <class Model, class Argument, std::size_t... I>
constexpr bool is_called_with(std::index_sequence<I...>) {
  return requires { Model{}(argument<Argument, I>{}...); };
}
template <class Model, class Argument, std::size_t... I>
constexpr bool is_called_with_some(std::index_sequence<I...>) {
  return (is_called_with<Model, Argument>(std::make_index_sequence<I + 1>()) || ...);
}
template <class Result>
void take_function_without_arguments(Result (*)());
template <class Model>
constexpr bool takes_arguments() {
  constexpr std::make_index_sequence<8> counts;
  if constexpr (requires { +Model{}; }) {
    return !requires { take_function_without_arguments(+Model{}); };  // for clang a refused lambda is one
  } else if constexpr (is_called_with_some<Model, erroneous>(counts)) {
    return true;
  } else {
    return is_called_with_some<Model, expr<empty_chain>>(counts);
  }
}

/// Whether this is a lambda that nothing can be called with: then the compiler has refused what it does.
template <class Model>
constexpr bool is_refused_lambda() {
  constexpr std::string_view name = type_text<Model>();
  return name.ends_with("<lambda()>") || name.starts_with("(lambda at ");
}

template <class Model>
constexpr text no_model(const char* why) {
  constexpr std::string_view name = type_text<Model>();
  constexpr std::size_t room = 80;
  return text() << "`" << name.substr(0, room) << (name.size() > room ? "..." : "")
                << "` is no model: " << why;
}

template <class Result>
constexpr text no_expression() {
  if constexpr (std::is_void_v<Result>) {
    return text() << "the model returns nothing: it returns a loss, or tl::outputs(loss, "
                     "tl::named<\"y\">(y)) (or what it returns is refused above)";
  } else {
    constexpr std::string_view name = type_text<Result>();
    constexpr std::size_t end = name.find('<') < name.size() ? name.find('<') : name.size();
    return text() << "the model returns `" << name.substr(0, end) << (end < name.size() ? "<...>" : "")
                  << "`, which is no expression: several outputs are returned as tl::outputs(loss, "
                     "tl::named<\"y\">(y))";
  }
}

/// Why this is no model; empty where it is one, or where that was said already.
template <class Model>
constexpr text model_problem() {
  if constexpr (valid_expression<Model>) {
    return text()
           << "an expression stands where a model belongs: wrap all that it is made of in a lambda, [] "
              "{ ...; return loss; }";
  } else if constexpr (std::is_pointer_v<Model>) {
    return text() << "a pointer stands where a model belongs: a model is known while compiling, so give the "
                     "lambda itself, or [] { return f(); } with a constexpr function f";
  } else if constexpr (!std::is_class_v<Model>) {
    return no_model<Model>("a model is a lambda, [] { ...; return loss; }");
  } else if constexpr (!has_no_captures<Model>) {
    return text() << "the model has captures, but is run while compiling: give what changes as inputs or "
                     "run-time extents, and what is fixed as constexpr variables or template arguments";
  } else if constexpr (is_called_without_arguments<Model>) {
    using result = model_expression<Model>;
    if constexpr (is_erroneous<result>) {
      return {};
    } else if constexpr (!valid_expression<result>) {
      return no_expression<result>();
    } else if constexpr (!runs_while_compiling<Model>) {
      return text() << "the model is run while compiling, but something in it runs only later: a variable "
                       "that is not constexpr, output, a function that is not constexpr, or a lambda that "
                       "captures the a of auto [a, b] (it can capture auto c = a)";
    } else {
      return {};
    }
  } else if constexpr (takes_arguments<Model>()) {
    return text()
           << "the model takes arguments: its inputs are named in it, as tl::input<\"x\", float, 4>, and "
              "it is a lambda without parameters";
  } else if constexpr (is_refused_lambda<Model>()) {
    return {};
  } else {
    return no_model<Model>("a model is a lambda, [] { ...; return loss; }");
  }
}

}  // namespace detail

/// Whether a model can be called while compiling and returns an expression.
template <class Model>
constexpr bool is_model() {
  if constexpr (std::is_class_v<Model> && !valid_expression<Model>) {
    if constexpr (detail::is_called_without_arguments<Model>)
      return valid_expression<model_expression<Model>> && detail::runs_while_compiling<Model>;
  }
  return false;
}

/// What a class that takes a model has for a base where it is none and that has been reported.
struct reported_model {
  reported_model() { throw_error("this is no model: a model is a lambda, [] { ...; return loss; }"); }
};

namespace detail {

template <class Model, bool Reported = model_problem<Model>().empty()>
struct no_model_report_of {
  using type = reported_model;
};
template <class Model>
struct no_model_report_of<Model, false> {
  using type = error_report<sentence_of<model_problem<Model>().size>(model_problem<Model>())>;
};

}  // namespace detail

/// Stops the compiler with the sentence that says why this is no model. A base class, so that nothing else is
/// said.
template <class Model>
using no_model_report = typename detail::no_model_report_of<Model>::type;

}  // namespace tapeless
