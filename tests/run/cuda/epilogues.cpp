// SPDX-License-Identifier: BSL-1.0
// What products take along of the fused kernels around them, whether cuBLASLt has algorithms for that or not.
#include "models.hpp"

namespace {

// Layers with weights of both layouts, a ReLU, a bias alone, a single output.
template <class Real>
constexpr auto network = [] {
  auto x = tl::input<"x", Real, test::batch, 6>;
  auto w = tl::param<"w", Real, 16, 5>(tl::normal(0.5));
  auto h = tl::relu(tl::linear<"fc1", 16>(x));
  auto y = tl::tanh(tl::matmul(h, w) + tl::param<"b", Real, 5>(tl::fill(0.25)));
  return tl::mean(tl::square(tl::linear<"fc3", 1>(tl::relu(tl::linear<"fc2", 12>(y))) - 1_c));
};
// The same with GELUs by tanh: of layers with a bias, whose rows are of 16 and of 12, and of one without.
template <class Real>
constexpr auto smooth_network = [] {
  constexpr auto tanh = tl::approximation::tanh;
  auto x = tl::input<"x", Real, test::batch, 6>;
  auto w = tl::param<"w", Real, 16, 8>(tl::normal(0.5));
  auto h = tl::gelu<tanh>(tl::linear<"fc1", 16>(x));
  auto y = tl::gelu<tanh>(tl::matmul(h, w)) + tl::param<"b", Real, 8>(tl::fill(0.25));
  return tl::mean(tl::square(tl::linear<"fc3", 1>(tl::gelu<tanh>(tl::linear<"fc2", 12>(y))) - 1_c));
};

/// Gradients and parameters of some steps, of which one is of one sample.
template <class Rule, class Policy, class Model = decltype(network<float>)>
std::vector<double> history(const Rule& rule, const Policy& policy, const Model& model = {}) {
  std::vector<double> seen;
  tl::trainer net{model, rule, policy, 2};
  test::numbers random(7);
  for (const std::size_t samples : {9u, 9u, 1u, 40u, 9u}) {
    net.gradients("x"_t = random.vector<float>(6 * samples));
    net.parameters().for_each([&](const auto& p) {
      const auto values = test::elements(p);
      seen.insert(seen.end(), values.begin(), values.end());
    });
    for (const float g : net.template gradient<"fc1.bias">()) seen.push_back(static_cast<double>(g));
    for (const float g : net.template gradient<"b">()) seen.push_back(static_cast<double>(g));
    for (const float g : net.template gradient<"fc3.bias">()) seen.push_back(static_cast<double>(g));
    net.apply();
  }
  return seen;
}

constexpr int any_epilogue = ~int{CUBLASLT_EPILOGUE_DEFAULT};

const auto sgd = tl::sgd({.learning_rate = 0.1f});

int count(const fake_cuda::machine& m, const char* function) { return m.calls(function); }

}  // namespace

TEST_CASE("steps in float are those of the CPU, whatever cuBLASLt has algorithms for") {
  static const std::vector<double> on_cpu = history(sgd, tl::cpu{}),
                                   on_host = history(sgd, tl::thrust_host{});
  CHECK(on_cpu.size() > 300);
  CHECK(test::difference(on_host, on_cpu) < 1e-5);
  fake_cuda::options o = test::each_order();
  for (const int refused : {0, int{CUBLASLT_EPILOGUE_BGRADA}, int{CUBLASLT_EPILOGUE_BGRADB},
                            int{CUBLASLT_EPILOGUE_RELU}, int{CUBLASLT_EPILOGUE_BIAS}, any_epilogue}) {
    o.refused_epilogues = refused;
    test::gpu gpu(o);
    INFO("refused " << refused);
    CHECK(test::difference(history(sgd, tl::cuda{}), on_cpu) < 1e-5);
  }
}

