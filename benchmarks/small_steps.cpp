// SPDX-License-Identifier: BSL-1.0
// Training steps of models as small as a control loop, on tl::bare, on tl::straight_line and by hand with
// Eigen's matrices of fixed sizes: 2-16-1 (also with a batch that is known at run time only) and linear
// regression with SGD, 4-64-64-2 with Adam, batches of 1 and 32; and predictions of one sample. They take
// turns, so that whatever else the machine does slows all. Each step gives the loss, too. SGD is a chain
// without weight decay, as by hand: tl::sgd has one, 0 unless it is set, which may be while it runs.
//
// Usage: small_steps [ROUNDS]. Prints medians of the processor's time.
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <tapeless/bare.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/run/cpu/vectors/eigen.hpp>
#include <tapeless/tapeless.hpp>

#include "turns.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

template <int Rows, int Columns>
using matrix = Eigen::Matrix<float, Rows, Columns>;

// What a step changes is written to memory, and read from there again.
void keep_at(const void* place) { asm volatile("" : : "r"(place) : "memory"); }
template <class M>
void keep(const M& m) {
  keep_at(m.data());
}

// A sample in each column.
template <int In, int Out, int Batch>
struct samples {
  matrix<In, Batch> x = matrix<In, Batch>::Random();
  matrix<Out, Batch> y = matrix<Out, Batch>::Random();
};

// 2-16-1.
template <int Batch>
struct mlp {
  static constexpr const char* name = "2-16-1";
  static constexpr auto output = [](tl::expression auto x) {
    return tl::linear<"b", 1>(tl::tanh(tl::linear<"a", 16>(x)));
  };
  static auto rule() { return tl::chain(tl::scale_by_learning_rate(0.01f)); }

  samples<2, 1, Batch> s;
  matrix<16, 2> w1 = matrix<16, 2>::Random();
  matrix<16, 1> b1 = matrix<16, 1>::Zero();
  matrix<1, 16> w2 = matrix<1, 16>::Random();
  float b2 = 0;
  matrix<16, Batch> h, d;
  matrix<1, Batch> p;

  void forward() {
    h.noalias() = w1 * s.x;
    h.colwise() += b1;
    h = h.array().tanh().matrix();
    p.noalias() = w2 * h;
    p.array() += b2;
  }
  float predict() {
    forward();
    keep(p);
    return p[0];
  }
  float step(const matrix<1, Batch>& y) {
    forward();
    matrix<1, Batch> e = p - y;
    const float loss = e.squaredNorm() / Batch;
    e *= 2.0f / Batch;
    d = ((w2.transpose() * e).array() * (1.0f - h.array().square())).matrix();
    w2.noalias() -= 0.01f * (e * h.transpose());
    b2 -= 0.01f * e.sum();
    w1.noalias() -= 0.01f * (d * s.x.transpose());
    b1.noalias() -= 0.01f * d.rowwise().sum();
    keep(w1);
    return loss;
  }
};

// 4-64-64-2 with Adam, whose parameters, gradients and moments are arrays.
template <int Batch>
struct controller {
  static constexpr const char* name = "4-64-64-2";
  static constexpr auto output = [](tl::expression auto x) {
    return tl::linear<"c", 2>(tl::tanh(tl::linear<"b", 64>(tl::tanh(tl::linear<"a", 64>(x)))));
  };
  static auto rule() { return tl::adam({.learning_rate = 1e-3f}); }

  static constexpr int places[] = {0, 256, 320, 4416, 4480, 4608, 4610}, count = 4610;
  using map1 = Eigen::Map<matrix<64, 4>>;
  using map2 = Eigen::Map<matrix<64, 64>>;
  using map3 = Eigen::Map<matrix<2, 64>>;
  using hidden = Eigen::Map<matrix<64, 1>>;
  using last = Eigen::Map<matrix<2, 1>>;

  samples<4, 2, Batch> s;
  alignas(64) float all[count], g[count], m[count] = {}, v[count] = {};
  map1 w1{all}, g1{g};
  hidden b1{all + places[1]}, c1{g + places[1]};
  map2 w2{all + places[2]}, g2{g + places[2]};
  hidden b2{all + places[3]}, c2{g + places[3]};
  map3 w3{all + places[4]}, g3{g + places[4]};
  last b3{all + places[5]}, c3{g + places[5]};
  matrix<64, Batch> h1, h2, d1, d2;
  matrix<2, Batch> p, e;
  int steps = 0;

  controller() {
    for (float& x : all) x = 0.2f * (static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX) - 0.5f);
  }
  void forward() {
    h1.noalias() = w1 * s.x;
    h1.colwise() += b1;
    h1 = h1.array().tanh().matrix();
    h2.noalias() = w2 * h1;
    h2.colwise() += b2;
    h2 = h2.array().tanh().matrix();
    p.noalias() = w3 * h2;
    p.colwise() += b3;
  }
  float predict() {
    forward();
    keep(p);
    return p(0, 0);
  }
  float step(const matrix<2, Batch>& y) {
    forward();
    e = p - y;
    const float loss = e.squaredNorm() / (Batch * 2);
    e *= 2.0f / (Batch * 2);
    g3.noalias() = e * h2.transpose();
    c3 = e.rowwise().sum();
    d2.noalias() = w3.transpose() * e;
    d2 = (d2.array() * (1.0f - h2.array().square())).matrix();
    g2.noalias() = d2 * h1.transpose();
    c2 = d2.rowwise().sum();
    d1.noalias() = w2.transpose() * d2;
    d1 = (d1.array() * (1.0f - h1.array().square())).matrix();
    g1.noalias() = d1 * s.x.transpose();
    c1 = d1.rowwise().sum();
    ++steps;
    const float k1 = 1 / (1 - std::pow(0.9f, static_cast<float>(steps)));
    const float k2 = 1 / (1 - std::pow(0.999f, static_cast<float>(steps)));
    for (int i = 0; i < count; ++i) {
      m[i] = 0.9f * m[i] + 0.1f * g[i];
      v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
      all[i] -= 1e-3f * (m[i] * k1) / (std::sqrt(v[i] * k2) + 1e-8f);
    }
    keep(w1);
    return loss;
  }
};

