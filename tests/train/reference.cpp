// SPDX-License-Identifier: BSL-1.0
// The MLP of the reference file, trained for five steps, follows the stored trajectory.
#include <tapeless/io/safetensors.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdlib>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto mlp = [] {
  auto image = tl::input<"image", float, batch, 1, 28, 28>;
  auto label = tl::input<"label", std::int64_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc1", 500>(tl::flatten(image)));
  return tl::cross_entropy(tl::linear<"fc2", 10>(hidden), label);
};

void copy_to(tl::tensor_view<float> to, std::span<const float> from) {
  REQUIRE(to.size() == from.size());
  std::copy(from.begin(), from.end(), to.begin());
}

double largest_difference(tl::tensor_view<float> a, std::span<const float> b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(double(a[i]) - double(b[i])));
  return largest;
}

}  // namespace

TEST_CASE("five Adam steps of the reference MLP") {
  const char* folder = std::getenv("TAPELESS_REFERENCE_DIR");
  if (folder == nullptr || *folder == 0) {
    WARN("SKIPPED: TAPELESS_REFERENCE_DIR is not set");
    return;
  }
  const auto file = tl::io::safetensors::read(std::string(folder) + "/train-mlp.safetensors");
  tl::trainer net{mlp, tl::adam({.learning_rate = 1e-3})};
  copy_to(net.parameter<"fc1.weight">(), file["mlp.param0"].as<float>());
  copy_to(net.parameter<"fc1.bias">(), file["mlp.param1"].as<float>());
  copy_to(net.parameter<"fc2.weight">(), file["mlp.param2"].as<float>());
  copy_to(net.parameter<"fc2.bias">(), file["mlp.param3"].as<float>());

  const auto pixels = file["mlp.x"].as<unsigned char>();
  const auto labels = file["mlp.target"].as<std::int64_t>();
  const auto losses = file["mlp.losses"].as<float>();
  const std::size_t rows = labels.size() / 5, size = rows * 784;
  std::vector<float> image(size);
  for (std::size_t step = 0; step < 5; ++step) {
    for (std::size_t i = 0; i < size; ++i) image[i] = static_cast<float>(pixels[step * size + i]) / 255.0f;
    const float loss = net.step("image"_t = image, "label"_t = labels.subspan(step * rows, rows)).loss();
    CHECK(std::abs(loss - losses[step]) <= 1e-5f * losses[step]);
    const std::string after = "mlp.after" + std::to_string(step + 1) + "_param";
    CHECK(largest_difference(net.parameter<"fc1.weight">(), file[after + "0"].as<float>()) <= 2e-5);
    CHECK(largest_difference(net.parameter<"fc1.bias">(), file[after + "1"].as<float>()) <= 2e-5);
    CHECK(largest_difference(net.parameter<"fc2.weight">(), file[after + "2"].as<float>()) <= 2e-5);
    CHECK(largest_difference(net.parameter<"fc2.bias">(), file[after + "3"].as<float>()) <= 2e-5);
  }
}
