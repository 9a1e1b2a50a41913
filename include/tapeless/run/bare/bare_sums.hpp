// SPDX-License-Identifier: BSL-1.0
// A reduction in a fixed number of parts, so that it has the same bits on machines with vectors of any width
// and on those without. Element i of a line goes to part i mod 8. The parts are combined by halves, 0 with 4,
// 1 with 5, ..., then 0 with 2, ..., at last 0 with 1; then come the elements beyond the last multiple of 8,
// one after the other.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_wide.hpp>

namespace tapeless::bare_kernels {

inline constexpr int sum_parts = 8;

/// Calls f with the number of each vector that together hold the parts, as a constant where there are
/// vectors.
template <class T, class F>
[[gnu::always_inline]] inline void for_each_part(const F& f) {
  constexpr int width = vector_width<T> < sum_parts ? vector_width<T> : sum_parts;
  if constexpr (width == 1) {
    for (int part = 0; part < sum_parts; ++part) f(part);
  } else {
    [&]<int... Part>(std::integer_sequence<int, Part...>) TAPELESS_INLINED {
      (f(std::integral_constant<int, Part>{}), ...);
    }(std::make_integer_sequence<int, sum_parts / width>{});
  }
}

namespace detail {

template <class Reduction, class T>
[[gnu::always_inline]] inline T total_of(T* x, int count) {
  for (int half = count / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) x[i] = static_cast<T>(Reduction::combine(x[i], x[i + half]));
  return x[0];
}
/// All numbers of a vector, by halves: soon, or else in few instructions.
template <class Reduction, bool Soon = true, class Lanes>
[[gnu::always_inline]] inline auto total_of(bare_wide<Lanes> x) {
  using number = typename Lanes::number;
  if constexpr (Lanes::width > least_vector_width<number>) {
    constexpr int half = Lanes::width / 2;
    using halves = bare_wide<typename lanes_with<number, half>::type>;
    return total_of<Reduction, Soon>(static_cast<halves>(
        Reduction::combine(halves{every<0, 1, half>(x.x, x.x)}, halves{every<half, 1, half>(x.x, x.x)})));
  } else if constexpr (Lanes::width == 4 && !Soon) {
    const bare_wide<Lanes> y{shuffled(x.x, x.x, std::integer_sequence<int, 2, 3, 0, 1>{})};
    const auto halves = static_cast<bare_wide<Lanes>>(Reduction::combine(x, y));
    return static_cast<number>(Reduction::combine(number(halves.x[0]), number(halves.x[1])));
  } else if constexpr (Lanes::width == 4) {
    return static_cast<number>(Reduction::combine(Reduction::combine(number(x.x[0]), number(x.x[2])),
                                                  Reduction::combine(number(x.x[1]), number(x.x[3]))));
  } else {
    return static_cast<number>(Reduction::combine(number(x.x[0]), number(x.x[1])));
  }
}

template <class T, int Width>
struct part_of {
  using type = bare_wide<typename lanes_with<T, Width>::type>;
};
template <class T>
struct part_of<T, 1> {
  using type = T;
};

}  // namespace detail

/// What a line adds up to.
template <class T>
struct bare_sum {
  static constexpr int width = vector_width<T> < sum_parts ? vector_width<T> : sum_parts;
  static constexpr int count = sum_parts / width;
  using part_type = typename detail::part_of<T, width>::type;

  part_type parts[count];
  T rest;

  [[gnu::always_inline]] void begin(T identity) {
    for_each_part<T>([&](auto part) TAPELESS_INLINED { parts[part] = in_all_lanes(identity); });
    rest = identity;
  }
  template <class Reduction, class Part>
  [[gnu::always_inline]] void add(Part x, int part) {
    if constexpr (width == 1) {
      parts[part] = static_cast<part_type>(Reduction::combine(parts[part], x));
    } else {
      parts[part] = static_cast<part_type>(Reduction::combine(parts[part], part_type{x.x}));
    }
  }
  template <class Reduction>
  [[gnu::always_inline]] void add(T x) {
    rest = static_cast<T>(Reduction::combine(rest, x));
  }
  template <class Reduction>
  [[gnu::always_inline]] T total() const {
    return static_cast<T>(Reduction::combine(total_of_parts<Reduction>(), rest));
  }

 private:
  [[gnu::always_inline]] static part_type in_all_lanes(T x) {
    if constexpr (width == 1) {
      return x;
    } else {
      return spread<typename lanes_with<T, width>::type>(x);
    }
  }
  template <class Reduction>
  [[gnu::always_inline]] T total_of_parts() const {
    part_type all[count];
    for (int i = 0; i < count; ++i) all[i] = parts[i];
    if constexpr (width == 1) {
      return detail::total_of<Reduction>(all, count);
    } else {
      return detail::total_of<Reduction>(detail::total_of<Reduction>(all, count));
    }
  }
};

}  // namespace tapeless::bare_kernels
