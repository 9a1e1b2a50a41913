// SPDX-License-Identifier: BSL-1.0
// The streams on which programs copy their inputs, for those whose memory these read. No such stream is ever
// captured, so that anybody may wait for them; to wait for the device spoils what another thread captures.
#pragma once

#include <mutex>
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
  void add(cudaStream_t s) {
    const std::scoped_lock lock(mutex_);
    streams_.push_back(s);
  }
  void remove(cudaStream_t s) {
    const std::scoped_lock lock(mutex_);
    std::erase(streams_, s);
  }
  /// Until all that is copied so far has been.
  void wait() {
    const std::scoped_lock lock(mutex_);
    for (cudaStream_t s : streams_) cudaStreamSynchronize(s);
  }

 private:
  std::mutex mutex_;
  std::vector<cudaStream_t> streams_;
};

/// One of them.
class copy_stream {
 public:
  copy_stream() : stream_(make_stream()) { copy_streams::all().add(stream_.get()); }
  ~copy_stream() { copy_streams::all().remove(stream_.get()); }
  copy_stream(const copy_stream&) = delete;
  copy_stream& operator=(const copy_stream&) = delete;
  cudaStream_t get() const { return stream_.get(); }

 private:
  stream stream_;
};

}  // namespace tapeless::cuda_kernels
