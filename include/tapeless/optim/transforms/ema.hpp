// SPDX-License-Identifier: BSL-1.0
// ema({...}): the running mean of the gradients.
#pragma once

#include <concepts>

#include <tapeless/optim/base/moments.hpp>

namespace tapeless {

struct ema_options {
  hyperparameter decay = 0.9;
  bool debias = true;
};

struct ema_transform : gradient_transform<2> {
  static constexpr std::string_view label = "ema";
  static constexpr bool keeps_sign = true;
  static constexpr std::array<name, 2> hyper_names{"decay", "debias"};
  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const Value decay = c.hyper(0), mean = c.state<"ema.mean">();
    const Value next = decay * mean + (1.0 - decay) * g;
    c.set(mean, next);
    return next * where(c.hyper(1) != 0.0, detail::debias(c, decay), 1.0);
  }
};

/// mean = decay * mean + (1 - decay) * g is the next gradient; with debias, mean / (1 - decay^t). One state
/// for each parameter.
template <class Options = ema_options>
auto ema(Options given = {}) {
  auto& o = detail::given_options<ema_options>(given);
  return ema_transform{{{std::move(o.decay), o.debias ? 1.0 : 0.0}}};
}

}  // namespace tapeless
