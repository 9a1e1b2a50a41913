// SPDX-License-Identifier: BSL-1.0
// How the classes that a trainer is made of reach what it holds.
#pragma once

namespace tapeless {

/// A friend of every trainer, for its base classes: what stays in its place when the trainer moves. Throws an
/// error where the trainer has been moved from.
struct trainer_access {
  template <class Trainer>
  static auto& own_of(const Trainer& net) {
    return net.own();
  }
};

}  // namespace tapeless
