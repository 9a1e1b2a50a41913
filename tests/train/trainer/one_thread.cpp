// SPDX-License-Identifier: BSL-1.0
// A trainer belongs to one thread at a time: a second one is told so, and what the first one computes is
// right. Several trainers on several threads, and trainers that come through a fork.
#include <tapeless/tapeless.hpp>

#include <atomic>
#include <barrier>
#include <thread>

#include "catch.hpp"
#include "forked.hpp"
#include "thread_shares.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 32>;
  auto y = tl::input<"y", float, batch, 8>;
  auto out = tl::linear<"b", 8>(tl::tanh(tl::linear<"a", 256>(x)));
  return tl::outputs(tl::mse_loss(out, y), tl::named<"out">(out));
};

struct samples {
  explicit samples(std::size_t size) : x(32 * size), y(8 * size) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 7 % 13) / 13.0f;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(i * 5 % 11) / 11.0f;
  }
  std::vector<float> x, y;
};

auto make(int threads = 1) {
  return std::make_unique<decltype(tl::trainer{model, tl::adam({.learning_rate = 1e-2f})})>(
      model, tl::adam({.learning_rate = 1e-2f}), tl::cpu{threads});
}

/// The losses of some steps, which tell any difference.
template <class Net>
std::vector<float> losses(Net& net, const samples& s, int steps = 5) {
  std::vector<float> all;
  for (int i = 0; i < steps; ++i) all.push_back(net.step("x"_t = s.x, "y"_t = s.y).loss());
  all.push_back(net.evaluate("x"_t = s.x, "y"_t = s.y).loss());
  return all;
}

/// f(), and whether it was refused because of another thread.
template <class F>
bool is_refused(const char* what, F f) {
  try {
    f();
    return false;
  } catch (const tl::error& e) {
    CHECK(e.what() ==
          tl::join({"tapeless: a ", what,
                    " belongs to one thread at a time, but another thread is using this one: give each "
                    "thread a ",
                    what, " of its own, or let them take turns"}));
    return true;
  }
}

/// Calls f on another thread, and waits for it.
template <class F>
void elsewhere(F f) {
  std::thread(f).join();
}

}  // namespace

TEST_CASE("one thread is in at a time") {
  tl::one_thread place;
  const auto is_free = [&] {
    bool refused = false;
    elsewhere([&] { refused = is_refused("thing", [&] { const auto stay = place.enter("thing"); }); });
    return !refused;
  };
  CHECK(is_free());
  {
    const auto stay = place.enter("thing");
    CHECK(!is_free());
    {
      const auto again = place.enter("thing");  // the same thread
      CHECK(!is_free());
    }
    CHECK(!is_free());
    CHECK(!is_free());  // who was refused has changed nothing
  }
  CHECK(is_free());
  {
    auto stay = place.enter("thing");
    const auto moved = std::move(stay);
    CHECK(!is_free());
  }
  CHECK(is_free());
  try {
    const auto stay = place.enter("thing");
    throw 1;
  } catch (int) {
  }
  CHECK(is_free());
}

TEST_CASE("a thread is not the only one where another one has been started") {
  bool there = true;
  elsewhere([&] { there = tl::detail::is_only_thread(); });
  CHECK(!there);
}

TEST_CASE("a place may come to its end while it is held") {
  auto place = std::make_unique<tl::one_thread>();
  const auto is_free = [&] {
    bool refused = false;
    elsewhere([&] { refused = is_refused("thing", [&] { const auto stay = place->enter("thing"); }); });
    return !refused;
  };
  {
    const tl::one_thread::hold outer(*place, "thing");
    {
      const tl::one_thread::hold inner(*place, "thing");
      const auto stay = place->enter("thing");
    }
    CHECK(!is_free());
  }
  CHECK(is_free());
  const tl::one_thread::hold outer(*place, "thing");
  place = std::make_unique<tl::one_thread>();
  CHECK(is_free());
  const tl::one_thread::hold other(*place, "thing");
  CHECK(!is_free());
}

TEST_CASE("of many threads one is in") {
  tl::one_thread place;
  std::atomic<int> inside = 0, most = 0, came = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) try {
          const auto stay = place.enter("thing");
          if (++inside > 1) most = 2;
          ++came;
          --inside;
        } catch (const tl::error&) {
          ++refused;
        }
    });
  for (std::thread& t : threads) t.join();
  CHECK(most == 0);
  CHECK(came + refused == 8000);
  CHECK(came > 0);
}

