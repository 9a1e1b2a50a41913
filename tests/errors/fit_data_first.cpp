// SPDX-License-Identifier: BSL-1.0
// The data before the trainer.
// expect: fit takes the trainer, then the data: fit(net, data, {.epochs = 10})
// reject: in turn
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::data::dataset data;
#ifdef CORRECTED
  tl::fit(net, data, {.batch = 4});
#else
  tl::fit(data, net, {.batch = 4});
#endif
}
