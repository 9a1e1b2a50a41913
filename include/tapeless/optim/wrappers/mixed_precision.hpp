// SPDX-License-Identifier: BSL-1.0
// mixed_precision<T>(rule): the model in 16 bits, its weights' float copies with the rule.
#pragma once

#include <tapeless/optim/wrappers/loss_scale.hpp>

namespace tapeless {

/// The name of the float copies of parameters among the states.
inline constexpr name master_label = "master";

/// A rule that works on float copies of the parameters. It wraps a whole rule.
template <element_type T, class Rule, class Scale>
class mixed_precision_rule : public detail::scaled_rule<Rule, Scale> {
  using base = detail::scaled_rule<Rule, Scale>;

 public:
  static constexpr element compute_type = element_of<T>;
  static constexpr std::string_view label =
      compute_type == element::bf16 ? "mixed_precision<bf16>" : "mixed_precision<f16>";
  using base::base;

  /// The float copies of parameters that will be of 16 bits. They are the first states that update asks for,
  /// in this order.
  struct seen_values {
    static constexpr value of(graph& g, const list<int>& parameters, int i) {
      const value own{&g, parameters[i]};
      if (own.type() != element::f32) return own;
      int number = g.states;
      for (int k = 0; k < i; ++k) number += g.nodes[parameters[k]].type == element::f32 ? 1 : 0;
      return master_of(own, number);
    }
  };

  static constexpr void update(list<rule_context>& parameters) {
    graph& g = *parameters[0].owned().builder;
    list<rule_context> masters;
    bool any_is_short = false;
    for (const rule_context& c : parameters) {
      const bool is_short = c.owned().type() == compute_type;
      any_is_short |= is_short;
      const value gradient = is_short ? cast(c.source(), element::f32) : c.gradient();
      masters.push(
          c.with(is_short ? master_of(c.owned(), g.states++) : c.parameter(), base::unscaled(c, gradient)));
    }
    if (!any_is_short)
      g.fail(text() << label
                    << " stores float parameters in 16 bits, but the rule changes no float parameter: leave "
                       "mixed_precision out, or make the model float");
    const int first = g.effects.size();
    base::update_unscaled(masters);
    for (int i = 0; i < parameters.size(); ++i) {
      rule_context& c = parameters[i];
      const value master = masters[i].parameter();
      if (c.owned().type() == compute_type)
        c.set(c.owned(), cast(detail::next_value(master, first), compute_type));
      if (masters[i].has_average()) c.set_averaged(masters[i].averaged());
    }
  }

 private:
  // Starts as the parameter does, before that is rounded.
  static constexpr value master_of(value parameter, int number) {
    graph& g = *parameter.builder;
    const node& n = parameter.get();
    return make_state(g, &interned<master_label>, element::f32, shape_of(parameter), number,
                      parameter_number(n), g.initializers[initializer_number(n)]);
  }
};

namespace detail {

template <class T>
using default_loss_scale =
    std::conditional_t<element_of<T> == element::f16, dynamic_loss_scale<>, no_loss_scale>;

}  // namespace detail

/// The rule, for a model whose float parameters, activations and gradients are stored as T (bf16 or f16);
/// sums, statistics and losses stay in float, and so do inputs and outputs. Everything is computed in float
/// and rounded where it is stored. The rule changes float copies of the weights, the state master, of which
/// the parameters are the rounded values (Micikevicius et al., 2018): net.master<"w">() has them. The loss is
/// scaled before the backward pass by a loss scale: none for bf16, dynamic_loss_scale<>{} for f16, unless
/// another one is given; the rule sees gradients without it. Where it is dynamic, the states loss_scale and
/// loss_scale.skipped tell what it is and how many steps were left out. The weights start from float values,
/// or from those of a file, in float or in T. It wraps all other optimizer transformations but accumulate.
template <element_type T, class Rule, class Scale = detail::default_loss_scale<T>>
auto mixed_precision(Rule rule, Scale scale = {}) {
  static_assert(is_half(element_of<T>),
                "tapeless: mixed_precision<T> stores the model in 16 bits: T is tl::bf16 or tl::f16");
  return detail::inside_ranks(std::move(rule), [&]<class Inner>(Inner inner) {
    constexpr bool nested = detail::has_compute_type<Inner>;
    static_assert(
        !nested,
        "tapeless: mixed_precision inside mixed_precision: a model is stored in one type; leave one "
        "of the two out");
    if constexpr (!nested && is_half(element_of<T>) && detail::can_be_wrapped<Inner>()) {
      return mixed_precision_rule<T, Inner, Scale>(std::move(inner), std::move(scale));
    } else {
      return erroneous{};
    }
  });
}

}  // namespace tapeless
