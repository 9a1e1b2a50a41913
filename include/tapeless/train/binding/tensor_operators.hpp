// SPDX-License-Identifier: BSL-1.0
// Operators that parameters and results do not have, and say so: they are no expressions.
#pragma once

#include <type_traits>

#include <tapeless/expr/operands.hpp>

namespace tapeless {

namespace detail {

/// What the program reads the elements of parameters and results through.
template <class X>
concept tensor_of_program = requires { typename X::tensor_of_program; };

/// Two of them, or one and a number: other types may have operators of their own.
template <class A, class B>
concept tensors_of_program = (tensor_of_program<A> && (tensor_of_program<B> || plain_number<B>)) ||
                             (plain_number<A> && tensor_of_program<B>);

template <class A, class B>
constexpr erroneous refuse_tensor_operator(const A&, const B&) {
  static_assert(std::is_void_v<A> && std::is_void_v<B>,
                "tapeless: the elements of a parameter or a result are computed with one by one, as a "
                "std::span's, or as_matrix() by Eigen's operators, or in a model of their own: "
                "tl::function f{model}, where they are an input, f(\"y\"_t = values)");
  return {};
}

}  // namespace detail

template <class A, class B>
  requires detail::tensors_of_program<A, B>
constexpr erroneous operator+(const A& a, const B& b) {
  return detail::refuse_tensor_operator(a, b);
}
template <class A, class B>
  requires detail::tensors_of_program<A, B>
constexpr erroneous operator-(const A& a, const B& b) {
  return detail::refuse_tensor_operator(a, b);
}
template <class A, class B>
  requires detail::tensors_of_program<A, B>
constexpr erroneous operator*(const A& a, const B& b) {
  return detail::refuse_tensor_operator(a, b);
}
template <class A, class B>
  requires detail::tensors_of_program<A, B>
constexpr erroneous operator/(const A& a, const B& b) {
  return detail::refuse_tensor_operator(a, b);
}

}  // namespace tapeless
