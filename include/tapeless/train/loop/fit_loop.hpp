// SPDX-License-Identifier: BSL-1.0
// fit_loop: what is the same in every fit, whatever the trainer and the callbacks. It is compiled once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <tapeless/clock.hpp>
#include <tapeless/data/sample_order.hpp>
#include <tapeless/data/source.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/optim/base/hyperparameter_range.hpp>
#include <tapeless/train/loop/callback.hpp>
#include <tapeless/train/loop/fit_history.hpp>
#include <tapeless/train/loop/fit_options.hpp>
#include <tapeless/train/loop/fit_progress.hpp>
#include <tapeless/train/loop/fit_state.hpp>
#include <tapeless/train/loop/interruption.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless {

namespace detail {

/// How many batches make a pass. Data without an end make one that no fit comes to the end of, and whose
/// number of batches tells their size.
inline std::int64_t batches_in_pass(std::int64_t samples, std::int64_t batch) {
  return samples == data::endless ? most_steps - std::min(batch, most_steps / 2) : (samples - 1) / batch + 1;
}

/// Where to go on in the middle of a pass that had other batches: with the next pass; in data without an end
/// with samples that have not been taken, if that pass had none either.
TAPELESS_COLD inline fit_position with_other_batches(const fit_position& at, std::int64_t samples,
                                                     std::int64_t batch) {
  const std::int64_t size = most_steps - at.batches;  // of their batches, if they had no end
  const bool had_no_end = at.batches >= most_steps / 2 && at.batch < most_steps / size;
  if (samples != data::endless || !had_no_end) return {at.pass + 1, 0, 0};
  return {at.pass, (at.batch * size - 1) / batch + 1, batches_in_pass(samples, batch)};
}

/// The samples that a fit trains on; those that it holds back are put into `held_back`.
template <class = compiled_once>
TAPELESS_COLD data::sample_order hold_back(const data::source& from, const fit_in_parts_options& o,
                                           std::vector<std::int64_t>& held_back) {
  if (from.is_endless()) return {};
  const auto samples = o.shuffle ? data::detail::shuffled_numbers(from.size(), o.split_seed)
                                 : data::detail::first_numbers(from.size());
  const auto split = samples.begin() + std::llround(o.validation_split * static_cast<double>(from.size()));
  if (split == samples.end() || (split == samples.begin() && o.validation_split > 0))
    throw_error({"fit: validation_split ", number_text(o.validation_split).digits, " of ", from.size(),
                 " samples ", split == samples.end() ? "leaves none to train on" : "holds none back"});
  held_back = {samples.begin(), split};
  data::sample_order order({split, samples.end()}, o.seed, o.shuffle, o.batch, o.last_batch);
  if (order.size() == 0)
    throw_error({"fit: the samples make no batch of ", o.batch, ", and the last one is dropped"});
  return order;
}

}  // namespace detail

/// The loop of a fit: which samples come when, when epochs begin and end, and who is told. Callbacks that
/// keep the fit find it at progress.loop.
class fit_loop {
 public:
  fit_loop(const fit_loop&) = delete;
  fit_loop& operator=(const fit_loop&) = delete;

  /// From here on Ctrl-C or SIGTERM ends the fit after its current step; a fit of ranks
  /// that accumulate after the next update.
  TAPELESS_COLD void stop_on_interrupt() {
    if (interruption_ != nullptr) return;
    interruption_ = new interruption;
    end_interruption_ = [](interruption* i) { delete i; };
    interruption_->listen();
  }

