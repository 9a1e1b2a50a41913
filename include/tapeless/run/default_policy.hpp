// SPDX-License-Identifier: BSL-1.0
// The policy of trainers and functions that name none: the CPU's, unless the build says otherwise.
#pragma once

#ifdef TAPELESS_DEFAULT_POLICY
#define TAPELESS_POLICY_HEADER(POLICY) <tapeless/run/POLICY/POLICY.hpp>
#define TAPELESS_HEADER_OF_POLICY(POLICY) TAPELESS_POLICY_HEADER(POLICY)
#include TAPELESS_HEADER_OF_POLICY(TAPELESS_DEFAULT_POLICY)
#undef TAPELESS_HEADER_OF_POLICY
#undef TAPELESS_POLICY_HEADER
#else
#include <tapeless/run/cpu/cpu.hpp>
#endif

namespace tapeless {

#ifdef TAPELESS_DEFAULT_POLICY
/// -DTAPELESS_DEFAULT_POLICY=cuda runs whole programs on the GPU that were written without a word about it.
using default_policy = TAPELESS_DEFAULT_POLICY;
#else
using default_policy = cpu;
#endif

}  // namespace tapeless
