// SPDX-License-Identifier: BSL-1.0
// fit: the ready-made loop over a data set.
#pragma once

#include <algorithm>
#include <concepts>
#include <tuple>
#include <utility>

#include <tapeless/data/source.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/made_later.hpp>
#include <tapeless/train/loop/batches.hpp>
#include <tapeless/train/loop/callback.hpp>
#include <tapeless/train/loop/evaluate.hpp>
#include <tapeless/train/loop/fit_loop.hpp>
#include <tapeless/train/loop/fit_options.hpp>
#include <tapeless/train/loop/fit_programs.hpp>
#include <tapeless/train/loop/meter.hpp>
#include <tapeless/train/loop/weights_of_parts.hpp>
#include <tapeless/train/program/loss_over_samples.hpp>
#include <tapeless/train/trainer/flat_parameters.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless {

namespace detail {

/// What a fit's loop knows of the trainer and the callbacks.
template <class Net, bool InParts, class... Callbacks>
class fitting final : fit_loop {
 public:
  TAPELESS_COLD fitting(Net& net, const data::source& from, const fit_in_parts_options& o,
                        std::tuple<Callbacks&...>& callbacks)
      : fit_loop(o, from), net_(net), from_(from), callbacks_(callbacks), meter_(callbacks), source_(from) {
    if constexpr ((callback_contract<Callbacks, Net>::keeps || ...)) this->set_states_of_callbacks(&states);
    if constexpr (InParts) {
      if (const std::int64_t waiting = net.position().collected; waiting > 0)
        throw_error(
            {"fit: the gradients of ", waiting,
             " steps wait for their update, and would be mixed with those of the first batch's parts: "
             "apply() or discard_gradients() first"});
    }
    if (const std::int64_t last = smaller_last_batch(); last > 0)
      require_last_batch_fits(described_inputs<typename program_of<Net, InParts>::type>, part_size(),
                              share_in(o.batch), share_in(last), is_one_of_several<Net>);
    if (!held_back().empty()) require_columns_fit(net, validated(), held_back(), validation_batch());
  }

  using fit_loop::run;

 private:
  Net& net_;
  const data::source& from_;
  std::tuple<Callbacks&...>& callbacks_;
  list<double> shares_;  // of the parts of a batch
  meter_of<Callbacks...> meter_;
  batch_source<typename program_of<Net, InParts>::type> source_;
  kept_bytes buffers_;

  fit_position position() override { return net_.position_in_fit(); }
  std::int64_t updates() override { return net_.steps(); }

  bool tell(fit_event when) override {
    bool goes_on = true;  // each is told, whatever those before it say
    std::apply(
        [&](auto&... c) {
          ((goes_on = (!listens(c) || detail::tell(c, when, net_, progress(), epoch_now())) && goes_on), ...);
        },
        callbacks_);
    if constexpr (is_one_of_several<Net>)
      if (when == fit_event::resume) net_.synchronize();
    return goes_on;
  }

  // One of several shows what all have measured.
  template <class Callback>
  bool listens(const Callback&) const {
    if constexpr (requires { Callback::only_shows; }) {
      return writes_files(net_);
    } else {
      return true;
    }
  }
  bool is_agreed(bool goes_on, [[maybe_unused]] double& seconds) override {
    if constexpr (is_one_of_several<Net>) {
      return net_.group().agree(goes_on, "the decision whether fit goes on", seconds);
    } else {
      return goes_on;
    }
  }

  // Between updates, each rank has a part of the gradients that wait, which no checkpoint can have.
  bool may_be_interrupted() override { return !is_one_of_several<Net> || net_.position().collected == 0; }

  void begin_measuring() override { meter_.clear(); }
  void measure_to(report& r) override { meter_.write(r); }

  /// How many samples of a batch the trainer takes itself.
  std::int64_t share_in(std::int64_t batch) const {
    if constexpr (is_one_of_several<Net>) {
      return net_.share_size_of(batch);
    } else {
      return batch;
    }
  }
  /// What has the samples that are held back.
  const data::source& validated() const {
    const data::source& own = options().validation;
    return own.size() != 0 ? own : from_;
  }
  std::int64_t validation_batch() const { return std::max<std::int64_t>(part_size(), 1); }
  report validate() override {
    if (held_back().empty()) return {};
    const std::int64_t batch = validation_batch();
    if constexpr (is_one_of_several<Net>) return net_.measure(validated(), held_back(), batch, meter_);
    return evaluate_samples(net_, validated(), held_back(), batch, meter_);
  }

