// SPDX-License-Identifier: BSL-1.0
// Axes at other places.
#include <tapeless/operations.hpp>

#include "catch.hpp"
#include "laws/laws.hpp"
#include "program.hpp"

using laws::part;

TAPELESS_LAW(movedim, 12, 12, -1, 1,
             tl::movedim<0, -1>(tl::square(part<0, 2, 3, 2>(z))) * tl::movedim<-1, 1>(part<0, 3, 2, 2>(z)))

namespace {

constexpr auto n = tl::dyn<"n">;

constexpr auto moved = [] {
  auto x = tl::input<"x", float, 2, 3, n>;
  auto scalar = tl::sum(x);
  return tl::outputs(tl::named<"back">(tl::movedim<0, 2>(x)), tl::named<"front">(tl::movedim<-1, 0>(x)),
                     tl::named<"next">(tl::movedim<1, 0>(x)), tl::named<"same">(tl::movedim<1, 1>(x)),
                     tl::named<"scalar">(tl::movedim<0, -1>(scalar)));
};

using numbers = std::vector<double>;

}  // namespace

TEST_CASE("an axis at another place") {
  tl::function f{moved};
  std::vector<float> x(12);
  for (std::size_t i = 0; i < 12; ++i) x[i] = static_cast<float>(i);  // [i][j][k] is 6 i + 2 j + k
  auto r = f("x"_t = x);
  CHECK(test::elements(r.get<"back">()) == numbers{0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
  CHECK(test::elements(r.get<"front">()) == numbers{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11});
  CHECK(test::elements(r.get<"next">()) == numbers{0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11});
  CHECK(test::elements(r.get<"same">()) == test::elements(x));
  CHECK(r.get<"scalar">()[0] == 66);
}
