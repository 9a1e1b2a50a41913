// SPDX-License-Identifier: BSL-1.0
// fit and evaluate: the ready-made loops over a data set.
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>

#include <tapeless/data/sample_order.hpp>
#include <tapeless/data/source.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/batches.hpp>
#include <tapeless/train/loop/fit_options.hpp>
#include <tapeless/train/loop/meter.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/flat_parameters.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless {

struct evaluate_options {
  std::int64_t batch = 500;
};

namespace detail {

template <class F>
void for_each_batch(array_view<const std::int64_t> samples, std::int64_t size, F f) {
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < samples.size(); i += n) f(samples.subspan(i, std::min(n, samples.size() - i)));
}

template <class Net, class... Callbacks>
TAPELESS_WARM report evaluate_samples(Net& net, const data::source& from,
                                      array_view<const std::int64_t> samples, std::int64_t batch,
                                      meter<Callbacks...> m) {
  batch_source<typename Net::evaluate_program> source(from);
  m.clear();
  for_each_batch(samples, batch, [&](array_view<const std::int64_t> part) {
    const auto& inputs = source.gather(part);
    m.add(net.evaluate_on(inputs), source, static_cast<std::int64_t>(part.size()));
  });
  report r;
  m.write(r);
  return r;
}

/// The program that batches go through.
template <class Net, bool InParts>
struct program_of {
  using type = typename Net::step_program;
};
template <class Net>
struct program_of<Net, true> {
  using type = typename Net::accumulate_program;
};

/// How many batches make a pass. Data without an end make one that no fit comes to the end of, and whose
/// number of batches tells their size.
inline std::int64_t batches_in_pass(std::int64_t samples, std::int64_t batch) {
  return samples == data::endless ? most_steps - std::min(batch, most_steps / 2) : (samples - 1) / batch + 1;
}

/// Where to go on in the middle of a pass that had other batches: with the next pass; in data without an end
/// with samples that have not been taken, if that pass had none either.
[[gnu::cold]] inline fit_position with_other_batches(const fit_position& at, std::int64_t samples,
                                                     std::int64_t batch) {
  const std::int64_t size = most_steps - at.batches;  // of their batches, if they had no end
  const bool had_no_end = at.batches >= most_steps / 2 && at.batch < most_steps / size;
  if (samples != data::endless || !had_no_end) return {at.pass + 1, 0, 0};
  return {at.pass, (at.batch * size - 1) / batch + 1, batches_in_pass(samples, batch)};
}

/// The samples that a fit trains on; those that it holds back are put into `held_back`.
inline data::sample_order hold_back(const data::source& from, const fit_in_parts_options& o,
                                    std::vector<std::int64_t>& held_back) {
  if (from.is_endless()) return {};
  std::vector<std::int64_t> samples = data::detail::first_numbers(from.size());
  if (o.shuffle) data::detail::shuffle(samples, random_stream(o.split_seed, 0));
  const auto split = samples.begin() + std::llround(o.validation_split * static_cast<double>(from.size()));
  held_back.assign(samples.begin(), split);
  samples.erase(samples.begin(), split);
  if (samples.empty()) throw_error("fit: validation_split leaves no sample to train on");
  return {std::move(samples), o.seed, o.shuffle};
}

/// The loop of fit, with what it keeps from step to step.
template <class Net, bool InParts, class... Callbacks>
class fitting {
 public:
  fitting(Net& net, const data::source& from, const fit_in_parts_options& o,
          std::tuple<Callbacks...>& callbacks)
      : net_(net),
        from_(from),
        options_(o),
        callbacks_(callbacks),
        meter_(callbacks),
        source_(from),
        order_(hold_back(from, o, validation_)) {
    if constexpr (InParts) {
      if (const std::int64_t waiting = net.position().collected; waiting > 0)
        throw_error(
            {"fit: the gradients of ", waiting,
             " steps wait for their update, and would be mixed with those of the first batch's parts: "
             "apply() or discard_gradients() first"});
    }
  }

  [[gnu::cold]] std::vector<epoch_report> run() {
    const std::int64_t per_pass = batches_in_pass(order_.size(), options_.batch);
    fit_position at = net_.position_in_fit();
    if (at.batch > 0 && at.batches != per_pass) at = with_other_batches(at, order_.size(), options_.batch);
    const auto per_epoch = options_.steps > 0 ? std::min(per_pass, (options_.steps + 9) / 10) : per_pass;
    const std::int64_t done = options_.steps > 0 || options_.epochs == 0 ? 0 : at.batch;
    const std::int64_t all = options_.steps > 0 ? options_.steps : per_pass * options_.epochs - done;
    progress_.epochs = static_cast<int>((all + per_epoch - 1) / per_epoch);
    progress_.train = &now_.train;
    tell([&](auto& c) {
      if constexpr (requires { c.on_begin(progress_); }) c.on_begin(progress_);
    });
    std::vector<epoch_report> history;
    for (std::int64_t step = 0; step < all; ++step) {
      if ((step + done) % per_epoch == 0 || step == 0)
        begin_epoch(static_cast<int>((step + done) / per_epoch),
                    std::min(per_epoch - (step == 0 ? done : 0), all - step));
      const std::int64_t pass = at.pass, number = at.batch;
      at = number + 1 == per_pass ? fit_position{at.pass + 1, 0, 0}
                                  : fit_position{at.pass, number + 1, per_pass};
      one_step(pass, number, at);
      if (++progress_.step == progress_.steps) history.push_back(end_epoch());
    }
    return history;
  }

