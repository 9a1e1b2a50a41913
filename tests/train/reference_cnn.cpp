// SPDX-License-Identifier: BSL-1.0
// The small CNN of the reference file, trained for five steps, follows the stored trajectory.
#include <tapeless/io/safetensors.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdlib>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto cnn = [] {
  auto image = tl::input<"image", float, batch, 1, 28, 28>;
  auto label = tl::input<"label", std::int64_t, batch>;
  auto a = tl::relu(tl::conv2d<"conv1", 4, tl::conv{.kernel = 5, .padding = 2}>(image));
  auto b = tl::relu(tl::conv2d<"conv2", 8, tl::conv{.kernel = 5}>(tl::max_pool2d<tl::pool{.kernel = 2}>(a)));
  auto features = tl::flatten(tl::max_pool2d<tl::pool{.kernel = 2}>(b));
  return tl::cross_entropy(tl::linear<"fc2", 10>(tl::relu(tl::linear<"fc1", 32>(features))), label);
};

template <class Trainer, class F>
void for_each_parameter(Trainer& net, F f) {
  f("0", net.template parameter<"conv1.weight">());
  f("1", net.template parameter<"conv1.bias">());
  f("2", net.template parameter<"conv2.weight">());
  f("3", net.template parameter<"conv2.bias">());
  f("4", net.template parameter<"fc1.weight">());
  f("5", net.template parameter<"fc1.bias">());
  f("6", net.template parameter<"fc2.weight">());
  f("7", net.template parameter<"fc2.bias">());
}

}  // namespace

TEST_CASE("five Adam steps of the reference CNN") {
  const char* folder = std::getenv("TAPELESS_REFERENCE_DIR");
  if (folder == nullptr || *folder == 0) {
    WARN("SKIPPED: TAPELESS_REFERENCE_DIR is not set");
    return;
  }
  const auto file = tl::io::safetensors::read(std::string(folder) + "/train-mlp.safetensors");
  tl::trainer net{cnn, tl::adam({.learning_rate = 2e-3})};
  for_each_parameter(net, [&](const std::string& number, auto to) {
    const auto from = file["cnn.param" + number].template as<float>();
    REQUIRE(to.size() == from.size());
    std::copy(from.begin(), from.end(), to.begin());
  });

  const auto pixels = file["cnn.x"].as<unsigned char>();
  const auto labels = file["cnn.target"].as<std::int64_t>();
  const auto losses = file["cnn.losses"].as<float>();
  const std::size_t rows = labels.size() / 5, size = rows * 784;
  std::vector<float> image(size);
  for (std::size_t step = 0; step < 5; ++step) {
    for (std::size_t i = 0; i < size; ++i) image[i] = static_cast<float>(pixels[step * size + i]) / 255.0f;
    const float loss = net.step("image"_t = image, "label"_t = labels.subspan(step * rows, rows)).loss();
    CHECK(std::abs(loss - losses[step]) <= 1e-5f * losses[step]);
    for_each_parameter(net, [&](const std::string& number, auto found) {
      const auto expected =
          file["cnn.after" + std::to_string(step + 1) + "_param" + number].template as<float>();
      REQUIRE(found.size() == expected.size());
      double largest = 0;
      for (std::size_t i = 0; i < found.size(); ++i)
        largest = std::max(largest, std::abs(double(found[i]) - double(expected[i])));
      INFO("parameter " << number << " after step " << step + 1);
      CHECK(largest <= 2e-5);
    });
  }
}
