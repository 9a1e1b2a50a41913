// SPDX-License-Identifier: BSL-1.0
// Elements of an array that nobody keeps.
// expect: this array is gone at the end of the statement, and its elements with it: keep it in a variable first
// lines: 20
#include <tapeless/numpy.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

float first_of_d() {
#ifdef CORRECTED
  const auto array = tl::io::read_npy("d.npy");
  const auto d = array.as<float>();
#else
  const auto d = tl::io::read_npy("d.npy").as<float>();
#endif
  return d[0];
}
