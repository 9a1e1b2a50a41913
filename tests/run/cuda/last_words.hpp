// SPDX-License-Identifier: BSL-1.0
// What tests need that see devices that are not there end a test.
#pragma once

#include <sys/wait.h>

#include "gpu.hpp"

namespace test {

/// What the test process says where it ends while it does that; empty where it goes on.
template <class F>
std::string last_words(F f) {
  int channel[2];
  REQUIRE(pipe(channel) == 0);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    dup2(channel[1], 2);
    f();
    std::_Exit(0);
  }
  close(channel[1]);
  std::string words(400, '\0');
  const ssize_t size = read(channel[0], words.data(), words.size());
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  words.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  CHECK(WIFSIGNALED(status) == !words.empty());
  return words;
}

/// A block on the current device, given back at the end.
struct device_block {
  explicit device_block(std::size_t bytes) { REQUIRE(cudaMalloc(&p, bytes) == cudaSuccess); }
  ~device_block() { cudaFree(p); }
  float* floats() const { return static_cast<float*>(p); }
  void* p = nullptr;
};

}  // namespace test
