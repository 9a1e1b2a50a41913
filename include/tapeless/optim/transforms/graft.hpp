// SPDX-License-Identifier: BSL-1.0
// graft(direction, size): one transformation's direction with the length of another's step.
#pragma once

#include <concepts>
#include <tuple>

#include <tapeless/optim/base/norms.hpp>

namespace tapeless {

template <class Direction, class Size>
struct graft_transform
    : gradient_transform<static_cast<int>(Direction::hyper_names.size() + Size::hyper_names.size())> {
  static constexpr std::string_view label = "graft";
  static constexpr bool keeps_sign = tapeless::keeps_sign<Direction>;
  static constexpr std::size_t own = Direction::hyper_names.size(), others = Size::hyper_names.size();
  static constexpr std::array<name, own + others> hyper_names = [] {
    std::array<name, own + others> all{};
    for (std::size_t i = 0; i < own; ++i) all[i] = Direction::hyper_names[i];
    for (std::size_t i = 0; i < others; ++i) all[own + i] = Size::hyper_names[i];
    return all;
  }();
  static constexpr auto hyper_ranges =
      detail::joined_ranges(detail::ranges_of_hypers<Direction>(), detail::ranges_of_hypers<Size>());
  static void describe_parts(rule_description& d) {
    detail::describe_label<Direction>(d);
    detail::describe_label<Size>(d);
  }

  template <std::same_as<value> Value>
  static constexpr Value transform(rule_context& c, Value g) {
    const int first = c.first_hyper(), count = static_cast<int>(own);
    c.begin_transform(first, count);
    const Value way = Direction::transform(c, g);
    c.begin_transform(first + count, static_cast<int>(others));
    const Value wanted = detail::length_of(Size::transform(c, g)), length = detail::length_of(way);
    return detail::scaled_by(way, where(length == 0.0, 0.0, wanted / where(length == 0.0, 1.0, length)));
  }
};

/// direction * |size| / |direction|, the lengths taken of each parameter as a whole (Agarwal et al., 2020):
/// chain(graft(scale_by_shampoo(), scale_by_adam()), scale_by_learning_rate(1e-3)) steps as far as Adam
/// would, and takes its learning rates; graft(scale_by_shampoo(), identity()) as far as SGD. 0 where the
/// direction is. The states of both are kept.
template <class Direction, class Size>
  requires(is_gradient_transform<Direction> && is_gradient_transform<Size> &&
           !needs_all_gradients<Direction> && !needs_all_gradients<Size>)
auto graft(Direction direction, Size size) {
  return std::apply([](auto... h) { return graft_transform<Direction, Size>{{{std::move(h)...}}}; },
                    std::tuple_cat(std::move(direction.hypers), std::move(size.hypers)));
}

}  // namespace tapeless
