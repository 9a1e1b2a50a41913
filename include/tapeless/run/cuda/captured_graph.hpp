// SPDX-License-Identifier: BSL-1.0
// What is put into a stream, as a graph that can be launched again and again.
#pragma once

#include <tapeless/exceptions.hpp>
#include <tapeless/run/cuda/handles.hpp>

namespace tapeless::cuda_kernels {

/// What `contents` puts into the stream. Where that throws, nothing is left of it.
template <class Contents>
executable_graph captured_graph(cudaStream_t on, const activity& during, const Contents& contents) {
  // relaxed: kernels are loaded when they are first met, which the other modes may forbid
  check(cudaStreamBeginCapture(on, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture", during);
  cudaGraph_t raw{};
  const auto drop = [&] {
    cudaStreamEndCapture(on, &raw);
    cudaGetLastError();  // whatever has failed is being thrown
    const graph_template dropped(raw);
  };
  undone_by(drop, contents);
  check(cudaStreamEndCapture(on, &raw), "cudaStreamEndCapture", during);
  const graph_template commands(raw);
  cudaGraphExec_t executable{};
  check(cudaGraphInstantiate(&executable, raw, 0), "cudaGraphInstantiate", during);
  return executable_graph(executable);
}

}  // namespace tapeless::cuda_kernels
