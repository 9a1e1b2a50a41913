// SPDX-License-Identifier: BSL-1.0
// Operands that move are where their input and their iteration put them.
#include <tapeless/run/common/moving_operands.hpp>

#include "catch.hpp"

TEST_CASE("moving operands: starts, and iterations of their own loop only") {
  alignas(8) std::byte inputs[2][64], hyperparameters[64];
  std::byte *plain = nullptr, *hyper = nullptr, *moves = nullptr, *elsewhere = nullptr;
  std::int64_t index = 7;
  tapeless::moving_operands moving;
  moving.clear(3);
  moving.add_start(&plain, 1, 4);
  moving.add_start(&hyper, -1, 16);
  moving.add_start(moving.add_iteration_stride(0, &moves, 8), 0, 2);
  moving.add_iteration_stride(0, &index, -2);
  *moving.add_iteration_stride(2, &elsewhere, 8) = inputs[1];

  const std::byte* at[] = {inputs[0], inputs[1]};
  moving.set_starts(at, hyperparameters);
  CHECK(plain == inputs[1] + 4);
  CHECK(hyper == hyperparameters + 16);
  for (const std::int64_t iteration : {0, 1, 3, 2}) {
    moving.set_iteration(0, iteration);
    CHECK(moves == inputs[0] + 2 + 8 * iteration);
    CHECK(index == 7 - 2 * iteration);
    CHECK(elsewhere == nullptr);
  }
  moving.next_iteration(0);
  CHECK(moves == inputs[0] + 2 + 8 * 3);
  CHECK(index == 7 - 2 * 3);
  moving.set_iteration(0, 5, true);
  moving.next_iteration(0);
  moving.next_iteration(0);
  CHECK(moves == inputs[0] + 2 + 8 * 3);
  CHECK(index == 7 - 2 * 3);
  CHECK(elsewhere == nullptr);
  for (const std::size_t loop : {std::size_t{1}, std::size_t{3}}) {  // nothing moves with it
    moving.set_iteration(loop, 5);
    moving.next_iteration(loop);
  }
  CHECK(elsewhere == nullptr);
  moving.set_iteration(2, 5);
  CHECK(elsewhere == inputs[1] + 40);

  const std::byte* next[] = {inputs[1], inputs[0]};
  moving.set_starts(next, hyperparameters);
  moving.set_iteration(0, 1);
  CHECK(plain == inputs[0] + 4);
  CHECK(moves == inputs[1] + 10);
}

TEST_CASE("moving operands: an input without memory stays without") {
  std::byte* data = nullptr;
  tapeless::moving_operands moving;
  moving.clear(1);
  moving.add_start(moving.add_iteration_stride(0, &data, 8), 0, 4);
  const std::byte* none[] = {nullptr};
  moving.set_starts(none, nullptr);
  moving.set_iteration(0, 3);
  CHECK(data == nullptr);
  moving.next_iteration(0);
  CHECK(data == nullptr);
}
