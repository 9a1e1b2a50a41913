// SPDX-License-Identifier: BSL-1.0
// What changes weights, and calls of functions that read them, in several threads: either the one or the
// other.
#include <tapeless/bytes.hpp>
#include <tapeless/tapeless.hpp>

#include <atomic>
#include <functional>
#include <thread>

#include "catch.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4>;
  return tl::mean(tl::square(tl::linear<"w", 4>(x) - 1_c));
};

const std::vector<float> x{1, 2, 3, 4};
const std::string while_reading =
    "tapeless: a trainer takes a step, or its weights are loaded or averages of them come, while a function "
    "on its weights is called or saved in another thread: let them take turns, or give the function weights "
    "of its own (copy_parameters)";
const std::string while_changing =
    "tapeless: a function on a trainer's weights is called or saved while the trainer takes a step, or its "
    "weights are loaded or averages of them come or go, in another thread: let them take turns, or give the "
    "function weights of its own (copy_parameters)";

}  // namespace

TEST_CASE("any number read, or one changes") {
  tl::weights_guard guard;
  {
    const auto a = guard.read(), b = guard.read();
    CHECK_THROWS_WITH(guard.change(), while_reading);
    const auto c = guard.read();
  }
  {
    const auto a = guard.change();
    CHECK_THROWS_WITH(guard.read(), while_changing);
    const auto nested = guard.change();
    CHECK_THROWS_WITH(guard.read(), while_changing);
  }
  CHECK_NOTHROW(guard.read());
  {
    auto a = guard.change();
    {
      const auto nested = guard.change();
    }
    CHECK_THROWS_AS(guard.read(), tl::error);  // the outer one goes on
    const auto moved = std::move(a);
    CHECK_THROWS_AS(guard.read(), tl::error);
  }
  CHECK_NOTHROW(guard.change());
}

TEST_CASE("nobody changes a function's weights while somebody else does, too") {
  tl::weights_guard guard(tl::weights_owner::function);
  const auto a = guard.change();
  CHECK_THROWS_WITH(guard.change(), test::contains("other weights are loaded into a function while another "
                                                   "thread calls or saves it, or loads some, too"));
  CHECK_THROWS_WITH(guard.read(),
                    test::contains("a function is called or saved while other weights are loaded"));
}

TEST_CASE("while weights are loaded into a function, it is not called, and nothing else is loaded") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  tl::save(net, path);
  tl::function f{model};
  const float before = f("x"_t = x).loss();
  {
    const auto changing = f.begin_change();  // as load does
    const auto refused = test::contains("other weights are loaded into a function while another");
    CHECK_THROWS_WITH(f("x"_t = x),
                      test::contains("a function is called or saved while other weights are loaded"));
    CHECK_THROWS_WITH(tl::load(f, path), refused);
    CHECK_THROWS_WITH(tl::copy_parameters(net, f), refused);
    CHECK_THROWS_WITH(tl::soft_update(net, f, 0.5), refused);
    CHECK_THROWS_WITH(tl::soft_update(net, f, 0.5, {.only = {"w.*"}}), refused);
  }
  CHECK(f("x"_t = x).loss() == before);
  net.step("x"_t = x);
  tl::soft_update(net, f, 0.5);
  CHECK(f("x"_t = x).loss() != before);
  tl::copy_parameters(net, f);
  CHECK(f("x"_t = x).loss() == net.evaluate("x"_t = x).loss());
  tl::load(f, path);
  CHECK(f("x"_t = x).loss() == before);
}

TEST_CASE("a function is saved, or copied, as long as nothing changes its weights") {
  const test::temporary_folder folder;
  const std::string path = folder.path("f.safetensors");
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})}, other{model, tl::sgd({}), tl::cpu{}, 1};
  tl::function shared{model, tl::weights(net)};
  tl::function own{model};
  const auto check = [&](auto& f, auto change, const std::string& refusal) {
    {
      const auto changing = change();
      CHECK_THROWS_WITH(tl::save(f, path), test::contains(refusal));
      CHECK_THROWS_WITH(tl::save_bytes(f), test::contains(refusal));
      CHECK_THROWS_WITH(tl::copy_parameters(f, other), test::contains(refusal));
      CHECK_THROWS_WITH(tl::soft_update(f, other, 0.5), test::contains(refusal));
    }
    tl::save(f, path);
    tl::copy_parameters(f, other);
    CHECK(other.evaluate("x"_t = x).loss() == f("x"_t = x).loss());
    const tl::detail::named_tensors tensors(f, false);
    CHECK_THROWS_AS(change(), tl::error);
  };
  check(shared, [&] { return net.begin_change(); }, while_changing);
  check(own, [&] { return own.begin_change(); }, "while other weights are loaded into it");
  {
    const tl::detail::named_tensors tensors(shared, false);
    CHECK_THROWS_WITH(net.step("x"_t = x), while_reading);
  }
  CHECK_NOTHROW(net.step("x"_t = x));
}

