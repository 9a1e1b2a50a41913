// SPDX-License-Identifier: BSL-1.0
// Operands of matrix products on devices that are not there.
#pragma once

#include <algorithm>

#include "gpu.hpp"

namespace test {

/// Numbers on the device, with a copy here.
template <class T>
struct numbers_there {
  tapeless::cuda_kernels::resources& shared;
  std::vector<T> here;
  tapeless::cuda_kernels::device_pointer there =
      tapeless::cuda_kernels::device_memory(static_cast<std::int64_t>(here.size() * sizeof(T)), "a test");

  numbers_there(tapeless::cuda_kernels::resources& r, std::size_t count, std::uint32_t seed)
      : shared(r), here(count) {
    numbers random(seed);
    for (T& x : here) x = static_cast<T>(static_cast<float>(random()));
    cudaMemcpyAsync(there.get(), here.data(), count * sizeof(T), cudaMemcpyHostToDevice, shared.steps());
    shared.wait();
  }
  std::byte* at(std::int64_t element) const {
    return static_cast<std::byte*>(there.get()) + element * static_cast<std::int64_t>(sizeof(T));
  }
  std::byte* here_at(std::int64_t element) { return reinterpret_cast<std::byte*>(here.data() + element); }
  std::vector<T> now() const {
    std::vector<T> result(here.size());
    cudaMemcpyAsync(result.data(), there.get(), here.size() * sizeof(T), cudaMemcpyDeviceToHost,
                    shared.steps());
    return result;
  }
};

/// Strides of a, b and c, of which c is by rows; where a and b start.
struct layout {
  std::vector<std::int64_t> batch;
  std::int64_t m, k, n;
  std::vector<std::int64_t> a, b, c;  // by batch axis, then rows and columns
  std::int64_t a_start = 0, b_start = 0, ldc = 0;
};

template <class T>
tapeless::product_arguments arguments_of(const layout& l) {
  tapeless::product_arguments arguments{.m = l.m, .n = l.n, .k = l.k, .ldc = l.ldc != 0 ? l.ldc : l.n};
  arguments.element_size = sizeof(T);
  arguments.batch_rank = static_cast<int>(l.batch.size());
  for (std::size_t d = 0; d < l.batch.size(); ++d) arguments.batches *= arguments.batch[d] = l.batch[d];
  std::copy(l.a.begin(), l.a.end(), arguments.a.strides);
  std::copy(l.b.begin(), l.b.end(), arguments.b.strides);
  std::copy(l.c.begin(), l.c.end(), arguments.c.strides);
  return arguments;
}

inline const layout by_rows{{}, 3, 4, 5, {4, 1}, {5, 1}, {5, 1}};

}  // namespace test
