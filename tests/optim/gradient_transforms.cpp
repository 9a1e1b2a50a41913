// SPDX-License-Identifier: BSL-1.0
// Gradient transformations, each against a loop over a few elements.
#include "optim/reference.hpp"

namespace {

constexpr auto any_model = [] {
  return tl::sum(tl::param<"w", double, 2, 3> * tl::input<"g", double, 2, 3>) +
         tl::sum(tl::param<"b", double, 3> * tl::input<"h", double, 3>);
};

const std::vector<double> g{3, -4, 12, 0.01, 0.02, -0.02}, h{1, -2, 2};

/// What is added to w, and behind it to b, in step number `steps`.
template <class Transform>
std::vector<double> change(Transform t, double start = 0, int steps = 1) {
  tl::trainer net{any_model, tl::chain(std::move(t), tl::scale(1))};
  auto w = net.template parameter<"w">();
  auto b = net.template parameter<"b">();
  std::vector<double> before(9, start), after;
  std::fill(w.begin(), w.end(), start);
  std::fill(b.begin(), b.end(), start);
  for (int i = 0; i < steps; ++i) {
    std::copy(w.begin(), w.end(), before.begin());
    std::copy(b.begin(), b.end(), before.begin() + 6);
    net.step("g"_t = g, "h"_t = h);
  }
  after.assign(w.begin(), w.end());
  after.insert(after.end(), b.begin(), b.end());
  for (std::size_t i = 0; i < 9; ++i) after[i] -= before[i];
  return after;
}

void same(const std::vector<double>& got, const std::vector<double>& want) {
  REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == test::Approx(want[i]).margin(1e-12));
}

}  // namespace

TEST_CASE("of whole rules it is known which go up the gradient") {
  const auto up = [](const auto& rule) {
    return tl::detail::goes_uphill<std::remove_cvref_t<decltype(rule)>>;
  };
  CHECK(up(tl::chain(tl::clip_by_norm(1), tl::scale_by_adam(), tl::add_decayed_weights(0.1))));
  CHECK(up(tl::chain(tl::graft(tl::scale_by_shampoo(), tl::scale_by_adam()))));
  CHECK(up(tl::accumulate(4, tl::average(tl::chain(tl::trace({.decay = 0.9}))))));
  const auto half = tl::chain(tl::scale_by_lion());
  CHECK(up(tl::partition(tl::for_parameters(tl::matrices, half), half)));
  CHECK(!up(tl::partition(tl::for_parameters(tl::matrices, half), tl::sgd({}))));
  CHECK(!up(tl::chain(tl::scale_by_adam(), tl::scale(0.1))));
  CHECK(!up(tl::chain(tl::set_to_zero())));
  CHECK(!up(tl::accumulate(4, tl::prodigy({}))));
}

TEST_CASE("scale and identity") {
  same(change(tl::identity()), {3, -4, 12, 0.01, 0.02, -0.02, 1, -2, 2});
  same(change(tl::scale(-0.5)), {-1.5, 2, -6, -0.005, -0.01, 0.01, -0.5, 1, -1});
}

TEST_CASE("clip_by_norm takes each parameter alone") {
  const double f = 6.0 / (std::sqrt(169 + 9e-4) + 1e-6);
  same(change(tl::clip_by_norm(6)), {3 * f, -4 * f, 12 * f, 0.01 * f, 0.02 * f, -0.02 * f, 1, -2, 2});
}

TEST_CASE("clip_by_global_norm and sharpness_aware take parameters of float and of double together") {
  const auto both = [] {
    return tl::cast<double>(tl::sum(tl::param<"a", float, 1> * tl::input<"ga", float, 1>)) +
           tl::sum(tl::param<"b", double, 1> * tl::input<"gb", double, 1>);
  };
  const auto step = [&](auto rule) {
    tl::trainer net{both, rule};
    const float a = net.template parameter<"a">()[0];
    const double b = net.template parameter<"b">()[0];
    net.step("ga"_t = {3.f}, "gb"_t = {4.0});
    return std::pair{a - net.template parameter<"a">()[0], b - net.template parameter<"b">()[0]};
  };
  const auto sgd = tl::sgd({.learning_rate = 1});
  const auto [a, b] = step(tl::chain(tl::clip_by_global_norm(1), sgd));
  CHECK(a == Approx(0.6));
  CHECK(b == Approx(0.8));
  const auto [c, d] = step(tl::chain(tl::clip_by_global_norm(1, tl::order<tl::infinity>), sgd));
  CHECK(c == Approx(0.75));
  CHECK(d == Approx(1));
  const auto [e, f] = step(tl::sharpness_aware(sgd));
  CHECK(e == Approx(3));
  CHECK(f == Approx(4));
}

TEST_CASE("adaptive_clip takes the rows of a matrix, and a vector as a whole") {
  // rows of length 13 and 0.03 on weights of length 2 sqrt(3); a vector of length 3
  const double most = 0.1 * 2 * std::sqrt(3.0), f = most / 13, v = most / 3;
  same(change(tl::adaptive_clip({.max_ratio = 0.1}), 2),
       {3 * f, -4 * f, 12 * f, 0.01, 0.02, -0.02, 1 * v, -2 * v, 2 * v});
  // the weights' length counts as epsilon where it is smaller
  const double least = 0.1 * 1e-2;
  same(change(tl::adaptive_clip({.max_ratio = 0.1, .epsilon = 1e-2})),
       {3 * least / 13, -4 * least / 13, 12 * least / 13, 0.01 * least / 0.03, 0.02 * least / 0.03,
        -0.02 * least / 0.03, least / 3, -2 * least / 3, 2 * least / 3});
}

