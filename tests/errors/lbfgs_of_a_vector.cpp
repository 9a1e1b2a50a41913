// SPDX-License-Identifier: BSL-1.0
// A model whose loss is no scalar, trained by lbfgs: the model's error is all that is said.
// expect: must be a floating scalar, but is float[2]: reduce it (mean, sum)
// reject: no matching function
// reject: has no member
// reject: no member named
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/files/checkpoint_file.hpp>
#include <tapeless/train/trainer/lbfgs_trainer.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>)); };
#else
constexpr auto model = [] { return tl::square(tl::param<"w", float, 2>); };
#endif

int main() {
  tl::trainer net{model, tl::lbfgs({.history = 5})};
  const auto search = net.step().search();
  net.set<"learning_rate">(0.5);
  tl::save_checkpoint(net, "net");
  return search.outcome == tl::search_outcome::accepted && search.evaluations > 3 ? 0 : 1;
}
