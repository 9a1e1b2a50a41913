// SPDX-License-Identifier: BSL-1.0
// How the gradients of data_parallel travel from GPU to GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tapeless/error.hpp>

namespace tapeless {

/// The same on all ranks, which is checked.
struct nccl_options {
  /// Gradients travel while the backward pass goes on, as soon as so many bytes of them are there; without a
  /// number, as many as the plan makes best, see net_type::bucket_bytes.
  std::optional<std::int64_t> bucket_bytes = {};
  /// A rank that waits for others longer than that throws.
  double seconds_to_wait = 600;

  std::string text() const {
    return join({"gradients that travel by NCCL in buckets of ", bucket_bytes.value_or(0), " bytes"});
  }
};

}  // namespace tapeless
