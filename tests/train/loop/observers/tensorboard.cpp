// SPDX-License-Identifier: BSL-1.0
// Files of events: where they are, what is in them; and all logs of a fit that is killed again and again.
// tests/tensorboard reads the events by the official package.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "catch.hpp"
#include "forked.hpp"
#include "io/json_reader.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using test::contains;

namespace {

std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}

tl::epoch_report report(std::int64_t updates, double loss, double accuracy, double validation) {
  tl::epoch_report r;
  r.updates = updates;
  r.train.set("loss", {loss, 0.1});
  r.train.set("accuracy", {accuracy, 0.1});
  r.validation.set("loss", {validation, 0.1});
  return r;
}

/// Ten steps and the end of an epoch.
void play_epoch(tl::tensorboard& board, std::int64_t updates, double batch_loss, const tl::epoch_report& r) {
  tl::fit_progress p;
  p.loss = batch_loss;
  for (p.updates = updates + 1; p.updates <= updates + 10; ++p.updates) board.on_step(p);
  board.on_epoch_end(p, r);
}

// Two epochs, of which the second one is lost, and computed again by a run that goes on.
void play_interrupted(const std::string& folder) {
  tl::tensorboard first(folder, {.every_steps = 4});
  first.on_begin({});
  play_epoch(first, 0, 0.25, report(10, 0.5, 0.75, 1.5));
  play_epoch(first, 10, 99, report(20, 99, 99, 99));
  tl::tensorboard second(folder, {.every_steps = 4});
  tl::fit_progress p;
  p.updates = 10;
  p.resumed = true;
  second.on_begin(p);
  play_epoch(second, 10, 0.0625, report(20, 0.125, 0.875, 1));
}

}  // namespace

TEST_CASE("each fit has files of its own, those of the validation in a folder of theirs") {
  const test::temporary_folder folder;
  play_interrupted(folder.path("not/there"));
  CHECK(files_in(folder.path("not/there/train")).size() == 2);
  const auto files = files_in(folder.path("not/there/validation"));
  REQUIRE(files.size() == 2);
  CHECK(std::filesystem::path(files[0]).filename().string().starts_with("events.out.tfevents."));
  const std::string bytes = test::bytes_of(files[0]);
  CHECK(bytes.find("brain.Event:2") != std::string::npos);
  CHECK(bytes.find("loss") != std::string::npos);
  CHECK(bytes.find("accuracy") == std::string::npos);
}

TEST_CASE("where nothing is held back there is no run of validation") {
  const test::temporary_folder folder;
  tl::tensorboard board(folder.path());
  board.on_begin({});
  play_epoch(board, 0, 1, {});
  CHECK(folder.size() == 1);
  CHECK(test::bytes_of(files_in(folder.path("train"))[0]).find("batch_loss") == std::string::npos);
}

TEST_CASE("the loss of a batch is written once for an update, also of a rule that accumulates") {
  const test::temporary_folder folder;
  tl::tensorboard board(folder.path(), {.every_steps = 2});
  board.on_begin({});
  tl::fit_progress p;
  p.loss = 0.5;
  for (int step = 1; step <= 17; ++step) {
    p.updates = step / 4;
    board.on_step(p);
  }
  const std::string bytes = test::bytes_of(files_in(folder.path("train"))[0]);
  int events = 0;
  for (std::size_t at = bytes.find("batch_loss"); at != std::string::npos;
       at = bytes.find("batch_loss", at + 1))
    ++events;
  CHECK(events == 2);  // after updates 2 and 4
}

TEST_CASE("a folder that cannot be written is an error before the first step") {
  const test::temporary_folder folder;
  tl::tensorboard board(folder.write("file", ""));
  CHECK_THROWS_WITH(board.on_begin({}), contains("cannot make the folder"));
  CHECK_THROWS_WITH(tl::tensorboard("x", {.every_steps = -1}), contains("every_steps is -1"));
}

TEST_CASE("files that begin in the same second are in order by their names") {
  const test::temporary_folder folder;
  tl::tensorboard board(folder.path());
  std::vector<std::string> in_time;
  for (int fit = 0; fit < 12; ++fit) {
    board.on_begin({});
    for (const std::string& file : files_in(folder.path("train")))
      if (std::find(in_time.begin(), in_time.end(), file) == in_time.end()) in_time.push_back(file);
  }
  CHECK(in_time == files_in(folder.path("train")));
}

TEST_CASE("events for the official package") {
  if (const char* folder = std::getenv("TAPELESS_EVENTS_DIR"); folder != nullptr) {
    std::filesystem::remove_all(folder);
    play_interrupted(folder);
  }
}

#if defined(TEST_HAS_FORK)

