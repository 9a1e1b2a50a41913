// SPDX-License-Identifier: BSL-1.0
// channel_shuffle<groups>(x): the channels of groups, in turn (Zhang et al., 2018).
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <int Groups>
struct channel_shuffle_statement {
  static constexpr std::string_view name = "channel_shuffle";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::unless_fits(Groups >= 1, name, "one group or more", Groups);
  }
  static constexpr value build(value x) {
    extent_table& extents = x.builder->extents;
    const std::int64_t each = x.rank() < 2 ? 0 : extents.divide(x.get().shape[1], Groups);
    if (x.rank() < 2 || x.rank() == max_rank || extents.multiply(each, Groups) != x.get().shape[1])
      return x.fail(detail::shape_sentence(name, x)
                    << ": it takes [batch, channels, ...], where the channels are a multiple of " << Groups);
    shape_list split{.rank = x.rank() + 1, .extents = {x.get().shape[0], Groups, each}};
    int axes[max_rank] = {0, 2, 1};
    for (int i = 3; i < split.rank; ++i) {
      split.extents[i] = x.get().shape[i - 1];
      axes[i] = i;
    }
    return reshape(permute(reshape(x, split), axes), shape_of(x));
  }
};

/// The first channel of each of the groups, then the second of each, and so on: x [batch, channels, ...].
/// @formula y[n, g i + k] = x[n, i + c k / g], g = Groups, c channels
/// @shapes [batch, channels, ..] -> the same
/// @errors pixel_shuffle factors_as_arguments counts_below_one
/// @torch torch.nn.functional.channel_shuffle
/// @jax none: reshape and transpose
/// @given x = [[1, 2, 3, 4]]
/// @gives tl::channel_shuffle<2>(x) = [[1, 3, 2, 4]]
template <int Groups>
constexpr value channel_shuffle(is_value auto x) {
  return make<channel_shuffle_statement<Groups>>(x);
}
template <int Groups>
TAPELESS_FACTORY auto channel_shuffle(expression_operand auto x) {
  return make<channel_shuffle_statement<Groups>>(x);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto channel_shuffle(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"channel_shuffle"}, sentence{"how many groups is a template argument"},
                             sentence{"<2>(x)"}>(x, more...);
}

}  // namespace tapeless
