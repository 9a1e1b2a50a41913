// SPDX-License-Identifier: BSL-1.0
// Work of several ranks on a trainer's stream, as a graph of its own.
#pragma once

#include <cstdint>

#include <tapeless/run/cuda/captured_graph.hpp>
#include <tapeless/run/cuda/cuda.hpp>

namespace tapeless::detail {

/// A graph that is captured when it is first launched, and again for each new number of the ranks' captures.
class device_graph {
 public:
  /// The number of its capture; 0 where there is none.
  std::uint64_t capture() const { return capture_; }

  /// Launches it behind the trainer's steps: what `contents` puts into their stream.
  template <class Contents>
  void launch(cuda_kernels::resources& trainer, std::uint64_t capture, const Contents& contents) {
    trainer.send_changes();
    if (capture_ != capture) {
      capture_ = 0;
      graph_ = {};
      graph_ = cuda_kernels::captured_graph(trainer.steps(), {}, contents);
      capture_ = capture;
    }
    cuda_kernels::check(cudaGraphLaunch(graph_.get(), trainer.steps()), "cudaGraphLaunch");
    trainer.changed_there();
  }

 private:
  cuda_kernels::executable_graph graph_;
  std::uint64_t capture_ = 0;
};

}  // namespace tapeless::detail
