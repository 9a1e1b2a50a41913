// SPDX-License-Identifier: BSL-1.0
// Quantiles and medians: laws, and what PyTorch makes of even numbers, ties and NaN.
#include <tapeless/operations.hpp>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "laws/laws.hpp"
#include "program.hpp"

using laws::part;

TAPELESS_LAW(quantiles, 12, 4, -1, 1,
             tl::quantile<0.3, 1>(part<0, 4, 3>(z)) * tl::quantile<0.8, 0>(tl::square(part<0, 3, 4>(z))) +
                 tl::median<0, 2>(part<0, 3, 4, 1>(z)) * tl::median(z))

namespace {

constexpr auto n = tl::dyn<"n">;

template <tl::extent Columns>
struct statistics {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, 2, Columns>;
    return tl::outputs(tl::named<"low">(tl::quantile<0, 1>(x)), tl::named<"high">(tl::quantile<1, -1>(x)),
                       tl::named<"between">(tl::quantile<0.4, 1>(x, tl::keep_dims)),
                       tl::named<"columns">(tl::quantile<0.25, 0>(x)), tl::named<"all">(tl::quantile<0.5>(x)),
                       tl::named<"median">(tl::median<1>(x)), tl::named<"lower">(tl::median<0>(x)),
                       tl::named<"kept">(tl::median(x, tl::keep_dims)),
                       tl::named<"whole">(tl::median<-1>(tl::cast<std::int32_t>(x))),
                       tl::named<"gradient">(tl::grad(tl::sum(tl::quantile<0.4, 1>(x)) + tl::median(x), x)));
  }
};

using numbers = std::vector<double>;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class View>
void check_elements(const View& found, const numbers& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(found[i] == test::Approx(expected[i]));
}

template <class Results>
void check(const Results& r) {
  check_elements(r.template get<"low">(), {1, 2});
  check_elements(r.template get<"high">(), {9, 8});
  check_elements(r.template get<"between">(), {3.2, 5});
  CHECK(r.template get<"between">().shape().size() == 2);
  check_elements(r.template get<"columns">(), {3.5, 2.75, 2.5, 6});
  check_elements(r.template get<"all">(), {4.5});
  check_elements(r.template get<"median">(), {3, 5});
  check_elements(r.template get<"lower">(), {3, 1, 2, 5});
  check_elements(r.template get<"kept">(), {4});
  check_elements(r.template get<"whole">(), {3, 5});
  CHECK(r.template get<"kept">().shape().size() == 2);
}

}  // namespace

TEST_CASE("quantiles and medians") {
  const numbers x{3, 1, 4, 9, 5, 8, 2, 5};
  tl::function literal{statistics<4>{}};
  tl::function bound{statistics<n>{}};
  auto r = literal("x"_t = x);
  check(r);
  check(bound("x"_t = x));
  // 3 + 0.2 (4 - 3) in the first line; the equal elements of the second one in their order; the median is 4
  check_elements(r.get<"gradient">(), {0.8, 0, 1.2, 0, 0.8, 0, 0, 0.2});
  CHECK_THROWS_AS(bound("x"_t = numbers{}), tl::error);
}

TEST_CASE("quantiles of lines with NaN") {
  tl::function f{statistics<4>{}};
  auto r = f("x"_t = numbers{3, not_a_number, 4, 9, 5, 8, 2, 5});
  CHECK(std::isnan(r.get<"between">()[0]));
  CHECK(r.get<"between">()[1] == 5);
  CHECK(std::isnan(r.get<"median">()[0]));
  CHECK(r.get<"median">()[1] == 5);
  CHECK(std::isnan(r.get<"all">()[0]));
}
