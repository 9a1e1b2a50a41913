// SPDX-License-Identifier: BSL-1.0
// Attention against the reference vectors: with operands given, the layer, and composed of its parts.
#include "ops/stored_file.hpp"

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

using test::roles;

template <tl::attention_options Options, int Batch, int Queries, int Keys, int Width, int Out, class Mask>
struct dot_product {
  constexpr auto operator()() const {
    auto q = tl::input<"in0", double, Batch, Queries, Width>;
    auto k = tl::input<"in1", double, Batch, Keys, Width>;
    auto v = tl::input<"in2", double, Batch, Keys, Out>;
    auto g = tl::input<"gout", double, Batch, Queries, Out>;
    auto y = [&] {
      if constexpr (std::is_same_v<Mask, void>) {
        return tl::scaled_dot_product_attention<Options>(q, k, v);
      } else {
        return tl::scaled_dot_product_attention<Options>(q, k, v, tl::input<"in3", Mask, Queries, Keys>);
      }
    }();
    return tl::outputs(tl::named<"out">(y), tl::named<"grad_in0">(tl::vjp(y, q, g)),
                       tl::named<"grad_in1">(tl::vjp(y, k, g)), tl::named<"grad_in2">(tl::vjp(y, v, g)));
  }
};

using three = roles<"in0", "in1", "in2", "gout">;
using masked = roles<"in0", "in1", "in2", "in3", "gout">;
using results = roles<"out", "grad_in0", "grad_in1", "grad_in2">;

/// The layer, with the gradients of its packed parameters.
constexpr auto layer = [] {
  constexpr auto uniform = [](int rows) { return tl::uniform(tl::detail::square_root(6.0 / (8 + rows))); };
  auto x = tl::input<"in0", double, 2, 5, 8>;
  auto g = tl::input<"gout", double, 2, 5, 8>;
  auto y = tl::attention<"mha", tl::attention_options{.heads = 4, .causal = true}>(x);
  auto w = tl::param<"mha.in_proj_weight", double, 24, 8>(uniform(24));
  auto b = tl::param<"mha.in_proj_bias", double, 24>(tl::fill(0));
  auto v = tl::param<"mha.out_proj.weight", double, 8, 8>(tl::uniform(1 / tl::detail::square_root(8)));
  auto c = tl::param<"mha.out_proj.bias", double, 8>(tl::fill(0));
  return tl::outputs(tl::sum(y), tl::named<"out">(y), tl::named<"x">(tl::vjp(y, x, g)),
                     tl::named<"w">(tl::vjp(y, w, g)), tl::named<"b">(tl::vjp(y, b, g)),
                     tl::named<"v">(tl::vjp(y, v, g)), tl::named<"c">(tl::vjp(y, c, g)));
};

/// Multi-head attention to a context, of its parts.
constexpr auto cross = [] {
  auto x = tl::input<"in0", double, 2, 3, 4>;
  auto context = tl::input<"in1", double, 2, 5, 4>;
  auto wq = tl::input<"in2", double, 4, 4>;
  auto bq = tl::input<"in3", double, 4>;
  auto wk = tl::input<"in4", double, 4, 4>;
  auto bk = tl::input<"in5", double, 4>;
  auto wv = tl::input<"in6", double, 4, 4>;
  auto bv = tl::input<"in7", double, 4>;
  auto wo = tl::input<"in8", double, 4, 4>;
  auto bo = tl::input<"in9", double, 4>;
  auto g = tl::input<"gout", double, 2, 3, 4>;
  auto q = tl::permute<0, 2, 1, 3>(tl::reshape<2, 3, 2, 2>(tl::linear(x, wq, bq)));
  auto k = tl::permute<0, 2, 1, 3>(tl::reshape<2, 5, 2, 2>(tl::linear(context, wk, bk)));
  auto v = tl::permute<0, 2, 1, 3>(tl::reshape<2, 5, 2, 2>(tl::linear(context, wv, bv)));
  auto heads = tl::permute<0, 2, 1, 3>(tl::scaled_dot_product_attention(q, k, v));
  auto y = tl::linear(tl::reshape<2, 3, 4>(heads), wo, bo);
  return tl::outputs(tl::named<"out">(y), tl::named<"grad_in0">(tl::vjp(y, x, g)),
                     tl::named<"grad_in1">(tl::vjp(y, context, g)), tl::named<"grad_in2">(tl::vjp(y, wq, g)),
                     tl::named<"grad_in3">(tl::vjp(y, bq, g)), tl::named<"grad_in4">(tl::vjp(y, wk, g)),
                     tl::named<"grad_in5">(tl::vjp(y, bk, g)), tl::named<"grad_in6">(tl::vjp(y, wv, g)),
                     tl::named<"grad_in7">(tl::vjp(y, bv, g)), tl::named<"grad_in8">(tl::vjp(y, wo, g)),
                     tl::named<"grad_in9">(tl::vjp(y, bo, g)));
};

}  // namespace

