// SPDX-License-Identifier: BSL-1.0
// What is measured while samples go by: the loss, and the metrics among a fit's callbacks.
#pragma once

#include <array>
#include <concepts>
#include <tuple>

#include <tapeless/expr/contract.hpp>
#include <tapeless/train/loop/measurement.hpp>

namespace tapeless {

/// The contract of a metric: what is measured on batches as they go by, such as accuracy. It has
///   label                its name in reports, which no other metric beside it has
///   clear()              begins a measurement
///   add(result, batch)   adds a batch: a run's result, result.get<"logits">(), and what was bound to it,
///                        batch.get<"label">()
///   get()                the measurement so far; what has none reports nothing, and is read afterwards
/// and may have
///   improves             static, direction::up or direction::down: which way it gets better
///   state(fit_state& s)  what it has seen, for a fit that is interrupted in the middle of an epoch
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
  static constexpr bool names_get = requires { &Metric::get; };
  static constexpr demand demands[3] = {
      {has_label, "label, static, its name in reports"},
      {clears, "clear()"},
      {measures || !names_get, "get(), which returns a measurement"},
  };
};
template <class Metric>
concept is_metric = is_kept<metric_contract<Metric>>();

/// Which way the metric gets better, as far as it says so.
template <class Metric>
constexpr direction improves_of() {
  if constexpr (requires { direction(Metric::improves); }) {
    return Metric::improves;
  } else {
    return direction::unknown;
  }
}

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

namespace detail {

/// Whether all labels in reports are different, that of the loss included.
template <class... Callbacks>
constexpr bool have_different_labels() {
  std::array<std::string_view, sizeof...(Callbacks) + 1> labels{"loss"};
  std::size_t count = 1;
  bool differ = true;
  [[maybe_unused]] const auto add = [&](std::string_view label) {
    for (std::size_t i = 0; i < count; ++i) differ = differ && labels[i] != label;
    labels[count++] = label;
  };
  (
      [&] {
        if constexpr (is_metric<Callbacks> && metric_contract<Callbacks>::measures) add(Callbacks::label);
      }(),
      ...);
  return differ;
}

/// The measurements of one pass over samples: the loss, and what the metrics add.
template <class... Callbacks>
class meter {
  static_assert(
      have_different_labels<std::remove_cvref_t<Callbacks>...>(),
      "tapeless: two metrics have the same label, and reports can show only one of them: give one a "
      "label of its own, as in accuracy<\"logits\", \"label\", \"digit accuracy\">");

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
    to.set("loss", loss_.get(), direction::down);
    for_each_metric([&](auto& m) {
      using metric = std::remove_cvref_t<decltype(m)>;
      if constexpr (metric_contract<metric>::measures) to.set(m.label, m.get(), improves_of<metric>());
    });
  }

  mean_of_groups& loss() { return loss_; }

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
