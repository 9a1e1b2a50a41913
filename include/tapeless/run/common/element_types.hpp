// SPDX-License-Identifier: BSL-1.0
// The C++ types behind element types.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/element.hpp>

namespace tapeless {

template <element Type>
struct element_storage;
template <>
struct element_storage<element::f32> {
  using type = float;
};
template <>
struct element_storage<element::f64> {
  using type = double;
};
template <>
struct element_storage<element::number> {
  using type = double;
};
template <>
struct element_storage<element::f16> {
  using type = f16;
};
template <>
struct element_storage<element::bf16> {
  using type = bf16;
};
template <>
struct element_storage<element::i8> {
  using type = std::int8_t;
};
template <>
struct element_storage<element::i16> {
  using type = std::int16_t;
};
template <>
struct element_storage<element::u32> {
  using type = std::uint32_t;
};
template <>
struct element_storage<element::i32> {
  using type = std::int32_t;
};
template <>
struct element_storage<element::i64> {
  using type = std::int64_t;
};
template <>
struct element_storage<element::u8> {
  using type = std::uint8_t;
};
template <>
struct element_storage<element::boolean> {
  using type = bool;
};

template <element Type>
using storage_of = typename element_storage<Type>::type;

/// What a policy computes with for such elements: float for those of 16 bits.
template <element Type>
using computed_as =
    typename std::conditional_t<is_half(Type), std::type_identity<float>, element_storage<Type>>::type;

}  // namespace tapeless
