// SPDX-License-Identifier: BSL-1.0
// What the rules have in common that wrap another one.
#pragma once

#include <array>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/optim/transforms/chain.hpp>

namespace tapeless {

/// Base of the optimizer transformations: the hyperparameters of the rule inside, then those that the wrapper
/// adds, of the given names. One derives from it and has
///   label             what it is called
///   update(contexts)  the wrapped rule's, and what changes about it
/// Laws, besides those of every rule: the wrapped rule's update is called once; what the wrapper changes
/// about a parameter's next value it changes by replace_next, and what it keeps from step to step by
/// after_step of the context, which holds it where the rule inside leaves a step out.
template <class Rule, name... Own>
class wrapped_rule {
 public:
  using wrapped = Rule;
  static constexpr bool waits_for_all_gradients = Rule::waits_for_all_gradients;
  static constexpr int hyper_count = Rule::hyper_count + static_cast<int>(sizeof...(Own));

  explicit wrapped_rule(Rule rule, std::array<hyperparameter, sizeof...(Own)> own = {})
      : rule_(std::move(rule)), own_(std::move(own)) {}

  static constexpr std::array<name, hyper_count> hyper_names() {
    std::array<name, hyper_count> all{};
    std::size_t n = 0;
    for (const name& one : Rule::hyper_names()) all[n++] = one;
    ((all[n++] = Own), ...);
    return all;
  }

  static constexpr auto hyper_ranges() {
    return detail::joined_ranges(detail::ranges_of_rule<Rule>(),
                                 detail::ranges_of_names(std::array<name, sizeof...(Own)>{Own...}));
  }

  static constexpr bool leaves_out(const node& parameter) { return detail::leaves_out<Rule>(parameter); }

  void set(std::string_view label, const hyperparameter& to) {
    rule_.set(label, to);
    [[maybe_unused]] std::size_t i = 0;
    ((detail::is_called(Own.view(), label) ? void(own_[i++] = to) : void(i++)), ...);
  }

  void write(std::int64_t step, array_view<double> values) const {
    rule_.write(step, values);
    for (std::size_t i = 0; i < own_.size(); ++i)
      values[static_cast<std::size_t>(Rule::hyper_count) + i] = own_[i].at(step);
  }

  void describe(rule_description& d) const {
    static constexpr std::array<name, sizeof...(Own)> names{Own...};
    describe_rule(rule_, d);
    for (const name& n : names) d.add_part(n.view());
    d.add_hyperparameters(names, own_.data());
  }

 protected:
  Rule rule_;

  /// The wrapper's own hyperparameter number i.
  static constexpr value own_hyper(const rule_context& c, int i) {
    return make_hyperparameter(*c.parameter().builder, first_rule_entry + Rule::hyper_count + i);
  }

 private:
  std::array<hyperparameter, sizeof...(Own)> own_;
};

namespace detail {

/// The value that the effects from number `first` on give the target, or the target itself.
constexpr value next_value(value target, int first) {
  const list<graph_effect>& effects = target.builder->effects;
  for (int i = first; i < effects.size(); ++i)
    if (effects[i].target == stored_of(target).id)
      return cast(value{target.builder, effects[i].node}, target.type());
  return target;
}

/// Gives the target another next value than the effects from number `first` on.
constexpr void replace_next(value target, int first, value next) {
  for (int i = first; i < target.builder->effects.size(); ++i)
    if (target.builder->effects[i].target == stored_of(target).id)
      target.builder->effects[i].node = cast(next, stored_of(target).type()).id;
}

template <class Rule>
concept has_compute_type = requires { Rule::compute_type; };
template <class Rule>
concept wraps_another = requires { typename Rule::wrapped; };

/// Whether another transformation may wrap the rule; the compiler is stopped where it may not.
template <class Rule>
constexpr bool can_be_wrapped() {
  constexpr bool accumulates = requires { Rule::accumulates; };
  static_assert(!accumulates,
                "tapeless: accumulate is the outermost of the optimizer transformations: average, "
                "skip_nonfinite and all others stand inside, as in accumulate(n, average(rule))");
  static_assert(!has_compute_type<Rule>,
                "tapeless: mixed_precision wraps what works on the float weights: average, lookahead and all "
                "others but accumulate stand inside, as in mixed_precision<T>(average(rule))");
  return is_whole_rule<Rule>() && !accumulates && !has_compute_type<Rule>;
}

/// The wrapper that `make` makes of the rule, where the rule may be wrapped.
template <class Rule, class Make>
auto wrap(Rule rule, const Make& make) {
  return inside_ranks(std::move(rule), [&](auto inner) {
    if constexpr (can_be_wrapped<decltype(inner)>()) {
      return make(std::move(inner));
    } else {
      return erroneous{};
    }
  });
}

}  // namespace detail

/// The element type in which the rule has the model's float values stored; `number` where as the model says.
template <class Rule>
constexpr element compute_type_of() {
  if constexpr (detail::has_compute_type<Rule>) {
    return Rule::compute_type;
  } else if constexpr (detail::wraps_another<Rule>) {
    return compute_type_of<typename Rule::wrapped>();
  } else {
    return element::number;
  }
}

}  // namespace tapeless
