// SPDX-License-Identifier: BSL-1.0
// index_add<axis>(x, index, source): slices of x, by their numbers, to which others are added.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/index_slices.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>

namespace tapeless {

template <int Axis>
struct index_add_statement {
  static constexpr std::string_view name = "index_add";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    return detail::with_slices(name, Axis, x, index, source,
                               [](value to, value, value brought, int) { return value(to + brought); });
  }
};

/// x, with slice number i of the source added to its slice number index[i] along the axis. Indices as in
/// gather.
/// @formula y = x; y[index[i]] += source[i], for axis 0
/// @shapes [.., n, ..], integers [k], [.., k, ..] -> [.., n, ..]
/// @errors indices indexing_as_in_pytorch
/// @torch torch.index_add
/// @jax x.at[index].add(source)
/// @given x = [[1, 1], [2, 2]]; index = int64 [1, 1, 0]; source = [[1, 2], [3, 4], [5, 6]]
/// @gives tl::index_add<0>(x, index, source) = [[6, 7], [6, 8]]
template <int Axis>
TAPELESS_FACTORY auto index_add(operand auto x, operand auto index, operand auto source) {
  return make<index_add_statement<Axis>>(x, index, source);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto index_add(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"index_add"}, detail::axis_is_template_argument,
                             sentence{"<0>(x, index, source)"}>(x, more...);
}

}  // namespace tapeless
