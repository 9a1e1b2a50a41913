// SPDX-License-Identifier: BSL-1.0
// A struct's member of a type that no element has, for an input.
// lines: 20
// expect: input "count" expects elements of type std::int64_t, but got a number of a type that no element has
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
using number = std::size_t;
#else
using number = unsigned short;
#endif

struct sample {
  BOOST_HANA_DEFINE_STRUCT(sample, (number, count));
};

constexpr auto model = [] { return tl::named<"y">(tl::square(tl::input<"count", std::int64_t>)); };

int main() {
  tl::function f{model};
  f(sample{.count = 1});
}