// A schedule is called in the middle of a step: what other threads do then, they do at the same time.
TEST_CASE("a second thread is refused while a step runs, and the step is right") {
  const samples s(16);
  const auto expected = [&] {
    auto net = make();
    return losses(*net, s);
  }();
  std::function<void()> meanwhile = [] {};
  tl::trainer net{model, tl::adam({.learning_rate = [&](std::int64_t) {
                    meanwhile();
                    return 1e-2f;
                  }})};
  losses(net, s, 0);  // evaluate's program is there
  int refused = 0;
  meanwhile = [&] {
    elsewhere([&] {
      const auto call = [&](auto f) { refused += is_refused("trainer", f) ? 1 : 0; };
      call([&] { net.step("x"_t = s.x, "y"_t = s.y); });
      call([&] { net.evaluate("x"_t = s.x, "y"_t = s.y); });
      call([&] { net.predict("x"_t = s.x); });
      call([&] { net.accumulate(1, "x"_t = s.x, "y"_t = s.y); });
      call([&] { net.gradients("x"_t = s.x, "y"_t = s.y); });
      call([&] { net.gradient<"a.weight">(); });
      call([&] { net.apply(); });
      call([&] { net.set<"learning_rate">(0); });
      call([&] { net.get<"learning_rate">(); });
      call([&] { net.set_position({}); });
      call([&] { net.set_changed_hyperparameters(net.changed_hyperparameters()); });
      call([&] { tl::save(net, "never_written.safetensors"); });
    });
  };
  CHECK(losses(net, s) == expected);
  CHECK(refused == 5 * 12);
  CHECK(net.steps() == 5);
}

TEST_CASE("threads may take turns with a trainer, and a thread may nest calls") {
  const samples s(16);
  const auto expected = [&] {
    auto net = make();
    return losses(*net, s);
  }();
  auto net = make();
  std::vector<float> seen;
  for (int i = 0; i < 5; ++i) elsewhere([&] { seen.push_back(net->step("x"_t = s.x, "y"_t = s.y).loss()); });
  seen.push_back(net->evaluate("x"_t = s.x, "y"_t = s.y).loss());
  CHECK(seen == expected);

  std::function<void()> inside = [] {};
  tl::trainer other{model, tl::adam({.learning_rate = [&](std::int64_t) {
                      inside();
                      return 1e-2f;
                    }})};
  inside = [&] { other.predict("x"_t = s.x); };
  CHECK(losses(other, s) == expected);
  tl::data::dataset data;
  data.add("x", {32}, s.x).add("y", {8}, s.y);
  struct evaluates {
    std::function<void()> f;
    void on_step(const tl::fit_progress&) { f(); }
  };
  float last = 0;
  tl::fit(other, data, {.steps = 2, .batch = 8},
          evaluates{[&] { last = static_cast<float>(tl::evaluate(other, data)["loss"].mean); }});
  CHECK(last > 0);
}

TEST_CASE("a fit is one call: between its steps a second thread is refused, and its callbacks are not") {
  const samples s(16);
  tl::data::dataset data;
  data.add("x", {32}, s.x).add("y", {8}, s.y);
  const auto expected = [&] {
    auto net = make();
    tl::fit(*net, data, {.epochs = 2, .batch = 8});
    return losses(*net, s, 1);
  }();
  auto net = make();
  int refused = 0, called = 0;
  const auto call_elsewhere = [&] {
    elsewhere([&] {
      const auto call = [&](auto f) { refused += is_refused("trainer", f) ? 1 : 0; };
      call([&] { net->predict("x"_t = s.x); });
      call([&] { net->step("x"_t = s.x, "y"_t = s.y); });
      call([&] { net->set<"learning_rate">(0); });
      call([&] { tl::evaluate(*net, data); });
      call([&] { tl::fit(*net, data, {.epochs = 1}); });
      call([&] { tl::save(*net, "never_written.safetensors"); });
    });
    ++called;
  };
  tl::fit(*net, data, {.epochs = 2, .batch = 8}, [&](const tl::fit_progress&) {
    net->predict("x"_t = s.x);
    tl::evaluate(*net, data);
    net->set<"learning_rate">(1e-2f);
    call_elsewhere();
  });
  CHECK(called > 0);
  CHECK(refused == called * 6);
  CHECK(losses(*net, s, 1) == expected);
  elsewhere([&] { CHECK(!is_refused("trainer", [&] { net->predict("x"_t = s.x); })); });

  CHECK_THROWS(tl::fit(*net, data, {.epochs = 1}, [](const tl::fit_progress&) { tl::throw_error("stop"); }));
  elsewhere([&] { CHECK(!is_refused("trainer", [&] { net->predict("x"_t = s.x); })); });
}

