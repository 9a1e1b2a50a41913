// SPDX-License-Identifier: BSL-1.0
// checkpoint(path, {...}): a fit that can be interrupted at any time, and goes on bit for bit.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/platform.hpp>
#include <tapeless/io/temporary_file.hpp>
#include <tapeless/train/files/checkpoint_file.hpp>
#include <tapeless/train/loop/fit_loop.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>

namespace tapeless {

/// How often a fit is written down. Where nothing is said, after each epoch; always when it ends. A fit of
/// ranks goes by rank 0's clock, and is written down after the update that gradients wait for.
struct checkpoint_options {
  double every_seconds = 0;
  std::int64_t every_epochs = 0;
  std::int64_t every_steps = 0;
  bool resume = false;       ///< a fit goes on from the file, where there is one
  bool on_interrupt = true;  ///< Ctrl-C or SIGTERM ends the fit after its step, with a checkpoint
};

/// What checkpoint(path, {...}) returns.
class fit_checkpoint {
 public:
  fit_checkpoint(std::string path, const checkpoint_options& o) : path_(std::move(path)), options_(o) {
    if (!(o.every_seconds >= 0) || o.every_epochs < 0 || o.every_steps < 0)
      throw_error("checkpoint: every_seconds, every_epochs and every_steps must not be negative");
    if (o.every_seconds == 0 && o.every_steps == 0 && o.every_epochs == 0) options_.every_epochs = 1;
  }

  template <class Net>
  TAPELESS_WARM void resume(Net& net, const fit_progress& p) {
    if (!options_.resume || io::platform::is_missing(path_)) return;
    const io::safetensors file = io::safetensors::read(path_);
    fit_state kept = detail::fit_state_in(file);
    p.loop->state(kept);
    kept.require_all_given();
    detail::load_checkpoint_file(net, file);
  }

  template <class Net>
  void on_begin(Net& net, const fit_progress& p) {
    if (detail::writes_files(net) && p.epoch < p.epochs) io::platform::require_replaceable(path_);
    seconds_ = 0;
    steps_ = epochs_ = 0;
    if (options_.on_interrupt) p.loop->stop_on_interrupt();
  }

  template <class Net>
  void between_steps(Net& net, const fit_progress& p) {
    ++steps_;
    epochs_ += p.step == 0 ? 1 : 0;
    if (is_due(p) && can_be_written(net, p)) write(net, p);
  }

 private:
  std::string path_;
  checkpoint_options options_;
  double seconds_ = 0;                   // when the last one was written
  std::int64_t steps_ = 0, epochs_ = 0;  // since then

  bool is_due(const fit_progress& p) const {
    const auto is_reached = [](std::int64_t count, std::int64_t every) {
      return every > 0 && count >= every;
    };
    return p.ends || is_reached(steps_, options_.every_steps) || is_reached(epochs_, options_.every_epochs) ||
           (options_.every_seconds > 0 && p.seconds - seconds_ >= options_.every_seconds);
  }

  // Between updates, each rank has a part of the gradients that wait, which no checkpoint can have.
  template <class Net>
  static bool can_be_written(const Net& net, const fit_progress& p) {
    if constexpr (detail::is_one_of_several<Net>) return p.ends || net.position().collected == 0;
    return true;
  }

  template <class Net>
  TAPELESS_WARM void write(Net& net, const fit_progress& p) {
    fit_state kept;
    p.loop->state(kept);
    save_checkpoint(net, path_, kept);
    seconds_ = p.seconds;
    steps_ = epochs_ = 0;
  }
};

/// A callback of fit that writes down all that the fit goes on from, every so many steps, epochs or seconds,
/// and when it ends: the trainer's checkpoint (see save_checkpoint), the epoch and the place in it, the
/// reports so far, and the states of metrics and callbacks. The file is replaced as a whole or not at all.
/// Where it cannot be written the fit throws an error before its first step.
///
/// With .resume = true the same program goes on where the one before was killed, as if it never had been: fit
/// returns the same weights and the same history, bit for bit (but for seconds), with the epochs from before.
/// Where the fit was at its end it returns at once; where `epochs` or `steps` are more now it goes on to
/// these. Throws an error, and leaves the trainer as it was, where the file is of another model, rule or set
/// of callbacks, or of no fit.
inline fit_checkpoint checkpoint(std::string path, const checkpoint_options& options = {}) {
  return {std::move(path), options};
}

}  // namespace tapeless
