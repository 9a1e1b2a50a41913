// SPDX-License-Identifier: BSL-1.0
// Two sources share a model in a header, with a trainer as a member.
#include "model.hpp"

int main() {
  learner exclusive_or;
  float loss = 0;
  for (int step = 0; step < 500; ++step) loss = exclusive_or.step();
  return loss < 0.01f && exclusive_or.is_seen_by_functions() ? 0 : 1;
}