TEST_CASE("centralize takes the mean off each row, and leaves vectors alone") {
  const double m = 11.0 / 3, n = 0.01 / 3;
  same(change(tl::centralize()), {3 - m, -4 - m, 12 - m, 0.01 - n, 0.02 - n, -0.02 - n, 1, -2, 2});
}

TEST_CASE("ema of a gradient that stays is that gradient, or what has come of it") {
  same(change(tl::ema({.decay = 0.75}), 0, 3), {3, -4, 12, 0.01, 0.02, -0.02, 1, -2, 2});
  const double f = 1 - 0.75 * 0.75 * 0.75;
  same(change(tl::ema({.decay = 0.75, .debias = false}), 0, 3),
       {3 * f, -4 * f, 12 * f, 0.01 * f, 0.02 * f, -0.02 * f, 1 * f, -2 * f, 2 * f});
}

TEST_CASE("add_noise draws other numbers than the model's dropout") {
  tl::trainer net{[] {
                    auto dropped = tl::dropout<0.5>(tl::param<"w", float, 4096> + 1_c);
                    return tl::outputs(tl::sum(dropped), tl::named<"dropped">(dropped));
                  },
                  tl::chain(tl::add_noise({.eta = 1, .gamma = 0}))};
  auto w = net.parameter<"w">();
  const std::vector<float> before(w.begin(), w.end());
  auto dropped = net.step().get<"dropped">().copy();
  int gone = 0, far = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (dropped[i] != 0) continue;  // the others have a gradient beside the noise
    ++gone;
    far += std::abs(w[i] - before[i]) > std::sqrt(2 * std::log(2.0f)) ? 1 : 0;
  }
  CHECK(gone > 1900);
  CHECK(far > gone / 6);  // about 24 %; none by numbers below a half, which are those that drop
}

namespace {

// The differences that updates make, which are noise alone.
template <class Update>
std::vector<double> noise_of(int seed, const Update& update, const auto& rule) {
  tl::trainer net{[] { return tl::sum(tl::param<"w", double, 2>(tl::fill(0)) * 0_c); }, rule, tl::cpu{},
                  seed};
  auto w = net.template parameter<"w">();
  std::vector<double> all;
  double last = 0;
  for (int i = 0; i < 3; ++i) {
    update(net);
    all.insert(all.end(), {w[0] - last, w[1]});
    last = w[0];
  }
  return all;
}

}  // namespace

TEST_CASE("add_noise is new in each update, however its gradients come") {
  const auto noise = [] { return tl::chain(tl::add_noise({.eta = 1, .gamma = 0})); };
  const auto by_apply = [](auto& net) {
    net.gradients();
    net.apply();
  };
  const auto by_own = [](auto& net) {
    net.template gradient<"w">()[0] = 0;
    net.apply();
  };
  const auto by_steps = [](auto& net) { net.step(); };
  const std::vector<double> all[] = {
      noise_of(5, by_apply, noise()),
      noise_of(6, by_apply, noise()),
      noise_of(5, by_own, noise()),
      noise_of(5, by_steps, tl::accumulate(1, noise())),
      noise_of(6, by_steps, tl::accumulate(1, noise())),
  };
  for (const auto& a : all) {
    CHECK(a[0] != a[2]);
    CHECK(a[2] != a[4]);
    CHECK(a[0] != a[4]);
  }
  CHECK(all[0] == noise_of(5, by_apply, noise()));
  CHECK(all[0] != all[1]);
  CHECK(all[3] != all[4]);
}

TEST_CASE("add_noise has the mean 0 and the variance that it should have") {
  tl::trainer net{[] {
                    return tl::sum(tl::param<"w", double, 20000> * 0_c) +
                           tl::sum(tl::param<"v", double, 20000> * 0_c);
                  },
                  tl::chain(tl::add_noise({.eta = 4, .gamma = 2}))};
  auto w = net.parameter<"w">();
  auto v = net.parameter<"v">();
  net.step();
  double sum = 0, squares = 0, fourth = 0, mixed = 0;
  for (std::size_t i = 0; i < 20000; ++i) {
    sum += w[i];
    squares += w[i] * w[i];
    fourth += w[i] * w[i] * w[i] * w[i];
    mixed += w[i] * v[i];
  }
  // four standard errors
  CHECK(std::abs(sum / 20000) < 4 * 2 / std::sqrt(20000.0));
  CHECK(std::abs(squares / 20000 - 4) < 4 * 4 * std::sqrt(2 / 20000.0));
  CHECK(std::abs(fourth / 20000 - 48) < 4 * 16 * std::sqrt(96 / 20000.0));
  CHECK(std::abs(mixed / 20000) < 4 * 4 / std::sqrt(20000.0));
  const std::vector<double> first(w.begin(), w.end());
  net.step();  // the variance is a quarter of the first step's, and the noise is new
  squares = mixed = 0;
  for (std::size_t i = 0; i < 20000; ++i) {
    squares += (w[i] - first[i]) * (w[i] - first[i]);
    mixed += (w[i] - first[i]) * first[i];
  }
  CHECK(std::abs(squares / 20000 - 1) < 4 * std::sqrt(2 / 20000.0));
  CHECK(std::abs(mixed / 20000) < 4 * 2 / std::sqrt(20000.0));
}
