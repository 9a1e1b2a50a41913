// SPDX-License-Identifier: BSL-1.0
// nccl: the GPUs of several processes, one each, as a communicator of NCCL. Links NCCL: tapeless::nccl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nccl.h>
#include <unistd.h>

#include <tapeless/cluster/one_process.hpp>
#include <tapeless/cluster/process_group.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/run/cuda/cuda.hpp>
#include <tapeless/worker_thread.hpp>

namespace tapeless {

/// What NCCL has answered to a call of ours, or that it does not answer.
class nccl_error : public error {
 public:
  using error::error;
};

/// A GPU for each process of a group, which carries what the processes tell each other; gradients go from GPU
/// to GPU by NCCL:
///   tl::mpi world(argc, argv);
///   tl::nccl gpus(world);
///   tl::trainer net{model, tl::data_parallel(gpus, tl::adamw({...})), tl::cuda{.device = gpus.device()}};
/// It is made by all processes together, before their trainers, and goes after them: NCCL waits for graphs
/// that have its calls. Where one process has aborted it nothing travels any more; a job goes on from its
/// last checkpoint, by a new one.
class nccl {
 public:
  /// A GPU of the process's own: the n-th process of a host has the n-th of the devices that it sees.
  explicit nccl(process_group& world) : world_(&world) { begin(-1); }
  /// The GPU of that number. Throws an error on all ranks where one has no such device.
  nccl(process_group& world, int device) : world_(&world) { begin(device); }
  /// This process alone, without MPI: what there is to add up is one GPU's.
  nccl() : alone_(std::make_unique<one_process>()), world_(alone_.get()) { begin(0); }

  nccl(const nccl&) = delete;
  nccl& operator=(const nccl&) = delete;
  ~nccl() {
    if (communicator_ != nullptr && (world_->is_broken() || std::uncaught_exceptions() > 0)) abort();
    const cuda_kernels::on_device here(device_);
    aborting_.join();
    if (communicator_ != nullptr) ncclCommDestroy(communicator_);
  }

  process_group& world() const { return *world_; }
  int device() const { return device_; }

  /// Throws an error where it has been aborted.
  ncclComm_t communicator() const {
    if (communicator_ == nullptr)
      throw_error(nccl_error(
          "nccl: the communicator has been aborted: go on from the last checkpoint, by a new tl::nccl"));
    return communicator_;
  }
  bool is_aborted() const { return communicator_ == nullptr; }

  /// Throws an error where NCCL has found one that no call of ours has returned: a rank that is gone.
  void check_others() {
    ncclResult_t found = ncclSuccess;
    check(ncclCommGetAsyncError(communicator(), &found), "ncclCommGetAsyncError");
    if (found == ncclSuccess || found == ncclInProgress) return;
    const std::string sentence = sentence_of(found, "a sum over the ranks");
    abort();
    throw_error(nccl_error(sentence));
  }
  /// What is under way on the device ends, with whatever sums it has by then.
  TAPELESS_COLD void abort() {
    if (communicator_ == nullptr) return;
    aborted_ = std::exchange(communicator_, nullptr);
    // It waits for the trainers' graphs to go: the way there is this thread's.
    const int problem = aborting_.start([](void* c) { ncclCommAbort(static_cast<ncclComm_t>(c)); }, aborted_);
    if (problem != 0) throw_error({"nccl: there is no thread that could abort the communicator: ", problem});
  }

  void check(ncclResult_t result, const char* call) const {
    if (result != ncclSuccess) [[unlikely]]
      throw_error(nccl_error(sentence_of(result, call)));
  }

 private:
  std::unique_ptr<one_process> alone_;
  process_group* world_;
  int device_ = 0;
  ncclComm_t communicator_ = nullptr, aborted_ = nullptr;
  worker_thread aborting_;

  TAPELESS_COLD void begin(int device) {
    world_->or_broken([&] {
      const int place = place_on_host();
      ncclUniqueId id{};
      world_->together("nccl", 0, [&] {
        device_ = device >= 0 ? cuda_kernels::usable_device(device) : place % devices();
        if (world_->rank() == 0) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
      });
      world_->broadcast(id);
      const cuda_kernels::on_device here(device_);
      check(ncclCommInitRank(&communicator_, world_->size(), id, world_->rank()), "ncclCommInitRank");
    });
  }
  static int devices() {
    cuda_kernels::usable_device(0);
    int count = 0;
    cuda_kernels::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    return count;
  }
  // How many of lower ranks are on this host.
  int place_on_host() const {
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    const std::vector<std::uint64_t> hosts = world_->gather(hash_of(host));
    int place = 0;
    for (int r = 0; r < world_->rank(); ++r)
      if (hosts[static_cast<std::size_t>(r)] == hosts[static_cast<std::size_t>(world_->rank())]) ++place;
    return place;
  }

  TAPELESS_COLD std::string sentence_of(ncclResult_t result, const char* call) const {
    std::string text = join({"nccl: ", call, " failed: ", ncclGetErrorString(result)});
    const char* const more = ncclGetLastError(communicator_);
    if (more != nullptr && *more != 0) append(text, {" (", more, ")"});
    return text;
  }
};

}  // namespace tapeless
