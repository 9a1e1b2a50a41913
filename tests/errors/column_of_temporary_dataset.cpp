// SPDX-License-Identifier: BSL-1.0
// Elements of a dataset that nobody keeps.
// expect: this dataset may be gone at the end of the statement
// lines: 20
#include <tapeless/numpy.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

float first_of_column() {
#ifdef CORRECTED
  const auto set = tl::data::npy({{"x", "x.npy"}});
  const auto x = set.column<float>("x").elements();
#else
  const auto x = tl::data::npy({{"x", "x.npy"}}).column<float>("x").elements();
#endif
  return x[0];
}
