// SPDX-License-Identifier: BSL-1.0
// Steps on samples that are on the device already are those on the same samples here.
#include <array>
#include <thread>

#include "models.hpp"

namespace {

struct data_set {
  std::vector<double> x;
  std::vector<std::int32_t> label;
  explicit data_set(std::size_t rows) {
    test::numbers random(9);
    const test::sample s = test::make_sample(random, rows);
    x = s.x;
    label = s.label;
  }
};

/// Steps on four samples after each other, and the losses of some.
template <class Net, class X, class Label>
std::vector<double> losses(Net& net, X x_at, Label label_at) {
  std::vector<double> all;
  for (std::int64_t step = 0; step < 12; ++step) {
    const std::int64_t first = step * 3 % 9;
    auto r = net.step("x"_t = x_at(first, 4), "label"_t = label_at(first, 4));
    if (step % 5 == 4) all.push_back(r.loss());
  }
  const auto parameters = test::all_parameters(net);
  all.insert(all.end(), parameters.begin(), parameters.end());
  return all;
}

}  // namespace

TEST_CASE("samples may be on the device, all or some of them") {
  test::gpu gpu(test::each_order());
  const data_set s(12);
  const auto x_here = [&](auto first, auto count) {
    return std::span(s.x).subspan(static_cast<std::size_t>(6 * first), static_cast<std::size_t>(6 * count));
  };
  const auto label_here = [&](auto first, auto count) {
    return std::span(s.label).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  };
  const auto make = [] { return tl::sgd({.learning_rate = 0.1f}); };
  tl::trainer on_host{test::classifier, make(), tl::thrust_host{}};
  const std::vector<double> expected = losses(on_host, x_here, label_here);

  const tl::device_tensor x(tl::cuda{}, s.x, {12, 6});
  const tl::device_tensor label(tl::cuda{}, s.label, {12});
  const auto x_there = [&](auto first, auto count) { return x.slice(first, count); };
  const auto label_there = [&](auto first, auto count) { return label.slice(first, count); };
  tl::trainer both{test::classifier, make(), tl::cuda{}}, one{test::classifier, make(), tl::cuda{}},
      other{test::classifier, make(), tl::cuda{}};
  CHECK(test::difference(losses(both, x_there, label_there), expected) < 1e-11);
  CHECK(test::difference(losses(one, x_there, label_here), expected) < 1e-11);
  CHECK(test::difference(losses(other, x_here, label_there), expected) < 1e-11);
  CHECK(test::difference({both.evaluate("x"_t = x, "label"_t = label).loss()},
                         {on_host.evaluate("x"_t = s.x, "label"_t = s.label).loss()}) < 1e-11);

  tl::trainer last{test::classifier, make(), tl::cuda{}};
  const tl::device_tensor soon_gone(tl::cuda{}, s.x, {12, 6});
  last.step("x"_t = soon_gone, "label"_t = label);
}

TEST_CASE("booleans may be on the device") {
  test::gpu gpu(test::each_order());
  constexpr auto model = [] {
    auto x = tl::input<"x", double, test::batch>;
    return tl::outputs(tl::named<"y">(tl::where(tl::input<"mask", bool, test::batch>, x, -1_c)));
  };
  const std::array mask{true, false, false, true, true};
  const std::vector<double> x{2, 3, 5, 7, 11};
  const tl::device_tensor there(tl::cuda{}, mask, {5});
  tl::function f{model, tl::cuda{}};
  CHECK(test::elements(f("mask"_t = there, "x"_t = x).get<"y">()) == std::vector<double>{2, -1, -1, 7, 11});
  CHECK(test::elements(f("mask"_t = there.slice(2, 2), "x"_t = std::span(x).first(2)).get<"y">()) ==
        std::vector<double>{-1, 3});
}

TEST_CASE("a tensor that does not fit is an error") {
  test::gpu gpu({.devices = 2, .memory = std::size_t{40} << 20});
  const data_set s(4);
  using tensor = tl::device_tensor<double>;
  CHECK_THROWS_WITH(tensor(tl::cuda{}, s.x, {4, 5}),
                    test::contains("device_tensor: the shape has 20 elements, but 24 are given"));
  CHECK_THROWS_WITH(tensor(tl::cuda{}, s.x, {}), test::contains("it has 1 to"));
  CHECK_THROWS_WITH(tensor(tl::cuda{.device = 2}, s.x, {4, 6}), test::contains("device 2 was asked for"));
  const std::vector<double> large(6 << 20);
  CHECK_THROWS_WITH(tensor(tl::cuda{}, large, {6 << 20}),
                    test::contains("out of memory: a device_tensor takes 50331648 bytes"));
  const tensor x(tl::cuda{}, s.x, {4, 6}), elsewhere(tl::cuda{.device = 1}, s.x, {4, 6});
  CHECK(gpu.device == 0);
  CHECK_THROWS_WITH(x.slice(2, 3), test::contains("members 2 to 5 are asked for, but there are 4"));
  CHECK_THROWS(x.slice(-1, 2));
  tl::trainer net{test::classifier, tl::sgd({.learning_rate = 0.1f}), tl::cuda{}};
  CHECK_THROWS_WITH(net.step("x"_t = elsewhere, "label"_t = s.label),
                    test::contains("input \"x\" is on device 1, but the program is on device 0"));
  const std::vector<std::int32_t> wrong{0, 1, 5, 2};
  const tl::device_tensor label(tl::cuda{}, wrong, {4});
  CHECK_THROWS_WITH(net.step("x"_t = x, "label"_t = label),
                    test::contains("input \"label\" holds 5 at position 2"));
  tl::trainer on_cpu{test::classifier, tl::sgd({.learning_rate = 0.1f}), tl::thrust_host{}};
  CHECK_THROWS_WITH(on_cpu.step("x"_t = x, "label"_t = s.label),
                    test::contains("input \"x\" is on device 0, but the program runs on the CPU"));
}

TEST_CASE("a tensor comes and goes while another thread captures a step") {
  test::gpu gpu(test::each_order());
  const data_set s(12);
  tl::trainer net{test::classifier, tl::sgd({.learning_rate = 0.1f}), tl::cuda{}};
  {
    const tl::device_tensor before(tl::cuda{}, s.x, {12, 6});
    net.step("x"_t = before, "label"_t = s.label);
    const auto stream = tapeless::cuda_kernels::make_stream();
    std::thread([&] { cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeRelaxed); }).join();
    CHECK_NOTHROW(tl::device_tensor(tl::cuda{}, s.x, {12, 6}));
    {
      const tl::device_tensor gone = tl::device_tensor(tl::cuda{}, s.x, {12, 6});
    }
    cudaGraph_t graph{};
    CHECK(cudaStreamEndCapture(stream.get(), &graph) == cudaSuccess);
    cudaGraphDestroy(graph);
  }
  CHECK(std::isfinite(net.step("x"_t = s.x, "label"_t = s.label).loss()));
}
