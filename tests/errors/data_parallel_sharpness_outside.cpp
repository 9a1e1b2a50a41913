// SPDX-License-Identifier: BSL-1.0
// A second gradient elsewhere, of each rank's own samples.
// expect: sharpness_aware takes a second one elsewhere
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

void train(tl::process_group& world) {
#ifdef CORRECTED
  auto rule = tl::data_parallel(world, tl::sgd({}));
#else
  auto rule = tl::sharpness_aware(tl::data_parallel(world, tl::sgd({})));
#endif
  static_cast<void>(rule);
}
