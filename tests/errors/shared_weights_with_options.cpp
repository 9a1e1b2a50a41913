// SPDX-License-Identifier: BSL-1.0
// Options where a function shares a trainer's memory.
// both compilers
// lines: 30
// first: tapeless: tl::weights(net) shares memory and takes no options, which are those of a file:
// expect: tapeless: tl::weights(net) shares memory and takes no options, which are those of a file: tl::function f{model}; tl::copy_parameters(net, f, options) copies under other names
// expect: tapeless: tl::weights takes trained weights as an array, a std::array or a std::span of unsigned char or std::byte
// reject: deleted
// reject: no matching function
// reject: no member named
// reject: has no member
// reject: is no update rule
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

template <tl::name Name>
struct one_layer {
  constexpr auto operator()() const { return tl::mean(tl::linear<Name, 10>(tl::input<"x", float, 8, 4>)); }
};

int main() {
  tl::trainer net{one_layer<"a">{}, tl::sgd({})};
#ifdef CORRECTED
  tl::function f{one_layer<"b">{}};
  tl::copy_parameters(net, f, {.names = {{"a.*", "b.*"}}});
  tl::function g{one_layer<"a">{}, tl::weights(net)};
#else
  tl::function f{one_layer<"b">{}, tl::weights(net, {.names = {{"a.*", "b.*"}}})};
  tl::weights(net, 3);
#endif
}
