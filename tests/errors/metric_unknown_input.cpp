// SPDX-License-Identifier: BSL-1.0
// Metrics whose targets or weights are no input of the model: a sentence for each, and nothing else.
// both compilers
// expect: there is no input named \"labels\"; there is \"x\", \"label\"
// expect: there is no input named \"y\"; there is \"x\", \"label\"
// expect: there is no input named \"target\"; there is \"x\", \"label\"
// expect: there is no input named \"weight\"; there is \"x\", \"label\"
// lines-clang: 150
// reject: const void
// reject: invalid use of
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
constexpr tl::name labels = "label", y = labels, target = labels, weight = labels;
#else
constexpr tl::name labels = "labels", y = "y", target = "target", weight = "weight";
#endif

int main() {
  tl::trainer net{model, tl::adam({})};
  tl::data::dataset data;
  tl::evaluate(net, data, {}, tl::accuracy<"logits", labels>());
  tl::evaluate(net, data, {}, tl::mean_squared_error<"logits", y>());
  tl::evaluate(net, data, {}, tl::metric<"error", "logits", target>([](float a, float b) { return a - b; }));
  tl::evaluate(net, data, {}, tl::weighted<weight>(tl::accuracy<"logits", "label">()));
}
