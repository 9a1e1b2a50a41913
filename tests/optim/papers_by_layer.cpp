// SPDX-License-Identifier: BSL-1.0
// Rules that look at the length of a whole parameter, against their papers' pseudo-code.
#include "optim/papers.hpp"
#include "policies.hpp"

using papers::length;
using papers::tensors;
using std::pow;
using std::sqrt;

TEST_CASE("lamb: You et al., 2020, algorithm 2") {
  tensors m = papers::zeros(), v = papers::zeros();
  papers::agree(
      tl::lamb({.learning_rate = 0.01, .weight_decay = 0.1}), [&](int t, tensors& p, const tensors& g) {
        for (std::size_t k = 0; k < 2; ++k) {
          std::vector<double> u(p[k].size());
          for (std::size_t i = 0; i < u.size(); ++i) {
            m[k][i] = 0.9 * m[k][i] + 0.1 * g[k][i];
            v[k][i] = 0.999 * v[k][i] + 0.001 * g[k][i] * g[k][i];
            u[i] = m[k][i] / (1 - pow(0.9, t)) / (sqrt(v[k][i] / (1 - pow(0.999, t))) + 1e-6) + 0.1 * p[k][i];
          }
          const double ratio = length(p[k]) / length(u);
          for (std::size_t i = 0; i < u.size(); ++i) p[k][i] -= 0.01 * ratio * u[i];
        }
      });
}

TEST_CASE("lars: You, Gitman and Ginsburg, 2017, algorithm 1") {
  const double momentum = 0.8, decay = 0.05, trust = 0.02;
  tensors v = papers::zeros();
  papers::agree(
      tl::lars(
          {.learning_rate = 0.3, .momentum = momentum, .weight_decay = decay, .trust_coefficient = trust}),
      [&](int, tensors& p, const tensors& g) {
        for (std::size_t k = 0; k < 2; ++k) {
          const double local = trust * length(p[k]) / (length(g[k]) + decay * length(p[k]));
          for (std::size_t i = 0; i < p[k].size(); ++i) {
            v[k][i] = momentum * v[k][i] + 0.3 * local * (g[k][i] + decay * p[k][i]);
            p[k][i] -= v[k][i];
          }
        }
      });
}

TEST_CASE("fromage: Bernstein et al., 2020, algorithm 1") {
  papers::agree(tl::fromage({.learning_rate = 0.05}), [](int, tensors& p, const tensors& g) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double ratio = length(p[k]) / length(g[k]);
      for (std::size_t i = 0; i < p[k].size(); ++i)
        p[k][i] = (p[k][i] - 0.05 * ratio * g[k][i]) / sqrt(1 + 0.05 * 0.05);
    }
  });
}

namespace {

/// w starts as 1, where the gradient is 2 h.
template <class T>
struct squares {
  constexpr auto operator()() const {
    auto w = tl::cast<float>(tl::param<"w", T, 2, 4>(tl::fill(1)));
    auto v = tl::cast<float>(tl::param<"v", T, 3>(tl::fill(1)));
    return tl::sum(tl::input<"h", float, 2, 4> * tl::square(w)) +
           tl::sum(tl::input<"k", float, 3> * tl::square(v));
  }
};

template <class T, class Rule, class Policy>
std::vector<double> after_a_step(const Rule& rule, float size, Policy policy) {
  tl::trainer net{squares<T>{}, rule, policy};
  std::vector<float> h{1, 2, 3, 4, -1, 0, 1, 2}, k{-1, 1, 2};
  for (float& x : h) x *= size;
  for (float& x : k) x *= size;
  net.step("h"_t = h, "k"_t = k);
  std::vector<double> all;
  for (const auto x : net.template parameter<"w">()) all.push_back(static_cast<float>(x));
  for (const auto x : net.template parameter<"v">()) all.push_back(static_cast<float>(x));
  return all;
}

/// Whether a step of parameters of f16 is that of float ones, for gradients whose squares f16 cannot hold.
template <class Policy = tl::cpu, class Rule>
void keeps_lengths(const Rule& rule, Policy policy = {}) {
  for (const float size : {500.0f, 3e-5f}) {
    const auto found = after_a_step<tl::f16>(rule, size, policy),
               expected = after_a_step<float>(rule, size, policy);
    INFO(size);
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(found[i] == test::Approx(expected[i]).epsilon(2e-3).margin(1e-3));
  }
}

}  // namespace

TEST_CASE("lengths of parameters of 16 bits are those of float ones") {
  const auto clipped = [](auto clip) { return tl::chain(clip, tl::scale_by_learning_rate(0.5)); };
  test::on_each_policy([&]<class Policy>() {
    keeps_lengths(clipped(tl::clip_by_global_norm(1)), Policy{});
    keeps_lengths(tl::novograd({.learning_rate = 0.5}), Policy{});
    keeps_lengths(clipped(tl::adaptive_clip({.max_ratio = 0.5})), Policy{});
  });
  keeps_lengths(clipped(tl::clip_by_global_norm(1, tl::order<1>)));
  keeps_lengths(clipped(tl::clip_by_global_norm(1, tl::order<3>)));
  keeps_lengths(clipped(tl::clip_by_global_norm(1e-3, tl::order<tl::infinity>)));
  keeps_lengths(clipped(tl::clip_by_norm(1)));
  keeps_lengths(tl::lars({.learning_rate = 100, .momentum = 0}));
  keeps_lengths(tl::fromage({.learning_rate = 0.5}));
  keeps_lengths(clipped(tl::scale_by_trust_ratio()));
  keeps_lengths(clipped(tl::graft(tl::identity(), tl::clip_by_norm(1))));
  keeps_lengths(tl::sharpness_aware(clipped(tl::clip_by_norm(1)), {.radius = 0.5}));
}
