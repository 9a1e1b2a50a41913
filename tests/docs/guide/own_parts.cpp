// SPDX-License-Identifier: BSL-1.0
// The guide of one's own parts: an operation, a layer, a loss, a metric, a callback, a rule.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

// An operation of others is a function.
constexpr auto swish(tl::expression auto x) { return x * tl::sigmoid(x); }

// One with a derivative of its own is a struct: here the straight-through estimator.
struct binarize : tl::custom_op {
  static constexpr auto forward(auto x) { return tl::sign(x); }
  static constexpr auto backward(auto g, auto x, auto /*y*/) {
    return g * tl::cast<float>(tl::abs(x) <= 1.0);  // plain numbers are welcome here
  }
};

// A layer is a function that names its parameters.
template <tl::name Name>
constexpr auto scaled(tl::expression auto x) {
  return x * tl::param<Name + ".scale", float, 4>(tl::fill(1)) + tl::param<Name + ".shift", float, 4>;
}

// A block that is used several times takes the layers' number.
template <int I>
constexpr auto block(tl::expression auto h) {
  return h + swish(scaled<tl::name{"norm"} + I>(tl::linear<tl::name{"fc"} + I, 4>(h)));
}

// A loss is an expression that ends in a scalar.
constexpr auto pseudo_huber_loss(tl::expression auto x, tl::expression auto t) {
  return tl::mean(tl::sqrt(1_c + tl::square(x - t)) - 1_c);
}

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto t = tl::input<"t", float, batch, 4>;
  auto y = block<1>(block<0>(x));
  return tl::outputs(pseudo_huber_loss(y, t), tl::named<"y">(y));
};

// A metric has a label, is cleared, gets each batch, and says what it has measured.
struct largest_error {
  static constexpr std::string_view label = "largest error";
  void clear() { largest = 0; }
  void add(const auto& result, const auto& bound) {
    const auto y = result.template get<"y">();
    const auto t = bound.template get<"t">();
    for (std::size_t i = 0; i < y.size(); ++i) largest = std::max<double>(largest, std::abs(y[i] - t[i]));
  }
  tl::measurement get() const { return {largest}; }
  void state(tl::fit_state& s) { s("largest", largest); }  // what a checkpoint keeps of it
  double largest = 0;
};

// A callback has one or more of on_begin, on_step and on_epoch_end.
struct prints {
  void on_epoch_end(const tl::fit_progress& at, const tl::epoch_report& report) const {
    if (at.epoch + 1 == at.epochs)
      std::printf("after %d epochs: %s\n", at.epochs, report.train["loss"].mean < 0.1 ? "good" : "bad");
  }
};

// It can stop the fit, and keep what it has seen in a checkpoint.
struct counts_ups {
  static constexpr std::string_view label = "ups";  // its name there
  bool on_step(const tl::fit_progress& at) {
    ups += at.loss > last ? 1 : 0;
    last = at.loss;
    return ups < 1000;
  }
  void state(tl::fit_state& s) { s("ups", ups), s("last", last); }
  int ups = 0;
  double last = INFINITY;
};

// A rule is a chain of transformations; one of them may be ours. It computes with values, as the graph is
// built.
struct sign_of_mean : tl::gradient_transform<1> {
  static constexpr std::array<tl::name, 1> hyper_names{"decay"};
  static constexpr tl::value transform(tl::rule_context& c, tl::value g) {
    const tl::value mean = c.state<"mean">();  // starts at zero, of the parameter's shape
    const tl::value next = c.hyper(0) * mean + (1.0 - c.hyper(0)) * g;
    c.set(mean, next);
    return tl::sign(next);
  }
};
auto signum(tl::hyperparameter rate) {
  return tl::chain(sign_of_mean{{{0.9}}}, tl::scale_by_learning_rate(rate));
}

int main() {
  std::vector<float> x(64 * 4), t(64 * 4);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::sin(0.7f * static_cast<float>(i));
    t[i] = 1.5f * x[i] + 0.25f;
  }
  tl::data::dataset data;
  data.add("x", {4}, x).add("t", {4}, t);

  tl::trainer net{model, signum(1e-3f)};
  counts_ups counts;  // a callback with a name can be read afterwards
  tl::fit(net, data, {.epochs = 200, .batch = 16, .seed = 1}, largest_error{}, prints{}, counts);
  const auto mean = net.state<"mean", "fc0.weight">();  // 4 x 4 numbers

  tl::function straight{[] {
    auto v = tl::input<"v", float, 3>;
    return tl::named<"slope">(tl::grad(tl::sum(tl::apply<binarize>(v)), v));
  }};
  const auto slope = straight("v"_t = std::array{-2.0f, 0.5f, 3.0f}).get<"slope">();
  return tl::evaluate(net, data, largest_error{})["largest error"].mean < 1 && mean.size() == 16 &&
                 counts.ups > 0 && slope[1] == 1 && slope[2] == 0
             ? 0
             : 1;
}
