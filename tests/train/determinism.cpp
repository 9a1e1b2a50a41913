// SPDX-License-Identifier: BSL-1.0
// The same seed gives the same bits, on any number of threads.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstring>

#include "catch.hpp"
#include "thread_shares.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

// Wide enough for fused kernels and products to be split.
constexpr auto mlp = [] {
  auto x = tl::input<"x", float, batch, 64>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto logits = tl::linear<"fc2", 10>(tl::relu(tl::linear<"fc1", 100>(x)));
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
  CHECK(bytes.size() == 4 * (100 * 64 + 100 + 10 * 100 + 10));
  return bytes;
}

bool same(const std::string& a, const std::string& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

TEST_CASE("the same seed gives the same bits twice") {
  CHECK(same(train(1), train(1)));
  CHECK(same(train(2, {}, 25), train(2, {}, 25)));
}

TEST_CASE("other seeds give other bits") {
  const std::string once = train(1);
  CHECK_FALSE(same(train(1, {.start = 2}), once));
  CHECK_FALSE(same(train(1, {.order = 2}), once));
}

TEST_CASE("any number of threads gives the same bits") {
  const test::smallest_shares shares;
  const std::string one = train(1), in_parts = train(1, {}, 25);
  for (const int threads : {2, 3, 5, 16}) {
    INFO(threads << " threads");
    CHECK(same(train(threads), one));
    CHECK(same(train(threads, {}, 25), in_parts));
  }
}
