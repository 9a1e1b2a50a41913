// SPDX-License-Identifier: BSL-1.0
// Elements of a file that nobody keeps.
// both compilers
// expect: this file is gone at the end of the statement, and its tensors with it: keep it in a variable first
// lines: 20
#include <tapeless/numpy.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

float first_of_mel() {
#ifdef CORRECTED
  const auto file = tl::io::npz::read("v.npz");
  const auto mel = file["mel"].as<float>();
#else
  const auto mel = tl::io::npz::read("v.npz")["mel"].as<float>();
#endif
  return mel[0];
}
