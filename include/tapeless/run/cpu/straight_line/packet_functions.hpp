// SPDX-License-Identifier: BSL-1.0
// The functions of straight-line code's numbers and vectors: those that tables of kernels have, on Eigen's
// packets, with the same bits.
#pragma once

#include <bit>
#include <type_traits>

#include <tapeless/graph/core/rounded.hpp>
#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/bare/bare_shuffles.hpp>
#include <tapeless/run/bare/bare_wide.hpp>
#include <tapeless/run/cpu/vectors/vectors.hpp>

namespace tapeless::cpu_kernels {

/// Vectors of Width numbers whose functions are the ones below.
template <class T, int Width>
struct packet_lanes : bare_kernels::lanes_with<T, Width>::type {
  using held = typename bare_kernels::lanes_with<T, Width>::type::held;
  [[gnu::always_inline]] static held product(held a, held b) { return rounded(held(a * b)); }
};
template <class T, int Width>
using straight_wide = bare_kernels::bare_wide<packet_lanes<T, Width>>;

/// And one number.
struct packet_functions {
  template <class T>
  [[gnu::always_inline]] static constexpr T product(T a, T b) {
    return rounded(T(a * b));
  }
};
template <class T>
using straight_number = bare_kernels::bare_number<T, packet_functions>;

namespace detail {

template <class Packet, class Held>
[[gnu::always_inline]] inline Held multiply_add_in(Packet like, Held a, Held b, Held c) {
  if constexpr (sizeof(Held) < sizeof(Packet)) {
    return multiply_add_in(half_of(like), a, b, c);
  } else {
    return std::bit_cast<Held>(
        Eigen::internal::pmadd(std::bit_cast<Packet>(a), std::bit_cast<Packet>(b), std::bit_cast<Packet>(c)));
  }
}

}  // namespace detail

/// a b + c of numbers or vectors, rounded once where packets' is. Compilers may contract it, or not, and
/// choose which product of a b + c d they round.
template <class Held>
[[gnu::always_inline]] inline Held multiply_add_as_packets(Held a, Held b, Held c) {
  if constexpr (!std::is_floating_point_v<Held>) {
    using number = std::remove_cvref_t<decltype(a[0])>;
    if constexpr (sizeof(Held) <= sizeof(packet<number>))
      return detail::multiply_add_in(packet<number>{}, a, b, c);
    else
      return a * b + c;
  } else {
    return multiply_add_numbers(a, b, c);
  }
}

namespace detail {

/// A packet that begins with these numbers. What stands behind them are the same ones.
template <class T, int Width>
[[gnu::always_inline]] inline wide<T> widened(straight_wide<T, Width> x) {
  return {std::bit_cast<packet<T>>(bare_kernels::repeated_lanes<packet_size<T>>(x.x))};
}
template <class T>
[[gnu::always_inline]] inline wide<T> widened(straight_number<T> x) {
  return splat(x.x);
}

template <class X>
struct narrowing;
template <class T, int Width>
struct narrowing<straight_wide<T, Width>> {
  [[gnu::always_inline]] static straight_wide<T, Width> of(wide<T> x) {
    using all = typename bare_kernels::vector_lanes<T, packet_size<T>>::held;
    const auto held = std::bit_cast<all>(x.p);
    if constexpr (Width == packet_size<T>) {
      return {held};
    } else {
      return {bare_kernels::every<0, 1, Width>(held, held)};
    }
  }
};
template <class T>
struct narrowing<straight_number<T>> {
  [[gnu::always_inline]] static straight_number<T> of(wide<T> x) {
    return straight_number<T>(Eigen::internal::pfirst(x.p));
  }
};
/// The first numbers of a packet, as many as an X has.
template <class X, class T>
[[gnu::always_inline]] inline X narrowed(wide<T> x) {
  return narrowing<X>::of(x);
}

template <class X>
concept straight = requires { sizeof(narrowing<X>); };

}  // namespace detail

template <class T, int Width>
[[gnu::always_inline]] inline straight_wide<T, Width> multiply_add(straight_wide<T, Width> a,
                                                                   straight_wide<T, Width> b,
                                                                   straight_wide<T, Width> c) {
  return {multiply_add_as_packets(a.x, b.x, c.x)};
}
template <class T>
[[gnu::always_inline]] inline straight_number<T> multiply_add(straight_number<T> a, straight_number<T> b,
                                                              straight_number<T> c) {
  return straight_number<T>(multiply_add_as_packets(a.x, b.x, c.x));
}
template <detail::straight X>
[[gnu::always_inline]] inline X product_error(X a, X b, X product) {
  return detail::narrowed<X>(product_error(detail::widened(a), detail::widened(b), detail::widened(product)));
}

/// e^t as exponential_of() has it of packets.
template <detail::straight X>
struct straight_exponential {
  decltype(exponential_of(detail::widened(X{}))) power;
  X mantissa;