  TAPELESS_COLD static void states(fit_loop& loop, fit_state& s) {
    auto& self = static_cast<fitting&>(loop);
    s.begin_part("loss");
    self.meter_.loss().state(s);
    const auto one = [&]([[maybe_unused]] auto& c) {
      if constexpr (requires { c.state(s); }) {
        s.begin_part(c.label);
        c.state(s);
      }
    };
    std::apply([&](auto&... c) { (one(c), ...); }, self.callbacks_);
  }

  double take_step(array_view<const std::int64_t> samples, const fit_position& there) override {
    if constexpr (is_one_of_several<Net>) {
      return step_together(samples, there);
    } else if constexpr (InParts) {
      return step_in_parts(samples, there);
    } else {
      const auto& inputs = source_.gather(samples, pass());
      expect_batch(there);
      tell_of_batch();
      const double weight = net_.loss_weight_of(static_cast<std::int64_t>(samples.size()), inputs);
      const auto result = net_.step_on(inputs);
      net_.set_position_in_fit(there);
      meter_.add(result, source_, weight_in_mean(Net::loss_kind, weight));
      return static_cast<double>(result.loss());
    }
  }

  // Who looks into steps; programs without such a callback compile nothing of it.
  template <class Callback>
  static constexpr bool takes_batch =
      requires(Callback& c, Net& net, const batch_source<typename program_of<Net, InParts>::type>& batch,
               const fit_progress& p) { c.on_batch(net, batch, p); };
  template <class Callback>
  void show_batch(Callback& c) {
    if constexpr (takes_batch<Callback>) c.on_batch(net_, std::as_const(source_), progress());
  }
  template <class Callback>
  void show_gradients(Callback& c) {
    if constexpr (callback_contract<Callback, Net>::takes_gradients) c.on_gradients(net_, progress());
  }
  void tell_of_batch() {
    if constexpr ((takes_batch<Callbacks> || ...))
      std::apply([&](auto&... c) { (show_batch(c), ...); }, callbacks_);
  }
  static constexpr bool takes_gradients = (callback_contract<Callbacks, Net>::takes_gradients || ...);
  void tell_of_gradients() {
    if constexpr (takes_gradients) std::apply([&](auto&... c) { (show_gradients(c), ...); }, callbacks_);
  }

  // Each part's gradient counts in the batch's what its samples do, see loss_over_samples. A batch
  // of one part goes the same way, so that no program is compiled for it alone. What throws leaves nothing of
  // the batch behind.
  double step_in_parts(array_view<const std::int64_t> samples, const fit_position& there) {
    const trainer_state before = net_.position();
    if (has_buffers() && net_.parameters_are_shared())
      keep_buffers(net_.parameter_descriptions(), net_.parameter_data(), buffers_);
    const double loss = undone_by([&] { go_back(before); },
                                  [&] {
                                    const double sum = add_parts(samples, there);
                                    tell_of_gradients();
                                    net_.apply();
                                    return sum;
                                  });
    net_.set_position_in_fit(there);
    return loss;
  }

  [[gnu::noinline]] TAPELESS_COLD void go_back(const trainer_state& before) {
    buffers_.put_back();
    net_.discard_gradients();
    net_.set_position(before);
  }

  // Each rank computes its share of the batch, and all measure all of it.
  double step_together(array_view<const std::int64_t> samples, const fit_position& there) {
    const auto prepare = [&] { tell_of_batch(); };
    const auto add = [&](const auto& result, const auto& batch) { meter_.add_part(result, batch); };
    const auto finish = [&] {
      if (source_.runs_ahead())
        if (const auto next = net_.share_of(samples_at(there)); !next.empty())
          source_.expect(first_part(next, part_size()), there.pass);
      if constexpr (takes_gradients)
        if (net_.bring_sums())
          net_.group().together("on_gradients", net_.steps() + 1, [&] { tell_of_gradients(); });
    };
    const auto [loss, weight] = net_.fit_batch(samples, part_size(), source_, pass(), prepare, add, finish);
    meter_.add_loss(loss, weight_in_mean(Net::loss_kind, weight));
    net_.set_position_in_fit(there);
    return loss;
  }

  // Post-condition: the reader has what the step at that place needs first.
  void expect_batch(const fit_position& there) {
    if (!source_.runs_ahead()) return;
    if (const auto next = samples_at(there); !next.empty())
      source_.expect(first_part(next, part_size()), there.pass);
  }

  static constexpr bool has_buffers() {
    for (const parameter_description& p : Net::parameter_descriptions())
      if (p.is_buffer) return true;
    return false;
  }

  // What the parts' losses and gradients count in those of the batch, whose weight it returns; of one part
  // that is known when it is read.
  double find_shares(array_view<const std::int64_t> samples) {
    if (static_cast<std::int64_t>(samples.size()) <= part_size()) {
      shares_.assign(1, 1);
      return 0;
    }
    find_weights_of_parts(shares_, net_, samples, part_size(), source_, pass());
    const double weight = sum_of(shares_);
    make_shares(shares_, Net::loss_kind, weight);
    return weight;
  }

