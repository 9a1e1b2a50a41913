// SPDX-License-Identifier: BSL-1.0
// Convolutions by cuDNN, and by the library's own kernel where cuDNN has nothing for them.
#include "cudnn_failures.hpp"
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
    const fake_cuda::engines_for_now only(std::vector<fake_cuda::engine>{{.notes = {n}}});
    test::gpu gpu;
    trained<float>(tl::cuda{});
    CHECK(gpu.calls("cudnnBackendExecute") == 0);
  }
}

TEST_CASE("convolutions: by the engine that is given and supported, else by the library's own kernel") {
  const auto expected = trained<double>(tl::cpu{});
  struct table {
    bool has_engine;
    std::vector<fake_cuda::engine> engines;
  };
  const auto [has_engine, engines] = GENERATE(values<table>(
      {{true, {{.workspace = 512}}},
       {true, {{.is_fallback = true}}},
       {true, {{.is_supported = false}, {.is_given = false}, {.workspace = 512}, {.is_given = false}}},
       {true, {{.is_supported = false}, {.is_given = false}, {.is_fallback = true}}},
       {false, {{.is_given = false}, {.is_fallback = true, .is_given = false}}},
       {false, {{.is_supported = false}, {.is_supported = false, .is_fallback = true}}},
       {false, {}}}));
  const fake_cuda::engines_for_now now(engines);
  test::gpu gpu;
  CHECK(test::difference(trained<double>(tl::cuda{}), expected) <= 1e-11);
  CHECK((gpu.calls("cudnnBackendExecute") > 0) == has_engine);
}

TEST_CASE("convolutions: where cuDNN refuses a descriptor, by another engine or the library's own kernel") {
  const auto expected = trained<double>(tl::cpu{});
  const auto executed = [&](int refused) {
    test::gpu gpu;
    if (refused > 0) gpu.fail("cudnnBackendFinalize", refused, CUDNN_STATUS_NOT_SUPPORTED);
    CHECK(test::difference(trained<double>(tl::cuda{}), expected) <= 1e-11);
    return gpu.calls("cudnnBackendExecute");
  };
  const int all = executed(0);
  constexpr int until_graph = 6;  // then the heuristics, and the plans of three engines
  for (int refused = 1; refused <= 10; ++refused) {
    INFO("refused: " << refused);
    CHECK((executed(refused) < all) == (refused <= until_graph));
  }
}

TEST_CASE("convolutions: cuDNN demands that extents follow from each other") {
  test::gpu gpu;
  tapeless::convolution_arguments arguments{.batch = 1,
                                            .in = 2,
                                            .out = 3,
                                            .image = {5, 4},
                                            .kernel = {2, 3},
                                            .positions = {2, 4},
                                            .stride = {2, 1},
                                            .dilation = {1, 1},
                                            .padding = {0, 1}};
  const auto status = [&] {
    return tapeless::cuda_kernels::operation_of(arguments, tapeless::element::f32)
        .descriptors.back()
        .status();
  };
  CHECK(status() == CUDNN_STATUS_SUCCESS);
  arguments.positions[0] = 3;  // the last row is not in any window
  CHECK(status() == CUDNN_STATUS_BAD_PARAM);
}

TEST_CASE("convolutions: of 16 bits") {
  const auto expected = trained<tl::bf16>(tl::cpu{});
  test::gpu gpu;
  CHECK(test::difference(trained<tl::bf16>(tl::cuda{}), expected) < 0.05);
  CHECK(gpu.calls("cudnnBackendExecute") > 0);
}

TEST_CASE("convolutions: a failure is a sentence that names the call") {
  constexpr auto operation = ", for the operations convolution of the model "sv;
  test::check_failures({{"cudnnCreate", 1, CUDNN_STATUS_EXECUTION_FAILED, ""},
                        {"cudnnBackendFinalize", 2, CUDNN_STATUS_INTERNAL_ERROR, operation},
                        {"cudnnBackendExecute", 2, CUDNN_STATUS_EXECUTION_FAILED, operation}},
                       [] { trained<double>(tl::cuda{}); });
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

TEST_CASE("convolutions: of a loop's iterations, whose operands are not always where cuDNN can read them") {
  static constexpr auto scanned = [] {
    auto x = tl::input<"x", float, 5, 1, 1, 3>;
    auto [sum, y] = tl::scan(
        [](auto sum, auto x) {
          auto y = tl::conv1d(x, tl::input<"weight", float, 1, 1, 2>);
          return tl::pack(sum + tl::sum(y), y);
        },
        tl::input<"sum", float>, x);
    return tl::outputs(tl::named<"sum">(sum), tl::named<"y">(y), tl::named<"dx">(tl::grad(sum, x)));
  };
  test::gpu gpu;
  tl::function f{scanned, tl::cuda{}};
  const auto r = f("x"_t = std::vector<float>{1, 2, 3, 4, 5, 6, 3, 2, 1, 7, 8, 7, 1, 1, 2},
                   "weight"_t = std::vector<float>{1, 2}, "sum"_t = std::vector<float>{0});
  CHECK(test::elements(r.get<"y">()) == std::vector<double>{5, 8, 14, 17, 7, 4, 23, 22, 3, 5});
  CHECK(test::elements(r.get<"dx">()) == std::vector<double>{1, 3, 2, 1, 3, 2, 1, 3, 2, 1, 3, 2, 1, 3, 2});
  CHECK(gpu.calls("cudnnBackendExecute") == 2 + 2);  // of the iterations that begin at a multiple of 16 bytes
}
