// SPDX-License-Identifier: BSL-1.0
// Files of events: where they are, what is in them. tests/tensorboard reads them by the official package.
#include <tapeless/train/loop/observers/tensorboard.hpp>

#include <algorithm>
#include <cstdlib>

#include "catch.hpp"
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

TEST_CASE("a folder that cannot be written is an error before the first step") {
  const test::temporary_folder folder;
  tl::tensorboard board(folder.write("file", ""));
  CHECK_THROWS_WITH(board.on_begin({}), contains("cannot make the folder"));
  CHECK_THROWS_WITH(tl::tensorboard("x", {.every_steps = -1}), contains("every_steps is -1"));
}

TEST_CASE("events for the official package") {
  if (const char* folder = std::getenv("TAPELESS_EVENTS_DIR"); folder != nullptr) {
    std::filesystem::remove_all(folder);
    play_interrupted(folder);
  }
}
