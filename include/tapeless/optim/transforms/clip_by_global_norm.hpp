// SPDX-License-Identifier: BSL-1.0
// clip_by_global_norm(m): all gradients scaled down together where they are too long.
#pragma once

#include <concepts>

#include <tapeless/ops/reduction/reduction_options.hpp>
#include <tapeless/optim/base/norms.hpp>

namespace tapeless {

template <double Order>
struct clip_by_global_norm_transform : gradient_transform<1> {
  static constexpr std::string_view label = Order == 2          ? "clip_by_global_norm"
                                            : Order == 1        ? "clip_by_global_norm<1>"
                                            : Order == infinity ? "clip_by_global_norm<infinity>"
                                                                : "clip_by_global_norm<order>";
  static constexpr bool keeps_sign = true;
  static_assert(Order > 0, "tapeless: clip_by_global_norm takes an order above 0, which may be infinity");
  static constexpr std::array<name, 1> hyper_names{"max_norm"};
  template <std::same_as<value> Value = value>
  static constexpr void transform_all(list<rule_context>& parameters) {
    Value total;
    for (const rule_context& c : parameters) {
      const Value own = c.counted(part(c.update()));
      total = !total.exists()     ? own
              : Order == infinity ? detail::joined(total, own, larger)
                                  : detail::added(total, own);
    }
    for (rule_context& c : parameters)
      c.set_update(detail::scaled_by(c.update(), min(c.hyper(0) / (root(total) + 1e-6), 1.0)));
  }

 private:
  static constexpr value larger(value a, value b) { return max(a, b); }
  static constexpr value part(value g) {
    return detail::scalar_of(g, [](value x) {
      if constexpr (Order == infinity) {
        return max_reduction_operation::build(abs(x), (1u << x.rank()) - 1, false);
      } else if constexpr (Order == 2) {
        return detail::sum_of(square(x));
      } else {
        return detail::sum_of(Order == 1 ? abs(x) : pow(abs(x), Order));
      }
    });
  }
  static constexpr value root(value total) {
    if constexpr (Order == 1 || Order == infinity) {
      return total;
    } else {
      return Order == 2 ? sqrt(total) : pow(total, 1.0 / Order);
    }
  }
};

/// g * min(1, max_norm / (norm + 1e-6)), where norm is that of all gradients laid end to end, but those of
/// frozen parameters and of such that no rule changes (Pascanu, Mikolov and Bengio, 2013; as PyTorch's
/// clip_grad_norm_): the Euclidean one, or of another order,
/// clip_by_global_norm(1, order<1>), clip_by_global_norm(1, order<infinity>). It stands in front of a rule in
/// chain: behind adam(...) it would clip the update.
template <auto Order = 2>
auto clip_by_global_norm(hyperparameter max_norm, order_t<Order> = {}) {
  return clip_by_global_norm_transform<static_cast<double>(Order)>{{{std::move(max_norm)}}};
}

}  // namespace tapeless
