// SPDX-License-Identifier: BSL-1.0
// tl::cuda on devices that are not there, and what tests ask of them.
#pragma once

#include <tapeless/run/cuda/cuda_program.hpp>
#include <tapeless/run/cuda/operation_names.hpp>
#include <tapeless/run/thrust_host/thrust_host.hpp>
#include <tapeless/tapeless.hpp>

// All that it includes is there by now; what is left is taken by any compiler.
#define __CUDACC__
#include <tapeless/run/cuda/cuda.hpp>
#include <tapeless/train/cuda/device_tensor.hpp>
#undef __CUDACC__

#include "catch.hpp"
#include "program.hpp"

namespace test {

/// The devices of one test, which requires at the end that everything was given back.
class gpu : public fake_cuda::machine {
 public:
  explicit gpu(const fake_cuda::options& o = {}) : machine(o) {}
  ~gpu() {
    for (int d = 0; d < settings().devices; ++d) finish(d);
    CHECK(not_given_back() == "");
  }
};

/// The orders that devices may work in, each in a section of its own.
inline fake_cuda::options each_order() {
  using fake_cuda::order;
  const int number = GENERATE(range(0, 8));
  fake_cuda::options o;
  if (number < 4) o.when = static_cast<order>(number);
  if (number >= 4) {
    o.when = order::random;
    o.seed = static_cast<std::uint32_t>(number);
  }
  o.items_backwards = number == 3;
  UNSCOPED_INFO("order " << number);
  return o;
}

}  // namespace test
