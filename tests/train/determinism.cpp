// SPDX-License-Identifier: BSL-1.0
// The same seed and the same number of threads give the same bits twice.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstring>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

// Wide enough for fused kernels and products to be split.
constexpr auto mlp = [] {
  auto x = tl::input<"x", float, batch, 64>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto logits = tl::linear<"fc2", 10>(tl::relu(tl::linear<"fc1", 300>(x)));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

tl::data::dataset make_data() {
  std::vector<float> x(200 * 64);
  std::vector<std::int32_t> label(200);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(std::sin(0.37 * static_cast<double>(i * i % 1009)));
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = static_cast<std::int32_t>(i * 7 % 10);
  tl::data::dataset data;
  data.add("x", {64}, x).add("label", {}, label);
  return data;
}

struct seeds {
  std::uint64_t start = 1, order = 1;
};

/// The bytes of all parameters after 10 steps.
std::string train(int threads, seeds s = {}, std::int64_t physical_batch = 0) {
  tl::trainer net{mlp, tl::adamw({.learning_rate = 1e-2f}), tl::cpu{.threads = threads}, s.start};
  const auto history = tl::fit(
      net, make_data(),
      {.steps = 10, .batch = 60, .physical_batch = physical_batch, .validation_split = 0.2, .seed = s.order});
  CHECK(net.steps() == 10);
  CHECK(history.back().train["loss"].mean < history.front().train["loss"].mean);
  std::string bytes;
  const auto descriptions = net.parameter_descriptions();
  for (std::size_t i = 0; i < descriptions.size(); ++i)
    bytes.append(reinterpret_cast<const char*>(net.parameter_data()[i]),
                 static_cast<std::size_t>(descriptions[i].bytes()));
  CHECK(bytes.size() == 4 * (300 * 64 + 300 + 10 * 300 + 10));
  return bytes;
}

bool same(const std::string& a, const std::string& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

TEST_CASE("the same seed gives the same bits twice") {
  for (const int threads : {1, 2, 3}) {
    INFO(threads << " threads");
    const std::string once = train(threads);
    for (int i = 0; i < 2; ++i) CHECK(same(train(threads), once));
    CHECK(same(train(threads, {}, 25), train(threads, {}, 25)));
  }
}

TEST_CASE("other seeds give other bits") {
  const std::string once = train(1);
  CHECK_FALSE(same(train(1, {.start = 2}), once));
  CHECK_FALSE(same(train(1, {.order = 2}), once));
}

TEST_CASE("threads change rounding at most") {
  const std::string one = train(1), two = train(2);
  REQUIRE(one.size() == two.size());
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); i += sizeof(float)) {
    float a = 0, b = 0;
    std::memcpy(&a, one.data() + i, sizeof a);
    std::memcpy(&b, two.data() + i, sizeof b);
    largest = std::max(largest, static_cast<double>(std::abs(a - b)));
  }
  CHECK(largest < 1e-3);
}
