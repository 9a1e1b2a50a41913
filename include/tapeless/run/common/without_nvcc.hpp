// SPDX-License-Identifier: BSL-1.0
// tl::cuda where nvcc does not compile: no policy, and trainers and functions say so.
#pragma once

#include <string_view>

namespace tapeless {

// Of its own, since other sources of the same program have the policy.
namespace without_nvcc {

struct cuda {
  int device = 0;
  bool tf32 = false;
  static constexpr std::string_view called = "tl::cuda";
  static constexpr std::string_view instead =
      "here it would be compiled by another compiler than nvcc: name the source file .cu, or say -x cu, and "
      "link tapeless::cuda";
};

}  // namespace without_nvcc

using namespace without_nvcc;

}  // namespace tapeless
