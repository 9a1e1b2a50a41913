// SPDX-License-Identifier: BSL-1.0
// softplus(x): a smooth rectifier (Dugas et al., 2001).
#pragma once

#include <tapeless/ops/primitives.hpp>

namespace tapeless {

/// log(1 + e^x), element by element, exact for every x: max(x, 0) + log(1 + e^-|x|).
constexpr value softplus(is_value auto x) { return max(x, 0.0) + log1p(exp(-abs(x))); }

struct softplus_cell {
  static constexpr int arity = 1;
  static constexpr value build(value x) { return softplus(x); }
};

constexpr auto softplus(expression_operand auto x) { return make<softplus_cell>(x); }

}  // namespace tapeless
