// SPDX-License-Identifier: BSL-1.0
// Names are put together in constant expressions, and compared by what they say.
#include "catch.hpp"

#include <tapeless/graph/core/name.hpp>

namespace tl = tapeless;

static_assert(tl::name("block") + ".attn" == tl::name("block.attn"));
static_assert(tl::name("block") + 0 == tl::name("block0"));
static_assert(tl::name("block") + 9 + "." + 10 + "x" + 12345 == tl::name("block9.10x12345"));
static_assert(tl::name().size() == 0 && tl::name("").view().empty());
static_assert((tl::name() + "x").size() == 1);
static_assert(!(tl::name("fc1") == tl::name("fc")));

// The longest one, and its last character.
static_assert([] {
  tl::name n;
  for (int i = 0; i < tl::name::capacity - 1; ++i) n = n + "x";
  return n.size() == 63 && n.view().back() == 'x';
}());

// FNV-1a's published values.
static_assert(tl::hash_of("") == 0xcbf29ce484222325u && tl::hash_of("a") == 0xaf63dc4c8601ec8cu &&
              tl::hash_of("foobar") == 0x85944171f73967e8u);

TEST_CASE("a name has one object, however it was put together") {
  CHECK(&tl::interned<"fc1"> == &tl::interned<tl::name("fc") + 1>);
  CHECK(&tl::interned<"fc1"> != &tl::interned<"fc2">);
}
