// SPDX-License-Identifier: BSL-1.0
// complex(a, b) and what is computed of complex numbers: pairs (real, imaginary) along a last axis of 2.
#pragma once

#include <tapeless/ops/pointwise/atan2.hpp>
#include <tapeless/ops/pointwise/cos.hpp>
#include <tapeless/ops/pointwise/hypot.hpp>
#include <tapeless/ops/pointwise/sin.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/spectral/fourier.hpp>

namespace tapeless {

namespace detail {

/// Precondition: both are of one shape and one type.
constexpr value pairs_of(value real, value imag) {
  shape_list s = shape_of(real);
  s.extents[s.rank++] = 1;
  const value parts[] = {reshape(real, s), reshape(imag, s)};
  return concat(parts, 2, s.rank - 1);
}

/// The real parts, or the imaginary ones. Precondition: z is complex.
constexpr value part_of_pairs(value z, int part) {
  shape_list s = shape_of(z);
  --s.rank;
  return reshape(slice(z, s.rank, part, 1, 1), s);
}

/// Precondition: z is complex.
constexpr value conjugate(value z) {
  const value part = make_iota(*z.builder, {1, {2}}, 0, element::i64);
  return where(part == 0.0, z, -z);
}

}  // namespace detail

struct complex_statement {
  static constexpr std::string_view name = "complex";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    value x[] = {a, b};
    element type{};
    shape_list shape;
    if (!detail::common_type(x, 0, 2, type)) return detail::types_differ(name, x, 0, 2);
    if (!detail::require_operands(name, x, 0, 2, type, element_kind::floating)) return a;
    if (!broadcast(shape_of(a), shape_of(b), shape)) return detail::shapes_do_not_fit(name, x, 2);
    if (shape.rank == max_rank)
      return a.fail(text() << "complex takes at most " << max_rank - 1 << " axes: pairs need one more");
    return detail::pairs_of(expand(cast(a, type), shape), expand(cast(b, type), shape));
  }
};

struct polar_statement {
  static constexpr std::string_view name = "polar";
  static constexpr int arity = 2;
  static constexpr value build(value length, value angle) {
    return complex_statement::build(length * cos(angle), length * sin(angle));
  }
};

template <int Part>
struct part_statement {
  static constexpr std::string_view name = Part == 0 ? "real" : "imag";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    return detail::require_complex(name, z) ? detail::part_of_pairs(z, Part) : z;
  }
};
struct conj_statement {
  static constexpr std::string_view name = "conj";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    return detail::require_complex(name, z) ? detail::conjugate(z) : z;
  }
};
struct angle_statement {
  static constexpr std::string_view name = "angle";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    if (!detail::require_complex(name, z)) return z;
    return atan2(detail::part_of_pairs(z, 1), detail::part_of_pairs(z, 0));
  }
};
struct complex_abs_statement {
  static constexpr std::string_view name = "complex_abs";
  static constexpr int arity = 1;
  static constexpr value build(value z) {
    if (!detail::require_complex(name, z)) return z;
    return hypot(detail::part_of_pairs(z, 0), detail::part_of_pairs(z, 1));
  }
};

struct complex_mul_statement {
  static constexpr std::string_view name = "complex_mul";
  static constexpr int arity = 2;
  static constexpr value build(value a, value b) {
    if (!detail::require_complex(name, a) || !detail::require_complex(name, b)) return a;
    const value re = detail::part_of_pairs(a, 0), im = detail::part_of_pairs(a, 1);
    const value x = detail::part_of_pairs(b, 0), y = detail::part_of_pairs(b, 1);
    return complex_statement::build(re * x - im * y, re * y + im * x);
  }
};

