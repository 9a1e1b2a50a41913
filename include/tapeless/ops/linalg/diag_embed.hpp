// SPDX-License-Identifier: BSL-1.0
// diag_embed<offset>(x): matrices with a diagonal.
#pragma once

#include <tapeless/ops/base/view_node.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <std::int64_t Offset>
struct diag_embed_statement {
  static constexpr std::string_view name = "diag_embed";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int last = x.rank() - 1;
    if (last < 0 || x.rank() == max_rank)
      return x.fail(detail::shape_sentence(name, x) << ": it takes 1 to " << max_rank - 1 << " axes");
    const std::int64_t n = x.get().shape[last];
    shape_list shape = shape_of(x);
    if (extent_table::is_literal(n)) {
      // In a row of m m elements, each is m + 1 behind the one before.
      const std::int64_t m = n + (Offset < 0 ? -Offset : Offset), before = Offset < 0 ? -Offset * m : Offset;
      const value line = pad(x, last, before, m + 1, m * m);
      shape.extents[last] = m;
      shape.extents[shape.rank++] = m;
      return reshape(line, shape);
    }
    if (Offset != 0)
      return x.fail(detail::shape_sentence(name, x) << ": beside the main diagonal it takes a known extent");
    const shape_list matrix{2, {n, n}};
    const value on =
        make_iota(*x.builder, matrix, 0, element::i64) == make_iota(*x.builder, matrix, 1, element::i64);
    shape.extents[shape.rank++] = 1;
    return where(on, reshape(x, shape), 0);
  }
};

/// Square matrices whose diagonal is x, with zeros elsewhere; above the main diagonal for an Offset above 0,
/// below it for one below 0. diagonal<Offset> is its inverse.
/// @formula y[.., i, i + Offset] = x[.., i], else 0
/// @shapes [.., n] -> [.., n + |Offset|, n + |Offset|]
/// @errors shapes_of_vectors
/// @torch torch.diag_embed
/// @jax jnp.diag
/// @given x = [1, 2]
/// @gives tl::diag_embed(x) = [[1, 0], [0, 2]]
/// @gives tl::diag_embed<1>(x) = [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
template <std::int64_t Offset = 0>
TAPELESS_FACTORY auto diag_embed(operand auto x) {
  return make<diag_embed_statement<Offset>>(x);
}

}  // namespace tapeless