// Linear regression.
template <int Batch>
struct regression {
  static constexpr const char* name = "8-1";
  static constexpr auto output = [](tl::expression auto x) { return tl::linear<"a", 1>(x); };
  static auto rule() { return tl::chain(tl::scale_by_learning_rate(0.01f)); }

  samples<8, 1, Batch> s;
  matrix<1, 8> w = matrix<1, 8>::Random();
  float b = 0;
  matrix<1, Batch> p;

  void forward() {
    p.noalias() = w * s.x;
    p.array() += b;
  }
  float predict() {
    forward();
    keep(p);
    return p[0];
  }
  float step(const matrix<1, Batch>& y) {
    forward();
    matrix<1, Batch> e = p - y;
    const float loss = e.squaredNorm() / Batch;
    e *= 2.0f / Batch;
    w.noalias() -= 0.01f * (e * s.x.transpose());
    b -= 0.01f * e.sum();
    keep(w);
    return loss;
  }
};

// The loss of a case, and beside it what is predicted.
template <class Case>
struct models {
  static constexpr int in = decltype(Case::s.x)::RowsAtCompileTime;
  static constexpr int out = decltype(Case::s.y)::RowsAtCompileTime;
  static constexpr int batch = decltype(Case::s.x)::ColsAtCompileTime;

  template <tl::extent Batch>
  static constexpr auto loss_of = [] {
    auto y = tl::input<"y", float, Batch, out>;
    return tl::mean(tl::square(Case::output(tl::input<"x", float, Batch, in>) - y));
  };
  static constexpr auto loss = loss_of<batch>;
  static constexpr auto prediction = [] {
    auto p = Case::output(tl::input<"x", float, batch, in>);
    auto y = tl::input<"y", float, batch, out>;
    return tl::outputs(tl::mean(tl::square(p - y)), tl::named<"p">(p));
  };
};

template <int Size, class M>
const auto& elements_of(const M& m) {
  return *reinterpret_cast<const float(*)[static_cast<std::size_t>(Size)]>(m.data());
}

// In line at one sample, of a model whose batch is known at run time only.
void compare_any_batch(int rounds, int steps) {
  static mlp<1> hand;
  static tl::trainer any{models<mlp<1>>::loss_of<tl::dyn<"batch">>, mlp<1>::rule(), tl::straight_line{}};
  static const auto x = hand.s.x;
  static decltype(hand.s.y) y[2] = {hand.s.y, -hand.s.y};
  benchmark::take_turns(
      "any batch", 1, rounds, steps, [](int k) { return hand.step(y[k]); },
      benchmark::program{"tl::straight_line", [](int k) {
                           keep_at(&any);
                           return any.step("x"_t = elements_of<2>(x), "y"_t = elements_of<1>(y[k])).loss();
                         }});
}

template <template <int> class Case, int Batch>
void compare_steps(int rounds, int steps) {
  using by_hand = Case<Batch>;
  static by_hand hand;
  static tl::trainer bare{models<by_hand>::loss, by_hand::rule(), tl::bare{}};
  static tl::trainer usual{models<by_hand>::loss, by_hand::rule(), tl::cpu{}};
  static const auto x = hand.s.x;
  static decltype(hand.s.y) y[2] = {hand.s.y, -hand.s.y};
  const auto steps_of = [](auto& net) {
    return [&net](int k) {
      keep_at(&net);
      return net
          .step("x"_t = elements_of<x.SizeAtCompileTime>(x), "y"_t = elements_of<y->SizeAtCompileTime>(y[k]))
          .loss();
    };
  };
  benchmark::take_turns(
      by_hand::name, Batch, rounds, steps, [](int k) { return hand.step(y[k]); },
      benchmark::program{"tl::bare", steps_of(bare)}, benchmark::program{"tl::cpu", steps_of(usual)});
}

template <template <int> class Case>
void compare_predictions(int rounds, int calls) {
  using by_hand = Case<1>;
  static by_hand hand;
  static tl::trainer bare{models<by_hand>::prediction, by_hand::rule(), tl::bare{}};
  static tl::trainer usual{models<by_hand>::prediction, by_hand::rule(), tl::cpu{}};
  static const auto x = hand.s.x;
  const auto predictions_of = [](auto& net) {
    return [&net](int) {
      keep_at(&net);
      return net.predict("x"_t = elements_of<x.SizeAtCompileTime>(x)).template get<"p">()[0];
    };
  };
  std::printf("predict ");
  benchmark::take_turns(
      by_hand::name, 1, rounds, calls, [](int) { return hand.predict(); },
      benchmark::program{"tl::bare", predictions_of(bare)},
      benchmark::program{"tl::cpu", predictions_of(usual)});
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 50;
  compare_steps<mlp, 1>(rounds, 100000);
  compare_any_batch(rounds, 100000);
  compare_steps<mlp, 32>(rounds, 10000);
  compare_steps<controller, 1>(rounds, 2000);
  compare_steps<controller, 32>(rounds, 300);
  compare_steps<regression, 1>(rounds, 300000);
  compare_steps<regression, 32>(rounds, 30000);
  compare_predictions<mlp>(rounds, 300000);
  compare_predictions<controller>(rounds, 20000);
  compare_predictions<regression>(rounds, 1000000);
}
