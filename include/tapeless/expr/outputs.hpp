// SPDX-License-Identifier: BSL-1.0
// outputs(loss, named<"logits">(logits)): what leaves the program, and by which name.
#pragma once

#include <tapeless/expr/make.hpp>

namespace tapeless {

template <name Name>
struct named_statement {
  static constexpr int arity = 1;
  static constexpr name label = Name;
  static constexpr value build(value x) {
    if (x.builder->region != 0)
      return x.fail(text() << "named<\"" << Name.view()
                           << "\"> in the body of scan: return the value from the body, and name its stack");
    for (const graph_output& other : x.builder->outputs)
      if (other.label == &interned<Name> && other.node != x.id)
        return x.fail(text() << "the output name \"" << Name.view() << "\" is used for two values");
    for (const graph_output& other : x.builder->outputs)
      if (other.label == &interned<Name>) return x;
    x.builder->outputs.push({x.id, &interned<Name>});
    return x;
  }
};

/// x as an output that is asked for by its name: result.get<"logits">().
template <name Name, class X>
  requires(expression<X> || plain_number<X>)
TAPELESS_FACTORY auto named(X x) {
  return make<named_statement<Name>>(x);
}

/// Refuses several values.
template <name, class X>
constexpr erroneous named(X) {
  static_assert(std::is_void_v<X>,
                "tapeless: named takes one value, but got several, or something else: "
                "tl::named<\"y\">(tl::sort<0>(x).values), or auto [y, h, c] = tl::lstm<\"l\", 5>(x)");
  return {};
}
/// Refuses a name as an argument.
template <class Text, expression_operand X>
  requires(!expression_operand<Text>)
constexpr auto named(const Text&, const X&) {
  static_assert(compile_error<misuse<Text>::output_name_as_argument>::reported);
  return erroneous{};
}
template <expression_operand X, class Text>
  requires(!expression_operand<Text>)
constexpr auto named(const X&, const Text&) {
  static_assert(compile_error<misuse<Text>::output_name_as_argument>::reported);
  return erroneous{};
}

/// The statement that ends a model with several outputs; the first one may be a loss, without a name.
struct outputs_statement {
  static constexpr int arity = -1;
  static constexpr bool gathers = true;
};

/// A model's outputs. The first, where it has no name, is the loss.
template <expression_operand First, expression_operand... X>
TAPELESS_FACTORY auto outputs(First first, X... x) {
  return make<outputs_statement>(first, x...);
}

/// Refuses a model of nothing.
template <class Nothing = void>
constexpr auto outputs() {
  static_assert(compile_error<misuse<Nothing>::no_outputs>::reported);
  return erroneous{};
}

}  // namespace tapeless