/// Complex numbers of real parts and imaginary parts, whose shapes broadcast: pairs along a new last axis.
/// Zeros may be 0_c.
/// @formula y = a + i b
/// @shapes two of one floating type, whose shapes broadcast -> the common shape and [.., 2]
/// @errors complex_pairs
/// @torch torch.complex
/// @jax jax.lax.complex
/// @given a = [1, 2]; b = [3, -1]
/// @gives tl::complex(a, b) = [[1, 3], [2, -1]]
/// @gives tl::complex(a, 0_c) = [[1, 0], [2, 0]]
template <class A, class B>
  requires operands<A, B>
TAPELESS_FACTORY auto complex(A a, B b) {
  return make<complex_statement>(a, b);
}

/// Complex numbers of these lengths and angles, whose shapes broadcast.
/// @formula y = length e^(i angle)
/// @shapes two of one floating type, whose shapes broadcast -> the common shape and [.., 2]
/// @errors complex_pairs
/// @torch torch.polar
/// @jax none
/// @given r = [1, 2]; t = [0, 1]
/// @gives tl::polar(r, t) = [[1, 0], [1.081, 1.683]]
template <class R, class T>
  requires operands<R, T>
TAPELESS_FACTORY auto polar(R length, T angle) {
  return make<polar_statement>(length, angle);
}

/// The real parts of complex numbers.
/// @formula y = Re z
/// @shapes floating [.., 2] -> [..]
/// @errors complex_pairs
/// @torch torch.real
/// @jax jnp.real
/// @given z = [[1, 3], [2, -1]]
/// @gives tl::real(z) = [1, 2]
TAPELESS_FACTORY auto real(operand auto z) { return make<part_statement<0>>(z); }

/// The imaginary parts of complex numbers.
/// @formula y = Im z
/// @shapes floating [.., 2] -> [..]
/// @errors complex_pairs
/// @torch torch.imag
/// @jax jnp.imag
/// @given z = [[1, 3], [2, -1]]
/// @gives tl::imag(z) = [3, -1]
TAPELESS_FACTORY auto imag(operand auto z) { return make<part_statement<1>>(z); }

/// The conjugates of complex numbers.
/// @formula y = Re z - i Im z
/// @shapes floating [.., 2] -> [.., 2]
/// @errors complex_pairs
/// @torch torch.conj
/// @jax jnp.conj
/// @given z = [[1, 3], [2, -1]]
/// @gives tl::conj(z) = [[1, -3], [2, 1]]
TAPELESS_FACTORY auto conj(operand auto z) { return make<conj_statement>(z); }

/// The angles of complex numbers in [-pi, pi]; that of 0 is 0, and so is its derivative.
/// @formula y = atan2(Im z, Re z)
/// @shapes floating [.., 2] -> [..]
/// @errors complex_pairs
/// @torch torch.angle
/// @jax jnp.angle
/// @given z = [[1, 1], [-2, 0]]
/// @gives tl::angle(z) = [0.7854, 3.142]
TAPELESS_FACTORY auto angle(operand auto z) { return make<angle_statement>(z); }

/// The lengths of complex numbers; the derivative at 0 is 0. (tl::abs takes pairs for what they are: real
/// numbers.)
/// @formula y = |z|
/// @shapes floating [.., 2] -> [..]
/// @errors complex_pairs
/// @torch torch.abs
/// @jax jnp.abs
/// @given z = [[3, 4], [0, -2]]
/// @gives tl::complex_abs(z) = [5, 2]
TAPELESS_FACTORY auto complex_abs(operand auto z) { return make<complex_abs_statement>(z); }

/// The product of complex numbers, whose shapes broadcast.
/// @formula y = a b
/// @shapes two of one floating type [.., 2], whose shapes broadcast -> the common shape
/// @errors complex_pairs
/// @torch torch.mul
/// @jax jnp.multiply
/// @given a = [[1, 3], [2, -1]]; b = [[0, 1]]
/// @gives tl::complex_mul(a, b) = [[-3, 1], [1, 2]]
template <class A, class B>
  requires operands<A, B>
TAPELESS_FACTORY auto complex_mul(A a, B b) {
  return make<complex_mul_statement>(a, b);
}

}  // namespace tapeless
