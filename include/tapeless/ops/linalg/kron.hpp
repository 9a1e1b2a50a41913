// SPDX-License-Identifier: BSL-1.0
// kron(a, b): Kronecker's product.
#pragma once

#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

struct kron_statement {
  static constexpr std::string_view name = "kron";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    const int rank = a.rank() > b.rank() ? a.rank() : b.rank();
    if (2 * rank > max_rank)
      return a.fail(detail::shape_sentence(name, a.rank() == rank ? a : b)
                    << ": it takes at most " << max_rank / 2 << " axes");
    shape_list left{2 * rank, {}}, right{2 * rank, {}}, joined{rank, {}};
    for (int i = 0; i < rank; ++i) {
      const int in_a = i - rank + a.rank(), in_b = i - rank + b.rank();
      left.extents[2 * i] = in_a < 0 ? 1 : a.get().shape[in_a];
      right.extents[2 * i + 1] = in_b < 0 ? 1 : b.get().shape[in_b];
      left.extents[2 * i + 1] = right.extents[2 * i] = 1;
      joined.extents[i] = a.builder->extents.multiply(left.extents[2 * i], right.extents[2 * i + 1]);
    }
    return reshape(reshape(a, left) * reshape(b, right), joined);
  }
};

/// Each element of a times all of b, as blocks; the one with fewer axes gets axes of extent 1 in front.
/// @formula y[m i + k][n j + l] = a_ij b_kl for b [m, n]
/// @shapes numbers [.., i, j] [.., m, n] -> [.., i m, j n], of at most 4 axes
/// @errors small_products
/// @torch torch.kron
/// @jax jnp.kron
/// @given a = [[1, 2]]; b = [[1, 0], [0, 3]]
/// @gives tl::kron(a, b) = [[1, 0, 2, 0], [0, 3, 0, 6]]
template <class A, class B>
  requires value_operands<A, B>
constexpr value kron(A a, B b) {
  return make<kron_statement>(a, b);
}
template <class A, class B>
  requires expression_operands<A, B>
TAPELESS_FACTORY auto kron(A a, B b) {
  return make<kron_statement>(a, b);
}

}  // namespace tapeless
