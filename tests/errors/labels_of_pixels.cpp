// SPDX-License-Identifier: BSL-1.0
// Classes along axis 1, as PyTorch has images, without the option that says so.
// both compilers
// expect: cross_entropy got logits float[batch, 5, 8, 6] and labels std::int64_t[batch, 8, 6]: it takes
// expect: for classes along axis 1 write tl::cross_entropy<tl::loss{.axis = 1}>
// expect: for classes along axis 1 write tl::nll_loss<tl::loss{.axis = 1}>
// reject: no match
#include <cstdint>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;
constexpr auto x = tl::input<"x", float, batch, 5, 8, 6>;
constexpr auto labels = tl::input<"label", std::int64_t, batch, 8, 6>;
#ifdef CORRECTED
constexpr tl::loss how{.axis = 1};
#else
constexpr tl::loss how{};
#endif

constexpr auto model = [] { return tl::cross_entropy<how>(x, labels); };
constexpr auto other = [] { return tl::nll_loss<how>(x, labels); };

int main() {
  tl::function f{model};
  tl::function g{other};
}
