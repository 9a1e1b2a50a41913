// SPDX-License-Identifier: BSL-1.0
// A function of numbers, where map() calls it with a sample.
// expect: is no function to map over samples; it lacks: operator()(tl::data::sample& s) const
// reject: no matching function
// reject: no match for call
#include <tapeless/data/data.hpp>

namespace tl = tapeless;

int main() {
  const tl::data::dataset images;
#ifdef CORRECTED
  const auto halved = [](tl::data::sample& s) {
    for (float& x : s.get<float>("x")) x /= 2;
  };
#else
  const auto halved = [](float x) { return x / 2; };
#endif
  tl::data::map(images, halved);
}
