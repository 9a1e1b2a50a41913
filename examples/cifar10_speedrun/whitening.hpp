// SPDX-License-Identifier: BSL-1.0
// whitening<"whitening", 2>(x): a first layer that makes what it sees of images uncorrelated and of equal
// variance.
#pragma once

#include <tapeless/ops/ops.hpp>

namespace speedrun {

template <tapeless::name Name, int Kernel>
struct whitening_layer {
  static constexpr int arity = 1;
  static constexpr tapeless::value build(tapeless::value x) {
    using namespace tapeless;
    constexpr int filters = 6 * Kernel * Kernel;
    const auto owned = [&](const tapeless::name* label, const shape_list& shape, bool buffer) {
      return make_parameter(*x.builder, label, x.type(), shape, fill(0), buffer);
    };
    const value weight = owned(&interned<Name + ".weight">, {4, {filters, 3, Kernel, Kernel}}, true);
    return conv2d(x, weight, owned(&interned<Name + ".bias">, {1, {filters}}, false));
  }
};

/// A convolution [N, 3, H, W] -> [N, 6 Kernel^2, H - Kernel + 1, W - Kernel + 1] with a bias that is trained
/// and the weight Name.weight, which is not: it is to be assigned whitening_filters<Kernel>.
template <tapeless::name Name, int Kernel>
constexpr auto whitening(tapeless::expression_operand auto x) {
  return tapeless::make<whitening_layer<Name, Kernel>>(x);
}

}  // namespace speedrun
