// SPDX-License-Identifier: BSL-1.0
// A reduction that does not say what an empty one gives.
// expect: bits_operation` is no reduction; it lacks: identity<T>, a constant
// reject: combine(a, b)
// reject: no matching function
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

struct bits_operation : tl::reduction_operation<bits_operation> {
  static constexpr std::string_view name = "bits";
#ifdef CORRECTED
  template <class T>
  static constexpr T identity = 0;
#endif
  static constexpr auto combine(auto a, auto b) { return a + b; }
  static constexpr tl::value cotangent(tl::value g, tl::value, tl::value) { return g; }
  static constexpr tl::operation op{name, tl::reduction_kind::sum, tl::jacobian::linear, &cotangent_of};
};

constexpr auto model = [] {
  return tl::make<tl::reduction_statement<bits_operation, false>>(tl::input<"x", float, 2>);
};

int main() { static_cast<void>(model()); }
