// SPDX-License-Identifier: BSL-1.0
// Whatever allocation of a call fails: std::bad_alloc comes out, and the same call made again does bit for
// bit what it does where none has failed.
#include <tapeless/tapeless.hpp>

#include <memory>

#include "failing_new.hpp"
#include "policies.hpp"
#include "thread_shares.hpp"
#include "trained_state.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 32>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto h = tl::dropout<0.25>(tl::batch_norm<"norm">(tl::linear<"fc1", 64>(x)));
  auto logits = tl::linear<"fc2", 8>(tl::relu(h));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

constexpr auto tangent = [] {
  auto x = tl::input<"x", double, batch, 16>;
  auto v = tl::input<"v", double, batch, 16>;
  auto y = tl::matmul(x, tl::transpose<0, 1>(tl::tanh(x)));
  return tl::outputs(tl::sum(y), tl::named<"jv">(tl::jvp(y, x, v)), tl::named<"sums">(tl::cumsum<0>(x)));
};

struct samples {
  explicit samples(std::size_t size) : x(32 * size), label(size) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 7 % 13) / 13.0f;
    for (std::size_t i = 0; i < size; ++i) label[i] = static_cast<std::int32_t>(i % 8);
  }
  std::vector<float> x;
  std::vector<std::int32_t> label;
};

const samples few(3), many(10);
const test::smallest_shares shares;  // two threads share both

auto step = [](auto& s) { s.net.step("x"_t = s.now->x, "label"_t = s.now->label); };
auto evaluate = [](auto& s) { s.loss = s.net.evaluate("x"_t = s.now->x, "label"_t = s.now->label).loss(); };
auto predict = [](auto& s) { s.loss = s.net.predict("x"_t = s.now->x).template get<"logits">()[1]; };
auto accumulate = [](auto& s) { s.net.accumulate(0.5, "x"_t = s.now->x, "label"_t = s.now->label); };
auto gradients = [](auto& s) { s.net.gradients("x"_t = s.now->x, "label"_t = s.now->label); };
auto apply = [](auto& s) { s.net.apply(); };
auto look_at_gradient = [](auto& s) { s.loss = s.net.template gradient<"fc2.bias">()[0]; };
auto average = [](auto& s) {
  const auto averages = s.net.averaged_weights();
  s.loss = s.net.template parameter<"fc2.bias">()[0];
};

/// A trainer, what it is given, and a number that it gave.
template <class Net>
struct subject {
  template <class Rule, class Policy>
  subject(Rule rule, Policy policy) : net(model, rule, policy, 1) {}
  Net net;
  const samples* now = &few;
  float loss = 0;
};

// As it is, and after steps on other samples, for which some memory has to be found again.
auto look = [](auto& s) {
  std::string all = test::state_of(s.net) + test::bytes_of_elements(s.loss);
  s.now = &many;
  step(s);
  s.now = &few;
  step(s);
  evaluate(s);
  all += test::bytes_of_elements(s.loss);
  predict(s);
  return all + test::bytes_of_elements(s.loss) + test::state_of(s.net);
};
auto state = [](auto& s) { return test::state_of(s.net); };

template <class Rule, class Policy>
class calls_of {
 public:
  calls_of(Rule rule, Policy policy) : rule_(rule), policy_(policy) {}

  /// call, after those before it, on samples.
  template <class Call, class... Before>
  void check(const char* what, const samples& on, Call call, Before... before) const {
    using net = decltype(tl::trainer{model, rule_, policy_});
    const auto make = [&] {
      auto s = std::make_unique<subject<net>>(rule_, policy_);
      (before(*s), ...);
      s->now = &on;
      return s;
    };
    test::fail_each_allocation(what, make, call, look, state);
  }

 private:
  Rule rule_;
  Policy policy_;
};

template <class Rule, class Policy>
void check_calls(Rule rule, Policy policy) {
  const calls_of<Rule, Policy> c(rule, policy);
  c.check("the first step", few, step);
  c.check("the first step on many", many, step);
  c.check("a step on more", many, step, step, evaluate);
  c.check("the first evaluation", many, evaluate);
  c.check("an evaluation of more", many, evaluate, step, evaluate);
  c.check("the first prediction", few, predict);
  c.check("a prediction for more", many, predict, predict, step);
}

template <class Rule, class Policy>
void check_gathered(Rule rule, Policy policy) {
  const calls_of<Rule, Policy> c(rule, policy);
  c.check("the first gradients", few, gradients);
  c.check("gradients of more", many, gradients, gradients);
  c.check("gradients that are added", many, accumulate, accumulate);
  c.check("an update from gradients", few, apply, gradients);
  c.check("a look at gradients", few, look_at_gradient);
}

}  // namespace

