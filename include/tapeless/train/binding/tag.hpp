// SPDX-License-Identifier: BSL-1.0
// "x"_t = values: binds the input x, or a run-time extent.
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <type_traits>

#include <tapeless/graph/core/bindable_elements.hpp>
#include <tapeless/graph/core/bound_elements.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/binding/binding.hpp>

namespace tapeless {

/// An input's name, as a value that can be assigned to.
template <name Name>
struct tag {
  /// Elements in memory:
  ///   of a vector, an array or a span, in row-major order
  ///   of arrays in one of these, which bring their shape: float x[4][2], std::vector<std::array<float, 2>>
  ///   of a view of a result or parameter, which brings its shape
  ///   of an Eigen matrix, array, map, block or tensor or a std::mdspan, with its strides and its shape
  /// An Eigen vector has elements in order, as a std::vector has. They must live and stay as they are until
  /// the call that takes the binding is done.
  template <class R>
    requires(!element_type<R> && !std::is_arithmetic_v<R> &&
             !std::is_convertible_v<const R&, bound_elements> && !detail::is_container<R>)
  auto operator=(const R& range) const {
    return bound(range);
  }
  template <detail::is_container R>
  auto operator=(const R& range TAPELESS_LIFETIME_BOUND) const {
    return bound(range);
  }
  /// Elements in row-major order, which live until the call's whole line is done: net.step("x"_t = {1, 2}).
  template <element_type T>
  auto operator=(std::initializer_list<T> elements) const {
    return *this = std::span<const T>(elements.begin(), elements.size());
  }
  /// Refused: rows of rows.
  template <class T>
  binding<Name> operator=(std::initializer_list<std::initializer_list<T>>) const {
    static_assert(
        std::is_void_v<T>,
        "tapeless: elements stand in one pair of braces, in row-major order: \"x\"_t = {1, 2, 3, 4} "
        "of two rows");
    return binding<Name>(bound_elements());
  }
  /// Refused: it compares.
  template <class R>
  constexpr binding<Name> operator==(const R&) const {
    static_assert(std::is_void_v<R>, "tapeless: an input is bound by one =, as in net.step(\"x\"_t = x)");
    return binding<Name>(bound_elements());
  }
  /// Refused: it is called.
  template <class R>
  constexpr binding<Name> operator()(const R&) const {
    static_assert(std::is_void_v<R>,
                  "tapeless: an input is bound by =, without parentheses, as in net.step(\"x\"_t = x)");
    return binding<Name>(bound_elements());
  }
  /// What says itself where its elements are: a device_tensor.
  auto operator=(const bound_elements& e) const { return binding<Name>(e); }
  /// The element of an input that has one, or a run-time extent. A number is rounded to the type of an input
  /// of float or double; an integer fits one of std::int64_t as well.
  template <element_type T>
    requires(!std::same_as<T, std::uint32_t>)
  constexpr auto operator=(T number) const {
    return number_binding<Name, element_of<T>>(number);
  }
  /// A size: a run-time extent, or an input's element of type std::int64_t, float or double.
  template <std::unsigned_integral T>
    requires(detail::unsigned_size<T> || std::same_as<T, std::uint32_t>)
  constexpr auto operator=(T number) const {
    return number_binding<Name, element::i64>(binding<Name>::signed_size(number));
  }

 private:
  template <class R>
  static auto bound(const R& range) {
    constexpr bool is_expression = detail::eigen_expression<R> && !detail::eigen_matrix<R>;
    static_assert(!std::is_pointer_v<R>,
                  "tapeless: a pointer says nothing of how many elements there are: bind std::span(p, n)");
    static_assert(
        !is_expression,
        "tapeless: an expression of Eigen's has no elements in memory: bind what it is assigned to, or "
        "its .eval()");
    static_assert(
        is_expression || !detail::has_other_strides<R>,
        "tapeless: this type has strides that cannot be read here: bind a std::mdspan or an Eigen::Map of "
        "its elements, or a std::span where they are contiguous in row-major order");
    constexpr bool is_bound = detail::has_bindable_elements<R>;
    constexpr bool is_ragged = !is_bound && detail::holds_ranges<R>();
    static_assert(is_bound || !detail::holds_bits<R>,
                  "tapeless: std::vector<bool> and std::bitset hold bits, which are no elements: bind "
                  "std::array<bool, N>, or std::span<const bool> of elements in an array of bool");
    static_assert(!is_ragged,
                  "tapeless: rows in memory of their own cannot be bound: they are copied into one vector, a "
                  "ragged batch padded, with its lengths beside it as another input");
    static_assert(
        std::is_pointer_v<R> || is_expression || detail::has_other_strides<R> || is_bound || is_ragged ||
            detail::holds_bits<R>,
        "tapeless: what is bound is a number, or elements of a type that a tensor can have (float, "
        "double, f16, bf16, bool, signed integers, unsigned ones of 8 or 32 bits) in a vector, array, "
        "span, matrix of Eigen's, std::mdspan or a view of a result");
    if constexpr (detail::has_bindable_elements<R>) {
      return typed_binding<Name, detail::element_type_of<R>(), detail::known_array<R>>(
          detail::elements_of(range));
    } else {
      return binding<Name>(bound_elements());
    }
  }
};

namespace literals {

/// "x"_t = values binds the input x.
template <name Name>
constexpr tag<Name> operator""_t() {
  return {};
}

}  // namespace literals

}  // namespace tapeless
