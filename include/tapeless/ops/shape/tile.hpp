// SPDX-License-Identifier: BSL-1.0
// tile<times...>(x): all elements more than once.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/unsqueeze.hpp>

namespace tapeless {

namespace detail {

inline constexpr std::string_view once_or_more = "how often along an axis, once or more";

/// x with each element, or with the axis as a whole, so many times along the axis.
constexpr value repeated(std::string_view op, value x, int axis, std::int64_t times, bool each) {
  if (times == 1) return x;
  if (x.rank() == max_rank)
    return x.fail(shape_sentence(op, x) << ": it takes at most " << max_rank - 1 << " axes");
  const int place = each ? axis + 1 : axis;
  const value one = unsqueeze(x, place);
  shape_list all = shape_of(one), result = shape_of(x);
  all.extents[place] = times;
  result.extents[axis] = x.builder->extents.multiply(result.extents[axis], times);
  return reshape(expand(one, all), result);
}

}  // namespace detail

template <std::int64_t... Times>
struct tile_statement {
  static constexpr std::string_view name = "tile";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    for (const std::int64_t times : {Times..., std::int64_t{1}})
      if (times < 1) return detail::unless_fits(false, name, detail::once_or_more, times);
    return {};
  }
  static constexpr value build(value x) {
    constexpr int count = sizeof...(Times);
    constexpr std::int64_t times[] = {Times..., 1};
    shape_list shape{.rank = count > x.rank() ? count : x.rank()};
    const int more = shape.rank - x.rank();
    for (int i = 0; i < shape.rank; ++i) shape.extents[i] = i < more ? 1 : x.get().shape[i - more];
    x = reshape(x, shape);
    for (int i = 0; i < count; ++i) x = detail::repeated(name, x, shape.rank - count + i, times[i], false);
    return x;
  }
};

/// x so many times along its last axes, one number for each of them; where there are more numbers than axes,
/// x gets axes of extent 1 in front. PyTorch's tensor.repeat, too: repeat<N> is a loop here.
/// @formula y[i] = x[i mod n], for each axis
/// @shapes [.., n] -> [.., Times n]
/// @errors counts_below_one indexing_as_in_pytorch
/// @torch torch.tile, x.repeat
/// @jax jnp.tile
/// @given x = [[1, 2], [3, 4]]
/// @gives tl::tile<1, 2>(x) = [[1, 2, 1, 2], [3, 4, 3, 4]]
template <std::int64_t... Times>
TAPELESS_FACTORY auto tile(operand auto x) {
  return make<tile_statement<Times...>>(x);
}

// Calls as in PyTorch, which are refused.
template <std::int64_t... Times, detail::called_with X, class First, class... More>
constexpr auto tile(const X& x, const First& first, const More&... more) {
  return detail::refuse_call<sentence{"tile"}, sentence{"how often, for each axis, are template arguments"},
                             sentence{"<1, 2>(x)"}>(x, first, more...);
}

}  // namespace tapeless
