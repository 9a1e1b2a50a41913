// SPDX-License-Identifier: BSL-1.0
// AdamW of ten million parameters, whose gradient is the input: at least parameter, gradient and two moments
// are read, and all but the gradient written. The loss is the sum of products of both.
#include "row.hpp"

namespace steps {

namespace {

constexpr std::size_t count = 10'000'000;
constexpr auto model = [] { return tl::sum(tl::param<"p", float, count> * tl::input<"x", float, count>); };

}  // namespace

void add_updates(std::vector<row>& rows) {
  row r = row_of(
      "adamw/10M", 0, [] { return inputs{.x = inputs::numbers(count, 1)}; },
      [](int threads) { return tl::trainer{model, tl::adamw({}), tl::cpu{.threads = threads}}; },
      [](auto& net, const inputs& in) { return net.step("x"_t = in.x).loss(); });
  r.bytes = 7.0 * sizeof(float) * count;
  rows.push_back(r);
}

}  // namespace steps
