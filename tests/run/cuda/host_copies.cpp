// SPDX-License-Identifier: BSL-1.0
#include <tapeless/run/cuda/host_copies.hpp>

#include <algorithm>

#include "gpu.hpp"

TEST_CASE("host copies: all bytes and no others are copied, by one thread or by several") {
  using tapeless::cuda_kernels::copy_on_host;
  using tapeless::cuda_kernels::least_bytes_of_thread;
  using tapeless::cuda_kernels::most_copying_threads;
  for (const std::int64_t bytes :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{4097}, 2 * least_bytes_of_thread - 1,
        2 * least_bytes_of_thread + 1, most_copying_threads * least_bytes_of_thread + 4095}) {
    INFO(bytes << " bytes");
    const auto size = static_cast<std::size_t>(bytes);
    std::vector<std::byte> from(size + 2), to(size + 2, std::byte{0xaa});
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 2654435761u >> 13);
    copy_on_host(to.data() + 1, from.data() + 1, bytes);
    CHECK(std::equal(to.begin() + 1, to.end() - 1, from.begin() + 1));
    CHECK(to.front() == std::byte{0xaa});
    CHECK(to.back() == std::byte{0xaa});
  }
}
