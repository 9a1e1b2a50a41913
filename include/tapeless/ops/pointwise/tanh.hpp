// SPDX-License-Identifier: BSL-1.0
// tanh(x): the hyperbolic tangent.
#pragma once

#include <cmath>

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

struct tanh_operation : pointwise_operation<tanh_operation, 1> {
  static constexpr std::string_view name = "tanh";
  static constexpr element_kind takes = element_kind::floating;
  static constexpr auto apply(auto x) {
    using std::tanh;
    return tanh(x);
  }
  static constexpr value cotangent(auto g, auto, auto y) { return g * (1.0 - y * y); }
};

/// tanh(x), element by element.
constexpr value tanh(is_value auto x) { return make<tanh_operation>(x); }
TAPELESS_FACTORY auto tanh(expression_operand auto x) { return make<tanh_operation>(x); }

}  // namespace tapeless
