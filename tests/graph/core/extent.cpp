// SPDX-License-Identifier: BSL-1.0
// Extents: equal ones have equal numbers, however they came about.
#include "catch.hpp"

#include <tapeless/graph/core/extent.hpp>

namespace tl = tapeless;

namespace {

constexpr auto a = tl::dyn<"a">, b = tl::dyn<"b">;

template <class F>
constexpr bool holds(F f) {
  tl::extent_table t;
  return f(t, t.number(a), t.number(b));
}

static_assert(holds([](auto& t, auto x, auto y) { return x != y && x < 0 && t.number(tl::dyn<"a">) == x; }));
static_assert(holds([](auto& t, auto, auto) {
  return t.number(7) == 7 && t.is_literal(0) && !t.is_literal(-1);
}));

// values of symbols
static_assert(tl::extent_values(3).of("a") == 3 && tl::extent_values{{"a", 2}}.of("a") == 2);
static_assert(tl::extent_values{{"a", 2}}.of("b") == 0);
static_assert(tl::extent_values(1).is_sound() && !tl::extent_values(0).is_sound());
static_assert(tl::extent_values{{"a", 2}, {"b", 1}}.is_sound());
static_assert(!tl::extent_values{{"a", 2}, {"b", 0}}.is_sound());
static_assert(tl::extent_values{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}}.is_sound());
static_assert(!tl::extent_values{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}}.is_sound());
static_assert([] {
  constexpr tl::extent_values values{{"a", 5}};
  tl::extent_table t;
  t.set_values(&values);
  return t.number(a) == 5 && t.number(b) < 0 && t.multiply(t.number(a), 2) == 10;
}());

// products
static_assert(holds([](auto& t, auto x, auto y) { return t.multiply(x, y) == t.multiply(y, x); }));
static_assert(holds([](auto& t, auto x, auto y) {
  return t.multiply(t.multiply(x, 2), t.multiply(y, 3)) == t.multiply(6, t.multiply(y, x));
}));
static_assert(holds([](auto& t, auto x, auto y) {
  const auto z = t.number(tl::dyn<"c">);
  return t.multiply(t.multiply(x, y), z) == t.multiply(x, t.multiply(z, y));
}));
static_assert(holds([](auto& t, auto x, auto) { return t.multiply(x, 1) == x && t.multiply(0, x) == 0; }));
static_assert(holds([](auto& t, auto x, auto y) {
  return t.multiply(x, x) != x && t.multiply(x, x) != t.multiply(x, y);
}));

// sums
static_assert(holds([](auto& t, auto x, auto y) { return t.add(x, y) == t.add(y, x) && t.add(x, 0) == x; }));
static_assert(holds([](auto& t, auto x, auto) { return t.add(x, x) == t.multiply(2, x); }));
static_assert(holds([](auto& t, auto x, auto y) {
  return t.add(t.add(x, 1), t.add(y, 2)) == t.add(t.add(y, x), 3);
}));
static_assert(holds([](auto& t, auto x, auto) {
  return t.add(t.multiply(x, 2), t.multiply(x, 3)) == t.multiply(x, 5);
}));

// differences
static_assert(holds([](auto& t, auto x, auto) {
  return t.subtract(7, 2) == 5 && t.subtract(t.add(x, 5), 2) == t.add(x, 3) &&
         t.add(t.subtract(x, 2), 2) == x && t.subtract(x, 0) == x;
}));
static_assert(holds([](auto& t, auto x, auto y) {
  return !t.is_literal(t.subtract(7, x)) && t.subtract(7, x) != t.subtract(7, y) &&
         t.subtract(7, x) != t.subtract(x, 7) && t.subtract(x, y) != t.subtract(y, x);
}));
static_assert(holds([](auto& t, auto x, auto y) {
  return t.subtract(x, x) == 0 && t.subtract(t.add(x, 5), t.add(x, 3)) == 2 &&
         t.subtract(9, t.add(x, 2)) == t.subtract(7, x) &&
         t.subtract(5, t.subtract(x, 2)) == t.subtract(7, x) &&
         t.subtract(t.add(y, 1), t.add(x, 3)) == t.subtract(y, t.add(x, 2));
}));

// quotients
static_assert(holds([](auto& t, auto x, auto) { return t.divide(t.multiply(x, 6), 3) == t.multiply(x, 2); }));
static_assert(holds([](auto& t, auto x, auto) { return t.divide(x, 1) == x && t.divide(7, 2) == 3; }));
static_assert(holds([](auto& t, auto x, auto) {
  return t.divide(x, 2) == t.divide(x, 2) && t.divide(x, 2) != t.divide(x, 3);
}));
static_assert(holds([](auto& t, auto x, auto) {
  const auto twice = t.multiply(x, 2);
  return t.divide(t.add(twice, 3), 2) == t.add(x, 1) &&
         t.divide(t.subtract(twice, 1), 2) == t.subtract(x, 1) &&
         t.divide(t.subtract(twice, 2), 2) == t.subtract(x, 1) && t.divide(t.add(x, 2), 2) != t.add(x, 1);
}));

// another table's extents keep their meaning
static_assert([] {
  tl::extent_table from, to;
  to.number(b);
  const auto x = from.number(a), y = from.number(b);
  const auto moved =
      to.import(from.entries(), from.divide(from.add(from.multiply(x, from.multiply(y, 4)), 1), 3));
  const auto u = to.number(a), v = to.number(b);
  return moved == to.divide(to.add(to.multiply(4, to.multiply(u, v)), 1), 3) &&
         to.import(from.entries(), from.subtract(from.add(x, 4), y)) == to.subtract(to.add(u, 4), v);
}());

}  // namespace

TEST_CASE("extents are canonical") { SUCCEED(); }

TEST_CASE("extents describe themselves") {
  tl::extent_table t;
  const auto describe = [&](std::int64_t e) {
    tl::text out;
    t.describe(out, e);
    return std::string(out.view());
  };
  const auto x = t.number(a), y = t.number(b);
  CHECK(describe(12) == "12");
  CHECK(describe(x) == "a");
  CHECK(describe(t.multiply(y, t.multiply(x, 4))) == "((a * b) * 4)");
  CHECK(describe(t.add(x, 3)) == "(a + 3)");
  CHECK(describe(t.divide(x, 2)) == "(a / 2)");
  CHECK(describe(t.add(t.subtract(9, x), 1)) == "((9 - a) + 1)");
}
