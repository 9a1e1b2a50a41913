// SPDX-License-Identifier: BSL-1.0
// Sentences, names, lists and element types, as constants.
#include "catch.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/graph/core/text.hpp>

namespace tl = tapeless;

static_assert((tl::text() << "an extent of " << 0 << ", " << -12 << " and " << std::int64_t{9007199254740993})
                  .view() == "an extent of 0, -12 and 9007199254740993");
static_assert((tl::text() << std::numeric_limits<std::int64_t>::min()).view() == "-9223372036854775808");
static_assert((tl::text() << 0.1 << ", " << -2.0 << ", " << 1.5 << ", " << 1.0000001 << " and " << 0.9999999)
                  .view() == "0.1, -2, 1.5, 1.0000001 and 0.9999999");
static_assert((tl::text() << 0.0 << ", " << 1e-6 << ", " << 10000.000001 << ", " << 123456789.1 << " and "
                          << 999999.9999999999)
                  .view() == "0, 0.000001, 10000.000001, 123456789.1 and 1000000");
static_assert((tl::text() << -1e-12 << ", " << 2.5e-300 << ", " << 1e12 << ", " << 1.23456789e15 << ", "
                          << 9.9999999999e-7 << " and " << 5e-324)
                  .view() == "-1e-12, 2.5e-300, 1e12, 1.23456789e15, 1e-6 and 4.94065646e-324");
static_assert((tl::text() << std::numeric_limits<double>::max() << " and "
                          << -std::numeric_limits<double>::infinity())
                  .view() == "1.79769313e308 and -infinity");
static_assert(tl::text().empty());

static_assert((tl::name("block") + 10 + ".attn" + tl::name(".w")).view() == "block10.attn.w");
static_assert((tl::name("b") + 0).view() == "b0");
static_assert(tl::name("a") == tl::name("a") && !(tl::name("a") == tl::name("ab")));
constexpr bool same(const tl::name* left, const tl::name* right) { return left == right; }
static_assert(same(&tl::interned<"x">, &tl::interned<tl::name("x")>));
static_assert(same(&tl::interned<tl::name("x") + 1>, &tl::interned<"x1">));
static_assert(!same(&tl::interned<"x">, &tl::interned<"y">));
static_assert(tl::hash_of("abc") != tl::hash_of("acb"));

static_assert([] {
  tl::list<int> l;
  for (int i = 0; i < 1000; ++i)
    if (l.push(i) != i) return false;
  l.resize(1002, 5);
  int sum = 0;
  for (int x : l) sum += x;
  l.assign(3, 7);
  const bool assigned = l.size() == 3 && l[0] == 7 && l[2] == 7;
  l.clear();
  return sum == 499500 + 10 && assigned && l.size() == 0;
}());

static_assert(tl::element_of<float> == tl::element::f32 && tl::element_of<double> == tl::element::f64);
static_assert(tl::element_of<int> == tl::element::i32 && tl::element_of<long long> == tl::element::i64);
static_assert(tl::element_of<bool> == tl::element::boolean &&
              tl::element_of<std::uint8_t> == tl::element::u8);
static_assert(!tl::element_type<unsigned short> && !tl::element_type<char> && !tl::element_type<char*>);
static_assert(tl::size_of(tl::element::f16) == 2 && tl::size_of(tl::element::i64) == 8);
static_assert(tl::name_of(tl::element::f32) == "float" && tl::name_of(tl::element::number) == "number");
static_assert(tl::is_floating(tl::element::bf16) && !tl::is_floating(tl::element::boolean));

TEST_CASE("a sentence that is too long ends in dots") {
  tl::text t;
  for (int i = 0; i < 100; ++i) t << "0123456789";
  CHECK(t.size == tl::text::capacity);
  CHECK(std::string(t.view()).ends_with("6..."));
}
