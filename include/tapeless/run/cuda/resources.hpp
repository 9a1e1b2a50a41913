// SPDX-License-Identifier: BSL-1.0
// What the programs of one trainer share on a GPU: its streams, cuBLASLt, and the memory of parameters with
// its host shadow; and an owner of such memory alone, for weights that no program writes to.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include <tapeless/run/common/host_shadow.hpp>
#include <tapeless/run/cuda/copy_streams.hpp>
#include <tapeless/run/cuda/cudnn.hpp>
#include <tapeless/run/cuda/executor.hpp>
#include <tapeless/system_mutex.hpp>

namespace tapeless::cuda_kernels {

class memory_owner;

/// Memory on the device. The copy here is made when somebody looks at it, which several threads may do.
class shadowed_bytes final : public host_shadow {
 public:
  shadowed_bytes(memory_owner& shared, std::int64_t bytes);
  ~shadowed_bytes();

  void bring_here(bool to_write) override {
    if (!is_here_.load(std::memory_order_acquire)) copy_here();
    if (to_write) is_newer_here_ = true;
  }
  /// What was written here goes to the device, in the stream's order.
  void send();
  /// A program may have written to it.
  void changed_there() {
    is_newer_there_ = true;
    is_here_ = false;
  }

  std::byte* here() {
    bring_here(true);
    return here_.data();
  }
  /// For those who write to all of it: what is there is not waited for.
  std::byte* here_to_overwrite() {
    here_.resize(static_cast<std::size_t>(bytes_));
    is_newer_there_ = false;
    is_here_ = is_newer_here_ = true;
    return here_.data();
  }
  std::byte* there() const { return static_cast<std::byte*>(there_.get()); }
  std::int64_t size() const { return bytes_; }

 private:
  memory_owner& shared_;
  std::int64_t bytes_;
  device_pointer there_;
  std::vector<std::byte> here_;
  bool is_newer_there_ = false;
  std::atomic<bool> is_here_ = false, is_newer_here_ = false;
  system_mutex copying_;

  void copy_here();
};

/// The device's memory as programs and trainers see it.
class memory {
 public:
  memory() = default;
  memory(memory_owner& shared, std::int64_t bytes)
      : bytes_(std::make_unique<shadowed_bytes>(shared, bytes)) {}

  std::byte* data() const { return bytes_ == nullptr ? nullptr : bytes_->here(); }
  std::byte* data_to_overwrite() const { return bytes_ == nullptr ? nullptr : bytes_->here_to_overwrite(); }
  std::byte* program_data() const { return bytes_ == nullptr ? nullptr : bytes_->there(); }
  host_shadow* copied_by() const { return bytes_.get(); }
  std::int64_t size() const { return bytes_ == nullptr ? 0 : bytes_->size(); }

 private:
  std::unique_ptr<shadowed_bytes> bytes_;
};

/// The memory of parameters and states, with the stream on which it is copied.
class memory_owner {
 public:
  explicit memory_owner(int device) : device_(usable_device(device)), steps_(stream_on(device)) {}
  virtual ~memory_owner() = default;
  memory_owner(const memory_owner&) = delete;
  memory_owner& operator=(const memory_owner&) = delete;

  int device() const { return device_; }
  cudaStream_t steps() const { return steps_.get(); }
  memory allocate(std::int64_t bytes) { return {*this, bytes}; }

  /// Waits for all that is on the stream.
  virtual void wait() { check(cudaStreamSynchronize(steps()), "cudaStreamSynchronize"); }

  /// What was written here to parameters and states goes to the device before the next step.
  void send_changes() {
    const mutex_lock lock(of_shadowed_);
    for (shadowed_bytes* m : shadowed_) m->send();
  }
  /// The same for programs on other streams, which start after this.
  void send_changes_to_others() {
    const on_device here(device_);
    send_changes();
  }
  /// What steps wrote to parameters and states these find as well. Precondition: no graph is being captured.
  void make_visible() {
    const on_device here(device_);
    send_changes();
    check(cudaStreamSynchronize(steps_.get()), "cudaStreamSynchronize");
  }
  /// After a step.
  void changed_there() {
    const mutex_lock lock(of_shadowed_);
    for (shadowed_bytes* m : shadowed_) m->changed_there();
  }

  void add(shadowed_bytes* m) {
    const mutex_lock lock(of_shadowed_);
    shadowed_.push_back(m);
  }
  void remove(shadowed_bytes* m) {
    const mutex_lock lock(of_shadowed_);
    std::erase(shadowed_, m);
  }