TEST_CASE("steps with GELUs in float are those of the CPU: their tanh is not cuBLASLt's") {
  constexpr auto model = smooth_network<float>;
  static const std::vector<double> on_cpu = history(sgd, tl::cpu{}, model),
                                   on_host = history(sgd, tl::thrust_host{}, model);
  CHECK(test::difference(on_host, on_cpu) < 1e-5);
  test::gpu gpu(test::each_order());
  CHECK(test::difference(history(sgd, tl::cuda{}, model), on_cpu) < 1e-5);
}

TEST_CASE("what cuBLASLt takes along is no launch") {
  const auto launches = [](int refused) {
    test::gpu gpu({.refused_epilogues = refused});
    tl::trainer net{network<float>, sgd, tl::cuda{}};
    test::numbers random;
    const auto x = random.vector<float>(6 * 8);
    net.step("x"_t = x);
    return std::pair(count(gpu, "launch"), count(gpu, "cublasLtMatmul"));
  };
  const auto [with, products] = launches(0);
  CHECK(products == 11);  // of four layers, of which the first has no gradient of its input
  using step = tl::trainer<decltype(network<float>), decltype(sgd), tl::cuda>::step_program;
  int groups = 0, gradients = 0;
  for (const auto& g : tapeless::thrust_kernels::launch_groups_of<step>) {
    const bool is_taken_along = g.kind == tapeless::thrust_kernels::grouping::with_product;
    gradients += is_taken_along ? 1 : 0;
    groups += g.count > 0 && !is_taken_along ? 1 : 0;
  }
  CHECK(gradients == 3);  // that of the single output is one sum
  CHECK(with == groups);
  CHECK(launches(CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB) == std::pair(with + 3, products));
  CHECK(launches(CUBLASLT_EPILOGUE_RELU) == std::pair(with + 2, products));
  CHECK(launches(CUBLASLT_EPILOGUE_BIAS) == std::pair(with + 2, products));
}

TEST_CASE("steps without algorithms for more than products allocate nothing, and nobody waits for them") {
  test::gpu gpu({.refused_epilogues = any_epilogue});
  tl::trainer net{network<float>, sgd, tl::cuda{}};
  test::numbers random;
  const auto x = random.vector<float>(6 * 8);
  const auto calls = [&] {
    return std::array{gpu.calls("cudaMalloc"), gpu.calls("cudaMallocHost"),
                      gpu.calls("cudaStreamSynchronize"), gpu.calls("cublasLtMatmulAlgoGetHeuristic"),
                      gpu.calls("cudaGraphInstantiate")};
  };
  for (int step = 0; step < 2; ++step) net.step("x"_t = x);  // one for each slot
  const auto before = calls();
  for (int step = 0; step < 9; ++step) net.step("x"_t = x);
  CHECK(calls() == before);
}

namespace {

template <class Policy, class Model = decltype(network<float>)>
std::vector<double> bf16_history(const Policy& policy, const Model& model = {}) {
  tl::trainer net{model, tl::mixed_precision<tl::bf16>(sgd), policy, 2};
  test::numbers random(7);
  const auto x = random.vector<float>(6 * 20);
  for (int step = 0; step < 4; ++step) net.step("x"_t = x);
  return test::all_parameters(net);
}

}  // namespace

TEST_CASE("steps in 16 bits are those of the CPU, whatever cuBLASLt has algorithms for") {
  constexpr auto smooth = smooth_network<float>;
  static const std::vector<double> on_host = bf16_history(tl::thrust_host{}),
                                   smooth_on_host = bf16_history(tl::thrust_host{}, smooth);
  for (const int refused : {0, int{CUBLASLT_EPILOGUE_GELU}, 64, 128, any_epilogue}) {  // the slope; arguments
    test::gpu gpu({.refused_epilogues = refused});
    INFO("refused " << refused);
    CHECK(test::difference(bf16_history(tl::cuda{}), on_host) < 2e-2);
    CHECK(test::difference(bf16_history(tl::cuda{}, smooth), smooth_on_host) < 2e-2);
  }
}
