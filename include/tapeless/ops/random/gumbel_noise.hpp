// SPDX-License-Identifier: BSL-1.0
// gumbel_noise<Name>(g, shape, type): what makes the largest of logits a draw from their softmax.
#pragma once

#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/random/named_draw.hpp>

namespace tapeless::detail {

/// -log(-log(u)) for uniform numbers u of the name, in float or double: finite.
template <name Name>
constexpr value gumbel_noise(graph& g, const shape_list& shape, element type) {
  // Numbers in [0, 1); 0 would have the noise -infinity.
  return -log(-log(max(drawn_uniform<Name>(g, shape, type), 1e-30)));
}

}  // namespace tapeless::detail
