// SPDX-License-Identifier: BSL-1.0
// How the gradients of data_parallel travel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tapeless/error.hpp>

namespace tapeless {

/// What gradients are rounded to before they travel.
enum class gradient_compression : char {
  none,
  bf16,  ///< half of float's bytes; sums are wrong by some 2^-8 of the gradients' sizes
};

/// How gradients travel: the same on all ranks, which is checked.
struct data_parallel_options {
  /// On tl::cpu, gradients travel while the backward pass goes on, as soon as so many bytes of them are
  /// there; without a number, as many as the plan and the number of ranks make best, see
  /// net_type::bucket_bytes. More bytes than all gradients have: when the pass has ended. The sums' bits are
  /// the same.
  std::optional<std::int64_t> bucket_bytes = {};
  /// With bf16, each rank's gradient is rounded to nearest, ties to even; sums are added up in float, in the
  /// order of ranks, and rounded again: the same bits everywhere and each time. Running statistics travel as
  /// they are. One process alone rounds nothing.
  gradient_compression compression = gradient_compression::none;

  std::string text() const {
    return join({"gradients that travel in buckets of ", bucket_bytes.value_or(0),
                 compression == gradient_compression::bf16 ? " bytes, as bf16" : " bytes"});
  }
};

}  // namespace tapeless
