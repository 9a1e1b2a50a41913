// SPDX-License-Identifier: BSL-1.0
// The attention layer against plain loops: heads, shared heads, masks, a context and rotary positions.
#include "catch.hpp"
#include "program.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

using vector = std::vector<double>;
using size = std::size_t;

constexpr auto batch = tl::dyn<"batch">, length = tl::dyn<"length">, keys = tl::dyn<"keys">;

struct parameters {
  vector in_weight, in_bias, out_weight, out_bias;
};

/// x [rows, in] weight[from..from+out]^T + bias
vector linear(const vector& x, size in, const vector& weight, const vector& bias, size from, size out) {
  vector y;
  for (size r = 0; r < x.size() / in; ++r)
    for (size o = from; o < from + out; ++o) {
      double sum = bias[o];
      for (size i = 0; i < in; ++i) sum += x[r * in + i] * weight[o * in + i];
      y.push_back(sum);
    }
  return y;
}

/// x [rows, width], whose heads are turned by their row's number within a sequence.
void rotate(vector& x, size width, size head, size rows, const tl::attention_options& o) {
  for (size r = 0; r < x.size() / width; ++r)
    for (size h = 0; h < width; h += head)
      for (size i = 0; i < head / 2; ++i) {
        const double angle =
            static_cast<double>(r % rows) *
            std::pow(o.rotary_base, -2.0 * static_cast<double>(i) / static_cast<double>(head));
        const size first = r * width + h + (o.rotary_interleaved ? 2 * i : i);
        double &a = x[first], &b = x[first + (o.rotary_interleaved ? 1 : head / 2)];
        const double c = std::cos(angle), s = std::sin(angle), turned = a * c - b * s;
        b = b * c + a * s;
        a = turned;
      }
}

/// The layer, one element of the result after the other.
vector expected(const tl::attention_options& o, const parameters& p, const vector& x, const vector& context,
                size width, size length, size keys, const std::vector<char>& mask) {
  const auto heads = static_cast<size>(o.heads), head = width / heads;
  const size shared = o.key_value_heads == 0 ? heads : static_cast<size>(o.key_value_heads);
  const size kv = shared * head;
  vector q = linear(x, width, p.in_weight, p.in_bias, 0, width);
  vector k = linear(context, width, p.in_weight, p.in_bias, width, kv);
  const vector v = linear(context, width, p.in_weight, p.in_bias, width + kv, kv);
  if (o.rotary) {
    rotate(q, width, head, length, o);
    rotate(k, kv, head, keys, o);
  }
  const double scale = o.scale == 0 ? 1 / std::sqrt(static_cast<double>(head)) : o.scale;
  vector y(x.size());
  for (size b = 0; b < x.size() / width / length; ++b)
    for (size h = 0; h < heads; ++h)
      for (size i = 0; i < length; ++i) {
        const size own = (b * length + i) * width + h * head, group = h / (heads / shared) * head;
        vector weight(keys);
        double sum = 0;
        for (size j = 0; j < keys; ++j) {
          double score = 0;
          for (size d = 0; d < head; ++d) score += q[own + d] * k[(b * keys + j) * kv + group + d];
          const bool may = !(o.causal && j > i) && (mask.empty() || mask[b * keys + j] != 0);
          sum += weight[j] = may ? std::exp(scale * score) : 0;
        }
        for (size j = 0; j < keys && sum > 0; ++j)
          for (size d = 0; d < head; ++d) y[own + d] += weight[j] / sum * v[(b * keys + j) * kv + group + d];
      }
  return linear(y, width, p.out_weight, p.out_bias, 0, width);
}

void check(const vector& found, const vector& wanted, double tolerance = 1e-12) {
  REQUIRE(found.size() == wanted.size());
  for (size i = 0; i < found.size(); ++i) {
    INFO("element " << i);
    CHECK(found[i] == test::Approx(wanted[i]).epsilon(tolerance).margin(tolerance));
  }
}

