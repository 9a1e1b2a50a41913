// SPDX-License-Identifier: BSL-1.0
// A fit that is killed, at any step and in the middle of any write, and resumed is the fit that never was.
#include <tapeless/tapeless.hpp>

#include <csignal>
#include <filesystem>

#include "catch.hpp"
#include "forked.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace tl = tapeless;
using test::contains;

namespace {

// Dropout, running statistics, a schedule and momentum: all that must go on where it was.
constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto label = tl::input<"label", std::int32_t, tl::dyn<"batch">>;
  auto h = tl::dropout<0.25>(tl::tanh(tl::batch_norm<"norm">(tl::linear<"fc1", 4>(x))));
  auto logits = tl::linear<"fc2", 2>(h);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

tl::data::dataset samples() {
  const auto x = test::numbers(5).vector<float>(40);
  std::vector<std::int32_t> label;
  for (std::size_t i = 0; i < x.size(); i += 2) label.push_back(x[i] > x[i + 1]);
  tl::data::dataset d;
  d.add("x", {2}, x).add("label", {}, label);
  return d;
}

auto make_net() {
  return tl::trainer{model, tl::adam({.learning_rate = tl::cosine_schedule({.start = 0.1, .steps = 40})}),
                     tl::cpu{.threads = 1}};
}

/// What a fit leaves: the trainer, the history without seconds, and what callbacks know.
struct outcome {
  std::string trainer, best;
  std::vector<double> history;
  bool operator==(const outcome&) const = default;
};

/// The one kind of fit that is tried here; `step` is told of each step, before the checkpoint is.
struct hook {
  void (*step)(const tl::fit_progress&, int) = [](const auto&, int) {};
  int argument = 0;
  void on_step(const tl::fit_progress& p) const { step(p, argument); }
};

constexpr tl::fit_options options{
    .epochs = 4, .batch = 4, .validation_split = 0.2, .seed = 3};  // 4 steps in each epoch

outcome run(const std::string& folder, const tl::checkpoint_options& how, const hook& hooked = {},
            tl::fit_options o = options) {
  auto net = make_net();
  tl::accuracy<"logits", "label"> accuracy;
  tl::early_stopping patience({.watch = "loss", .patience = 3, .restore_best = true});
  tl::fit_checkpoint checkpoint = tl::checkpoint(folder + "/last", how);
  const auto history = tl::fit(net, samples(), o, hooked, checkpoint, accuracy, patience,
                               tl::save_best(folder + "/best", {.watch = "accuracy"}));
  outcome all;
  tl::save_checkpoint(net, folder + "/trainer");
  all.trainer = test::bytes_of(folder + "/trainer");
  all.best = test::bytes_of(folder + "/best");
  for (const tl::epoch_report& e : history) {
    all.history.insert(all.history.end(), {static_cast<double>(e.updates), static_cast<double>(e.number)});
    for (const tl::report* r : {&e.train, &e.validation})
      for (const auto& [name, m] : *r) all.history.insert(all.history.end(), {m.mean, m.uncertainty});
  }
  all.history.insert(all.history.end(),
                     {accuracy.get().mean, patience.best(), static_cast<double>(patience.best_epoch())});
  return all;
}

outcome uninterrupted() {
  const test::temporary_folder folder;
  return run(folder.path(), {.every_steps = 1});
}

struct stopped {};
void throws_after(const tl::fit_progress& p, int updates) {
  if (p.updates == updates) throw stopped();
}

}  // namespace

TEST_CASE("a fit goes on from wherever it was stopped") {
  const outcome expected = uninterrupted();
  CHECK(expected.history.size() == 4 * 10 + 3);
  for (const int at : {1, 3, 4, 5, 16}) {
    const test::temporary_folder folder;
    CHECK_THROWS_AS(run(folder.path(), {.every_steps = 1, .resume = true}, {throws_after, at}), stopped);
    CHECK(run(folder.path(), {.every_steps = 1, .resume = true}) == expected);
    CHECK(run(folder.path(), {.every_steps = 1, .resume = true}) == expected);  // it is over
  }
}

TEST_CASE("steps instead of epochs, and more of them later") {
  tl::fit_options all = options, part = options;
  all.steps = 13;
  part.steps = 7;
  const test::temporary_folder whole, folder, longer;
  const outcome expected = run(whole.path(), {}, {}, all);
  CHECK_THROWS_AS(run(folder.path(), {.every_steps = 1, .resume = true}, {throws_after, 6}, all), stopped);
  CHECK(run(folder.path(), {.every_steps = 1, .resume = true}, {}, all) == expected);
  tl::fit_options three = options;
  three.epochs = 3;
  run(longer.path(), {.resume = true}, {}, three);
  CHECK(run(longer.path(), {.resume = true}) == uninterrupted());
}

TEST_CASE("a fit with a start epoch goes on, too") {
  tl::fit_options late = options;
  late.start_epoch = 1;
  const test::temporary_folder whole, folder;
  const outcome expected = run(whole.path(), {}, {}, late);
  CHECK(expected.history.size() == 3 * 10 + 3);
  CHECK(expected.history[1] == 2);
  for (const int at : {3, 7, 12})
    CHECK_THROWS_AS(run(folder.path(), {.every_steps = 1, .resume = true}, {throws_after, at}, late),
                    stopped);
  CHECK(run(folder.path(), {.every_steps = 1, .resume = true}, {}, late) == expected);
}

