// SPDX-License-Identifier: BSL-1.0
// Steps, random keys and the place in a fit.
#include <tapeless/train/trainer/training_progress.hpp>

#include "catch.hpp"

namespace tl = tapeless;

TEST_CASE("a random key stays until it is used up") {
  tl::training_progress p(1, 2);
  const double first = p.random_key();
  CHECK(p.random_key() == first);
  p.use_up_random_key();
  CHECK(p.random_key() != first);
  CHECK(first >= 0);
  CHECK(first < 0x1p52);
  CHECK(first == static_cast<double>(static_cast<std::int64_t>(first)));
  CHECK(tl::training_progress(1, 2).random_key() == first);
  CHECK(tl::training_progress(1, 3).random_key() != first);
  CHECK(tl::training_progress(2, 2).random_key() != first);
}

TEST_CASE("each evaluation has a key of its own, which training does not notice") {
  tl::training_progress p(1, 2), training(1, 2);
  const double first = p.next_evaluation_key(), second = p.next_evaluation_key();
  CHECK(first != second);
  CHECK(first != p.random_key());
  CHECK(first >= 0);
  CHECK(first < 0x1p52);
  CHECK(p.random_key() == training.random_key());
  p.use_up_random_key();
  training.use_up_random_key();
  CHECK(p.random_key() == training.random_key());
  const double after = p.next_evaluation_key();
  CHECK(after != first);
  CHECK(training.next_evaluation_key() == after);
  CHECK(training.position(0).evaluations == 1);
  training.set_position(training.position(0));
  CHECK(training.next_evaluation_key() == p.next_evaluation_key());
  CHECK(training.position(0).evaluations == 2);
  CHECK(tl::training_progress(1, 2).next_evaluation_key() == first);
}

TEST_CASE("each update has a key of its own, which is the same in all processes") {
  tl::training_progress p(1, 2), other(1, 2);
  other.set_random_stream(5);
  const double first = p.update_key();
  CHECK(first >= 0);
  CHECK(first < 0x1p52);
  CHECK(first == p.update_key());
  CHECK(first == other.update_key());
  CHECK(first != tl::training_progress(2, 2).update_key());
  CHECK(first != p.random_key());
  CHECK(first != p.next_evaluation_key());
  p.count_step();  // by gradients of one's own, without a run
  CHECK(p.update_key() != first);
  other.use_up_random_key();
  CHECK(other.update_key() != first);
  CHECK(other.update_key() != p.update_key());
}

TEST_CASE("from a position training goes on as from the place itself") {
  tl::training_progress here(1, 2), there(5, 6);
  here.count_step();
  here.count_step();
  here.use_up_random_key();
  here.set_position_in_fit({3, 4, 9});
  const tl::trainer_state p = here.position(7);
  CHECK(p.collected == 7);
  there.set_position(p);
  CHECK(there.steps() == 2);
  CHECK(there.random_key() == here.random_key());
  CHECK(there.position_in_fit().pass == 3);
  CHECK(there.position_in_fit().batch == 4);
  CHECK(there.position_in_fit().batches == 9);
}
