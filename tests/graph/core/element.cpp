// SPDX-License-Identifier: BSL-1.0
// What the element types are in C++, and what is known of each.
#include "catch.hpp"

#include <cstdint>

#include <tapeless/graph/core/element.hpp>

namespace tl = tapeless;
using tl::element, tl::element_of, tl::element_type;

static_assert(element_of<float> == element::f32 && element_of<double> == element::f64);
static_assert(element_of<int> == element::i32 && element_of<long> == element::i64 &&
              element_of<long long> == element::i64);
static_assert(element_of<bool> == element::boolean && element_of<unsigned char> == element::u8);

static_assert(element_type<float> && element_type<tl::f16> && element_type<tl::bf16> &&
              element_type<long long>);
static_assert(element_type<std::int8_t> && element_type<std::int16_t> && element_type<std::uint32_t>);
static_assert(!element_type<char> && !element_type<std::uint16_t> && !element_type<std::uint64_t> &&
              !element_type<void*> && !element_type<long double>);

template <class T>
constexpr bool is_known(std::string_view name, bool floating, bool half) {
  constexpr element e = element_of<T>;
  return size_of(e) == sizeof(T) && name_of(e) == name && is_floating(e) == floating && is_half(e) == half;
}
static_assert(is_known<float>("float", true, false) && is_known<double>("double", true, false));
static_assert(is_known<tl::f16>("f16", true, true) && is_known<tl::bf16>("bf16", true, true));
static_assert(is_known<std::int32_t>("std::int32_t", false, false) &&
              is_known<std::int64_t>("std::int64_t", false, false) &&
              is_known<std::int8_t>("std::int8_t", false, false) &&
              is_known<std::int16_t>("std::int16_t", false, false) &&
              is_known<std::uint32_t>("std::uint32_t", false, false) &&
              is_known<unsigned char>("std::uint8_t", false, false) && is_known<bool>("bool", false, false));
static_assert(name_of(element::number) == "number" && is_floating(element::number));

TEST_CASE("what is known of element types is known to the compiler") {}
