// SPDX-License-Identifier: BSL-1.0
// Ctrl-C and SIGTERM are each noted once while somebody listens; then, and afterwards, they are as they were.
#include "catch.hpp"

#include <csignal>

#include <tapeless/train/loop/interruption.hpp>

namespace {

volatile std::sig_atomic_t own_calls = 0;
void own_handler(int signal) {
  own_calls = own_calls + 1;
  std::signal(signal, &own_handler);
}
void other_handler(int) {}

}  // namespace

TEST_CASE("the first is noted, the second is as without") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  std::signal(signal, &own_handler);
  own_calls = 0;
  {
    tapeless::interruption i;
    std::raise(signal);
    CHECK(own_calls == 1);  // it does not listen yet
    i.listen();
    i.listen();
    CHECK(!i.is_requested());
    std::raise(signal);
    CHECK(i.is_requested());
    CHECK(own_calls == 1);
    std::raise(signal);
    CHECK(own_calls == 2);
  }
  std::raise(signal);
  CHECK(own_calls == 3);
}

TEST_CASE("the handler is put back, and what has been noted stays") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  std::signal(signal, &own_handler);
  own_calls = 0;
  tapeless::interruption i;
  for (int k = 1; k <= 2; ++k) {
    i.listen();
    CHECK(!i.is_requested());
    i.stop_listening();
    CHECK(!i.is_requested());
    std::raise(signal);
    CHECK(own_calls == k);
  }
  i.listen();
  std::raise(signal);
  i.stop_listening();
  CHECK(i.is_requested());
  CHECK(std::signal(signal, SIG_DFL) == &own_handler);
}

TEST_CASE("several listen") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  std::signal(signal, &own_handler);
  own_calls = 0;
  tapeless::interruption early, late;
  early.listen();
  std::raise(signal);
  late.listen();  // catches it again
  CHECK(early.is_requested());
  CHECK(!late.is_requested());
  std::raise(signal);
  CHECK(late.is_requested());
  CHECK(own_calls == 0);
  early.stop_listening();
  late.stop_listening();
  CHECK(std::signal(signal, SIG_DFL) == &own_handler);
}

TEST_CASE("whoever sets a handler meanwhile keeps it, and who ignores them goes on to") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  std::signal(signal, &own_handler);
  {
    tapeless::interruption i;
    i.listen();
    std::signal(signal, &other_handler);
  }
  CHECK(std::signal(signal, SIG_IGN) == &other_handler);
  {
    tapeless::interruption i;
    i.listen();
    std::raise(signal);
    CHECK(!i.is_requested());
  }
  CHECK(std::signal(signal, SIG_DFL) == SIG_IGN);
}

TEST_CASE("one of the other kind is a first one") {
  std::signal(SIGINT, &own_handler);
  std::signal(SIGTERM, &own_handler);
  own_calls = 0;
  {
    tapeless::interruption i;
    i.listen();
    std::raise(SIGINT);
    std::raise(SIGTERM);
    CHECK(own_calls == 0);
    std::raise(SIGTERM);
    CHECK(own_calls == 1);
  }
  CHECK(std::signal(SIGINT, SIG_DFL) == &own_handler);
  CHECK(std::signal(SIGTERM, SIG_DFL) == &own_handler);
}