namespace {

/// Ends the process in a step, or at the end of an epoch.
struct dies {
  std::int64_t step = 0;
  int epoch = -1;
  void on_step(const tl::fit_progress& p) const {
    if (p.updates == step) ::raise(SIGKILL);
  }
  void on_epoch_end(const tl::fit_progress& p, const tl::epoch_report&) const {
    if (p.epoch == epoch) ::raise(SIGKILL);
  }
};

/// A fit of four epochs with four steps each, with all logs, which goes on where the one before was killed.
void fit_with_logs(const std::string& folder, dies before_logs = {}, dies among_logs = {}) {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
    auto y = tl::input<"y", float, tl::dyn<"batch">, 1>;
    return tl::mse_loss(tl::linear<"fc", 1>(x), y);
  };
  std::vector<float> x, y;
  for (int i = 0; i < 20; ++i) {
    x.insert(x.end(), {static_cast<float>(i % 7), static_cast<float>(i % 5)});
    y.push_back(static_cast<float>(i % 3));
  }
  tl::data::dataset data;
  data.add("x", {2}, x).add("y", {1}, y);
  tl::trainer net{model, tl::sgd({.learning_rate = 0.01f}), tl::cpu{.threads = 1}};
  tl::fit(net, data, {.epochs = 4, .batch = 4, .validation_split = 0.2}, before_logs,
          tl::csv_log(folder + "/log.csv"), among_logs, tl::json_log(folder + "/log.jsonl"),
          tl::tensorboard(folder + "/events", {.every_steps = 1}),
          tl::checkpoint(folder + "/last", {.every_steps = 3, .resume = true}));
}

/// The lines of log.csv, without the seconds.
std::vector<std::string> lines_of_csv(const std::string& folder) {
  std::vector<std::string> all;
  std::istringstream text(test::bytes_of(folder + "/log.csv"));
  for (std::string line; std::getline(text, line);) {
    const std::size_t second = line.find(',', line.find(',') + 1);
    all.push_back(line.substr(0, second) + line.substr(line.find(',', second + 1)));
  }
  return all;
}

/// What log.jsonl has of each epoch: its number, the updates, both losses.
std::vector<double> numbers_of_json(const std::string& folder) {
  std::vector<double> all;
  std::istringstream text(test::bytes_of(folder + "/log.jsonl"));
  for (std::string line; std::getline(text, line);) {
    const test::json epoch = test::read_json(line, "log.jsonl");
    for (const double x :
         {epoch["epoch"].number(), epoch["updates"].number(), epoch["train"]["loss"]["mean"].number(),
          epoch["validation"]["loss"]["mean"].number()})
      all.push_back(x);
  }
  return all;
}

/// A record of a TFRecord file, taken off the front; empty where there is no whole one.
std::string next_record(std::string_view& bytes) {
  std::uint64_t size = 0;
  if (bytes.size() < 16) return {};
  std::memcpy(&size, bytes.data(), 8);
  if (bytes.size() < 16 + size) return {};
  std::string record(bytes.substr(12, size));
  bytes.remove_prefix(16 + size);
  return record;
}

/// The scalars of a run, as TensorBoard shows them: the events of all files in order, of which a run that
/// starts at a step takes away those of this step and later ones. Of an event, all but its time (9 bytes).
std::vector<std::pair<std::int64_t, std::string>> events_of(const std::string& run) {
  std::vector<std::pair<std::int64_t, std::string>> all;
  for (const std::string& file : files_in(run)) {
    const std::string content = test::bytes_of(file);
    std::string_view bytes = content;
    while (true) {
      const std::string record = next_record(bytes);
      if (record.empty()) break;
      const std::string event = record.substr(9);  // its step first, which is below 128 here
      if (event.find("brain.Event") != std::string::npos) continue;
      const auto step = static_cast<std::int64_t>(event[1]);
      if (event.size() == 6) {  // the start of a run
        std::erase_if(all, [&](const auto& e) { return e.first >= step; });
      } else {
        all.emplace_back(step, event);
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("the logs of a fit that is killed and resumed have each epoch once, in order") {
  const test::temporary_folder whole;
  fit_with_logs(whole.path());
  const auto csv = lines_of_csv(whole.path());
  const auto json = numbers_of_json(whole.path());
  REQUIRE(csv.size() == 5);
  REQUIRE(json.size() == 16);
  REQUIRE(events_of(whole.path("events/train")).size() == 4 + 16);
  REQUIRE(events_of(whole.path("events/validation")).size() == 4);

  std::uint64_t deaths = 0;
  for (std::uint64_t k = 0; deaths < 40; ++k) {
    const test::temporary_folder folder;
    tl::random_stream random(7, k);
    bool done = false;
    for (int tries = 0; !done; ++tries) {
      const std::int64_t kind = tries < 8 ? random.below(4) : 4, number = random.below(1 << 20);
      std::fflush(nullptr);
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        dies before, among;
        if (kind == 0) before.step = 1 + number % 16;
        if (kind == 1) among.epoch = static_cast<int>(number % 4);
        if (kind == 2) before.epoch = static_cast<int>(number % 4);
        if (kind == 3) {  // in the middle of a write, of logs and of checkpoints
          const rlimit most{static_cast<rlim_t>(number % 3000), RLIM_INFINITY}, no_core{0, 0};
          ::setrlimit(RLIMIT_FSIZE, &most);
          ::setrlimit(RLIMIT_CORE, &no_core);
        }
        try {
          fit_with_logs(folder.path(), before, among);
        } catch (const std::exception& e) {
          std::fprintf(stderr, "in a child process: %s\n", e.what());
          ::_exit(1);
        }
        ::_exit(0);
      }
      int status = -1;
      ::waitpid(child, &status, 0);
      REQUIRE((WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0)));
      done = WIFEXITED(status);
      deaths += done ? 0 : 1;
    }
    CHECK(lines_of_csv(folder.path()) == csv);
    CHECK(numbers_of_json(folder.path()) == json);
    for (const char* run : {"events/train", "events/validation"})
      CHECK(events_of(folder.path(run)) == events_of(whole.path(run)));
    CHECK(folder.size() == 4);  // nothing is left of what was not written to its end
  }
}

#endif
