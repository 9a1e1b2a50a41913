// SPDX-License-Identifier: BSL-1.0
// Operations on batches of nothing, known when the model is compiled and when it runs, and on scalars: what
// is empty adds nothing to a sum or to a gradient, and a scalar has an axis of one element.
#include <tapeless/operations.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace {

/// The sum of all operations' results, each of them of an empty batch, but for those that put w's rows among
/// them: they make 3 sum(w).
template <tl::extent N>
struct of_rows {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, N, 3>;
    auto w = tl::input<"w", float, 3>;
    auto i = tl::input<"i", int, N, 3>;
    auto t = tl::input<"t", int, N>;
    auto y = x * w;
    auto table = tl::expand<2, 3>(w);
    constexpr tl::loss s{.reduce = tl::reduction::sum};
    auto normed = tl::sum(tl::softmax(y)) + tl::sum(tl::log_softmax<0>(y)) +
                  tl::sum(tl::layer_norm<1>(y, w, w)) + tl::sum(tl::rms_norm(y, w)) + tl::norm(y) +
                  tl::norm(y, tl::order<3>);
    auto scanned = tl::sum(tl::cumsum<0>(y)) + tl::sum(tl::cumsum<1>(y)) + tl::sum(tl::cumprod<0>(y)) +
                   tl::sum(tl::cumprod<1>(y)) + tl::sum(tl::flip(y)) + tl::sum(tl::roll<1, 1>(y));
    auto reduced = tl::sum(tl::prod<1>(y)) + tl::sum(tl::logsumexp<1>(y)) + tl::sum(tl::max<1>(y)) +
                   tl::sum(tl::var<1>(y)) + tl::sum(tl::mean<1>(y)) +
                   tl::sum(tl::cast<float>(tl::argmax<1>(y)));
    auto indexed = tl::sum(tl::gather<1>(y, i)) + tl::sum(tl::gather<0>(table, i)) +
                   tl::sum(tl::scatter_add<0>(table, i, y)) + tl::sum(tl::embedding(table, t)) +
                   tl::sum(tl::one_hot<4, float>(t)) + tl::sum(tl::index_select<0>(table, t)) +
                   tl::sum(tl::concat<0>(y, tl::reshape<1, 3>(w))) + tl::sum(tl::stack<0>(y, y)) +
                   tl::sum(tl::pad<0, 1, 1>(y));
    auto products = tl::sum(tl::tril(tl::matmul(y, tl::transpose(y)))) +
                    tl::sum(tl::matmul(tl::transpose(y), y)) + tl::sum(tl::einsum<"ij,ik->jk">(y, y)) +
                    tl::sum(tl::linear(y, table)) +
                    tl::sum(tl::scaled_dot_product_attention(tl::reshape<N, 1, 3>(y), tl::reshape<N, 1, 3>(y),
                                                             tl::reshape<N, 1, 3>(y)));
    auto losses = tl::cross_entropy<s>(y, t) + tl::mse_loss<s>(y, x) + tl::huber_loss<s>(y, x) +
                  tl::bce_with_logits_loss<s>(y, x) + tl::kl_div<s>(y, x) +
                  tl::sum(tl::cosine_similarity(y, x));
    auto all = normed + scanned + reduced + indexed + products + losses;
    return tl::outputs(tl::named<"all">(all), tl::named<"g">(tl::grad(all, w)),
                       tl::named<"y">(tl::cumprod<0>(y)), tl::named<"mean">(tl::mean(y)),
                       tl::named<"prod">(tl::prod<0>(y)));
  }
};

