// SPDX-License-Identifier: BSL-1.0
// What the focal losses of two classes share: the options that they take, and the weights of the classes.
#pragma once

#include <tapeless/ops/loss/loss_options.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless::detail {

template <loss Options>
inline constexpr double focal_alpha = given(Options.alpha, 0.25);

template <loss Options>
constexpr text refused_focal(std::string_view name) {
  constexpr double alpha = focal_alpha<Options>;
  if (!(Options.gamma >= 0))
    return text() << name << " takes a gamma of 0 or more, but got " << Options.gamma;
  if (alpha <= 1 && (alpha >= 0 || alpha == -1)) return {};
  return text() << name << " takes an alpha from 0 to 1, or -1 for no weights, but got " << alpha;
}

/// Losses times alpha t + (1 - alpha) (1 - t), or as they are.
template <loss Options>
constexpr value times_alpha(value losses, value t) {
  constexpr double alpha = focal_alpha<Options>;
  if constexpr (alpha == -1) return losses;
  return losses * (alpha * t + (1.0 - alpha) * (1.0 - t));
}

}  // namespace tapeless::detail