template <class Trainer>
parameters fill(Trainer& net) {
  test::numbers random(3);
  parameters p;
  const auto one = [&](vector& copy, auto view) {
    for (double& x : view) copy.push_back(x = random());
  };
  one(p.in_weight, net.template parameter<"attn.in_proj_weight">());
  one(p.in_bias, net.template parameter<"attn.in_proj_bias">());
  one(p.out_weight, net.template parameter<"attn.out_proj.weight">());
  one(p.out_bias, net.template parameter<"attn.out_proj.bias">());
  return p;
}

constexpr tl::attention_options causal{.heads = 3, .causal = true};
constexpr tl::attention_options grouped{
    .heads = 4, .key_value_heads = 2, .rotary = true, .rotary_base = 100, .scale = 0.5};

constexpr auto to_itself = [] {
  auto x = tl::input<"x", double, batch, length, 12>;
  auto y = tl::attention<"attn", causal>(x);
  return tl::outputs(tl::sum(y), tl::named<"y">(y));
};

constexpr auto to_a_context = [] {
  auto x = tl::input<"x", double, batch, length, 16>;
  auto context = tl::input<"context", double, batch, keys, 16>;
  auto y = tl::attention<"attn", grouped>(x, context, tl::input<"mask", bool, batch, keys>);
  return tl::outputs(tl::sum(y), tl::named<"y">(y));
};

constexpr tl::attention_options neighbours{.heads = 4, .rotary = true, .rotary_interleaved = true};

template <tl::attention_options Options>
constexpr auto one_sequence = [] {
  auto x = tl::input<"x", double, 4, 16>;
  auto y = tl::attention<"attn", Options>(x, tl::input<"mask", bool, 4>);
  return tl::outputs(tl::sum(y), tl::named<"y">(y));
};

}  // namespace

TEST_CASE("attention of a sequence to itself, up to each position") {
  tl::trainer net{to_itself, tl::sgd({})};
  const parameters p = fill(net);
  CHECK(p.in_weight.size() == 36 * 12);
  for (const auto& [n, l] : {std::array<size, 2>{2, 5}, {1, 1}, {1, 9}, {3, 16}, {0, 5}}) {
    const vector x = test::numbers(1).vector(n * l * 12);
    auto r = net.predict("x"_t = x, "length"_t = static_cast<std::int64_t>(l));
    check(test::elements(r.get<"y">()), expected(causal, p, x, x, 12, l, l, {}));
  }
}

TEST_CASE("attention to a context with a mask, shared heads and rotary positions") {
  tl::trainer net{to_a_context, tl::sgd({})};
  const parameters p = fill(net);
  CHECK(p.in_weight.size() == (16 + 2 * 8) * 16);
  const vector x = test::numbers(1).vector(2 * 3 * 16), context = test::numbers(2).vector(2 * 5 * 16);
  const std::array<bool, 10> mask{true, false, true, true, false, false, false, false, false, false};
  auto r = net.predict("x"_t = x, "context"_t = context, "mask"_t = mask, "length"_t = 3, "keys"_t = 5);
  check(test::elements(r.get<"y">()),
        expected(grouped, p, x, context, 16, 3, 5, std::vector<char>(mask.begin(), mask.end())));
}

template <tl::attention_options Options>
void check_one_sequence() {
  tl::trainer net{one_sequence<Options>, tl::sgd({})};
  const parameters p = fill(net);
  const vector x = test::numbers(1).vector(4 * 16);
  const vector y = test::elements(
      net.predict("x"_t = x, "mask"_t = std::array{true, true, false, true}).template get<"y">());
  check(y, expected(Options, p, x, x, 16, 4, 4, {1, 1, 0, 1}));
}

TEST_CASE("attention of one sequence, without a batch") {
  check_one_sequence<grouped>();
  check_one_sequence<neighbours>();
}
