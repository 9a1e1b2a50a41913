// SPDX-License-Identifier: BSL-1.0
// Convolutions by cuDNN, and by the library's own kernel where cuDNN has nothing for them.
#include "models.hpp"

namespace {

using namespace std::string_view_literals;

/// Classifies images by convolutions with strides, paddings and groups, and one that is transposed.
template <class T>
constexpr auto images = [] {
  auto x = tl::input<"x", T, test::batch, 2, 7, 6>;
  auto a = tl::relu(tl::conv2d<"a", 4, tl::conv{.kernel = 3, .stride = 2, .padding = 1}>(x));
  auto b = tl::conv_transpose2d<"b", 4, tl::conv{.kernel = 2, .stride = 2, .groups = 2}>(a);
  auto c = tl::conv2d<"c", 3, tl::conv{.kernel = {1, 3}}>(b);
  auto out = tl::mean<2, 3>(c);
  return tl::outputs(tl::mean(tl::square(out - 1_c)), tl::named<"out">(out));
};

template <class T, class Policy>
std::vector<double> trained(const Policy& policy) {
  return test::trained_on_images<T>(images<T>, 2 * 7 * 6, test::adam(), policy);
}

}  // namespace

TEST_CASE("convolutions: cuDNN's, in each order, are those of the CPU") {
  const auto expected = trained<double>(tl::cpu{});
  test::gpu gpu(test::each_order());
  CHECK(test::difference(trained<double>(tl::cuda{}), expected) <= 1e-11);
  CHECK(gpu.calls("cudnnBackendExecute") > 0);
  CHECK(gpu.calls("cudnnCreate") == 1);
}

TEST_CASE("convolutions: of no model but one with convolutions, cuDNN is not started") {
  test::gpu gpu;
  tl::trainer net{test::classifier, test::adam(), tl::cuda{}};
  test::numbers random;
  const auto s = test::make_sample(random, 4);
  net.step("x"_t = s.x, "label"_t = s.label);
  CHECK(gpu.calls("cudnnCreate") == 0);
}

TEST_CASE("convolutions: the engine is the first that is exact enough and supported") {
  const auto expected = trained<float>(tl::cpu{});
  const auto error_of = [&](const tl::cuda& policy) {
    test::gpu gpu;
    return test::difference(trained<float>(policy), expected);
  };
  CHECK(error_of(tl::cuda{}) < 2e-6);
  const double rounded = error_of(tl::cuda{.tf32 = true});
  CHECK(rounded > 2e-6);
  CHECK(rounded < 1e-2);

  using note = cudnnBackendNumericalNote_t;
  for (const note n :
       {CUDNN_NUMERICAL_NOTE_TENSOR_CORE, CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS,
        CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC,
        CUDNN_NUMERICAL_NOTE_FFT, CUDNN_NUMERICAL_NOTE_WINOGRAD, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4,
        CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13}) {
    const fake_cuda::engines_for_now only(fake_cuda::engines, {{.notes = {n}}});
    test::gpu gpu;
    trained<float>(tl::cuda{});
    CHECK(gpu.calls("cudnnBackendExecute") == 0);
  }
}

TEST_CASE("convolutions: cuDNN's fallback, then the library's own kernel, take what is left") {
  const auto expected = trained<double>(tl::cpu{});
  const bool any = GENERATE(true, false);
  std::vector<fake_cuda::engine> left;
  if (any) left.push_back({.is_fallback = true});
  const fake_cuda::engines_for_now now(fake_cuda::engines, left);
  test::gpu gpu;
  CHECK(test::difference(trained<double>(tl::cuda{}), expected) <= 1e-11);
  CHECK((gpu.calls("cudnnBackendExecute") > 0) == any);
}

TEST_CASE("convolutions: of 16 bits") {
  const auto expected = trained<tl::bf16>(tl::cpu{});
  test::gpu gpu;
  CHECK(test::difference(trained<tl::bf16>(tl::cuda{}), expected) < 0.05);
  CHECK(gpu.calls("cudnnBackendExecute") > 0);
}

TEST_CASE("convolutions: a failure is a sentence that names the call") {
  for (const auto& [function, number] : {std::pair("cudnnCreate", 1), std::pair("cudnnBackendExecute", 2)}) {
    test::gpu gpu;
    gpu.fail(function, number, CUDNN_STATUS_EXECUTION_FAILED);
    CHECK_THROWS_WITH(trained<double>(tl::cuda{}),
                      test::contains(function) && test::contains("CUDNN_STATUS_EXECUTION_FAILED"));
  }
}

TEST_CASE("convolutions: their memory is taken before the first step of new extents, not in one") {
  test::gpu gpu;
  tl::trainer net{images<double>, test::adam(), tl::cuda{}};
  test::numbers random;
  const auto x = random.vector(2 * 2 * 7 * 6);
  net.step("x"_t = x);
  net.step("x"_t = x);
  const int before = gpu.calls("cudaMalloc"), descriptors = gpu.calls("cudnnBackendCreateDescriptor");
  for (int step = 0; step < 5; ++step) net.step("x"_t = x);
  CHECK(gpu.calls("cudaMalloc") == before);
  CHECK(gpu.calls("cudnnBackendCreateDescriptor") == descriptors);
}

TEST_CASE("convolutions: a call that finds no memory on the device can be made again") {
  test::numbers random;
  const auto x = random.vector(2 * 2 * 7 * 6);
  tl::function on_cpu{images<double>, tl::cpu{}};
  const auto expected = test::elements(on_cpu("x"_t = x).get<"out">());
  int failures = 0;
  for (bool fails = true; fails;) {
    test::gpu gpu;
    tl::function f{images<double>, tl::cuda{}};
    gpu.fail("cudaMalloc", ++failures, cudaErrorMemoryAllocation);
    fails = false;
    try {
      f("x"_t = x);
    } catch (const tl::error&) {
      fails = true;
    }
    CHECK(test::difference(test::elements(f("x"_t = x).get<"out">()), expected) <= 1e-11);
    CHECK(gpu.calls("cudnnBackendExecute") > 0);
  }
  CHECK(failures > 3);
}
