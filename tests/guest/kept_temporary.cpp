// SPDX-License-Identifier: BSL-1.0
// A binding that outlives the temporary that it was made of: clang warns.
#include <tapeless/train/binding/tag.hpp>

#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

std::vector<float> load();

bool is_given() {
  auto kept = ("x"_t = load());
  return kept.elements().given;
}