  /// What the fit goes on from, beside the trainer: its place, the epochs that are over, what has been
  /// measured in the one that goes on, and the callbacks' states. In between_steps() it is written down, in
  /// resume() given back, before the trainer is loaded. Throws an error where it is of another fit, or where
  /// no callback has between_steps, so that nobody was to ask.
  template <class State>
  TAPELESS_COLD void state(State& s) {
    if (states_of_callbacks_ == nullptr)
      throw_error("fit: only a callback that has between_steps can ask for the fit's state");
    s.begin_part("fit");
    s("epoch", progress_.epoch), s("step", progress_.step), s("steps", progress_.steps), s("done", done_);
    s.begin_part("history");
    history_.state(s);
    states_of_callbacks_(*this, s);
    if (!s.gives()) return;
    if (progress_.epoch < 0 || progress_.step < 0 || progress_.steps < progress_.step ||
        done_ < progress_.step)
      throw_error({"fit: a checkpoint says that ", progress_.epoch, " epochs, ", progress_.step, " of ",
                   progress_.steps, " steps and ", done_, " steps in all are done"});
    progress_.resumed = true;
  }

 protected:
  /// A fit on those samples.
  TAPELESS_COLD fit_loop(const fit_in_parts_options& o, const data::source& from)
      : options_(o), order_(detail::hold_back(from, o, held_back_)) {
    if (o.validation.size() != 0) held_back_ = data::detail::first_numbers(o.validation.size());
    per_pass_ = detail::batches_in_pass(order_.size(), o.batch);
    per_epoch_ = o.steps > 0 ? std::min(per_pass_, (o.steps + 9) / 10) : per_pass_;
    progress_.epochs = o.steps > 0 ? static_cast<int>((o.steps + per_epoch_ - 1) / per_epoch_) : o.epochs;
    progress_.epoch = o.start_epoch;
    progress_.train = &now_.train;
    progress_.history = &history_.epochs();
    progress_.loop = this;
  }
  TAPELESS_COLD ~fit_loop() {
    if (interruption_ != nullptr) end_interruption_(interruption_);
  }

  template <class = compiled_once>
  TAPELESS_COLD fit_history run();

  /// What writes and reads the states of metrics and callbacks. Compiled where somebody keeps them.
  void set_states_of_callbacks(void (*states)(fit_loop&, fit_state&)) { states_of_callbacks_ = states; }

  const fit_in_parts_options& options() const { return options_; }
  /// The samples for validation: of the source for that, where there is one, or held back.
  array_view<const std::int64_t> held_back() const { return held_back_; }
  /// The samples of the step to come, at that place; none where the one that goes on is the fit's last.
  array_view<const std::int64_t> samples_at(const fit_position& there) {
    const bool is_last = options_.steps > 0 ? done_ + 1 >= options_.steps
                                            : there.batch == 0 && progress_.epoch + 1 >= options_.epochs;
    if (is_last) return {};
    return order_.look_ahead(there.pass, there.batch * options_.batch, size_of_batch(there));
  }
  /// The number of the pass over the samples that goes on.
  std::int64_t pass() const { return at_.pass; }
  const fit_progress& progress() const { return progress_; }
  const epoch_report& epoch_now() const { return now_; }
  std::int64_t part_size() const {
    return options_.physical_batch > 0 ? std::min(options_.physical_batch, options_.batch) : options_.batch;
  }
  /// The samples of the last batch of a pass, where it is smaller than others and this fit comes to it; or 0.
  std::int64_t smaller_last_batch() const {
    const bool comes_to_it =
        options_.steps > 0 ? options_.steps >= per_pass_ : options_.epochs > options_.start_epoch;
    const bool has_end = order_.size() != data::endless && per_pass_ > 1;
    return has_end && comes_to_it ? order_.size() % options_.batch : 0;
  }

 private:
  fit_in_parts_options options_;
  std::vector<std::int64_t> held_back_;
  data::sample_order order_;
  std::int64_t per_pass_ = 0, per_epoch_ = 0;
  std::int64_t done_ = 0;  // steps of this fit
  fit_position at_;        // of the trainer in the passes
  fit_progress progress_;
  epoch_report now_;
  fit_history history_;
  interruption* interruption_ = nullptr;  // where somebody listens; who does not compiles none of it
  void (*end_interruption_)(interruption*) = nullptr;
  void (*states_of_callbacks_)(fit_loop&, fit_state&) = nullptr;
  double begun_ = 0, epoch_begun_ = 0;

