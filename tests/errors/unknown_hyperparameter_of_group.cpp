// SPDX-License-Identifier: BSL-1.0
// A hyperparameter of a group that the partition does not have.
// both compilers
// expect: there is no hyperparameter named \"encoder.learning_rate\"; there is \"decoder.weight_decay\", \"decoder.learning_rate\", \"rest.weight_decay\", \"rest.learning_rate\"
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::sum(tl::square(tl::param<"decoder.w", float, 2>) + tl::square(tl::param<"head.w", float, 2>));
};

int main() {
  tl::trainer net{model, tl::partition(tl::for_parameters<"decoder">(tl::names_like<"decoder.*">,
                                                                     tl::sgd({.learning_rate = 0.1f})),
                                       tl::sgd({.learning_rate = 0.2f}))};
#ifdef CORRECTED
  net.set<"decoder.learning_rate">(0.01);
#else
  net.set<"encoder.learning_rate">(0.01);
#endif
}
