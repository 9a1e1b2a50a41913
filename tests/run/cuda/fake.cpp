// SPDX-License-Identifier: BSL-1.0
// The devices that are not there find what they are made to find.
#include "last_words.hpp"

namespace {

struct pinned_block {
  explicit pinned_block(std::size_t bytes) { REQUIRE(cudaMallocHost(&p, bytes) == cudaSuccess); }
  ~pinned_block() { cudaFreeHost(p); }
  float* floats() const { return static_cast<float*>(p); }
  void* p = nullptr;
};

struct add_one {
  float* target;
  void operator()(std::uint32_t item) const { target[item] += 1; }
};

using tapeless::cuda_kernels::make_event;
using tapeless::cuda_kernels::make_stream;
using test::device_block;
using test::last_words;

}  // namespace

TEST_CASE("work waits for somebody to ask for it") {
  test::gpu gpu;
  const auto s = make_stream();
  device_block there(4);
  pinned_block here(4);
  here.floats()[0] = 1;
  cudaMemcpyAsync(there.p, here.p, 4, cudaMemcpyHostToDevice, s.get());
  here.floats()[0] = 2;  // the copy has not read it yet
  tapeless::cuda_kernels::launch_for_each(1, add_one{there.floats()}, s.get());
  float result = 0;
  cudaMemcpyAsync(&result, there.p, 4, cudaMemcpyDeviceToHost, s.get());  // pageable memory: that waits
  CHECK(result == 3);
  CHECK(gpu.waits() == 1);

  float pageable = 5;
  cudaMemcpyAsync(there.p, &pageable, 4, cudaMemcpyHostToDevice, s.get());
  pageable = 6;
  cudaMemcpyAsync(here.p, there.p, 4, cudaMemcpyDeviceToHost, s.get());
  CHECK(here.floats()[0] == 2);
  cudaStreamSynchronize(s.get());
  CHECK(here.floats()[0] == 5);
}

TEST_CASE("streams run in any order that events allow") {
  fake_cuda::options o;
  o.when = GENERATE(fake_cuda::order::never, fake_cuda::order::at_once, fake_cuda::order::even_streams,
                    fake_cuda::order::odd_streams);
  test::gpu gpu(o);
  const auto first = make_stream(), second = make_stream();
  const auto e = make_event();
  device_block there(4);
  float x = 1, y = 2, result = 0;
  cudaMemcpyAsync(there.p, &x, 4, cudaMemcpyHostToDevice, first.get());
  cudaMemcpyAsync(there.p, &y, 4, cudaMemcpyHostToDevice, second.get());
  cudaStreamSynchronize(second.get());
  cudaMemcpyAsync(&result, there.p, 4, cudaMemcpyDeviceToHost, first.get());
  const bool second_was_last =
      o.when == fake_cuda::order::at_once || o.when == fake_cuda::order::even_streams;
  CHECK(result == (second_was_last ? 2 : 1));

  cudaEventRecord(e.get(), first.get());
  cudaMemcpyAsync(there.p, &x, 4, cudaMemcpyHostToDevice, first.get());
  cudaEventRecord(e.get(), first.get());
  cudaStreamWaitEvent(second.get(), e.get());
  cudaMemcpyAsync(there.p, &y, 4, cudaMemcpyHostToDevice, second.get());
  cudaMemcpyAsync(&result, there.p, 4, cudaMemcpyDeviceToHost, second.get());
  CHECK(result == 2);
}

TEST_CASE("a memset without a stream is not waited for") {
  test::gpu gpu;
  const auto s = make_stream();
  device_block there(4);
  float x = 1, result = 0;
  cudaMemset(there.p, 0, 4);
  cudaMemcpyAsync(there.p, &x, 4, cudaMemcpyHostToDevice, s.get());
  cudaStreamSynchronize(s.get());
  cudaStreamSynchronize(nullptr);
  cudaMemcpyAsync(&result, there.p, 4, cudaMemcpyDeviceToHost, s.get());
  CHECK(result == 0);
}

