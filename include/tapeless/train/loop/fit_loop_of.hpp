// SPDX-License-Identifier: BSL-1.0
// fit_loop_of: what a fit does with its trainer and its callbacks, where fit_loop says when.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include <tapeless/data/source.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
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

namespace tapeless::detail {

/// The loop of a fit with that trainer and these callbacks.
template <class Net, bool InParts, class... Callbacks>
class fit_loop_of final : fit_loop {
 public:
  TAPELESS_COLD fit_loop_of(Net& net, const data::source& from, const fit_in_parts_options& o,
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
    auto& self = static_cast<fit_loop_of&>(loop);
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

}  // namespace tapeless::detail