  double add_parts(array_view<const std::int64_t> samples, const fit_position& there) {
    double weight = find_shares(samples), loss = 0;
    const double* share = shares_.begin();
    for_each_batch(samples, part_size(), [&](array_view<const std::int64_t> part, auto next) {
      const auto& inputs = source_.gather(part, pass());
      next.empty() ? expect_batch(there) : source_.expect(next, pass());
      tell_of_batch();
      if (shares_.size() == 1) weight = net_.loss_weight_of(static_cast<std::int64_t>(part.size()), inputs);
      const auto result = net_.accumulate_on(*share, inputs);
      meter_.add_part(result, source_);
      if (*share != 0) loss += *share * static_cast<double>(result.loss());
      ++share;
    });
    meter_.add_loss(loss, weight_in_mean(Net::loss_kind, weight));
    return loss;
  }
};

template <bool InParts, class Net, class Options, class... Callbacks>
TAPELESS_WARM fit_history run_fit(Net& net, const data::source& from, const Options& options,
                                  Callbacks&... callbacks) {
  if constexpr (can_fit<InParts, Net, Callbacks...>()) {
    check_options(all_options(options), from);
    std::tuple<Callbacks&...> all(callbacks...);
    using fit_of_all = fitting<Net, InParts, Callbacks...>;
    if constexpr (is_one_of_several<Net>) {
      return net.group().or_broken([&] {
        const auto alone = net.keep_others_out();
        made_later<fit_of_all> f;
        net.group().together("the start of fit", 0, [&] { f.emplace(net, from, all_options(options), all); });
        return f->run();
      });
    } else {
      const auto alone = net.keep_others_out();
      return fit_of_all(net, from, all_options(options), all).run();
    }
  } else {
    return {};
  }
}

}  // namespace detail

/// Trains on a data set whose columns are named like the model's inputs, in batches in random order.
/// Callbacks are metrics, observers, or a lambda that takes a fit_progress. Metrics, such as accuracy, are
/// measured on the training batches as they go by and on those for validation; progress_bar is an observer.
/// Any of them may stop the fit, see callback_contract. They are used in their place: what a metric with a
/// name has measured last can be read afterwards. Returns a report for each epoch; if `steps` is given, for
/// each tenth of the steps, or each pass over the data if that is shorter.
///
/// A fit goes on where the trainer's last one stopped, also from a checkpoint: two fits of two epochs are one
/// of four, bit for bit. A pass goes over all samples once, and passes are counted over all fits of the
/// trainer. The order of the samples in pass k depends on `seed` and k, the choice of those held back on
/// `split_seed` alone. If the last fit stopped in the middle of a pass that had as many batches, this one
/// makes the rest of that pass as its first epoch; otherwise it begins the next pass. With start_epoch it
/// begins with the pass of that number. To resume an interrupted fit as the same fit, give both the callback
/// checkpoint.
///
/// A fit is one call of the trainer: from its begin to its end other threads' calls are errors. Its callbacks
/// may call the trainer.
///
/// Throws an error if the data do not fit the model. What throws, callbacks too, leaves the trainer as the
/// last whole step did; on a GPU, running statistics may have seen a batch's first parts.
template <class Net, class... Callbacks>
fit_history fit(Net& net, const data::source& from, const fit_options& options, Callbacks&&... callbacks) {
  return detail::run_fit<false>(net, from, options, callbacks...);
}
/// The same, where `physical_batch` is given: larger batches are computed in parts of that size, whose
/// gradients are added up before the update. The loss may be a mean, a sum or a weighted mean of samples, see
/// loss_over_samples; of any other, parts count by their samples.
template <class Net, class Options = fit_in_parts_options, class... Callbacks>
  requires std::same_as<Options, fit_in_parts_options>
fit_history fit(Net& net, const data::source& from, const Options& options, Callbacks&&... callbacks) {
  return detail::run_fit<true>(net, from, options, callbacks...);
}

// Inputs and targets without the names that the model has for them.
template <class Net, class X, class Y>
  requires(!std::is_convertible_v<const Y&, const fit_options&> && !std::same_as<Y, fit_in_parts_options>)
fit_history fit(Net&, const X&, const Y&, const fit_options& = {}) {
  static_assert(
      std::is_void_v<Y>,
      "tapeless: fit takes one data set, whose columns are named like the inputs: data::dataset all; "
      "all.add(\"x\", {2}, x).add(\"y\", {}, y); fit(net, all, options)");
  return {};
}

}  // namespace tapeless
