// SPDX-License-Identifier: BSL-1.0
// Training on a GPU that works late computes what the CPU computes, and waits only where something is read.
#include "io/temporary_folder.hpp"
#include "models.hpp"

namespace {

/// A history: all that was read on the way, in order.
template <class Policy>
std::vector<double> history(const Policy& policy) {
  std::vector<double> seen;
  const auto see = [&](const auto& view) {
    const auto values = test::elements(view);
    seen.insert(seen.end(), values.begin(), values.end());
  };
  test::numbers random(5);
  tl::trainer net{test::classifier, test::adam(), policy, 3};
  auto weight = net.template parameter<"fc1.weight">();
  for (int step = 0; step < 24; ++step) {
    test::sample s = test::make_sample(random, step < 8 ? 4 : step % 3 == 0 ? 7 : 4);
    auto r = net.step("x"_t = s.x, "label"_t = s.label);
    s = {};  // the step has taken what it needs
    if (step % 4 == 1) seen.push_back(r.loss());
    if (step % 6 == 3) see(r.template get<"logits">());
    const test::sample other = test::make_sample(random, step < 12 ? 3 : 5);
    if (step % 5 == 2) seen.push_back(net.evaluate("x"_t = other.x, "label"_t = other.label).loss());
    if (step % 7 == 4) {
      auto p = net.predict("x"_t = other.x);
      net.step("x"_t = other.x, "label"_t = other.label);  // in between
      see(p.template get<"logits">());
    }
    if (step == 9) weight[3] = 0.75;  // a view that was taken before the first step
    if (step == 10) net.template parameter<"fc2.bias">()[1] += 0.5;
    if (step == 14) net.template set<"learning_rate">(0.01);
    if (step == 16) see(net.template state<"adam.mu", "norm.weight">());
    if (step == 20) see(weight);
  }
  const auto all = test::all_parameters(net);
  seen.insert(seen.end(), all.begin(), all.end());
  return seen;
}

template <class Net>
void train(Net& net, const test::sample& s, int steps) {
  for (int i = 0; i < steps; ++i) net.step("x"_t = s.x, "label"_t = s.label);
}

}  // namespace

TEST_CASE("a history of training is that of the CPU, whenever the device works") {
  static const std::vector<double> on_cpu = history(tl::cpu{}), on_host = history(tl::thrust_host{});
  test::gpu gpu(test::each_order());
  const std::vector<double> seen = history(tl::cuda{});
  CHECK(seen.size() > 300);
  CHECK(test::difference(seen, on_host) < 1e-11);
  CHECK(test::difference(seen, on_cpu) < 1e-8);
}

TEST_CASE("steps allocate and capture at the beginning only, and nobody waits for them") {
  test::gpu gpu(test::each_order());
  test::numbers random;
  const test::sample s = test::make_sample(random, 8), less = test::make_sample(random, 5);
  tl::trainer net{test::classifier, test::adam(), tl::cuda{}};
  const auto captures = [&] { return gpu.calls("cudaGraphInstantiate"); };
  const auto allocations = [&] { return gpu.calls("cudaMalloc") + gpu.calls("cudaMallocHost"); };
  const auto synchronisations = [&] { return gpu.calls("cudaStreamSynchronize"); };
  train(net, s, 1);
  CHECK(captures() == 1);
  const int at_first = allocations(), waited = synchronisations();
  train(net, s, 1);
  CHECK(captures() == 2);  // of the other slot
  train(net, s, 20);
  CHECK(captures() == 2);
  CHECK(allocations() == at_first);
  CHECK(synchronisations() == waited);
  CHECK(gpu.calls("cudaGraphLaunch") == 22);

  const int before_reading = gpu.waits();
  auto r = net.step("x"_t = s.x, "label"_t = s.label);
  const int after_step = synchronisations();
  const float loss = static_cast<float>(r.loss());
  CHECK(synchronisations() == after_step + 1);
  CHECK(static_cast<float>(r.loss()) == loss);
  CHECK(synchronisations() == after_step + 1);  // it is here already
  CHECK(gpu.waits() >= before_reading);

  train(net, less, 3);
  CHECK(captures() == 4);
  const int of_less = allocations();
  train(net, less, 10);
  CHECK(allocations() == of_less);
  CHECK(captures() == 4);
}

