// SPDX-License-Identifier: BSL-1.0
// shampoo against its paper's pseudo-code, with roots from the eigenvalues, and the roots alone.
#include "optim/papers.hpp"

#include <Eigen/Dense>

using papers::tensors;
using std::pow;
using std::sqrt;

namespace {

using matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

matrix inverse_fourth_root(const matrix& a) {
  const Eigen::SelfAdjointEigenSolver<matrix> solver(a);
  return solver.eigenvectors() * solver.eigenvalues().array().pow(-0.25).matrix().asDiagonal() *
         solver.eigenvectors().transpose();
}

matrix identity(Eigen::Index n) { return matrix::Identity(n, n); }

/// The state and step of algorithm 1; decayed, where the sums are running means.
struct shampoo {
  matrix operator()(int t, const matrix& g, double epsilon, double beta2) {
    const double share = beta2 == 1 ? 1 : 1 - beta2, start = beta2 == 1 ? 1 : 1 - pow(beta2, t);
    l = beta2 * l + share * g * g.transpose();
    r = beta2 * r + share * g.transpose() * g;
    return inverse_fourth_root(l / start + epsilon * identity(3)) * g *
           inverse_fourth_root(r / start + epsilon * identity(4));
  }
  matrix l = matrix::Zero(3, 3), r = matrix::Zero(4, 4);
};

struct adam {
  double operator()(int t, double g, std::size_t i) {
    m[i] = 0.9 * m[i] + 0.1 * g;
    v[i] = 0.999 * v[i] + 0.001 * g * g;
    return m[i] / (1 - pow(0.9, t)) / (sqrt(v[i] / (1 - pow(0.999, t))) + 1e-8);
  }
  std::vector<double> m = std::vector<double>(12), v = m;
};

/// What a step of length 1 takes off a weight [n, n] whose gradient is g, with epsilon = 0.
template <class T, std::int64_t N, int Iterations>
std::vector<T> first_step(const std::vector<T>& g, int steps = 1) {
  struct model {
    constexpr auto operator()() const { return tl::sum(tl::param<"w", T, N, N> * tl::input<"g", T, N, N>); }
  };
  tl::trainer net{model{}, tl::shampoo<Iterations>({.learning_rate = 1, .epsilon = 0})};
  const auto w = net.template parameter<"w">();
  for (int i = 0; i < steps; ++i) {
    std::fill(w.begin(), w.end(), T(0));
    net.step("g"_t = g);
  }
  std::vector<T> taken;
  for (const T x : w) taken.push_back(-x);
  return taken;
}

/// An orthogonal matrix.
matrix rotation(Eigen::Index n, unsigned seed) {
  test::numbers next(seed);
  const auto any = next.vector(static_cast<std::size_t>(n * n));
  return Eigen::HouseholderQR<matrix>(Eigen::Map<const matrix>(any.data(), n, n)).householderQ();
}

}  // namespace

TEST_CASE("shampoo: Gupta et al., 2018, algorithm 1, with weight decay") {
  shampoo state;
  adam moments;
  papers::agree(tl::partition(tl::for_parameters(tl::matrices,
                                                 tl::shampoo({.learning_rate = 0.02, .weight_decay = 0.1})),
                              tl::adam({.learning_rate = 0.01})),
                [&](int t, tensors& p, const tensors& g) {
                  const matrix update = state(t, Eigen::Map<const matrix>(g[0].data(), 3, 4), 1e-4, 1);
                  for (std::size_t i = 0; i < 12; ++i) p[0][i] -= 0.02 * (update.data()[i] + 0.1 * p[0][i]);
                  for (std::size_t i = 0; i < 5; ++i) p[1][i] -= 0.01 * moments(t, g[1][i], i);
                });
}

TEST_CASE("shampoo with running means, and steps of the length of adam's: Anil et al., 2020") {
  shampoo state;
  adam moments, vector_moments;
  const auto rule =
      tl::chain(tl::graft(tl::scale_by_shampoo({.beta2 = 0.95, .epsilon = 1e-3}), tl::scale_by_adam()),
                tl::scale_by_learning_rate(0.02));
  papers::agree(tl::partition(tl::for_parameters(tl::matrices, rule), tl::adam({.learning_rate = 0.01})),
                [&](int t, tensors& p, const tensors& g) {
                  const matrix update = state(t, Eigen::Map<const matrix>(g[0].data(), 3, 4), 1e-3, 0.95);
                  double squares = 0;
                  for (std::size_t i = 0; i < 12; ++i) squares += pow(moments(t, g[0][i], i), 2);
                  const double size = sqrt(squares) / update.norm();
                  for (std::size_t i = 0; i < 12; ++i) p[0][i] -= 0.02 * size * update.data()[i];
                  for (std::size_t i = 0; i < 5; ++i) p[1][i] -= 0.01 * vector_moments(t, g[1][i], i);
                });
}

// With G = U S V and one step's moments the update is U V, whatever S is.
TEST_CASE("roots of matrices of the condition number 1e6") {
  const matrix u = rotation(8, 1), v = rotation(8, 2);
  Eigen::VectorXd sizes(8);
  for (int i = 0; i < 8; ++i) sizes[i] = 50 * pow(10.0, -3.0 * i / 7);
  const matrix g = u * sizes.asDiagonal() * v, want = u * v;
  const auto got = first_step<double, 8, 24>({g.data(), g.data() + 64});
  CHECK((Eigen::Map<const matrix>(got.data(), 8, 8) - want).norm() / want.norm() < 1e-10);
  // too few iterations make small eigenvalues count as larger ones, and the steps there shorter
  const auto few = first_step<double, 8, 8>({g.data(), g.data() + 64});
  const matrix sides = u.transpose() * Eigen::Map<const matrix>(few.data(), 8, 8) * v.transpose();
  CHECK(sides(0, 0) == test::Approx(1));
  CHECK(sides(7, 7) < 0.5);
  CHECK(sides(7, 7) > 0);
}

TEST_CASE("matrices whose eigenvalues are 0, or below by rounding, do not break the roots") {
  const std::vector<float> zero(64);
  CHECK(first_step<float, 8, 24>(zero) == zero);
  test::numbers next(3);
  const auto a = next.vector<float>(8), b = next.vector<float>(8);
  std::vector<float> g(64);
  double squares = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    g[i] = 100 * a[i / 8] * b[i % 8];
    squares += static_cast<double>(g[i]) * g[i];
  }
  const auto got = first_step<float, 8, 60>(g, 100);  // g, 100 times: the step is g / |g| / sqrt(100)
  for (std::size_t i = 0; i < 64; ++i)
    CHECK(got[i] == test::Approx(g[i] / sqrt(squares) / 10).epsilon(1e-3).margin(1e-5));
}

TEST_CASE("axes behind the first count as one") {
  const auto run = [](auto model) {
    tl::trainer net{model, tl::shampoo({})};
    test::numbers next(5);
    for (int t = 0; t < 3; ++t) net.step("g"_t = next.vector(24));
    const auto w = net.template parameter<"w">();
    return std::vector<double>(w.begin(), w.end());
  };
  CHECK(run([] {
          return tl::sum(tl::param<"w", double, 4, 3, 1, 2> * tl::input<"g", double, 4, 3, 1, 2>);
        }) == run([] { return tl::sum(tl::param<"w", double, 4, 6> * tl::input<"g", double, 4, 6>); }));
}
