// SPDX-License-Identifier: BSL-1.0
// AdamW of ten million parameters, whose gradient is the input: parameter, gradient and two moments are read,
// and all but the gradient written. The loss is one number of the parameter, since no other program of the
// row computes any: as the sum of products with the gradient it would read both once more.
#include "row.hpp"

namespace steps {

namespace {

constexpr std::size_t count = 10'000'000;
struct with_gradient : tl::custom_op {
  static constexpr auto forward(auto p, auto) { return tl::sum(tl::slice<0, 0, 1>(p)); }
  static constexpr auto backward(auto g, auto p, auto x, auto) { return std::tuple(g * x, g * p); }
};

constexpr auto model = [] {
  return tl::apply<with_gradient>(tl::param<"p", float, count>, tl::input<"x", float, count>);
};

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
