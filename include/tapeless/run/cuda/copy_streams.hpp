// SPDX-License-Identifier: BSL-1.0
// The streams on which programs copy their inputs, for those whose memory these read. No such stream is ever
// captured, so that anybody may wait for them; to wait for the device spoils what another thread captures.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <tapeless/run/cuda/handles.hpp>

namespace tapeless::cuda_kernels {

/// All of this process. Any thread may call it.
class copy_streams {
 public:
  static copy_streams& all() {
    static copy_streams s;
    return s;
  }
  void add(std::shared_ptr<const stream> s) {
    const std::scoped_lock lock(mutex_);
    streams_.push_back(std::move(s));
  }
  void remove(const std::shared_ptr<const stream>& s) {
    const std::scoped_lock lock(mutex_);
    std::erase(streams_, s);
  }
  /// Until all that is copied so far has been. Others may be added meanwhile: copies wait for steps, and
  /// these perhaps for a rank that is about to add its own.
  void wait() {
    for (const auto& s : now()) cudaStreamSynchronize(s->get());
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<const stream>> streams_;

  std::vector<std::shared_ptr<const stream>> now() {
    const std::scoped_lock lock(mutex_);
    return streams_;
  }
};

/// One of them.
class copy_stream {
 public:
  copy_stream() { copy_streams::all().add(stream_); }
  ~copy_stream() { copy_streams::all().remove(stream_); }
  copy_stream(const copy_stream&) = delete;
  copy_stream& operator=(const copy_stream&) = delete;
  cudaStream_t get() const { return stream_->get(); }

 private:
  std::shared_ptr<const stream> stream_ = std::make_shared<const stream>(make_stream());
};

}  // namespace tapeless::cuda_kernels
