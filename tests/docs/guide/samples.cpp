// SPDX-License-Identifier: BSL-1.0
// The guide of loops: samples of any kind, for fit and for a loop of one's own.
#include <tapeless/data/augment.hpp>
#include <tapeless/data/normalize.hpp>
#include <tapeless/data/split.hpp>
#include <tapeless/data/subset.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/loop/loader.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto logits = tl::linear<"out", 2>(tl::tanh(tl::linear<"hidden", 8>(x)));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

/// Two numbers and a class for each sample, in a file that need not fit into memory.
class records {
 public:
  explicit records(const std::string& path)
      : file_(path, std::ios::binary),
        size_(static_cast<std::int64_t>(std::filesystem::file_size(path)) / 12) {}

  std::int64_t size() const { return size_; }  // or tl::data::endless

  void read(std::int64_t i, tl::data::sample& s) {
    file_.seekg(12 * i);
    file_.read(reinterpret_cast<char*>(s.get<float>("x").data()), 8);
    file_.read(reinterpret_cast<char*>(s.get<std::int32_t>("y").data()), 4);
    if (!file_) throw tl::error("record " + std::to_string(i) + " cannot be read");
  }

 private:
  std::ifstream file_;
  std::int64_t size_;
};

std::string written(int count) {  // points in the square from -1 to 1, inside a circle or not
  std::ofstream file("records.bin", std::ios::binary);
  for (int i = 0; i < count; ++i) {
    const float x[] = {std::sin(12.9898f * i), std::sin(78.233f * i)};
    const std::int32_t y = x[0] * x[0] + x[1] * x[1] < 0.6f;
    file.write(reinterpret_cast<const char*>(x), 8).write(reinterpret_cast<const char*>(&y), 4);
  }
  return "records.bin";
}

bool from_disk() {
  const std::string path = written(512);
  auto [train, validation] = tl::data::split(records(path), 0.1, 7);  // the same split in every run

  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  tl::accuracy<"logits", "y"> accuracy;
  auto history =
      tl::fit(net, train, {.epochs = 100, .batch = 32, .validation = validation, .seed = 1}, accuracy);
  return history.back().validation["accuracy"].mean > 0.85;
}

bool by_a_loader() {
  const tl::data::source all = records(written(512));
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};

  tl::data::loader batches(all, {.batch = 32, .seed = 1, .columns = tl::columns_of(net)});
  for (int pass = 0; pass < 100; ++pass) {
    for (const tl::data::batch& b : batches.pass(pass))
      net.step("x"_t = b.get<float>("x"), "y"_t = b.get<std::int32_t>("y"));
  }
  return tl::evaluate(net, tl::data::take(all, 100))["loss"].mean < 0.3;
}

tl::data::source augmented(const tl::data::source& images) {
  auto scaled = tl::data::normalize(images, "image", tl::data::normalization_of(images, "image"));
  auto moved = tl::data::random_crop(scaled, "image", {.padding = 4, .seed = 1});
  return tl::data::cutout(tl::data::random_flip(moved, "image"), "image", {.size = 8, .seed = 2});
}

bool images() {
  tl::data::dataset grey;
  grey.add("image", {1, 16, 16}, std::vector<unsigned char>(256 * 3, 7));
  tl::data::loader batches(augmented(grey), {.batch = 3});
  for (const tl::data::batch& b : batches.pass(0))
    for (const float x : b.get<float>("image"))
      if (x != 0) return false;
  return true;
}

int main() {
  int failures = 0;
  for (bool (*part)() : {from_disk, by_a_loader, images}) failures += part() ? 0 : 1;
  return failures;
}
