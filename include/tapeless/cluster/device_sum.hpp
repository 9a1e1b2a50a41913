// SPDX-License-Identifier: BSL-1.0
// Sums over ranks that NCCL computes on their GPUs, on a stream of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tapeless/cluster/nccl.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/run/cuda/handles.hpp>

namespace tapeless::detail {

/// Numbers on a device whose sum takes their place; averages are weighted by each rank's share.
struct device_numbers {
  std::byte* at = nullptr;
  std::int64_t count = 0;
  element type = element::f32;
  bool is_averaged = false;
  int owner = -1;  // the rank that needs the sum; -1 for all
};

/// Bytes on all ranks' devices that are to be as on one of them.
struct device_bytes {
  std::byte* at = nullptr;
  std::int64_t count = 0;
  int owner = 0;
};

/// Adds up numbers on the device while another stream goes on.
class device_sum {
 public:
  explicit device_sum(nccl& ranks)
      : ranks_(&ranks),
        during_construction_(std::in_place, ranks.device()),
        stream_(cuda_kernels::make_stream()),
        there_(cuda_kernels::make_event()),
        added_(cuda_kernels::make_event()),
        share_here_(cuda_kernels::pinned_memory(sizeof(shares))),
        share_there_(cuda_kernels::device_memory(sizeof(shares), "the share of a rank")) {
    const auto make = [&](ncclRedOp_t& op, std::size_t offset, ncclDataType_t type) {
      ranks.check(ncclRedOpCreatePreMulSum(&op, static_cast<std::byte*>(share_there_.get()) + offset, type,
                                           ncclScalarDevice, ranks.communicator()),
                  "ncclRedOpCreatePreMulSum");
    };
    make(average_of_float_, offsetof(shares, of_float), ncclFloat32);
    make(average_of_double_, offsetof(shares, of_double), ncclFloat64);
    during_construction_.reset();
  }

  /// Averages that `on` comes to from here on have this share of the rank's. Precondition: there are none
  /// under way.
  void set_share(double share, cudaStream_t on) {
    auto* const here = static_cast<shares*>(share_here_.get());
    *here = {share, static_cast<float>(share)};
    cuda_kernels::check(cudaMemcpyAsync(share_there_.get(), here, sizeof(shares), cudaMemcpyHostToDevice, on),
                        "cudaMemcpyAsync");
  }

  /// What follows comes behind what `from` has done so far.
  void wait_for(cudaStream_t from) const {
    cuda_kernels::check(cudaEventRecord(there_.get(), from), "cudaEventRecord");
    cuda_kernels::check(cudaStreamWaitEvent(stream_.get(), there_.get()), "cudaStreamWaitEvent");
  }
  cudaStream_t stream() const { return stream_.get(); }

  void add_up(const std::vector<device_numbers>& numbers) const {
    together(numbers, [&](const device_numbers& n) { add_up(n); });
  }
  /// What owners give to the others.
  void give(const std::vector<device_bytes>& all) const {
    together(all, [&](const device_bytes& b) {
      ranks_->check(ncclBroadcast(b.at, b.at, static_cast<std::size_t>(b.count), ncclUint8, b.owner,
                                  ranks_->communicator(), stream_.get()),
                    "ncclBroadcast");
    });
  }
  /// What `on` does from here on comes behind all sums so far.
  void join(cudaStream_t on) const {
    cuda_kernels::check(cudaEventRecord(added_.get(), stream_.get()), "cudaEventRecord");
    cuda_kernels::check(cudaStreamWaitEvent(on, added_.get()), "cudaStreamWaitEvent");
  }

 private:
  struct shares {
    double of_double;
    float of_float;
  };

  nccl* ranks_;
  std::optional<cuda_kernels::on_device> during_construction_;
  cuda_kernels::stream stream_;
  cuda_kernels::event there_, added_;
  cuda_kernels::pinned_pointer share_here_;
  cuda_kernels::device_pointer share_there_;
  ncclRedOp_t average_of_float_{}, average_of_double_{};

  template <class Items, class Call>
  void together(const Items& items, const Call& call) const {
    ranks_->check(ncclGroupStart(), "ncclGroupStart");
    undone_by([] { ncclGroupEnd(); },  // else what this thread calls next would belong to the group, too
              [&] {
                for (const auto& item : items) call(item);
              });
    ranks_->check(ncclGroupEnd(), "ncclGroupEnd");
  }
  void add_up(const device_numbers& n) const {
    const bool is_double = n.type == element::f64;
    const ncclRedOp_t op = !n.is_averaged ? ncclSum : is_double ? average_of_double_ : average_of_float_;
    const ncclDataType_t type = is_double ? ncclFloat64 : ncclFloat32;
    const auto count = static_cast<std::size_t>(n.count);
    if (n.owner >= 0) {
      ranks_->check(ncclReduce(n.at, n.at, count, type, op, n.owner, ranks_->communicator(), stream_.get()),
                    "ncclReduce");
    } else {
      ranks_->check(ncclAllReduce(n.at, n.at, count, type, op, ranks_->communicator(), stream_.get()),
                    "ncclAllReduce");
    }
  }
};

}  // namespace tapeless::detail
