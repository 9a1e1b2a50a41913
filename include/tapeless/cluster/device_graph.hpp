// SPDX-License-Identifier: BSL-1.0
// Work of several ranks on a trainer's stream, as a graph of its own.
#pragma once

#include <cstdint>

#include <tapeless/exceptions.hpp>
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
      graph_ = captured(trainer.steps(), contents);
      capture_ = capture;
    }
    cuda_kernels::check(cudaGraphLaunch(graph_.get(), trainer.steps()), "cudaGraphLaunch");
    trainer.changed_there();
  }

 private:
  cuda_kernels::executable_graph graph_;
  std::uint64_t capture_ = 0;

  template <class Contents>
  static cuda_kernels::executable_graph captured(cudaStream_t on, const Contents& contents) {
    cuda_kernels::check(cudaStreamBeginCapture(on, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
    cudaGraph_t raw{};
    const auto drop = [&] {
      cudaStreamEndCapture(on, &raw);
      const cuda_kernels::graph_template dropped(raw);
    };
    undone_by(drop, contents);
    cuda_kernels::check(cudaStreamEndCapture(on, &raw), "cudaStreamEndCapture");
    const cuda_kernels::graph_template work(raw);
    cudaGraphExec_t executable{};
    cuda_kernels::check(cudaGraphInstantiate(&executable, raw, 0), "cudaGraphInstantiate");
    return cuda_kernels::executable_graph(executable);
  }
};

}  // namespace tapeless::detail