TEST_CASE("weights are copied to where they are") {
  tl::trainer net{model, tl::sgd({})};
  tl::function f{model, tl::weights(net)};
  tl::function own{model};
  const tl::function g{model, tl::weights(own)};
  const float before = f("x"_t = x).loss();
  tl::copy_parameters(f, net);
  tl::soft_update(f, net, 0.5);
  tl::soft_update(f, net, 0.5, {.only = {"w.*"}});
  CHECK(f("x"_t = x).loss() == before);
  CHECK_NOTHROW(tl::copy_parameters(own, own));
  CHECK_NOTHROW(tl::copy_parameters(g, own));
  CHECK_NOTHROW(tl::soft_update(g, own, 0.5));
}

namespace {

/// Whether `change` is refused at some time while another thread calls f again and again.
template <class F, class Change>
bool is_refused(const F& f, const std::string& sentence, Change change) {
  std::atomic<bool> stop = false;
  std::thread caller([&] {
    while (!stop) try {
        f("x"_t = x);
      } catch (const tl::error&) {
      }
  });
  bool refused = false;
  for (int i = 0; i < 1000000 && !refused; ++i) try {
      change();
    } catch (const tl::error& e) {
      CHECK_THAT(e.what(), test::contains(sentence));
      refused = true;
    }
  stop = true;
  caller.join();
  return refused;
}

}  // namespace

TEST_CASE("nothing is loaded into a function, or a trainer with one on its weights, while that is called") {
  tl::trainer net{model, tl::sgd({})}, other{model, tl::sgd({}), tl::cpu{}, 1};
  const tl::function shared{model, tl::weights(net)};
  tl::function f{model};
  const std::string of_function =
      "other weights are loaded into a function while another thread calls or saves it";
  CHECK(is_refused(f, of_function, [&] { tl::copy_parameters(other, f); }));
  CHECK(is_refused(f, of_function, [&] { tl::soft_update(other, f, 0.5); }));
  CHECK(is_refused(shared, while_reading, [&] { tl::copy_parameters(other, net); }));
  CHECK(is_refused(shared, while_reading, [&] { tl::soft_update(other, net, 0.5); }));
}

TEST_CASE("of threads that read and one that changes nobody meets the other") {
  tl::weights_guard guard;
  std::atomic<int> readers = 0, changers = 0, met = 0, came = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3000; ++i) try {
          if (t == 0) {
            const auto stay = guard.change();
            ++changers;
            if (readers > 0) ++met;
            --changers;
            ++came;
          } else {
            const auto stay = guard.read();
            ++readers;
            if (changers > 0) ++met;
            --readers;
            ++came;
          }
        } catch (const tl::error&) {
        }
    });
  for (std::thread& t : threads) t.join();
  CHECK(met == 0);
  CHECK(came > 0);
}

// A schedule is called in the middle of a step: what other threads do then, they do at the same time.
TEST_CASE("a function is refused while its trainer takes a step") {
  std::function<void()> meanwhile = [] {};
  const auto rule = tl::sgd({.learning_rate = [&](std::int64_t) {
    meanwhile();
    return 0.1f;
  }});
  const auto check = [&](auto net, auto step) {
    const tl::function f{model, tl::weights(net)};
    int refused = 0;
    meanwhile = [&] {
      std::thread([&] {
        try {
          f("x"_t = x);
        } catch (const tl::error& e) {
          CHECK(e.what() == while_changing);
          ++refused;
        }
      }).join();
    };
    step(net);
    CHECK(refused == 1);
    meanwhile = [] {};
    CHECK(f("x"_t = x).loss() == net.evaluate("x"_t = x).loss());
  };
  const auto step = [](auto& net) { net.step("x"_t = x); };
  check(tl::trainer{model, rule}, step);
  check(tl::trainer{model, rule}, [](auto& net) { net.accumulate(1, "x"_t = x); });
  check(tl::trainer{model, tl::lbfgs({.learning_rate =
                                          [&](std::int64_t) {
                                            meanwhile();
                                            return 0.1f;
                                          }})},
        step);
}
