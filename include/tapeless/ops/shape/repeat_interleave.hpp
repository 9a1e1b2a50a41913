// SPDX-License-Identifier: BSL-1.0
// repeat_interleave<axis, times>(x): each element more than once.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/shape/tile.hpp>

namespace tapeless {

template <int Axis, std::int64_t Times>
struct repeat_interleave_statement {
  static constexpr std::string_view name = "repeat_interleave";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::unless_fits(Times >= 1, name, detail::once_or_more, Times);
  }
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    return axis < 0 ? x : detail::repeated(name, x, axis, Times, true);
  }
};

/// Each element of x so many times, one behind the other along the axis.
/// @formula y[i] = x[floor(i / Times)] along the axis
/// @shapes [.., n, ..] -> [.., n Times, ..]
/// @errors shapes indexing_as_in_pytorch counts_below_one
/// @torch torch.repeat_interleave
/// @jax jnp.repeat
/// @given x = [[1, 2], [3, 4]]
/// @gives tl::repeat_interleave<1, 2>(x) = [[1, 1, 2, 2], [3, 3, 4, 4]]
template <int Axis, std::int64_t Times>
TAPELESS_FACTORY auto repeat_interleave(operand auto x) {
  return make<repeat_interleave_statement<Axis, Times>>(x);
}

// Calls as in PyTorch, which are refused.
template <std::int64_t... Numbers, detail::called_with X, class... More>
  requires(sizeof...(Numbers) != 2 || sizeof...(More) > 0)
constexpr auto repeat_interleave(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"repeat_interleave"},
                             sentence{"its axis and how often are template arguments"},
                             sentence{"<0, 2>(x)"}>(x, more...);
}

}  // namespace tapeless
