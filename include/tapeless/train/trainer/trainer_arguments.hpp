// SPDX-License-Identifier: BSL-1.0
// What trainer net{...} makes of its arguments: the class that trains, or one that says why none can.
#pragma once

#include <type_traits>

#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/run/default_policy.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/timing.hpp>
#include <tapeless/train/trainer/trainer_declaration.hpp>
#include <tapeless/train/trainer/training_programs.hpp>

namespace tapeless {

template <class Model, class Rule, class Policy, class Timing>
  requires(!detail::is_trainable<Model, Rule, Policy, Timing>())
class trainer<Model, Rule, Policy, Timing> : public error_stub {
 public:
  explicit trainer(Model, Rule, const auto&...) {
    static_cast<void>(sizeof(model_report<Model>) + sizeof(detail::parts_report<Rule, Policy>) +
                      sizeof(detail::step_report<Model, Rule, Policy, Timing>));
  }
};

template <class Model>
class trainer<Model, detail::no_rule, default_policy, deferred_updates_t> : public error_stub,
                                                                            detail::no_rule_report<Model> {
 public:
  explicit trainer(Model, ...) {}  // before what is passed for a rule is looked at
};

template <class Model>
trainer(Model, ...) -> trainer<Model, detail::no_rule, default_policy, deferred_updates_t>;
template <class Model, class Rule, class Policy = default_policy>
trainer(Model, Rule, Policy = {}, random_seed = 0) -> trainer<Model, Rule, Policy, deferred_updates_t>;
// The rule first, or what no rule can be.
template <class Model, class Rule, class Policy = default_policy>
  requires(is_rule<Model> || !std::is_class_v<Rule>)
trainer(Model, Rule, Policy = {}, random_seed = 0)
    -> trainer<Model, detail::no_rule, default_policy, deferred_updates_t>;
template <class Model, class Rule, class Policy>
trainer(Model, Rule, Policy, deferred_updates_t, random_seed = 0)
    -> trainer<Model, Rule, Policy, deferred_updates_t>;
template <class Model, class Rule, class Policy>
trainer(Model, Rule, Policy, eager_updates_t, random_seed = 0)
    -> trainer<Model, Rule, Policy, eager_updates_t>;

}  // namespace tapeless
