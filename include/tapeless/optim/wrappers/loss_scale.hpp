// SPDX-License-Identifier: BSL-1.0
// What the loss is multiplied by, so that small gradients do not vanish in 16 bits.
#pragma once

#include <tapeless/optim/wrappers/finite.hpp>
#include <tapeless/optim/wrappers/gradients.hpp>

namespace tapeless {

/// No scale: bfloat16 has float's range.
struct no_loss_scale {};

/// The same scale in all steps: fixed_loss_scale{1024}.
struct fixed_loss_scale {
  hyperparameter scale = 1024;
};

/// A scale that starts at Start, is halved, with the step left out, where a gradient is not finite, and
/// doubled after growth_interval good steps in a row: dynamic_loss_scale<1024>{}. It stays within 2^-24 and
/// 2^127, where PyTorch's GradScaler has no limits.
template <int Start = 65536>
struct dynamic_loss_scale {
  hyperparameter growth_interval = 2000;
};

namespace detail {

/// A rule whose gradients come times a scale, which is taken off before it sees them.
template <class Rule, class Scale>
class scaled_rule;

template <class Rule>
class scaled_rule<Rule, no_loss_scale> : public wrapped_rule<Rule> {
 public:
  scaled_rule(Rule rule, no_loss_scale) : wrapped_rule<Rule>(std::move(rule)) {}

 protected:
  static constexpr value unscaled(const rule_context&, value g) { return g; }
  static constexpr void update_unscaled(list<rule_context>& parameters) { Rule::update(parameters); }
};

template <class Rule>
class scaled_rule<Rule, fixed_loss_scale> : public wrapped_rule<Rule, "loss_scale"> {
  using base = wrapped_rule<Rule, "loss_scale">;

 public:
  scaled_rule(Rule rule, fixed_loss_scale s) : base(std::move(rule), {std::move(s.scale)}) {}

  static constexpr value loss_scale(graph& g) {
    return make_hyperparameter(g, first_rule_entry + Rule::hyper_count);
  }

 protected:
  static constexpr value unscaled(const rule_context& c, value g) {
    return g * (1.0 / loss_scale(*c.owned().builder));
  }
  static constexpr void update_unscaled(list<rule_context>& parameters) { Rule::update(parameters); }
};

template <class Rule, int Start>
class scaled_rule<Rule, dynamic_loss_scale<Start>> : public wrapped_rule<Rule, "growth_interval"> {
  using base = wrapped_rule<Rule, "growth_interval">;
  static_assert(Start > 0, "tapeless: a loss scale starts above 0");

 public:
  static constexpr bool waits_for_all_gradients = true;

  scaled_rule(Rule rule, dynamic_loss_scale<Start> s)
      : base(std::move(rule), {std::move(s.growth_interval)}) {}

  /// Its number is the same in all programs.
  static constexpr value loss_scale(graph& g) {
    return make_state(g, &interned<scale_label>, element::f32, {}, numbers_of_states(g).loss_scale(), -1,
                      {initializer::kind::constant, Start});
  }

 protected:
  static constexpr value unscaled(const rule_context& c, value g) {
    return g * (1.0 / loss_scale(*c.owned().builder));
  }
  static constexpr void update_unscaled(list<rule_context>& parameters) {
    const rule_context first = parameters[0];
    const value finite = update_where_finite<Rule, "loss_scale.skipped">(parameters);
    const value scale = loss_scale(*finite.builder);
    const value good = first.template shared_state<"loss_scale.good_steps">();
    const value next = where(finite, good + 1.0, 0.0), grows = next >= base::own_hyper(first, 0);
    first.set(good, where(grows, 0.0, next));
    const value larger = where(scale < largest, 2.0 * scale, scale);
    first.set(scale, where(finite, where(grows, larger, scale), max(0.5 * scale, smallest)));
  }

 private:
  static constexpr name scale_label = "loss_scale";
  static constexpr double smallest = 0x1p-24;  // so that it is never zero
  static constexpr double largest = 0x1p126;   // beyond which it is not doubled, so that it stays finite
};

}  // namespace detail

}  // namespace tapeless
