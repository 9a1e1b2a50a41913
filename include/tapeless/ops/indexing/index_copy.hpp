// SPDX-License-Identifier: BSL-1.0
// index_copy<axis>(x, index, source): slices of x, by their numbers, that others replace.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/index_slices.hpp>
#include <tapeless/ops/indexing/times_named.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

template <int Axis>
struct index_copy_statement {
  static constexpr std::string_view name = "index_copy";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    return detail::with_slices(
        name, Axis, x, index, source, [](value to, value places, value brought, int axis) {
          const value times = detail::times_named(places, axis, to.rank(), to.get().shape[axis]);
          return value(where(times > 0, brought, to));
        });
  }
};

/// x, with slice number i of the source in place of its slice number index[i] along the axis; of several for
/// one place their sum. Indices as in gather.
/// @formula y = x; y[index[i]] = source[i], for axis 0
/// @shapes [.., n, ..], integers [k], [.., k, ..] -> [.., n, ..]
/// @errors indices indexing_as_in_pytorch
/// @torch torch.index_copy
/// @jax x.at[index].set(source)
/// @given x = [[1, 1], [2, 2]]; index = int64 [1]; source = [[7, 8]]
/// @gives tl::index_copy<0>(x, index, source) = [[1, 1], [7, 8]]
template <int Axis>
TAPELESS_FACTORY auto index_copy(operand auto x, operand auto index, operand auto source) {
  return make<index_copy_statement<Axis>>(x, index, source);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto index_copy(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"index_copy"}, detail::axis_is_template_argument,
                             sentence{"<0>(x, index, source)"}>(x, more...);
}

}  // namespace tapeless
