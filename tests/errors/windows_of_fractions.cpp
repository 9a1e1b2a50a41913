// SPDX-License-Identifier: BSL-1.0
// Windows of numbers with fractions as integers.
// expect: numbers with fractions would be cut off to integers: tl::data::windows_of<float>(numbers, context) has
#include <vector>

#include <tapeless/data/text_windows.hpp>

namespace tl = tapeless;

int main() {
  const std::vector<float> prices = {0.25f, 0.5f, 1.75f};
#ifdef CORRECTED
  tl::data::windows_of<float>(prices, 2);
#else
  tl::data::windows_of(prices, 2);
#endif
}
