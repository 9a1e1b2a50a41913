// SPDX-License-Identifier: BSL-1.0
// A column of text.
// both compilers
// lines: 15
// expect: a column has numbers, in a vector, an array or a span: text becomes the numbers of its words or letters
// reject: no matching
#include <string>
#include <vector>

#include <tapeless/data/dataset.hpp>

namespace tl = tapeless;

int main() {
  tl::data::dataset data;
#ifdef CORRECTED
  data.add("x", {3}, std::vector<std::int32_t>{0, 1, 2});
#else
  data.add("x", {3}, std::vector<std::string>{"one", "two", "three"});
#endif
}
