// SPDX-License-Identifier: BSL-1.0
// param<"w", float, 2>: what the trainer owns and changes; and how it starts.
#pragma once

#include <tapeless/expr/make.hpp>

namespace tapeless {

/// Every element starts as `number`, which a parameter of integers must be able to hold.
constexpr initializer fill(double number) { return {initializer::kind::constant, number}; }
/// Elements start uniformly distributed in [-bound, bound].
constexpr initializer uniform(double bound) { return {initializer::kind::uniform, bound}; }
/// Elements start normally distributed around 0 with the given standard deviation.
constexpr initializer normal(double deviation) { return {initializer::kind::normal, deviation}; }
/// Refuses a mean, which std's and PyTorch's have first.
template <class Mean, class Deviation>
  requires(std::is_arithmetic_v<Mean> && std::is_arithmetic_v<Deviation>)
constexpr initializer normal(const Mean&, const Deviation&) {
  static_assert(compile_error<misuse<Mean>::start_with_mean>::reported);
  return {};
}
/// A random matrix [first extent, all others] whose rows are orthogonal to one another and `gain` long, or
/// its columns where there are more rows than columns: as torch.nn.init.orthogonal_.
constexpr initializer orthogonal(double gain = 1) { return {initializer::kind::orthogonal, gain}; }
/// The lengths of parts of the parameter Of: each element is the square root of the sum of the squares that
/// it stands for when its parameter is broadcast to Of's shape. With param<"v", float, 64, 32>(normal(0.02)),
/// param<"g", float, 64, 1>(norm_of<"v">()) starts as the lengths of its rows.
template <name Of>
constexpr initializer norm_of() {
  return {initializer::kind::norm, 0, &interned<Of>};
}

template <name Name, element Type, extent... E>
struct param_statement {
  static constexpr int arity = 0;
  static constexpr value build(graph& g) { return build(g, initializer{}); }
  static constexpr value build(graph& g, const initializer& start) {
    static_assert(Name.size() > 0, "tapeless: a parameter needs a name: tl::param<\"w\", float, 2>");
    return make_parameter(g, &interned<Name>, Type, {sizeof...(E), {E.value...}}, start);
  }
};

/// A parameter that starts at zero, or, called with an initializer, as that says. Empty parentheses, which
/// draws have, change nothing.
template <name Name, element_type T, extent... E>
struct param_expression : leaf<param_statement<Name, element_of<T>, E...>> {
  constexpr param_expression operator()() const { return {}; }
  constexpr auto operator()(const initializer& start) const {
    return leaf<param_statement<Name, element_of<T>, E...>, 1>{{{start}}};
  }
  /// Refuses a number in place of an initializer.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr erroneous operator()(const Number&) const {
    static_assert(compile_error<misuse<Number>::starts_at_number>::reported);
    return {};
  }
};

namespace detail {

template <name Name, class T, extent... E>
struct param_of {
  using type = param_expression<Name, T, E...>;
};

template <name Name, extent... E>
constexpr text no_shape_of_parameter() {
  constexpr int rank = sizeof...(E);
  if (rank > max_rank) return too_many_axes(text() << "the parameter \"" << Name.view() << "\"", rank);
  const extent extents[] = {E...};
  int axis = 0;
  while (extents[axis].symbol == nullptr && extents[axis].value >= 0) ++axis;
  const name* const symbol = extents[axis].symbol;
  text t;
  t << "the parameter \"" << Name.view() << "\" has the ";
  if (symbol == nullptr)
    return t << "extent " << extents[axis].value << ": a parameter's extents are integers of 0 or more";
  return t << "run-time extent \"" << symbol->view()
           << "\": a parameter's extents are integers; what has a run-time extent is an input, by which "
              "tl::grad differentiates as well";
}
template <name Name, class T, extent... E>
  requires(((E.symbol != nullptr || E.value < 0) || ...) || sizeof...(E) > max_rank)
struct param_of<Name, T, E...> {
  static constexpr text sentence = no_shape_of_parameter<Name, E...>();
  static_assert(compile_error<sentence_of<sentence.size>(sentence)>::reported);
  using type = erroneous;
};

}  // namespace detail

/// A parameter of element type T and shape [E...], without extents a scalar:
/// param<"w", float, 2>, param<"w", float, 64, 32>(normal(0.02)).
template <name Name, element_type T, extent... E>
inline constexpr typename detail::param_of<Name, T, E...>::type param{};

namespace detail {

template <name Name, class T, extent... E>
struct is_expr<param_expression<Name, T, E...>> : std::true_type {};

}  // namespace detail

}  // namespace tapeless