TEST_CASE("a graph does again what was captured, and some calls spoil it") {
  test::gpu gpu;
  const auto s = make_stream();
  device_block there(4);
  cudaMemset(there.p, 0, 4);
  cudaStreamSynchronize(nullptr);
  cudaGraph_t graph{};
  cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeRelaxed);
  tapeless::cuda_kernels::launch_for_each(1, add_one{there.floats()}, s.get());
  CHECK(cudaStreamEndCapture(s.get(), &graph) == cudaSuccess);
  cudaGraphExec_t executable{};
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, s.get());
  cudaGraphExecDestroy(executable);  // it runs all the same
  float result = 0;
  cudaMemcpyAsync(&result, there.p, 4, cudaMemcpyDeviceToHost, s.get());
  CHECK(result == 3);

  void* p = nullptr;
  for (const int forbidden : {0, 1, 2, 3, 4}) {
    cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeRelaxed);
    if (forbidden == 0) CHECK(cudaMalloc(&p, 4) == cudaErrorStreamCaptureUnsupported);
    if (forbidden == 1) CHECK(cudaFree(there.p) == cudaErrorStreamCaptureUnsupported);
    if (forbidden == 2) CHECK(cudaStreamSynchronize(s.get()) == cudaErrorStreamCaptureUnsupported);
    if (forbidden == 3) CHECK(cudaMemset(there.p, 0, 4) == cudaErrorStreamCaptureImplicit);
    if (forbidden == 4) CHECK(cudaMallocHost(&p, 4) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(s.get(), &graph) == cudaErrorStreamCaptureInvalidated);
    CHECK(graph == nullptr);
  }
  cudaGetLastError();
}

TEST_CASE("memory that is somebody else's ends the test with a sentence") {
  test::gpu gpu({.devices = 2});
  const auto s = make_stream();
  device_block there(8);
  const auto launched = [&](float* target, std::int64_t count) {
    tapeless::cuda_kernels::launch_for_each(count, add_one{target}, s.get());
    cudaStreamSynchronize(s.get());
  };
  const auto ends_with = [](auto f, const char* sentence) {
    CHECK_THAT(last_words(f), test::contains(sentence));
  };
  ends_with([&] { launched(there.floats(), 2); }, "");
  ends_with([&] { there.floats()[0] = 1; }, "the host touched memory of device 0");
  ends_with([&] { launched(there.floats(), 70); },
            "a kernel on device 0 touched memory of device 0 outside of a block");
  float host[2] = {};
  ends_with([&] { launched(host, 2); }, "a kernel is given memory of somebody else");
  ends_with([&] { cudaMemcpyAsync(there.p, host, 16, cudaMemcpyHostToDevice, s.get()); },
            "16 bytes that go beyond a block of 8 bytes of memory of device 0");
  ends_with([&] { cudaMemcpyAsync(host, there.p, 8, cudaMemcpyHostToDevice, s.get()); }, "another direction");
  ends_with(
      [&] {
        tapeless::cuda_kernels::launch_for_each(2, add_one{there.floats()}, s.get());
        cudaFree(there.p);
        cudaStreamSynchronize(s.get());
      },
      "a kernel on device 0 touched memory of device 0 that was freed");
  ends_with(
      [&] {
        cudaSetDevice(1);
        device_block other(8);
        launched(other.floats(), 2);
      },
      "a kernel is given memory of somebody else");
}

TEST_CASE("a stream that waits for an event of a capture becomes a branch of the graph") {
  fake_cuda::options o;
  o.when = GENERATE(fake_cuda::order::never, fake_cuda::order::at_once, fake_cuda::order::odd_streams);
  test::gpu gpu(o);
  const auto s = make_stream(), other = make_stream();
  const auto fork = make_event(), join = make_event();
  device_block there(8);
  cudaMemset(there.p, 0, 8);
  cudaStreamSynchronize(nullptr);
  const auto captured = [&](bool joins) {
    cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeRelaxed);
    tapeless::cuda_kernels::launch_for_each(1, add_one{there.floats()}, s.get());
    cudaEventRecord(fork.get(), s.get());
    CHECK(cudaStreamWaitEvent(other.get(), fork.get()) == cudaSuccess);
    cudaMemcpyAsync(there.floats() + 1, there.p, 4, cudaMemcpyDeviceToDevice, other.get());
    cudaEventRecord(join.get(), other.get());
    if (joins) cudaStreamWaitEvent(s.get(), join.get());
    cudaGraph_t graph{};
    CHECK(cudaStreamEndCapture(s.get(), &graph) == (joins ? cudaSuccess : cudaErrorStreamCaptureUnjoined));
    return graph;
  };
  CHECK(captured(false) == nullptr);
  cudaGetLastError();
  const cudaGraph_t graph = captured(true);
  cudaGraphExec_t executable{};
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  for (int i = 1; i < 4; ++i) {
    cudaGraphLaunch(executable, s.get());
    float result = 0;
    cudaMemcpyAsync(&result, there.floats() + 1, 4, cudaMemcpyDeviceToHost, s.get());
    CHECK(result == static_cast<float>(i));
  }
  cudaGraphExecDestroy(executable);
}
