// SPDX-License-Identifier: BSL-1.0
// The table by which programs find states.
#include <tapeless/train/trainer/state_addresses.hpp>

#include <array>

#include "catch.hpp"

namespace tl = tapeless;

TEST_CASE("gradients and a rule's states have places of their own, in a table that stays where it is") {
  std::array<std::byte, 5> memory{};
  std::array<std::byte*, 2> gradients{&memory[0], &memory[1]};
  std::array<std::byte*, 3> states{&memory[2], &memory[3], &memory[4]};
  tl::state_addresses table({2}, states.size());
  const auto seen_by_programs = table.all();
  REQUIRE(seen_by_programs.size() == 5);
  for (std::byte* address : seen_by_programs) CHECK(address == nullptr);
  table.set_states_of_rule(states);
  CHECK(seen_by_programs[0] == nullptr);
  CHECK(seen_by_programs[2] == &memory[2]);
  CHECK(seen_by_programs[4] == &memory[4]);
  table.set_gradients(gradients);  // as late as that
  for (std::size_t i = 0; i < memory.size(); ++i) CHECK(seen_by_programs[i] == &memory[i]);
}
