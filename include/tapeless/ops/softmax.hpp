// SPDX-License-Identifier: BSL-1.0
// softmax<axis>(x), log_softmax<axis>(x): exponentials that sum to 1 along an axis, and their logarithms.
#pragma once

#include <tapeless/ops/logsumexp.hpp>

namespace tapeless {

template <int Axis, bool Log>
struct softmax_cell {
  static constexpr int arity = 1;
  static constexpr std::string_view name = Log ? "log_softmax" : "softmax";
  static constexpr value build(value x) {
    const unsigned axis = detail::axis_mask<Axis>(name, x);
    const value shifted = x - detail::finite_part(detail::largest(x, axis));
    const value total = sum_rule::build(exp(shifted), axis, true);
    const value logarithm = shifted - log(where(total == 0.0, 1.0, total));
    return Log ? logarithm : exp(logarithm);
  }
};

/// e^x / sum(e^x) along the axis (the last one where none is given), without overflow. Elements that are
/// -infinity get 0 and the gradient 0, also where all of them are.
template <int Axis = -1, reduction_operand X>
constexpr auto softmax(X x) {
  return make<softmax_cell<Axis, false>>(x);
}

/// x - log(sum(e^x)) along the axis (the last one where none is given), without overflow; -infinity where x
/// is.
template <int Axis = -1, reduction_operand X>
constexpr auto log_softmax(X x) {
  return make<softmax_cell<Axis, true>>(x);
}

}  // namespace tapeless