 private:
  Net& net_;
  const data::source& from_;
  fit_in_parts_options options_;
  std::tuple<Callbacks...>& callbacks_;
  meter<Callbacks...> meter_;
  batch_source<typename program_of<Net, InParts>::type> source_;
  std::vector<std::int64_t> validation_;
  data::sample_order order_;
  kept_bytes buffers_;
  fit_progress progress_;
  epoch_report now_;

  void begin_epoch(int epoch, std::int64_t steps) {
    progress_.epoch = epoch;
    progress_.step = 0;
    progress_.steps = steps;
    meter_.clear();
  }

  [[gnu::cold]] epoch_report end_epoch() {
    if (!validation_.empty())
      now_.validation =
          evaluate_samples(net_, from_, validation_, std::max<std::int64_t>(part_size(), 1), meter_);
    tell([&](auto& c) {
      if constexpr (requires { c.on_epoch_end(progress_, now_); }) c.on_epoch_end(progress_, now_);
    });
    return std::move(now_);
  }

  std::int64_t part_size() const {
    return options_.physical_batch > 0 ? std::min(options_.physical_batch, options_.batch) : options_.batch;
  }

  // Batch number `number` of that pass, after which the trainer is `there`.
  void one_step(std::int64_t pass, std::int64_t number, const fit_position& there) {
    const std::int64_t begin = number * options_.batch;
    const auto samples = order_.take(pass, begin, std::min(options_.batch, order_.size() - begin));
    if constexpr (InParts) {
      step_in_parts(samples, pass, there);
    } else {
      const auto& inputs = source_.gather(samples, pass);
      const auto result = net_.step_on(inputs);
      net_.set_position_in_fit(there);
      meter_.add(result, source_, static_cast<std::int64_t>(samples.size()));
    }
    meter_.write(now_.train);
    ++progress_.step;
    tell([&](auto& c) {
      if constexpr (requires { c.on_step(progress_); }) c.on_step(progress_);
    });
    --progress_.step;
  }

  // Each part's gradient is that of its mean loss: weighted by its size they add up to the batch's. A batch
  // of one part goes the same way, so that no program is compiled for it alone. What throws leaves nothing of
  // the batch behind.
  void step_in_parts(array_view<const std::int64_t> samples, std::int64_t pass, const fit_position& there) {
    const trainer_state before = net_.position();
    if (has_buffers() && net_.parameters_are_shared())
      keep_buffers(net_.parameter_descriptions(), net_.parameter_data(), buffers_);
    const auto undo = [&] {
      buffers_.put_back();
      net_.discard_gradients();
      net_.set_position(before);
    };
    undone_by(undo, [&] {
      add_parts(samples, pass);
      net_.apply();
    });
    net_.set_position_in_fit(there);
  }

  static constexpr bool has_buffers() {
    for (const parameter_description& p : Net::parameter_descriptions())
      if (p.is_buffer) return true;
    return false;
  }

  void add_parts(array_view<const std::int64_t> samples, std::int64_t pass) {
    for_each_batch(samples, part_size(), [&](array_view<const std::int64_t> part) {
      const auto& inputs = source_.gather(part, pass);
      const double weight = static_cast<double>(part.size()) / static_cast<double>(samples.size());
      meter_.add(net_.accumulate_on(weight, inputs), source_, static_cast<std::int64_t>(part.size()));
    });
  }

  template <class F>
  void tell(F f) {
    std::apply([&](auto&... c) { (f(c), ...); }, callbacks_);
  }
};

/// Whether batches can be computed in parts, one update for each batch; the compiler is stopped where not.
template <class Net>
constexpr bool can_fit_in_parts() {
  constexpr bool can_add = requires { typename Net::accumulate_program; };
  static_assert(
      can_add,
      "tapeless: fit cannot compute batches in parts (physical_batch) for a rule whose trainer computes "
      "gradients several times in a step, such as lbfgs: leave physical_batch out");
  if constexpr (can_add) {
    constexpr bool collects = std::is_same_v<typename Net::step_program, typename Net::accumulate_program>;
    static_assert(
        !collects,
        "tapeless: fit computes a batch in parts (physical_batch) and updates after each batch, but "
        "accumulate(n, rule) updates after n steps: leave one of the two out");
    return !collects;
  }
  return false;
}

