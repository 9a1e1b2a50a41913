// SPDX-License-Identifier: BSL-1.0
// The name of the class that computes outputs, for policies that have one of their own, and whose its weights
// are.
#pragma once

#include <tapeless/graph/core/element.hpp>

namespace tapeless {

/// A function has weights of its own.
struct own_weights {
  static constexpr bool are_shared = false;
  static constexpr element stored_as = element::number;
};
/// A function shares those of a trainer or another function, whose float parameters are stored as that type.
template <element StoredAs>
struct shared_weights {
  static constexpr bool are_shared = true;
  static constexpr element stored_as = StoredAs;
};

template <class Model, class Policy, class Weights = own_weights>
class function;

}  // namespace tapeless
