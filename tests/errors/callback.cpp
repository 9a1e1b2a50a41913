// SPDX-License-Identifier: BSL-1.0
// A callback whose function has a name of its own is never called; the compiler says what it lacks, once.
// both compilers
// expect: no callback of fit; it lacks: on_begin(progress), on_step(progress) or on_epoch_end(progress, report)
// reject: no matching function
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

struct watcher {
#ifdef CORRECTED
  void on_epoch_end(const tl::fit_progress&, const tl::epoch_report&) {}
#else
  void on_epoch(const tl::fit_progress&, const tl::epoch_report&) {}
#endif
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::data::dataset data;
  auto history = tl::fit(net, data, {.batch = 4}, watcher{});
  history.back().train["loss"];
}
