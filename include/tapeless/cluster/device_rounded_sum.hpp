// SPDX-License-Identifier: BSL-1.0
// Sums over ranks of numbers on their GPUs that travel as bf16, with the bits that sum_over_ranks has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/cluster/device_sum.hpp>
#include <tapeless/cluster/nccl.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/half.hpp>
#include <tapeless/run/cuda/handles.hpp>
#include <tapeless/run/cuda/launch.hpp>

namespace tapeless::detail {

/// Numbers that travel as bf16, packed one piece behind the other.
struct rounded_numbers {
  std::vector<device_numbers> numbers;
  std::vector<std::int64_t> at;     // where each piece begins among those that are packed
  std::vector<std::int64_t> begin;  // of the part that each rank adds up, and the end
  bool is_owned = false;            // each part is for that rank alone; else all are of one size

  /// The parts of so many ranks: as large as one another, or what each owns.
  TAPELESS_COLD void divide(int ranks) {
    constexpr std::int64_t block = 32;  // of 64 bytes, as gradients begin
    if (numbers.empty()) return;
    is_owned = numbers[0].owner >= 0;
    begin.assign(static_cast<std::size_t>(ranks) + 1, 0);
    std::int64_t end = 0;
    for (const device_numbers& n : numbers) {
      at.push_back(end);
      end += (n.count + block - 1) / block * block;
      for (std::size_t r = static_cast<std::size_t>(n.owner) + 1; is_owned && r < begin.size(); ++r)
        begin[r] = end;
    }
    const std::int64_t part = (end + block * ranks - 1) / (block * ranks) * block;
    for (std::size_t r = 1; !is_owned && r < begin.size(); ++r) begin[r] = begin[r - 1] + part;
  }

  std::int64_t size_of_part(int rank) const {
    return begin[static_cast<std::size_t>(rank) + 1] - begin[static_cast<std::size_t>(rank)];
  }
  /// How many packed numbers there have to be room for on a rank: its own, and what others bring.
  std::int64_t room(int rank) const {
    if (numbers.empty()) return 0;
    return begin.back() + size_of_part(rank) * static_cast<std::int64_t>(begin.size() - 1);
  }
};

template <class T>
struct rounding_kernel {
  const T* source;
  bf16* target;
  constexpr void operator()(std::uint32_t i) const { target[i] = bf16(source[i]); }
};
template <class T>
struct widening_kernel {
  const bf16* source;
  T* target;
  constexpr void operator()(std::uint32_t i) const { target[i] = static_cast<float>(source[i]); }
};
/// Adds up in float in the order of ranks, and rounds once more.
struct ordered_sum_kernel {
  const bf16* source;  // what each rank has brought, one behind the other; the own place is not read
  bf16* target;        // what this rank brings itself, which the sums replace
  std::int64_t count;
  int rank, ranks;
  constexpr void operator()(std::uint32_t i) const {
    float sum = 0;
    for (int r = 0; r < ranks; ++r) {
      const float one = r == rank ? target[i] : source[r * count + i];
      sum = r == 0 ? one : sum + one;
    }
    target[i] = bf16(sum);
  }
};

/// Adds up numbers that travel as bf16. Each rank rounds its own, to nearest and ties to even, and gets its
/// part from all others; it adds that up in float in the order of ranks, rounds the sums and gives them to
/// all. So they have the same bits on all ranks, each time, and those of sum_over_ranks.
///
/// NCCL's own sums of bf16 would be rounded at each rank on their way, in an order that NCCL does not say.
class device_rounded_sum {
 public:
  /// Room for any of these, of which one at a time is under way.
  TAPELESS_COLD void reserve(std::int64_t numbers) {
    packed_ = {};
    packed_ = cuda_kernels::device_memory(
        std::max<std::int64_t>(1, numbers) * static_cast<std::int64_t>(sizeof(bf16)),
        "gradients that travel as bf16");
  }

  /// On the stream `on`.
  void add_up(const rounded_numbers& all, const nccl& ranks, cudaStream_t on) const {
    const int rank = ranks.world().rank(), size = ranks.world().size();
    auto* const packed = static_cast<bf16*>(packed_.get());
    bf16* const own = packed + all.begin[static_cast<std::size_t>(rank)];
    bf16* const received = packed + all.begin.back();
    const std::int64_t count = all.size_of_part(rank);
    for (std::size_t i = 0; i < all.numbers.size(); ++i)
      of_type(all.numbers[i], [&]<class T>(T* numbers) {
        launch(all.numbers[i].count, rounding_kernel<T>{numbers, packed + all.at[i]}, on);
      });

    ranks.check(ncclGroupStart(), "ncclGroupStart");
    const auto exchange_with = [&](int r) {
      if (all.size_of_part(r) > 0)
        ranks.check(ncclSend(packed + all.begin[static_cast<std::size_t>(r)], items(all.size_of_part(r)),
                             ncclBfloat16, r, ranks.communicator(), on),
                    "ncclSend");
      if (count > 0)
        ranks.check(ncclRecv(received + r * count, items(count), ncclBfloat16, r, ranks.communicator(), on),
                    "ncclRecv");
    };
    undone_by([] { ncclGroupEnd(); },
              [&] {
                for (int r = 0; r < size; ++r)
                  if (r != rank) exchange_with(r);
              });
    ranks.check(ncclGroupEnd(), "ncclGroupEnd");

    launch(count, ordered_sum_kernel{received, own, count, rank, size}, on);
    if (!all.is_owned)
      ranks.check(ncclAllGather(own, packed, items(count), ncclBfloat16, ranks.communicator(), on),
                  "ncclAllGather");
    for (std::size_t i = 0; i < all.numbers.size(); ++i)
      if (all.numbers[i].owner < 0 || all.numbers[i].owner == rank)
        of_type(all.numbers[i], [&]<class T>(T* numbers) {
          launch(all.numbers[i].count, widening_kernel<T>{packed + all.at[i], numbers}, on);
        });
  }

 private:
  cuda_kernels::device_pointer packed_;

  static std::size_t items(std::int64_t count) { return static_cast<std::size_t>(count); }
  template <class F>
  static void of_type(const device_numbers& n, const F& f) {
    n.type == element::f32 ? f(reinterpret_cast<float*>(n.at)) : f(reinterpret_cast<double*>(n.at));
  }
  template <class Kernel>
  static void launch(std::int64_t count, const Kernel& kernel, cudaStream_t on) {
    if (count > thrust_kernels::most_items)
      throw_error({"gradients of ", count, " elements travel as bf16, but a launch takes at most ",
                   thrust_kernels::most_items, ": leave the compression out"});
    if (count > 0) cuda_kernels::check(cuda_kernels::launch_for_each(count, kernel, on), "a kernel's launch");
  }
};

}  // namespace tapeless::detail