 private:
  int device_;
  stream steps_;
  system_mutex of_shadowed_;  // a function's calls in several threads make and look at memory at once
  std::vector<shadowed_bytes*> shadowed_;

  static stream stream_on(int device) {
    const on_device here(device);
    return make_stream();
  }
};

/// How matrix products of float are computed.
enum class float_products { f32, tf32 };

class resources : public memory_owner {
 public:
  resources(int device, float_products products)
      : memory_owner(device),
        during_construction_(std::in_place, device),
        products_(products),
        executor_(steps()),
        product_workspace_(device_memory(product_workspace_bytes, "the workspace of matrix products")) {
    cublasLtHandle_t handle{};
    check(cublasLtCreate(&handle), "cublasLtCreate");
    cublas_ = owner<cublasLtHandle_t, cublasLtDestroy>(handle);
    during_construction_.reset();
  }
  ~resources() {
    cudaStreamSynchronize(copies_.get());  // a step that was not started has not waited for them
    cudaStreamSynchronize(steps());
  }

  static constexpr std::int64_t product_workspace_bytes = 32 << 20;  // as NVIDIA advises for Hopper

  float_products products() const { return products_; }
  cudaStream_t copies() const { return copies_.get(); }
  cublasLtHandle_t cublas() const { return cublas_.get(); }
#ifdef TAPELESS_HAS_CUDNN
  /// What an operation of cuDNN may take beside its operands: its fastest engines often rearrange these. An
  /// eighth of the device's memory, up to 2 GiB, so that one device always has the same engines.
  static std::int64_t most_workspace_bytes() {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return std::min(static_cast<std::int64_t>(total / 8), std::int64_t{2} << 30);
  }
  /// For programs with convolutions or pools.
  cudnnHandle_t cudnn() {
    if (!cudnn_) cudnn_ = make_cudnn(steps());
    return cudnn_.get();
  }
#endif
  void* product_workspace() const { return product_workspace_.get(); }
  cuda_kernels::executor& executor() { return executor_; }

  /// Throws an error where a step found an index out of range.
  void wait() override {
    fault found;
    check(cudaMemcpyAsync(&found, executor_.faults(), sizeof found, cudaMemcpyDeviceToHost, steps()),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(steps()), "cudaStreamSynchronize");
    if (found.is_set == 0) return;
    check(cudaMemsetAsync(executor_.faults(), 0, sizeof found, steps()), "cudaMemsetAsync");
    found.check();
  }

  /// The same from anywhere, for those who are on no device yet.
  void finish() {
    const on_device here(device());
    wait();
  }

 private:
  std::optional<on_device> during_construction_;
  float_products products_;
  copy_stream copies_;
  cuda_kernels::executor executor_;
  device_pointer product_workspace_;
  owner<cublasLtHandle_t, cublasLtDestroy> cublas_;
#ifdef TAPELESS_HAS_CUDNN
  cudnn_handle cudnn_;
#endif
};

inline shadowed_bytes::shadowed_bytes(memory_owner& shared, std::int64_t bytes)
    : shared_(shared), bytes_(bytes) {
  const on_device here(shared.device());
  there_ = device_memory(bytes, "the memory of a program");
  shared_.add(this);
}
inline shadowed_bytes::~shadowed_bytes() { shared_.remove(this); }

inline void shadowed_bytes::copy_here() {
  const mutex_lock lock(copying_);
  here_.resize(static_cast<std::size_t>(bytes_));  // zero at first, as there
  if (is_newer_there_) {
    const on_device here(shared_.device());
    check(cudaMemcpyAsync(here_.data(), there_.get(), here_.size(), cudaMemcpyDeviceToHost, shared_.steps()),
          "cudaMemcpyAsync");
    shared_.wait();
    is_newer_there_ = false;
  }
  is_here_ = true;
}

inline void shadowed_bytes::send() {
  if (!is_newer_here_) return;
  const mutex_lock lock(copying_);
  check(cudaMemcpyAsync(there_.get(), here_.data(), here_.size(), cudaMemcpyHostToDevice, shared_.steps()),
        "cudaMemcpyAsync");
  check(cudaStreamSynchronize(shared_.steps()), "cudaStreamSynchronize");  // they may be written to again
  is_newer_here_ = false;
}

}  // namespace tapeless::cuda_kernels