TEST_CASE("the host runs ahead of the device by two steps") {
  test::gpu gpu;
  test::numbers random;
  const test::sample s = test::make_sample(random, 8);
  tl::trainer net{test::classifier, test::adam(), tl::cuda{}};
  train(net, s, 1);
  const int before = gpu.waits();
  train(net, s, 1);
  CHECK(gpu.waits() == before);
  train(net, s, 1);
  CHECK(gpu.waits() == before + 1);  // for the copy of the first step's inputs
  train(net, s, 10);
  CHECK(gpu.waits() == before + 11);
}

TEST_CASE("checkpoints and saved parameters go on bit for bit") {
  test::gpu gpu(test::each_order());
  const test::temporary_folder folder;
  test::numbers random;
  const test::sample s = test::make_sample(random, 8);
  tl::trainer first{test::classifier, test::adam(), tl::cuda{}, 1};
  train(first, s, 3);
  tl::save_checkpoint(first, folder.path("checkpoint"));
  tl::trainer second{test::classifier, test::adam(), tl::cuda{}, 2};
  train(second, s, 2);
  tl::load_checkpoint(second, folder.path("checkpoint"));
  train(first, s, 3);
  train(second, s, 3);
  CHECK(test::all_parameters(first) == test::all_parameters(second));
  train(first, s, 1);
  tl::save(first, folder.path("parameters"));
  tl::load(second, folder.path("parameters"));
  CHECK(test::all_parameters(first) == test::all_parameters(second));
  const auto loss = [&](auto& net) { return net.evaluate("x"_t = s.x, "label"_t = s.label).loss(); };
  CHECK(loss(first) == loss(second));
}

TEST_CASE("two trainers on two devices do not disturb each other") {
  fake_cuda::options o = test::each_order();
  o.devices = 2;
  test::gpu gpu(o);
  test::numbers random;
  const test::sample s = test::make_sample(random, 6);
  const auto alone = [&](int steps) {
    tl::trainer net{test::classifier, test::adam(), tl::thrust_host{}, 1};
    train(net, s, steps);
    return test::all_parameters(net);
  };
  tl::trainer first{test::classifier, test::adam(), tl::cuda{}, 1};
  tl::trainer second{test::classifier, test::adam(), tl::cuda{.device = 1}, 1};
  CHECK(gpu.device == 0);
  for (int i = 0; i < 6; ++i) {
    train(first, s, 1);
    train(second, s, 2);
    CHECK(gpu.device == 0);
  }
  CHECK(test::difference(test::all_parameters(first), alone(6)) < 1e-11);
  cudaSetDevice(1);
  CHECK(test::difference(test::all_parameters(second), alone(12)) < 1e-11);
  CHECK(test::difference(test::all_parameters(first), alone(6)) < 1e-11);
  CHECK(gpu.device == 1);
}

TEST_CASE("a trainer may go while its steps still run") {
  test::gpu gpu(test::each_order());
  test::numbers random;
  const test::sample s = test::make_sample(random, 6);
  for (int steps = 1; steps < 4; ++steps) {
    tl::trainer net{test::classifier, test::adam(), tl::cuda{}, 1};
    train(net, s, steps);
    net.predict("x"_t = s.x);
  }
  CHECK(gpu.not_given_back() == "");
}

TEST_CASE("an index out of range is an error where something is read, and training goes on") {
  test::gpu gpu(test::each_order());
  tl::trainer net{test::lookup, tl::sgd({.learning_rate = 1}), tl::cuda{}};
  const std::vector<float> good{0, 3, 1}, bad{0, 4, 1};
  CHECK(net.step("at"_t = good).loss() == 0.25f);
  net.step("at"_t = bad);
  auto r = net.step("at"_t = good);
  CHECK_THROWS_WITH(r.loss(), test::contains("an index is 4, but must be from 0 to below 4"));
  CHECK(std::isfinite(r.loss()));
  CHECK(std::isfinite(net.step("at"_t = good).loss()));
  net.step("at"_t = bad);
  CHECK_THROWS_WITH(net.parameter<"table">()[0], test::contains("an index is 4"));
  CHECK(net.parameter<"table">()[6] == 0.5f);
  CHECK(net.parameter<"table">()[0] > 0.5f);
}

