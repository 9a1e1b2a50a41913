// SPDX-License-Identifier: BSL-1.0
// Metrics of an output that the model does not have.
// both compilers
// expect: there is no output named \"logit\"; there is \"logits\"
// lines-clang: 90
// reject: const void
// reject: no matching function
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;
constexpr auto model = [] {
  auto logits = tl::linear<"fc", 2>(tl::input<"x", float, batch, 3>);
  return tl::outputs(tl::cross_entropy(logits, tl::input<"label", std::int32_t, batch>),
                     tl::named<"logits">(logits));
};

#ifdef CORRECTED
constexpr tl::name output = "logits";
#else
constexpr tl::name output = "logit";
#endif

int main() {
  tl::trainer net{model, tl::adam({})};
  tl::data::dataset data;
  tl::fit(net, data, {.epochs = 1}, tl::accuracy<output, "label">());
}