TEST_CASE("when it is written") {
  const auto writes = [](const tl::checkpoint_options& how) {
    static std::string path;
    static std::vector<std::int64_t> seen;
    const test::temporary_folder folder;
    path = folder.path("last");
    seen.clear();
    const hook looks{[](const tl::fit_progress& p, int) {  // of the steps before this one
      if (std::filesystem::remove(path)) seen.push_back(p.updates - 1);
    }};
    run(folder.path(), how, looks);
    CHECK(std::filesystem::exists(path));
    return seen;
  };
  using steps = std::vector<std::int64_t>;
  CHECK(writes({}) == steps{4, 8, 12});
  CHECK(writes({.every_epochs = 2}) == steps{8});
  CHECK(writes({.every_steps = 5}) == steps{5, 10, 15});
  CHECK(writes({.every_seconds = 1e9}).empty());
  CHECK(writes({.every_seconds = 1e-12}).size() == 15);
  CHECK_THROWS_AS(tl::checkpoint("x", {.every_steps = -1}), tl::error);
  const char* const path = "x";
  static_assert(std::is_same_v<decltype(tl::checkpoint("x")), tl::fit_checkpoint>);
  static_assert(std::is_same_v<decltype(tl::checkpoint(path)), tl::fit_checkpoint>);
  static_assert(std::is_same_v<decltype(tl::checkpoint(std::filesystem::path("x"))), tl::fit_checkpoint>);
}

TEST_CASE("Ctrl-C and SIGTERM end the fit with a checkpoint") {
  const auto raise_at = []<int Signal>(std::integral_constant<int, Signal>) {
    return hook{[](const tl::fit_progress& p, int at) {
                  if (p.updates == at) std::raise(Signal);
                },
                6};
  };
  for (const hook& interrupts :
       {raise_at(std::integral_constant<int, SIGINT>{}), raise_at(std::integral_constant<int, SIGTERM>{})}) {
    const test::temporary_folder folder;
    CHECK(run(folder.path(), {.every_seconds = 1e9}, interrupts).history.size() == 10 + 3);
    CHECK(run(folder.path(), {.resume = true}) == uninterrupted());
  }
}

TEST_CASE("a file of another fit is refused, and changes nothing") {
  const test::temporary_folder folder;
  const std::string path = folder.path("last");
  auto net = make_net(), fresh = make_net();
  tl::fit(net, samples(), {.epochs = 1}, tl::checkpoint(path));
  const auto resumed = [&](auto& into, auto&&... callbacks) {
    return tl::fit(into, samples(), {.epochs = 1}, tl::checkpoint(path, {.resume = true}), callbacks...);
  };
  CHECK_THROWS_WITH(resumed(fresh, tl::accuracy<"logits", "label">{}),
                    contains("there is no \"accuracy.hits\": the fit that wrote it had other callbacks"));
  tl::fit(net, samples(), {.epochs = 1}, tl::checkpoint(path), tl::accuracy<"logits", "label">{});
  CHECK_THROWS_WITH(resumed(fresh), contains("\"accuracy.hits\" belongs to no callback of this fit"));
  tl::save_checkpoint(net, path);
  CHECK_THROWS_WITH(resumed(fresh), contains("it has no state of a fit"));
  CHECK(fresh.steps() == 0);
  CHECK(fresh.parameter<"fc1.weight">()[0] == make_net().parameter<"fc1.weight">()[0]);

  tl::fit(net, samples(), {.epochs = 1}, tl::checkpoint(path));
  tl::load_checkpoint(fresh, path);  // it is a trainer's as well
  CHECK(fresh.steps() == net.steps());
}

#if defined(TEST_HAS_FORK)

#include <sys/time.h>

namespace {

/// A process that goes on with the fit, until `dies` ends it or it is done.
template <class Dies>
bool is_done_by_child(const std::string& folder, Dies dies) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const hook hooked = dies();
    try {
      run(folder, {.every_steps = 1, .resume = true}, hooked);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "in a child process: %s\n", e.what());
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK((WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0)));
  return WIFEXITED(status);
}

void dies_after(const tl::fit_progress& p, int updates) {
  if (p.updates == updates) ::raise(SIGKILL);
}

}  // namespace

TEST_CASE("killed at 50 moments, in the middle of writes too, the fit ends as if it never had been") {
  const outcome expected = uninterrupted();
  std::uint64_t seed = 1;
  int deaths = 0;
  for (int k = 0; deaths < 50; ++k) {
    const test::temporary_folder folder;
    tl::random_stream random(seed, static_cast<std::uint64_t>(k));
    bool done = false;
    for (int tries = 0; !done; ++tries) {
      const std::int64_t kind = random.below(3), number = random.below(1 << 20);
      done = is_done_by_child(folder.path(), [&] {
        if (tries > 12) return hook{};
        if (kind == 0) return hook{dies_after, static_cast<int>(1 + number % 16)};  // in a step
        if (kind == 1) {  // where a file grows beyond a length
          const rlimit most{static_cast<rlim_t>(number % 6000), RLIM_INFINITY};
          ::setrlimit(RLIMIT_FSIZE, &most);
          const rlimit no_core{0, 0};
          ::setrlimit(RLIMIT_CORE, &no_core);
          return hook{};
        }
        const itimerval soon{{0, 0}, {0, static_cast<suseconds_t>(1 + number % 20000)}};  // anywhere
        std::signal(SIGALRM, [](int) { ::raise(SIGKILL); });
        ::setitimer(ITIMER_REAL, &soon, nullptr);
        return hook{};
      });
      deaths += done ? 0 : 1;
    }
    CHECK(run(folder.path(), {.resume = true}) == expected);
    CHECK(!std::filesystem::exists(folder.path("last.tmp0")));  // what was left has been removed
  }
}

#endif
