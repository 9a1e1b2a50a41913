// SPDX-License-Identifier: BSL-1.0
// pad<axis, before, after, padding_mode::reflect>(x): x goes on beyond its ends.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/flip.hpp>
#include <tapeless/ops/shape/pad.hpp>

namespace tapeless {

/// What stands around x. As large as an int: behind conv::bias, clang 19 loses its way in template arguments
/// that end with a byte, where a running program reads them.
enum class padding_mode {
  zeros,
  reflect,    ///< x mirrored at its first and last element, which are not repeated
  replicate,  ///< the first and the last element
  circular    ///< x again
};

namespace detail {

/// `before` elements in front of x and `after` behind it along the axis, none of the numbers negative; an
/// error where x has too few.
constexpr value pad_along(std::string_view op, value x, int axis, std::int64_t before, std::int64_t after,
                          padding_mode mode) {
  extent_table& e = x.builder->extents;
  const std::int64_t extent = x.get().shape[axis];
  if (before + after == 0) return x;
  if (mode == padding_mode::zeros) return pad(x, axis, before, 1, e.add(extent, before + after));
  const std::int64_t more = before < after ? after : before;
  const std::int64_t least = mode == padding_mode::reflect    ? more + 1
                             : mode == padding_mode::circular ? more
                                                              : 1;
  if (extent_table::is_literal(extent) && extent < least)
    return x.fail(shape_sentence(op, x)
                  << ": a padding of " << more << " elements "
                  << (mode == padding_mode::reflect    ? "that mirrors axis "
                      : mode == padding_mode::circular ? "that repeats axis "
                                                       : "that repeats the ends of axis ")
                  << axis << " needs at least " << least << " there");
  value parts[3];
  int count = 0;
  const auto put = [&](std::int64_t first, std::int64_t elements) {
    if (elements == 0) return;
    if (mode != padding_mode::replicate) {
      const value part = slice(x, axis, first, 1, elements);
      parts[count++] = mode == padding_mode::reflect ? flip(part, axis) : part;
      return;
    }
    shape_list s = shape_of(x);
    s.extents[axis] = elements;
    parts[count++] = expand(slice(x, axis, first, 1, 1), s);
  };
  const bool circular = mode == padding_mode::circular, reflect = mode == padding_mode::reflect;
  put(circular ? e.subtract(extent, before) : reflect ? 1 : 0, before);
  parts[count++] = x;
  put(circular ? 0 : e.subtract(extent, reflect ? after + 1 : 1), after);
  return concat(parts, count, axis);
}

}  // namespace detail

template <int Axis, std::int64_t Before, std::int64_t After, padding_mode Mode>
struct pad_by_mode_statement {
  static constexpr std::string_view name = "pad";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    // Mirrored is what x was before something is taken off it; repeated is what is left.
    if (Mode == padding_mode::circular) x = detail::cropped(x, axis, Before, After);
    x = detail::pad_along(name, x, axis, detail::positive(Before), detail::positive(After), Mode);
    return Mode == padding_mode::circular ? x : detail::cropped(x, axis, Before, After);
  }
};

/// x with Before elements before it and After behind it along the axis, which the mode takes from x. A
/// negative number takes elements off that end. reflect needs more elements along the axis than it adds at
/// either end, circular as many.
/// @formula y = Before elements, x, After elements along the axis
/// @shapes [.., n, ..] -> [.., Before + n + After, ..]
/// @errors padding_modes
/// @torch torch.nn.functional.pad(mode=)
/// @jax jnp.pad(mode=)
/// @given x = [1, 2, 3, 4]
/// @gives tl::pad<-1, 2, 1, tl::padding_mode::reflect>(x) = [3, 2, 1, 2, 3, 4, 3]
/// @gives tl::pad<-1, 2, 1, tl::padding_mode::replicate>(x) = [1, 1, 1, 2, 3, 4, 4]
/// @gives tl::pad<-1, 2, 1, tl::padding_mode::circular>(x) = [3, 4, 1, 2, 3, 4, 1]
template <int Axis, std::int64_t Before, std::int64_t After, padding_mode Mode>
constexpr value pad(is_value auto x) {
  return make<pad_by_mode_statement<Axis, Before, After, Mode>>(x);
}
template <int Axis, std::int64_t Before, std::int64_t After, padding_mode Mode>
TAPELESS_FACTORY auto pad(expression_operand auto x) {
  return make<pad_by_mode_statement<Axis, Before, After, Mode>>(x);
}

// A mode behind other numbers than an axis, before and after.
template <auto... N, class... X>
  requires(sizeof...(N) != 4 && (std::is_same_v<decltype(N), padding_mode> || ...))
constexpr auto pad(const X&... x) {
  return detail::refuse_call<sentence{"pad"}, detail::parts_of_a_padding,
                             sentence{"<-1, 1, 2, tl::padding_mode::reflect>(x)"}>(x...);
}

}  // namespace tapeless
