// SPDX-License-Identifier: BSL-1.0
// 784-500-10 with AdamW.
#include "row.hpp"

namespace steps {

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr auto classifier = [] {
  auto x = tl::input<"x", float, batch, 784>;
  auto y = tl::input<"y", std::int32_t, batch>;
  return tl::cross_entropy(tl::linear<"fc2", 10>(tl::relu(tl::linear<"fc1", 500>(x))), y);
};

row classifier_row(int size) {
  const auto n = static_cast<std::size_t>(size);
  return row_of(
      "784-500-10/" + std::to_string(size), 2.0 * size * (2.0 * 784 * 500 + 3.0 * 500 * 10),
      [=] { return inputs{.x = inputs::numbers(n * 784, 1), .labels = inputs::classes(n, 10, 2)}; },
      [](int threads) { return tl::trainer{classifier, tl::adamw({}), tl::cpu{.threads = threads}}; },
      [](auto& net, const inputs& in) { return net.step("x"_t = in.x, "y"_t = in.labels).loss(); });
}

}  // namespace

void add_classifiers(std::vector<row>& rows) {
  for (int size : {1, 32, 128, 500}) rows.push_back(classifier_row(size));
}

}  // namespace steps
