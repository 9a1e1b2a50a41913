// SPDX-License-Identifier: BSL-1.0
// Which products of a fused kernel are rounded together with the sum that they are in.
#include <tapeless/run/common/products_in_sums.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

#include "catch.hpp"

namespace tl = tapeless;

namespace {

using tl::element, tl::instruction_key, tl::product_in_sum, tl::store_key;

// Loads are -1, -2, ..., which are a, b, ...
constexpr int a = -1, b = -2, c = -3, d = -4;

template <class Operation>
constexpr instruction_key of(int x, int y = 0, element type = element::f32) {
  constexpr bool is_square = std::is_same_v<Operation, tl::square_operation>;
  return {tl::pointwise_code(&tl::operation_of<Operation>), type, is_square ? 1 : 2, x, y, 0};
}
constexpr instruction_key mul(int x, int y, element type = element::f32) {
  return of<tl::mul_operation>(x, y, type);
}
constexpr instruction_key add(int x, int y, element type = element::f32) {
  return of<tl::add_operation>(x, y, type);
}
constexpr instruction_key sub(int x, int y) { return of<tl::sub_operation>(x, y); }
constexpr instruction_key divide(int x, int y) { return of<tl::div_operation>(x, y); }
constexpr instruction_key square(int x) { return of<tl::square_operation>(x); }
constexpr store_key stored(int source) { return {tl::lane::contiguous, element::f32, source, -1}; }

template <std::size_t Instructions, std::size_t Stores = 1>
constexpr auto found(const instruction_key (&instructions)[Instructions],
                     const store_key (&stores)[Stores] = {stored(Instructions - 1)}) {
  return tl::detail::find_products_in_sums(std::to_array(instructions), std::to_array(stores));
}
// Whether the last instruction is a sum of the first one, which is a product of these, and of something else.
template <std::size_t Size>
constexpr bool is_sum(const std::array<product_in_sum, Size>& all, int left, int right, int other,
                      bool subtracts_product = false, bool subtracts_other = false) {
  const product_in_sum& s = all[Size - 1];
  return all[0].is_in_sum && !all[0].has_product && !s.is_in_sum && s.has_product && s.a == left &&
         s.b == right && s.other == other && s.subtracts_product == subtracts_product &&
         s.subtracts_other == subtracts_other;
}
template <std::size_t Size>
constexpr bool are_apart(const std::array<product_in_sum, Size>& all) {
  for (const product_in_sum& i : all)
    if (i.is_in_sum || i.has_product) return false;
  return true;
}

}  // namespace

TEST_CASE("a product that only a sum reads is a part of it") {
  STATIC_REQUIRE(is_sum(found({mul(a, b), add(0, c)}), a, b, c));
  STATIC_REQUIRE(is_sum(found({mul(a, b), add(c, 0)}), a, b, c));
  STATIC_REQUIRE(is_sum(found({mul(a, b), sub(0, c)}), a, b, c, false, true));
  STATIC_REQUIRE(is_sum(found({mul(a, b), sub(c, 0)}), a, b, c, true, false));
  STATIC_REQUIRE(is_sum(found({square(a), add(0, c)}), a, a, c));
  STATIC_REQUIRE(is_sum(found({mul(a, b), divide(c, d), add(1, 0)}), a, b, 1));
}

TEST_CASE("of two products the first one is a part of their sum") {
  constexpr auto all = found({mul(a, b), mul(c, d), add(0, 1)});
  STATIC_REQUIRE(is_sum(all, a, b, 1));
  STATIC_REQUIRE_FALSE(all[1].is_in_sum);
}

TEST_CASE("a sum with a product in it may be a factor of another one") {
  constexpr auto all = found({mul(a, b), add(0, c), mul(1, d), sub(2, a)});
  STATIC_REQUIRE((all[0].is_in_sum && all[1].has_product && all[2].is_in_sum && all[3].has_product));
  STATIC_REQUIRE((all[3].a == 1 && all[3].b == d && all[3].other == a));
}

TEST_CASE("a product that something else reads, too, is computed by itself") {
  STATIC_REQUIRE(are_apart(found({mul(a, b), add(0, 0)})));
  STATIC_REQUIRE(are_apart(found({mul(a, b), add(0, c), divide(0, 1)})));
  STATIC_REQUIRE(are_apart(found({mul(a, b), add(0, c)}, {stored(1), stored(0)})));
}

TEST_CASE("what is no sum of products of floats is computed instruction by instruction") {
  STATIC_REQUIRE(are_apart(found({divide(a, b), add(0, c)})));
  STATIC_REQUIRE(are_apart(found({mul(a, b), divide(0, c)})));
  STATIC_REQUIRE(are_apart(found({add(a, b), mul(0, c)})));
  STATIC_REQUIRE(are_apart(found({mul(a, b, element::i32), add(0, c, element::i32)})));
  STATIC_REQUIRE(are_apart(found({mul(a, b, element::bf16), add(0, c, element::bf16)})));
  STATIC_REQUIRE(are_apart(found({mul(a, b, element::f64), add(0, c)})));
}
