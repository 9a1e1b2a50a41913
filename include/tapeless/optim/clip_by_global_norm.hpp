// SPDX-License-Identifier: BSL-1.0
// clip_by_global_norm(m): all gradients scaled down together where they are too long.
#pragma once

#include <tapeless/optim/transform.hpp>

namespace tapeless {

struct clip_by_global_norm_transform : gradient_transform<1> {
  static constexpr std::array<name, 1> hyper_names{"max_norm"};
  static constexpr void transform_all(list<rule_context>& parameters) {
    value total;
    for (const rule_context& c : parameters) {
      const value own = sum_rule::build(square(c.update()), (1u << c.update().rank()) - 1, false);
      total = total.exists() ? total + own : own;
    }
    for (rule_context& c : parameters) c.set_update(c.update() * min(c.hyper(0) / (sqrt(total) + 1e-6), 1.0));
  }
};

/// g * min(1, max_norm / (norm + 1e-6)), where norm is the Euclidean norm of all gradients laid end to end
/// (Pascanu, Mikolov and Bengio, 2013; as PyTorch's clip_grad_norm_).
inline auto clip_by_global_norm(hyperparameter max_norm) {
  return clip_by_global_norm_transform{{{std::move(max_norm)}}};
}

}  // namespace tapeless
