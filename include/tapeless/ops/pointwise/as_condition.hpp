// SPDX-License-Identifier: BSL-1.0
// What a number is as a condition, as PyTorch and C++ have it. It is defined beside a != b, which needs all
// operators before it.
#pragma once

#include <tapeless/graph/core/value.hpp>

namespace tapeless::detail {

/// Booleans: x itself, or of numbers whether they are not 0.
constexpr value as_condition(value x);

}  // namespace tapeless::detail

#include <tapeless/ops/pointwise/not_equal.hpp>
