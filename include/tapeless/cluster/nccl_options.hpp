// SPDX-License-Identifier: BSL-1.0
// How the gradients of data_parallel travel from GPU to GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tapeless/cluster/data_parallel_options.hpp>
#include <tapeless/error.hpp>

namespace tapeless {

/// The same on all ranks, which is checked.
struct nccl_options {
  /// Gradients travel while the backward pass goes on, as soon as so many bytes of them are there; without a
  /// number, as many as the plan makes best, see net_type::bucket_bytes.
  std::optional<std::int64_t> bucket_bytes = {};
  /// With bf16, gradients are rounded, added up in float in the order of ranks and rounded again, all on the
  /// GPUs: the same bits everywhere and each time, those of data_parallel_options.
  gradient_compression compression = gradient_compression::none;
  /// A rank that waits for others longer than that throws.
  double seconds_to_wait = 600;

  std::string text() const {
    return join({"gradients that travel by NCCL in buckets of ", bucket_bytes.value_or(0),
                 compression == gradient_compression::bf16 ? " bytes, as bf16" : " bytes"});
  }
};

}  // namespace tapeless