TEST_CASE("no sample is an empty result") {
  test::gpu gpu(test::each_order());
  tl::trainer net{test::classifier, test::adam(), tl::cuda{}};
  CHECK(net.predict("x"_t = std::vector<double>{}).get<"logits">().size() == 0);
}

TEST_CASE("an error says what ran: the operations and the model") {
  test::gpu gpu;
  test::numbers random;
  const test::sample s = test::make_sample(random, 6);
  tl::trainer net{test::classifier, test::adam(), tl::cuda{}};
  const auto step = [&] { return net.step("x"_t = s.x, "label"_t = s.label); };
  const auto fails = [&](const char* function, int n, int status, const std::string& sentence) {
    const auto before = test::all_parameters(net);
    net.evaluate("x"_t = s.x, "label"_t = s.label);
    gpu.fail(function, n, status);
    CHECK_THROWS_WITH(step(), test::contains(sentence));
    CHECK(test::all_parameters(net) == before);
    CHECK(gpu.device == 0);
  };
  const std::string of =
      "cuda: a kernel's launch failed: too many resources requested for launch "
      "(cudaErrorLaunchOutOfResources), for the operations ";
  fails("launch", 1, cudaErrorLaunchOutOfResources, of);
  fails("launch", 2, cudaErrorLaunchOutOfResources, " of the model ");
  fails(
      "cublasLtMatmul", 1, CUBLAS_STATUS_EXECUTION_FAILED,
      "cuda: cublasLtMatmul failed: the GPU program failed to execute (CUBLAS_STATUS_EXECUTION_FAILED), for "
      "the operations matmul of the model ");
  fails("cudaGraphInstantiate", 1, cudaErrorMemoryAllocation,
        "cuda: cudaGraphInstantiate failed: out of memory (cudaErrorMemoryAllocation), for the model ");
  fails("cudaStreamBeginCapture", 1, cudaErrorInvalidValue, "cuda: cudaStreamBeginCapture failed");
  CHECK(std::isfinite(step().loss()));
  CHECK(std::isfinite(step().loss()));
  fails("cudaGraphLaunch", 1, cudaErrorLaunchFailure,
        "cuda: cudaGraphLaunch failed: unspecified launch failure");
  CHECK(std::isfinite(step().loss()));
}

TEST_CASE("a kernel that fails when it runs is an error where something is read") {
  test::gpu gpu;
  test::numbers random;
  const test::sample s = test::make_sample(random, 6);
  tl::trainer net{test::classifier, test::adam(), tl::cuda{}};
  auto r = net.step("x"_t = s.x, "label"_t = s.label);
  gpu.fail_when_run("a kernel", 3, cudaErrorLaunchFailure);
  CHECK_THROWS_WITH(r.loss(), test::contains("failed: unspecified launch failure (cudaErrorLaunchFailure)"));
  CHECK_THROWS_WITH(net.step("x"_t = s.x, "label"_t = s.label), test::contains("unspecified launch failure"));
}

TEST_CASE("memory that is not there is an error with figures, and a smaller step can follow") {
  test::gpu gpu({.memory = std::size_t{36} << 20});
  test::numbers random;
  const test::sample s = test::make_sample(random, 4), large = test::make_sample(random, 20000);
  tl::trainer net{test::classifier, test::adam(), tl::cuda{}};
  train(net, s, 2);
  CHECK_THROWS_WITH(
      net.step("x"_t = large.x, "label"_t = large.label),
      test::contains("cuda: out of memory: ") && test::contains(" of the device's 37748736 are free"));
  CHECK(std::isfinite(net.step("x"_t = s.x, "label"_t = s.label).loss()));
}

TEST_CASE("an error of somebody else's is not a launch's, and is left to them") {
  test::gpu gpu;
  tl::trainer net{test::classifier, test::adam(), tl::cuda{}};
  test::numbers random;
  const auto s = test::make_sample(random, 4);
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  CHECK_NOTHROW(net.step("x"_t = s.x, "label"_t = s.label));
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}