  // What knows the trainer and the callbacks.
  virtual fit_position position() = 0;
  virtual std::int64_t updates() = 0;
  /// Whether the fit goes on.
  virtual bool tell(detail::fit_event) = 0;
  /// The same, where several processes make one fit: whether all of them go on. `seconds` becomes the first
  /// one's.
  virtual bool is_agreed(bool goes_on, [[maybe_unused]] double& seconds) { return goes_on; }
  /// Whether an interruption may end it after this step.
  virtual bool may_be_interrupted() { return true; }
  /// One update on these samples, after which the trainer is `there`; the loss.
  virtual double take_step(array_view<const std::int64_t> samples, const fit_position& there) = 0;
  virtual void begin_measuring() = 0;
  virtual void measure_to(report&) = 0;
  virtual report validate() = 0;

  bool is_interrupted() const { return interruption_ != nullptr && interruption_->is_requested(); }
  bool is_over() const {
    return options_.steps > 0 ? done_ >= options_.steps : progress_.epoch >= options_.epochs;
  }

  TAPELESS_COLD void begin_epoch() {
    progress_.steps =
        options_.steps > 0 ? std::min(per_epoch_, options_.steps - done_) : per_pass_ - at_.batch;
    epoch_begun_ = detail::steady_seconds();
    begin_measuring();
  }

  // A pass has the number of its epoch. The trainer may be in its middle already.
  TAPELESS_COLD void go_to_start() {
    if (!progress_.resumed && at_.pass != options_.start_epoch) at_ = {options_.start_epoch, 0, 0};
    history_.number_from(options_.start_epoch + 1);
  }

  std::int64_t size_of_batch(const fit_position& place) const {
    return std::min(options_.batch, order_.size() - place.batch * options_.batch);
  }

  TAPELESS_COLD bool next_step() {
    if (progress_.step == 0) begin_epoch();
    progress_.samples = order_.take(at_.pass, at_.batch * options_.batch, size_of_batch(at_));
    const fit_position there = at_.batch + 1 == per_pass_ ? fit_position{at_.pass + 1, 0, 0}
                                                          : fit_position{at_.pass, at_.batch + 1, per_pass_};
    progress_.loss = take_step(progress_.samples, there);
    at_ = there;
    ++done_;
    ++progress_.step;
    progress_.updates = updates();
    progress_.seconds = detail::steady_seconds() - begun_;
    measure_to(now_.train);
    bool goes_on = tell(detail::fit_event::step);
    if (progress_.step == progress_.steps || is_over()) goes_on = end_epoch() && goes_on;
    goes_on = is_agreed(goes_on && !(is_interrupted() && may_be_interrupted()), progress_.seconds);
    progress_.ends = !goes_on || is_over();
    tell(detail::fit_event::between_steps);
    return goes_on;
  }

  TAPELESS_COLD bool end_epoch() {
    now_.validation = validate();
    now_.updates = progress_.updates;
    now_.seconds = detail::steady_seconds() - epoch_begun_;
    if (options_.start_epoch > 0) now_.number = progress_.epoch + 1;
    const bool goes_on = tell(detail::fit_event::epoch_end);
    history_.push_back(std::move(now_));
    ++progress_.epoch;
    progress_.step = progress_.steps = 0;
    return goes_on;
  }
};

template <class>
fit_history fit_loop::run() {
  begun_ = epoch_begun_ = detail::steady_seconds();
  tell(detail::fit_event::resume);
  at_ = position();
  progress_.updates = updates();
  if (at_.batch > 0 && at_.batches != per_pass_) {  // those were other batches
    at_ = detail::with_other_batches(at_, order_.size(), options_.batch);
    if (options_.steps == 0) progress_.step = 0;
  }
  if (options_.start_epoch > 0) go_to_start();  // also from there
  if (progress_.step > 0) measure_to(now_.train);
  bool goes_on = is_agreed(tell(detail::fit_event::begin), progress_.seconds);
  while (goes_on && !is_over()) goes_on = next_step();
  tell(detail::fit_event::end);
  history_.set_interrupted(is_interrupted());
  return std::move(history_);
}

}  // namespace tapeless