TEST_CASE("allocations fail when they are told to") {
  const auto number = [] { return std::make_unique<int>(0); };
  const auto take = [](int& n) {
    const std::vector<int> first(2);
    const std::vector<int> second(3);
    n = first[0] + second[2] + 1;
  };
  test::fail_each_allocation("two", number, take, [](int& n) { return std::to_string(n); });
  const auto throws = [](std::int64_t k, bool all, auto f) {
    try {
      const test::failures fail(k, all);
      f();
    } catch (const std::bad_alloc&) {
      return true;
    }
    return false;
  };
  const auto one = [] { ::operator delete(::operator new(3)); };
  const auto aligned = [] {
    ::operator delete[](::operator new[](3, std::align_val_t{128}), std::align_val_t{128});
  };
  const auto two = [&] {
    try {
      one();
    } catch (const std::bad_alloc&) {
      aligned();
    }
  };
  CHECK(throws(1, false, one));
  CHECK(throws(1, false, aligned));
  CHECK(!throws(2, false, one));
  CHECK(!throws(1, false, two));
  CHECK(throws(1, true, two));
  const std::unique_ptr<int> none = [] {
    const test::failures fail(1, false);
    return std::unique_ptr<int>(new (std::nothrow) int);
  }();
  CHECK(none == nullptr);
}

TEST_CASE("making trainers and functions") {
  for (const int threads : {1, 3}) {
    using net = decltype(tl::trainer{model, tl::adamw({.learning_rate = 0.1f})});
    struct place {
      std::unique_ptr<net> made;
    };
    test::fail_each_allocation(
        "a trainer", [] { return std::make_unique<place>(); },
        [&](place& p) {
          p.made = std::make_unique<net>(model, tl::adamw({.learning_rate = 0.1f}), tl::cpu{threads}, 5);
        },
        [](place& p) { return test::state_of(*p.made); });
  }
}

TEST_CASE("calls of a trainer on each policy") {
  test::on_each_policy([]<class Policy>() { check_calls(tl::adamw({.learning_rate = 0.1f}), Policy{}); });
}

TEST_CASE("calls of a trainer on two threads") {
  check_calls(tl::adamw({.learning_rate = 0.1f}), tl::cpu{2});
}

TEST_CASE("gradients, updates from them, and averages") {
  const auto rule = tl::average(tl::sgd({.learning_rate = 0.1f, .momentum = 0.9f}));
  check_gathered(rule, tl::cpu{2});
  const calls_of c(rule, tl::cpu{1});
  c.check("averaged weights", few, average, step, step);
}

TEST_CASE("a step that gathers gradients and one that applies them") {
  const calls_of c(tl::accumulate(2, tl::sgd({.learning_rate = 0.1f})), tl::cpu{1});
  c.check("the first half", few, step);
  c.check("the second half", many, step, step);
}

TEST_CASE("an iteration of L-BFGS") {
  const calls_of c(tl::lbfgs({}), tl::cpu{1});
  c.check("the first", few, step);
  c.check("the second, on more", many, step, step);
}

TEST_CASE("changes of hyperparameters and parameters") {
  const calls_of c(tl::sgd({.learning_rate = 0.1f}), tl::cpu{1});
  const std::array<double, 8> rates{1, 2, 3, 4, 5, 6, 7, 8};
  c.check("a learning rate", few, [&](auto& s) {
    s.net.template set<"learning_rate">(
        [rates](std::int64_t t) { return rates[static_cast<std::size_t>(t % 8)] / 100; });
  });
  std::vector<float> wrong(7);
  c.check("values of another number", few, [&](auto& s) {
    try {
      s.net.template assign<"fc2.bias">(wrong);
    } catch (const tl::error&) {
    }
  });
  c.check(
      "an input of another shape", few,
      [&](auto& s) {
        try {
          s.net.predict("x"_t = wrong);
        } catch (const tl::error&) {
        }
      },
      step);
}

TEST_CASE("functions with derivatives and loops") {
  using function = decltype(tl::function{tangent});
  struct place {
    std::unique_ptr<function> f;
    std::vector<double> x, v;
    std::string result;
    double number = 0;
  };
  const auto with = [](std::size_t size) {
    return [size] {
      auto p = std::make_unique<place>();
      for (std::size_t i = 0; i < 16 * size; ++i) p->x.push_back(0.01 * static_cast<double>(i % 31));
      p->v.assign(16 * size, 0.5);
      return p;
    };
  };
  constexpr std::size_t more = 20;
  const auto call = [](place& p) {
    if (!p.f) p.f = std::make_unique<function>(tangent, tl::cpu{2});
    p.number = (*p.f)("x"_t = p.x, "v"_t = p.v).get<"jv">()[3];
  };
  const auto result = [](place& p) {
    const auto r = (*p.f)("x"_t = p.x, "v"_t = p.v);
    return test::bytes_of_elements(r.get<"jv">()) + test::bytes_of_elements(r.get<"sums">()) +
           test::bytes_of_elements(p.number);
  };
  test::fail_each_allocation("a function", with(3), call, result);
  test::fail_each_allocation("a function of more", with(more), call, result);
  test::fail_each_allocation(
      "a second call with more",
      [&] {
        auto p = with(3)();
        call(*p);
        const auto other = with(more)();
        p->x = other->x;
        p->v = other->v;
        return p;
      },
      call, result);
}
