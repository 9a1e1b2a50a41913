// SPDX-License-Identifier: BSL-1.0
// pixel_shuffle<r>(x), pixel_unshuffle<r>(x): channels become pixels, and pixels channels (Shi et al., 2016).
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

namespace detail {

/// [.., c, e0, e1, e2, e3, e4] of x's elements, its axes moved, made [.., E...].
constexpr value rearranged(value x, const shape_list& split, const int (&order)[5],
                           const shape_list& joined) {
  const int before = split.rank - 5;
  int axes[max_rank] = {};
  for (int i = 0; i < split.rank; ++i) axes[i] = i < before ? i : before + order[i - before];
  return reshape(permute(reshape(x, split), axes), joined);
}

}  // namespace detail

template <int Factor>
struct pixel_shuffle_statement {
  static constexpr std::string_view name = "pixel_shuffle";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::unless_fits(Factor >= 1, name, "a factor of 1 or more", Factor);
  }
  static constexpr value build(value x) {
    extent_table& extents = x.builder->extents;
    const int first = x.rank() - 3;
    const std::int64_t squares = std::int64_t(Factor) * Factor;
    const std::int64_t channels = first < 0 ? 0 : extents.divide(x.get().shape[first], squares);
    if (first < 0 || x.rank() + 2 > max_rank || extents.multiply(channels, squares) != x.get().shape[first])
      return x.fail(detail::shape_sentence(name, x) << ": it takes [.., channels, height, width], where the "
                                                       "channels are a multiple of "
                                                    << squares);
    const std::int64_t height = x.get().shape[first + 1], width = x.get().shape[first + 2];
    shape_list split = shape_of(x), joined = split;
    split.rank += 2;
    const std::int64_t parts[] = {channels, Factor, Factor, height, width};
    for (int i = 0; i < 5; ++i) split.extents[first + i] = parts[i];
    joined.extents[first] = channels;
    joined.extents[first + 1] = extents.multiply(height, Factor);
    joined.extents[first + 2] = extents.multiply(width, Factor);
    return detail::rearranged(x, split, {0, 3, 1, 4, 2}, joined);
  }
};

template <int Factor>
struct pixel_unshuffle_statement {
  static constexpr std::string_view name = "pixel_unshuffle";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::unless_fits(Factor >= 1, name, "a factor of 1 or more", Factor);
  }
  static constexpr value build(value x) {
    extent_table& extents = x.builder->extents;
    const int first = x.rank() - 3;
    const std::int64_t height = first < 0 ? 0 : extents.divide(x.get().shape[first + 1], Factor);
    const std::int64_t width = first < 0 ? 0 : extents.divide(x.get().shape[first + 2], Factor);
    if (first < 0 || x.rank() + 2 > max_rank ||
        extents.multiply(height, Factor) != x.get().shape[first + 1] ||
        extents.multiply(width, Factor) != x.get().shape[first + 2])
      return x.fail(detail::shape_sentence(name, x)
                    << ": it takes [.., channels, height, width], whose height and width are multiples of "
                    << Factor);
    shape_list split = shape_of(x), joined = split;
    split.rank += 2;
    const std::int64_t parts[] = {x.get().shape[first], height, Factor, width, Factor};
    for (int i = 0; i < 5; ++i) split.extents[first + i] = parts[i];
    joined.extents[first] = extents.multiply(x.get().shape[first], std::int64_t(Factor) * Factor);
    joined.extents[first + 1] = height;
    joined.extents[first + 2] = width;
    return detail::rearranged(x, split, {0, 2, 4, 1, 3}, joined);
  }
};

/// Each group of Factor^2 channels becomes a square of pixels: [.., c Factor^2, height, width] ->
/// [.., c, Factor height, Factor width].
/// @formula y[c, r h + i, r w + j] = x[c r^2 + r i + j, h, w], r = Factor
/// @shapes [.., c r^2, height, width] -> [.., c, r height, r width]
/// @errors pixel_shuffle factors_as_arguments counts_below_one
/// @torch torch.nn.functional.pixel_shuffle
/// @jax none: reshape and transpose
/// @given x = [[[1]], [[2]], [[3]], [[4]]]
/// @gives tl::pixel_shuffle<2>(x) = [[[1, 2], [3, 4]]]
template <int Factor>
constexpr value pixel_shuffle(is_value auto x) {
  return make<pixel_shuffle_statement<Factor>>(x);
}
template <int Factor>
TAPELESS_FACTORY auto pixel_shuffle(expression_operand auto x) {
  return make<pixel_shuffle_statement<Factor>>(x);
}

/// The inverse of pixel_shuffle: [.., c, Factor height, Factor width] -> [.., c Factor^2, height, width].
/// @formula y[c r^2 + r i + j, h, w] = x[c, r h + i, r w + j], r = Factor
/// @shapes [.., c, r height, r width] -> [.., c r^2, height, width]
/// @errors pixel_shuffle factors_as_arguments counts_below_one
/// @torch torch.nn.functional.pixel_unshuffle
/// @jax none: reshape and transpose
/// @given x = [[[1, 2], [3, 4]]]
/// @gives tl::pixel_unshuffle<2>(x) = [[[1]], [[2]], [[3]], [[4]]]
template <int Factor>
constexpr value pixel_unshuffle(is_value auto x) {
  return make<pixel_unshuffle_statement<Factor>>(x);
}
template <int Factor>
TAPELESS_FACTORY auto pixel_unshuffle(expression_operand auto x) {
  return make<pixel_unshuffle_statement<Factor>>(x);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto pixel_shuffle(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"pixel_shuffle"}, detail::factor_is_template_argument,
                             sentence{"<2>(x)"}>(x, more...);
}
template <detail::called_with X, class... More>
constexpr auto pixel_unshuffle(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"pixel_unshuffle"}, detail::factor_is_template_argument,
                             sentence{"<2>(x)"}>(x, more...);
}

}  // namespace tapeless