TEST_CASE("a callback of fit may put another trainer in the place of the one that is trained") {
  const samples s(16);
  tl::data::dataset data;
  data.add("x", {32}, s.x).add("y", {8}, s.y);
  auto net = make();
  tl::fit(*net, data, {.epochs = 2, .batch = 8}, [&](const tl::fit_progress&) { *net = std::move(*make()); });
  elsewhere([&] { CHECK(!is_refused("trainer", [&] { net->predict("x"_t = s.x); })); });
}

TEST_CASE("to evaluate a data set is one call") {
  const samples s(4);
  tl::data::dataset data;
  data.add("x", {32}, s.x).add("y", {8}, s.y);
  auto net = make();
  int refused = 0;
  tl::evaluate(*net, data, {.batch = 2}, tl::metric<"seen", "out", "y">([&](float, float) {
    elsewhere([&] { refused += is_refused("trainer", [&] { net->predict("x"_t = s.x); }); });
    return 0.0f;
  }));
  CHECK(refused == 4 * 8);
}

TEST_CASE("what is read of a trainer belongs together") {
  auto net = make();
  const auto is_free = [&] {
    bool refused = false;
    elsewhere([&] { refused = is_refused("trainer", [&] { net->set<"learning_rate">(0); }); });
    return !refused;
  };
  {
    const tl::detail::named_tensors tensors(*net, false);  // which files are written from
    CHECK(tensors.size() == 4);
    CHECK(!is_free());
  }
  CHECK(is_free());
  tl::detail::write_checkpoint(*net, {}, [&](const auto&, const auto&) { CHECK(!is_free()); });
  CHECK(is_free());
}

TEST_CASE("threads with trainers of their own are right") {
  const test::smallest_shares shares;
  const samples s(16);
  const auto expected = [&] {
    auto net = make();
    return losses(*net, s);
  }();
  std::vector<std::vector<float>> seen(4);
  std::barrier start(4);
  std::vector<std::thread> threads;
  for (auto& mine : seen)
    threads.emplace_back([&] {
      start.arrive_and_wait();
      auto net = make(3);  // one at a time has the pool
      mine = losses(*net, s);
    });
  for (std::thread& t : threads) t.join();
  for (const auto& mine : seen) CHECK(mine == expected);
}

#ifdef TEST_HAS_FORK

TEST_CASE("a trainer goes on in a forked child, and in the parent") {
  const test::smallest_shares shares;
  const samples s(80);
  for (const int threads : {1, 3}) {
    INFO(threads << " threads");
    const auto expected = [&] {
      auto net = make(threads);
      losses(*net, s, 1);
      return losses(*net, s, 2);
    }();
    auto net = make(threads);
    losses(*net, s, 1);
    CHECK(test::in_child([&] {
            const bool equal = losses(*net, s, 2) == expected;
            net.reset();
            return equal ? 7 : 8;
          }) == 7);
    CHECK(test::in_child([&] {
            net.reset();
            return 7;
          }) == 7);
    CHECK(losses(*net, s, 2) == expected);
  }
}

TEST_CASE("a trainer that another thread was using at the fork is refused in the child") {
  const samples s(16);
  std::function<void()> meanwhile = [] {};
  tl::trainer net{model, tl::adam({.learning_rate = [&](std::int64_t) {
                    meanwhile();
                    return 1e-2f;
                  }})};
  int verdict = 0;
  meanwhile = [&] {
    elsewhere([&] {
      verdict = test::in_child([&] {
        try {
          net.predict("x"_t = s.x);
        } catch (const tl::error&) {
          return 7;
        }
        return 8;
      });
    });
  };
  net.step("x"_t = s.x, "y"_t = s.y);
  CHECK(verdict == 7);
}

#endif

TEST_CASE("a number of threads that no machine has is an error where the trainer is made") {
  CHECK_THROWS_WITH(
      (tl::trainer{model, tl::sgd({.learning_rate = 0.1f}), tl::cpu{20000}}),
      "tapeless: cpu: threads is 20000; it must be from 1 to 4096, or 0 for as many as there are "
      "cores");
}
