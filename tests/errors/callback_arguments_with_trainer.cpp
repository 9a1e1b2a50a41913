// SPDX-License-Identifier: BSL-1.0
// A callback's function of the right name that takes the trainer and lacks something else.
// expect: watcher` is no callback of fit; it lacks: on_epoch_end(const fit_progress&, const epoch_report&) with these
// reject: on_begin
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

struct watcher {
  void on_step(const tl::fit_progress&) {}
#ifdef CORRECTED
  void on_epoch_end(auto& net, const tl::fit_progress&, const tl::epoch_report&) { net.steps(); }
#else
  void on_epoch_end(auto& net, const tl::fit_progress&) { net.steps(); }
#endif
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::data::dataset data;
  tl::fit(net, data, {.batch = 4}, watcher{});
}
