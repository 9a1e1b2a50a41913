// SPDX-License-Identifier: BSL-1.0
// Which attentions a backend computes whole.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/graph.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>

namespace tapeless {

/// Which attentions a backend has kernels for: none; those of float and double; or those of 16 bits, of all
/// keys or causal ones. The heads of the last are as many and as wide as each other's, by a multiple of 8 up
/// to 128.
enum class attention_support : std::uint8_t { none, of_floats, of_16_bits };

/// Whether a node is an attention, or its gradients, of those.
constexpr bool has_attention(attention_support support, const graph& g, const node& n) {
  if (n.op->kind != family::attention) return false;
  switch (support) {
    case attention_support::none:
      return false;
    case attention_support::of_floats:
      return !is_half(n.type);
    case attention_support::of_16_bits:
      break;
  }
  const attention_scores s = attention_scores_of(n);
  if (!is_half(n.type) || s.masked || s.window > 0 || s.drops() || s.sloping > 0 || n.rank > 4) return false;
  const node &q = g.nodes[n.operands[0]], &k = g.nodes[n.operands[1]], &v = g.nodes[n.operands[2]];
  for (int d = 0; d + 2 < q.rank; ++d)
    if (k.shape[d] != q.shape[d] || v.shape[d] != q.shape[d]) return false;
  const std::int64_t width = q.shape[q.rank - 1];
  return v.shape[v.rank - 1] == width && width % 8 == 0 && width <= 128;
}

}  // namespace tapeless
