// SPDX-License-Identifier: BSL-1.0
// A column without the shape of a sample.
// lines: 20
// expect: a column is added with the shape of a sample: dataset.add("x", {2}, x) of two numbers each, dataset.add("y", {}, y) of one each
// reject: no matching
#include <vector>

#include <tapeless/data/dataset.hpp>

namespace tl = tapeless;

int main() {
  const std::vector<float> x{0, 0, 0, 1, 1, 0, 1, 1};
  tl::data::dataset samples;
#ifdef CORRECTED
  samples.add("x", {2}, x);
#else
  samples.add("x", x);
#endif
}
