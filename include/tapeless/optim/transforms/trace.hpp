// SPDX-License-Identifier: BSL-1.0
// trace({.decay = 0.9}): momentum.
#pragma once

#include <concepts>

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

struct trace_options {
  required_hyperparameter decay;  ///< its hyperparameter is called "momentum", as that of sgd
  hyperparameter dampening = 0;
  bool nesterov = false;
};

struct trace_transform : gradient_transform<3> {
  static constexpr std::string_view label = "trace";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 3> hyper_names{"momentum", "dampening", "nesterov"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value decay = c.hyper(0);
    const Value share = where(c.is_first_step(), 1.0, 1.0 - c.hyper(1));
    const Value buffer = c.state<"trace.buffer">();
    const Value next = decay * buffer + share * g;
    c.set(buffer, next);
    // g + decay * next with Nesterov's momentum, else next, by two factors: both cost the same.
    const Value ahead = cast(c.hyper(2) != 0.0, element::number);
    return ahead * g + (1.0 - ahead + ahead * decay) * next;
  }
};

/// buffer = decay * buffer + (1 - dampening) * g (the first time g itself) is the next gradient; with
/// Nesterov's momentum g + decay * buffer is. As PyTorch's SGD (Sutskever et al., 2013), which leaves
/// dampening out where the momentum is 0.
template <class Options = trace_options>
auto trace(Options given = {}) {
  auto& o = detail::given_options<trace_options>(given);
  return trace_transform{{{o.decay, std::move(o.dampening), o.nesterov ? 1.0 : 0.0}}};
}

}  // namespace tapeless
