// SPDX-License-Identifier: BSL-1.0
// A callback's function of the right name that takes something else.
// expect: watcher` is no callback of fit; it lacks: on_step(const fit_progress&) with these arguments
// reject: on_begin
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

struct watcher {
#ifdef CORRECTED
  void on_step(const tl::fit_progress&) {}
#else
  void on_step() {}
#endif
  void on_epoch_end(const tl::fit_progress&, const tl::epoch_report&) {}
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::data::dataset data;
  tl::fit(net, data, {.batch = 4, .physical_batch = 2}, watcher{});
}