/// The contract of a metric on the batches of one of a trainer's programs.
template <class Net, class Program, class Metric>
using adding_to = adding_contract<Metric, typename Net::template result_of<Program>, batch_source<Program>>;

template <bool InParts, class Net, class Options, class... Callbacks>
TAPELESS_WARM std::vector<epoch_report> run_fit(Net& net, const data::source& from, const Options& options,
                                                Callbacks... callbacks) {
  constexpr bool is_possible = [] {
    if constexpr (std::derived_from<Net, error_stub>) {
      return false;  // its model's error has been reported
    } else if constexpr (!requires { typename Net::step_program; }) {
      static_assert(!std::derived_from<Net, Net>,
                    "tapeless: fit makes steps of one loss, but this trainer has several, in turn: write the "
                    "loop, of net.step<\"loss\">(...)");
      return false;
    } else if constexpr (!require_contracts<callback_contract<Callbacks>...>()) {
      return false;
    } else if constexpr (InParts) {
      return can_fit_in_parts<Net>() &&
             require_contracts<adding_to<Net, typename Net::step_program, Callbacks>...>();
    } else {
      return require_contracts<adding_to<Net, typename Net::step_program, Callbacks>...>();
    }
  }();
  if constexpr (is_possible) {
    check_options(all_options(options), from);
    std::tuple<Callbacks...> all(std::move(callbacks)...);
    return fitting<Net, InParts, Callbacks...>(net, from, all_options(options), all).run();
  } else {
    return {};
  }
}

template <class Net, class... Metrics>
constexpr bool can_evaluate() {
  if constexpr (std::derived_from<Net, error_stub>) {
    return false;  // its model's error has been reported
  } else if constexpr (!require_contracts<metric_contract<Metrics>...>()) {
    return false;
  } else {
    return require_contracts<adding_to<Net, typename Net::evaluate_program, Metrics>...>();
  }
}

}  // namespace detail

/// Trains on a data set whose columns are named like the model's inputs, in batches in random order.
/// Callbacks are metrics, such as accuracy, which are measured on the training batches as they go by and on
/// the samples held back, and observers, such as progress_bar. Returns a report for each epoch; where `steps`
/// is given, for each tenth of the steps, or each pass over the data if that is shorter.
///
/// A fit goes on where the trainer's last one stopped, also from a checkpoint: two fits of two epochs are one
/// of four, bit for bit. The order of the samples in pass number k, counted over all fits of the trainer,
/// depends on `seed` and k, and the choice of those held back on `split_seed` alone. In the middle of a pass
/// of as many batches, the rest of it counts as the first epoch; where the batches are others, a new pass
/// begins. What metrics and other callbacks have seen is not part of a checkpoint.
///
/// Throws an error if the data do not fit the model. What throws, callbacks too, leaves the trainer as the
/// last whole step did; on a GPU, running statistics may have seen a batch's first parts.
template <class Net, class... Callbacks>
std::vector<epoch_report> fit(Net& net, const data::source& from, const fit_options& options,
                              Callbacks... callbacks) {
  return detail::run_fit<false>(net, from, options, std::move(callbacks)...);
}
/// The same, where `physical_batch` is given: larger batches are computed in parts of that size, whose
/// gradients are added up before the update.
template <class Net, class Options = fit_in_parts_options, class... Callbacks>
  requires std::same_as<Options, fit_in_parts_options>
std::vector<epoch_report> fit(Net& net, const data::source& from, const Options& options,
                              Callbacks... callbacks) {
  return detail::run_fit<true>(net, from, options, std::move(callbacks)...);
}

/// Measures the loss and the metrics on a data set, without changing anything.
template <class Net, class... Metrics>
report evaluate(Net& net, const data::source& from, const evaluate_options& options, Metrics... metrics) {
  if constexpr (!detail::can_evaluate<Net, Metrics...>()) {
    return {};
  } else {
    if (options.batch < 1) throw_error({"evaluate: batch is ", options.batch, "; it must be 1 or more"});
    if (from.size() == 0) throw_error("evaluate: the data set is empty");
    if (from.is_endless())
      throw_error("evaluate: the data have no end: evaluate on data::take(source, count)");
    const std::vector<std::int64_t> samples = data::detail::first_numbers(from.size());
    std::tuple<Metrics...> all(std::move(metrics)...);
    return detail::evaluate_samples(net, from, array_view<const std::int64_t>(samples), options.batch,
                                    detail::meter<Metrics...>(all));
  }
}
template <class Net, class... Metrics>
  requires(!std::same_as<Metrics, evaluate_options> && ...)
report evaluate(Net& net, const data::source& from, Metrics... metrics) {
  return evaluate(net, from, evaluate_options{}, std::move(metrics)...);
}

}  // namespace tapeless