  [[gnu::always_inline]] explicit straight_exponential(X t)
      : power(exponential_of(detail::widened(t))), mantissa(detail::narrowed<X>(power.mantissa)) {}
  X value() const { return detail::narrowed<X>(power.value()); }
  X scaled(X x) const { return detail::narrowed<X>(power.scaled(detail::widened(x))); }
};
template <detail::straight X>
[[gnu::always_inline]] inline auto exponential_of(X t) {
  return straight_exponential<X>(t);
}

template <detail::straight X>
[[gnu::always_inline]] inline X exp(X x) {
  return detail::narrowed<X>(exp(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X exp2(X x) {
  return detail::narrowed<X>(exp2(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X expm1(X x) {
  return detail::narrowed<X>(expm1(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X log(X x) {
  return detail::narrowed<X>(log(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X log2(X x) {
  return detail::narrowed<X>(log2(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X log1p(X x) {
  return detail::narrowed<X>(log1p(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X sin(X x) {
  return detail::narrowed<X>(sin(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X cos(X x) {
  return detail::narrowed<X>(cos(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X tan(X x) {
  return detail::narrowed<X>(tan(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X asin(X x) {
  return detail::narrowed<X>(asin(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X acos(X x) {
  return detail::narrowed<X>(acos(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X atan(X x) {
  return detail::narrowed<X>(atan(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X sinh(X x) {
  return detail::narrowed<X>(sinh(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X cosh(X x) {
  return detail::narrowed<X>(cosh(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X tanh(X x) {
  return detail::narrowed<X>(tanh(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X erf(X x) {
  return detail::narrowed<X>(erf(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X erfc(X x) {
  return detail::narrowed<X>(erfc(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X floor(X x) {
  return detail::narrowed<X>(floor(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X ceil(X x) {
  return detail::narrowed<X>(ceil(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X trunc(X x) {
  return detail::narrowed<X>(trunc(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X nearbyint(X x) {
  return detail::narrowed<X>(nearbyint(detail::widened(x)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X pow(X x, X y) {
  return detail::narrowed<X>(pow(detail::widened(x), detail::widened(y)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X atan2(X x, X y) {
  return detail::narrowed<X>(atan2(detail::widened(x), detail::widened(y)));
}
template <detail::straight X>
[[gnu::always_inline]] inline X remainder_of(X x, X y) {
  return detail::narrowed<X>(remainder_of(detail::widened(x), detail::widened(y)));
}

// Of one number; vectors have them with their lanes.
template <class T>
straight_number<T> abs(straight_number<T> x) {
  return straight_number<T>(bare_kernels::detail::size_of_numbers<bare_kernels::one_lane<T>>(x.x));
}
template <class T>
straight_number<T> sqrt(straight_number<T> x) {
  return straight_number<T>(bare_kernels::square_root(x.x));
}

}  // namespace tapeless::cpu_kernels
