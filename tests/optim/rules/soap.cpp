// SPDX-License-Identifier: BSL-1.0
// soap against its paper's pseudo-code.
#include "optim/behaviour.hpp"
#include "optim/papers.hpp"

#include <tapeless/optim/rules/soap.hpp>

#include <Eigen/Dense>

using std::pow;
using std::sqrt;

namespace {

using matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

matrix orthonormal_factor(const matrix& a) {
  const Eigen::HouseholderQR<matrix> factors(a);
  return factors.householderQ();
}

/// The state and step of algorithm 3 with f = 1, and of algorithm 4.
struct soap {
  matrix operator()(int t, const matrix& g) {
    const matrix turned = ql.transpose() * g * qr;
    m = 0.9 * m + 0.1 * g;
    v = 0.95 * v + 0.05 * turned.cwiseProduct(turned);
    const matrix mean = ql.transpose() * m * qr / (1 - pow(0.9, t));
    const matrix root = (v / (1 - pow(0.95, t))).cwiseSqrt();
    const matrix step = ql * (mean.array() / (root.array() + 1e-8)).matrix() * qr.transpose();
    l = 0.95 * l + 0.05 * g * g.transpose();
    r = 0.95 * r + 0.05 * g.transpose() * g;
    ql = orthonormal_factor(l * ql);
    qr = orthonormal_factor(r * qr);
    return step;
  }
  matrix m = matrix::Zero(4, 4), v = m, l = m, r = m, ql = matrix::Identity(4, 4), qr = ql;
};

}  // namespace

// Of gradients of full rank from the start: vectors that none of them has had may be any.
TEST_CASE("soap: Vyas et al., 2024, algorithms 3 and 4, with weight decay") {
  struct model {
    constexpr auto operator()() const {
      return tl::sum(tl::param<"w", double, 4, 2, 2> * tl::input<"g", double, 4, 2, 2>);
    }
  };
  const auto rule = tl::soap({.learning_rate = 0.02, .beta1 = 0.9, .weight_decay = 0.1});
  test::check_ranges(rule);
  tl::trainer net{model{}, rule};
  matrix p = Eigen::Map<const matrix>(net.parameter<"w">().data(), 4, 4);
  soap state;
  test::numbers next(7);
  double moved = 0;
  for (int t = 1; t <= 50; ++t) {
    std::vector<double> g = next.vector(16);
    for (std::size_t i = 0; i < 4; ++i) g[5 * i] += 3;
    net.step("g"_t = g);
    const matrix step = 0.02 * (state(t, Eigen::Map<const matrix>(g.data(), 4, 4)) + 0.1 * p);
    p -= step;
    moved += step.norm();
  }
  CHECK((p - Eigen::Map<const matrix>(net.parameter<"w">().data(), 4, 4)).norm() < 1e-10);
  CHECK(moved > 0.1);
}

TEST_CASE("soap, and adam for vectors") {
  behaviour::check(
      [](const tl::hyperparameter& rate) {
        return tl::partition(tl::for_parameters(tl::matrices, tl::soap({.learning_rate = rate})),
                             tl::adam({.learning_rate = rate}));
      },
      0.05, 0.05);
}

TEST_CASE("gradients of zero, and matrices of one row, leave the bases orthonormal") {
  struct model {
    constexpr auto operator()() const {
      return tl::sum(tl::param<"w", float, 1, 3> * tl::input<"g", float, 1, 3>);
    }
  };
  tl::trainer net{model{}, tl::soap({.learning_rate = 1, .weight_decay = 0})};
  const std::vector<float> before(net.parameter<"w">().begin(), net.parameter<"w">().end());
  const std::vector<float> nothing(3), g{1, -2, 2};
  for (int i = 0; i < 3; ++i) net.step("g"_t = nothing);
  CHECK(std::equal(before.begin(), before.end(), net.parameter<"w">().begin()));
  for (int i = 0; i < 3; ++i) net.step("g"_t = g);
  for (const float x : net.parameter<"w">()) CHECK(std::isfinite(x));
  using vectors = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;
  const auto kept = net.state<"soap.qr", "w">();
  const vectors q = Eigen::Map<const vectors>(kept.data());
  CHECK((q.transpose() * q - vectors::Identity()).norm() < 1e-5f);
  CHECK((q.col(0).cwiseAbs() - Eigen::Vector3f(1, 2, 2) / 3).norm() < 1e-5f);  // the only one that is known
}

TEST_CASE("gradients whose squares overflow are shortened, and those after them count again") {
  struct model {
    constexpr auto operator()() const {
      return tl::sum(tl::param<"w", float, 2, 3> * tl::input<"g", float, 2, 3>);
    }
  };
  const auto taken = [](float size) {
    tl::trainer net{model{}, tl::soap({.learning_rate = 1, .weight_decay = 0})};
    const auto w = net.parameter<"w">();
    std::vector<float> steps;
    test::numbers next(7);
    for (int t = 0; t < 4; ++t) {
      std::vector<float> g;
      for (const double x : next.vector(6)) g.push_back(static_cast<float>(x) * (t < 3 ? size : 1));
      std::fill(w.begin(), w.end(), 0.0f);
      net.step("g"_t = g);
      steps.insert(steps.end(), w.begin(), w.end());
    }
    return steps;
  };
  const std::vector<float> large = taken(1e38f), smaller = taken(1e30f), small = taken(1);
  for (std::size_t i = 0; i < large.size(); ++i) CHECK(large[i] == test::Approx(smaller[i]).epsilon(1e-4));
  for (std::size_t i = 0; i < 6; ++i) CHECK(large[i] == test::Approx(small[i]).epsilon(1e-4));  // Adam's
  CHECK(large[18] != 0);
}