TEST_CASE("scaled dot-product attention") {
  const test::stored_file file("ops-attention");
  if (!file.exists()) return;
  using tl::attention_options;
  test::check_stored(dot_product<attention_options{}, 2, 3, 5, 4, 2, void>{}, file, "sdpa_cross", three{},
                     results{});
  test::check_stored(dot_product<attention_options{.causal = true}, 2, 5, 5, 4, 4, void>{}, file,
                     "sdpa_causal", three{}, results{});
  test::check_stored(dot_product<attention_options{}, 2, 3, 5, 4, 4, double>{}, file, "sdpa_additive_mask",
                     masked{}, results{});
  test::check_stored(dot_product<attention_options{}, 2, 4, 4, 3, 3, bool>{}, file, "sdpa_bool_mask",
                     masked{}, results{});
}

TEST_CASE("multi-head attention of its parts") {
  const test::stored_file file("ops-attention");
  if (!file.exists()) return;
  test::check_stored(cross, file, "mha_cross",
                     roles<"in0", "in1", "in2", "in3", "in4", "in5", "in6", "in7", "in8", "in9", "gout">{},
                     roles<"out", "grad_in0", "grad_in1", "grad_in2", "grad_in3", "grad_in4", "grad_in5",
                           "grad_in6", "grad_in7", "grad_in8", "grad_in9">{});
}

TEST_CASE("the layer, with its parameters in one packed matrix") {
  const test::stored_file file("ops-attention");
  if (!file.exists()) return;
  const auto stored = [&](tl::name role) { return file("mha_self_causal", role).as<double>(); };
  const auto joined = [&](tl::name q, tl::name k, tl::name v) {
    std::vector<double> all;
    for (const tl::name& role : {q, k, v})
      for (const double x : stored(role)) all.push_back(x);
    return all;
  };
  const auto copy = [](auto to, const auto& from) {
    REQUIRE(to.size() == from.size());
    std::copy(from.begin(), from.end(), to.begin());
  };
  tl::trainer net{layer, tl::sgd({})};
  copy(net.parameter<"mha.in_proj_weight">(), joined("in1", "in3", "in5"));
  copy(net.parameter<"mha.in_proj_bias">(), joined("in2", "in4", "in6"));
  copy(net.parameter<"mha.out_proj.weight">(), stored("in7"));
  copy(net.parameter<"mha.out_proj.bias">(), stored("in8"));
  auto r = net.predict("in0"_t = stored("in0"), "gout"_t = stored("gout"));
  test::require_close(r.get<"out">(), stored("out"));
  test::require_close(r.get<"x">(), stored("grad_in0"));
  test::require_close(r.get<"w">(), joined("grad_in1", "grad_in3", "grad_in5"));
  test::require_close(r.get<"b">(), joined("grad_in2", "grad_in4", "grad_in6"));
  test::require_close(r.get<"v">(), stored("grad_in7"));
  test::require_close(r.get<"c">(), stored("grad_in8"));
}
