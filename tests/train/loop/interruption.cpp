// SPDX-License-Identifier: BSL-1.0
// Ctrl-C is noted once while somebody listens; then, and afterwards, it is as it was.
#include "catch.hpp"

#include <csignal>

#include <tapeless/train/loop/interruption.hpp>

namespace {

volatile std::sig_atomic_t own_calls = 0;
void own_handler(int) {
  own_calls = own_calls + 1;
  std::signal(SIGINT, &own_handler);
}
void other_handler(int) {}

}  // namespace

TEST_CASE("the first Ctrl-C is noted, the second is as without") {
  std::signal(SIGINT, &own_handler);
  own_calls = 0;
  {
    tapeless::interruption i;
    std::raise(SIGINT);
    CHECK(own_calls == 1);  // it does not listen yet
    i.listen();
    i.listen();
    CHECK(!i.is_requested());
    std::raise(SIGINT);
    CHECK(i.is_requested());
    CHECK(own_calls == 1);
    std::raise(SIGINT);
    CHECK(own_calls == 2);
  }
  std::raise(SIGINT);
  CHECK(own_calls == 3);
}

TEST_CASE("the handler is put back, and what has been noted stays") {
  std::signal(SIGINT, &own_handler);
  own_calls = 0;
  tapeless::interruption i;
  for (int k = 1; k <= 2; ++k) {
    i.listen();
    CHECK(!i.is_requested());
    i.stop_listening();
    CHECK(!i.is_requested());
    std::raise(SIGINT);
    CHECK(own_calls == k);
  }
  i.listen();
  std::raise(SIGINT);
  i.stop_listening();
  CHECK(i.is_requested());
  CHECK(std::signal(SIGINT, SIG_DFL) == &own_handler);
}

TEST_CASE("several listen") {
  std::signal(SIGINT, &own_handler);
  own_calls = 0;
  tapeless::interruption early, late;
  early.listen();
  std::raise(SIGINT);
  late.listen();  // catches it again
  CHECK(early.is_requested());
  CHECK(!late.is_requested());
  std::raise(SIGINT);
  CHECK(late.is_requested());
  CHECK(own_calls == 0);
  early.stop_listening();
  late.stop_listening();
  CHECK(std::signal(SIGINT, SIG_DFL) == &own_handler);
}

TEST_CASE("whoever sets a handler meanwhile keeps it, and who ignores interrupts goes on to") {
  std::signal(SIGINT, &own_handler);
  {
    tapeless::interruption i;
    i.listen();
    std::signal(SIGINT, &other_handler);
  }
  CHECK(std::signal(SIGINT, SIG_IGN) == &other_handler);
  {
    tapeless::interruption i;
    i.listen();
    std::raise(SIGINT);
    CHECK(!i.is_requested());
  }
  CHECK(std::signal(SIGINT, SIG_DFL) == SIG_IGN);
}
