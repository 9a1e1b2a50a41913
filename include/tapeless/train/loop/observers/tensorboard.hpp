// SPDX-License-Identifier: BSL-1.0
// tensorboard("events"): the measurements of each epoch as TensorBoard shows them.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/append_file.hpp>
#include <tapeless/io/folder.hpp>
#include <tapeless/io/tensorboard_event.hpp>
#include <tapeless/train/loop/fit_progress.hpp>

namespace tapeless {

/// Options of tensorboard.
struct tensorboard_options {
  std::int64_t every_steps = 0;  ///< writes the loss of the batch after every so many updates, too (0: never)
};

namespace detail {

/// Seconds since 1970.
inline double wall_seconds() {
  std::timespec now = {};
  std::timespec_get(&now, TIME_UTC);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A file of events that no other run writes to.
class event_file {
 public:
  /// A new one in the folder, which is made where there is none; a run begins there at this step. The names
  /// of files are the time and a number, so that they are read in order.
  TAPELESS_COLD void begin(const std::string& folder, std::int64_t step) {
    io::make_folder(folder);
    const double now = wall_seconds();
    const std::string beginning = io::tensorboard_beginning(now, step);
    const auto seconds = static_cast<std::int64_t>(now);
    for (int number = 0;; ++number) {
      const char* const zeros = number < 10 ? "000" : number < 100 ? "00" : number < 1000 ? "0" : "";
      path_ = join({folder, "/events.out.tfevents.", seconds, ".tapeless.", zeros, number});
      if (io::make_new_file(path_, beginning)) return;
    }
  }

  bool is_begun() const { return !path_.empty(); }

  void write(std::string_view records) const { io::append_to_file(path_, records); }

 private:
  std::string path_;
};

}  // namespace detail

/// A callback of fit that writes the measurements of each epoch as scalars: those of training into the run
/// FOLDER/train, those of the validation into FOLDER/validation, so that `tensorboard --logdir FOLDER` shows
/// them in one chart. Steps are the trainer's updates in all its fits. With every_steps, the loss of single
/// batches is there, too, as "batch_loss". Each fit writes files of its own; one that goes on from a
/// checkpoint takes the place of what an interrupted one wrote after it. What was written can be seen at
/// once. Throws an error where the folder cannot be written, before the first step.
class tensorboard {
 public:
  static constexpr bool only_shows = true;

  explicit tensorboard(std::string folder, const tensorboard_options& o = {})
      : folder_(std::move(folder)), options_(o) {
    if (o.every_steps < 0)
      throw_error({"tensorboard: every_steps is ", o.every_steps, "; it must be 0 or more"});
  }

  /// Before the first step.
  TAPELESS_COLD void on_begin(const fit_progress& p) {
    updates_ = p.updates;
    begin_ = p.updates + 1;  // what was written after that many updates stays
    train_.begin(folder_ + "/train", begin_);
    validation_ = {};
  }

  /// After each step, which is not always an update.
  TAPELESS_WARM void on_step(const fit_progress& p) {
    if (options_.every_steps == 0 || p.updates == updates_) return;
    updates_ = p.updates;
    if (p.updates % options_.every_steps != 0) return;
    train_.write(io::tensorboard_scalar(detail::wall_seconds(), p.updates, "batch_loss", p.loss));
  }

  /// After an epoch and its validation.
  TAPELESS_COLD void on_epoch_end(const fit_progress&, const epoch_report& r) {
    train_.write(scalars(r.train, r.updates));
    if (r.validation.empty()) return;
    if (!validation_.is_begun()) validation_.begin(folder_ + "/validation", begin_);
    validation_.write(scalars(r.validation, r.updates));
  }

 private:
  std::string folder_;
  tensorboard_options options_;
  std::int64_t begin_ = 0, updates_ = 0;
  detail::event_file train_, validation_;

  TAPELESS_COLD static std::string scalars(const report& r, std::int64_t step) {
    std::string records;
    const double now = detail::wall_seconds();
    for (const auto& [name, m] : r) records += io::tensorboard_scalar(now, step, name, m.mean);
    return records;
  }
};

}  // namespace tapeless
