// SPDX-License-Identifier: BSL-1.0
// What a number is as a condition, as PyTorch and C++ have it.
#pragma once

#include <tapeless/ops/pointwise/not_equal.hpp>

namespace tapeless::detail {

/// Booleans: x itself, or of numbers whether they are not 0.
constexpr value as_condition(value x) { return x.type() == element::boolean ? x : x != 0.0; }

}  // namespace tapeless::detail