template <tl::extent N>
struct of_images {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, N, 2, 6, 6>;
    auto w = tl::input<"w", float, 2, 2, 3, 3>;
    auto y = tl::conv2d<tl::conv{.padding = 1}>(x, w);
    auto m = tl::reshape<N, 12, 6>(y);
    auto square = tl::matmul(tl::transpose(m), m);
    auto all = tl::sum(tl::max_pool2d<tl::pool{.kernel = 2}>(y)) +
               tl::sum(tl::avg_pool2d<tl::pool{.kernel = 2}>(y)) + tl::sum(tl::conv_transpose2d(y, w)) +
               tl::sum(tl::upsample_nearest2d<2>(y)) + tl::sum(tl::group_norm<2>(y)) +
               tl::sum(tl::instance_norm(y)) + tl::sum(tl::cholesky(square)) + tl::sum(tl::inverse(square)) +
               tl::sum(tl::det(square)) + tl::sum(tl::eigvalsh(square)) + tl::sum(tl::svdvals(m)) +
               tl::sum(tl::matrix_exp(square)) + tl::sum(tl::pinv(m)) + tl::sum(tl::trace(m)) +
               tl::sum(tl::kron(square, square));
    return tl::outputs(tl::named<"all">(all), tl::named<"g">(tl::grad(all, w)), tl::named<"y">(y));
  }
};

constexpr auto of_a_scalar = [] {
  auto x = tl::input<"x", double>;
  auto all = tl::sum<0>(x) * tl::prod<-1>(x) + tl::mean<0>(x) + tl::max<0>(x) + tl::logsumexp<-1>(x) +
             tl::norm<0>(x) + tl::softmax(x) + tl::log_softmax<0>(x) + tl::cumsum<0>(x) * tl::cumprod<-1>(x) +
             tl::flip<0>(x) + tl::sum<0>(x, tl::keep_dims) +
             tl::cummax<0>(x).values * tl::cummin<-1>(x).values + tl::logcumsumexp<0>(x);
  return tl::outputs(tl::named<"all">(all), tl::named<"g">(tl::grad(all, x)),
                     tl::named<"i">(tl::argmax<0>(x)));
};

const std::vector<float> none, w{1, 2, 3}, kernel(36, 0.5f);
const std::vector<int> no_index;

template <class Results>
void check_rows(const Results& r) {
  CHECK(r.template get<"all">()[0] == 18);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(r.template get<"g">()[i] == 3);
    CHECK(r.template get<"prod">()[i] == 1);
  }
  CHECK(r.template get<"y">().size() == 0);
  CHECK(std::isnan(r.template get<"mean">()[0]));
}
template <class Results>
void check_images(const Results& r) {
  CHECK(r.template get<"all">()[0] == 0);
  for (std::size_t i = 0; i < 36; ++i) CHECK(r.template get<"g">()[i] == 0);
  CHECK(r.template get<"y">().size() == 0);
}

}  // namespace

TEST_CASE("batches that are empty when the program runs") {
  test::on_each_policy([]<class Policy>() {
    constexpr auto n = tl::dyn<"n">;
    tl::function<of_rows<n>, Policy> rows{of_rows<n>{}};
    check_rows(rows("x"_t = none, "w"_t = w, "i"_t = no_index, "t"_t = no_index, "n"_t = std::int64_t{0}));
    tl::function<of_images<n>, Policy> images{of_images<n>{}};
    check_images(images("x"_t = none, "w"_t = kernel, "n"_t = std::int64_t{0}));
  });
}

TEST_CASE("batches that are empty when the model is compiled") {
  tl::function rows{of_rows<0>{}};
  check_rows(rows("x"_t = none, "w"_t = w, "i"_t = no_index, "t"_t = no_index));
  tl::function images{of_images<0>{}};
  check_images(images("x"_t = none, "w"_t = kernel));
}

TEST_CASE("a scalar has the axes 0 and -1") {
  tl::function f{of_a_scalar};
  const double x = 1.5;
  auto r = f("x"_t = x);
  CHECK(r.get<"all">()[0] == test::Approx(3 * x * x + 7 * x + 1));
  CHECK(r.get<"g">()[0] == test::Approx(6 * x + 7));
  CHECK(r.get<"i">()[0] == 0);
}
