// SPDX-License-Identifier: BSL-1.0
// What is measured while samples go by: the loss, and the metrics among a fit's callbacks.
#pragma once

#include <concepts>
#include <tuple>

#include <tapeless/expr/contract.hpp>
#include <tapeless/train/loop/measurement.hpp>

namespace tapeless {

/// The contract of a metric: what is measured on batches as they go by, such as accuracy. It has
///   label                its name in reports
///   clear()              begins a measurement
///   add(result, batch)   adds a batch: a run's result, result.get<"logits">(), and what was bound to it,
///                        batch.get<"label">()
///   get()                the measurement so far
/// Laws: after clear(), what was added before is forgotten; get() changes nothing; how samples are divided
/// into batches matters for the uncertainty alone.
template <class Metric>
struct metric_contract {
  using subject = Metric;
  static constexpr std::string_view noun = "metric";
  static constexpr bool has_label = requires { std::string_view(Metric::label); };
  static constexpr bool clears = requires(Metric& m) { m.clear(); };
  static constexpr bool measures = requires(Metric& m) {
    { m.get() } -> std::convertible_to<measurement>;
  };
  static constexpr demand demands[3] = {
      {has_label, "label, static, its name in reports"},
      {clears, "clear()"},
      {measures, "get(), which returns a measurement"},
  };
};
template <class Metric>
concept is_metric = is_kept<metric_contract<Metric>>();

/// The contract of a metric among callbacks on the batches of one program.
template <class Metric, class Result, class Batch>
struct adding_contract {
  using subject = Metric;
  static constexpr std::string_view noun = "metric for this model";
  static constexpr bool adds =
      requires(Metric& m, const Result& result, const Batch& batch) { m.add(result, batch); };
  static constexpr demand demands[1] = {
      {adds || !is_metric<Metric>, "add(const Result& result, const Batch& batch), a template"},
  };
};

/// The contract of a callback of fit: a metric, or what is told how the fit goes on, or both. It has one or
/// more of
///   on_begin(progress)               before the first step
///   on_step(progress)                after each step
///   on_epoch_end(progress, report)   after each epoch
/// Laws: what it throws ends the fit, and leaves the trainer as the last whole step did; it is copied into
/// the fit, so that what it shows afterwards it keeps by reference.
template <class Callback>
struct callback_contract {
  using subject = Callback;
  static constexpr std::string_view noun = "callback of fit";
  static constexpr bool begins = requires(Callback& c, const fit_progress& p) { c.on_begin(p); };
  static constexpr bool steps = requires(Callback& c, const fit_progress& p) { c.on_step(p); };
  static constexpr bool ends =
      requires(Callback& c, const fit_progress& p, const epoch_report& r) { c.on_epoch_end(p, r); };
  // What has one of these names and takes something else would never be called.
  static constexpr bool names_begin = requires { &Callback::on_begin; };
  static constexpr bool names_step = requires { &Callback::on_step; };
  static constexpr bool names_end = requires { &Callback::on_epoch_end; };
  static constexpr demand demands[4] = {
      {begins || steps || ends || is_metric<Callback>,
       "on_begin(progress), on_step(progress) or on_epoch_end(progress, report), or what a metric has"},
      {begins || !names_begin, "on_begin(const fit_progress&) with these arguments"},
      {steps || !names_step, "on_step(const fit_progress&) with these arguments"},
      {ends || !names_end, "on_epoch_end(const fit_progress&, const epoch_report&) with these arguments"},
  };
};
template <class Callback>
concept is_callback = is_kept<callback_contract<Callback>>();

namespace detail {

/// The measurements of one pass over samples: the loss, and what the metrics add.
template <class... Callbacks>
class meter {
 public:
  explicit meter(std::tuple<Callbacks...>& callbacks) : callbacks_(callbacks) {}

  void clear() {
    loss_ = {};
    for_each_metric([](auto& m) { m.clear(); });
  }

  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch, std::int64_t count) {
    loss_.add(static_cast<double>(result.loss()), count);
    for_each_metric([&](auto& m) { m.add(result, batch); });
  }

  void write(report& to) {
    to.set("loss", loss_.get());
    for_each_metric([&](auto& m) { to.set(m.label, m.get()); });
  }

 private:
  std::tuple<Callbacks...>& callbacks_;
  mean_of_groups loss_;

  template <class F>
  void for_each_metric(F f) {
    std::apply(
        [&](auto&... c) {
          (
              [&] {
                if constexpr (is_metric<std::remove_cvref_t<decltype(c)>>) f(c);
              }(),
              ...);
        },
        callbacks_);
  }
};

}  // namespace detail

}  // namespace tapeless
