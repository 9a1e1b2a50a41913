// SPDX-License-Identifier: BSL-1.0
// one_process: a process_group of this process alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/transfer.hpp>
#include <tapeless/graph/core/array_view.hpp>

namespace tapeless {

/// Rank 0 of 1: nothing travels.
class one_process final : public process_group {
 public:
  one_process() = default;
  ~one_process() = default;

 private:
  // All that others would bring is here: process_group asks nobody for it where there is one rank.
  void all_gather_bytes(const std::byte*, std::byte*, std::size_t) override {}
  void gather_ranges_of_bytes(std::byte*, array_view<const std::int64_t>) override {}
  void broadcast_bytes(array_view<std::byte>, int) override {}
  std::unique_ptr<transfer> make_gathering(std::byte*, array_view<const std::int64_t>) override {
    return nullptr;
  }
  std::unique_ptr<transfer> make_scattering(const std::byte*, array_view<const std::int64_t>,
                                            std::byte*) override {
    return nullptr;
  }
};

}  // namespace tapeless
