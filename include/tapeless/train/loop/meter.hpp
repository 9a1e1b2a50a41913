// SPDX-License-Identifier: BSL-1.0
// What is measured while samples go by: the loss, and the metrics among a fit's callbacks.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

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
template <class... Metrics>
class meter {
  static_assert(
      have_different_labels<std::remove_cvref_t<Metrics>...>(),
      "tapeless: two metrics have the same label, and reports can show only one of them: give one a "
      "label of its own, as in accuracy<\"logits\", \"label\", \"digit accuracy\">");

 public:
  /// Of the metrics among the callbacks.
  template <class... Callbacks>
  explicit meter(std::tuple<Callbacks&...>& callbacks)
      : meter(callbacks, std::index_sequence_for<Metrics...>{}) {}

  void clear() {
    loss_ = {};
    for_each_metric([](auto& m) { m.clear(); });
  }

  /// A batch, whose loss counts so often in the mean of all: what it divides by, or is as if it did.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch, double weight) {
    add_loss(static_cast<double>(result.loss()), weight);
    add_part(result, batch);
  }
  /// The same in parts: the batch's loss, and its parts for the metrics.
  void add_loss(double loss, double weight) { loss_.add_weighted(loss, weight); }
  template <class Result, class Batch>
  void add_part(const Result& result, const Batch& batch) {
    for_each_metric([&](auto& m) { m.add(result, batch); });
  }

  void write(report& to) {
    to.set("loss", loss_.all_left_out() ? measurement{not_a_number, 0} : loss_.get(), direction::down);
    for_each_metric([&](auto& m) {
      using metric = std::remove_cvref_t<decltype(m)>;
      if constexpr (metric_contract<metric>::measures) to.set(m.label, m.get(), improves_of<metric>());
    });
  }

  mean_of_groups& loss() { return loss_; }

 private:
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  std::tuple<Metrics&...> metrics_;
  mean_of_groups loss_;

  template <class... Callbacks, std::size_t... I>
  meter(std::tuple<Callbacks&...>& callbacks, std::index_sequence<I...>)
      : metrics_(std::get<places<Callbacks...>[I]>(callbacks)...) {}

  // Where the metrics stand among the callbacks.
  template <class... Callbacks>
  static constexpr auto places = [] {
    std::array<std::size_t, sizeof...(Metrics) + 1> all{};
    std::size_t found = 0, place = 0;
    ((all[found] = place++, found += is_metric<std::remove_cvref_t<Callbacks>> ? 1 : 0), ...);
    return all;
  }();

  template <class F>
  void for_each_metric(F f) {
    std::apply([&](auto&... m) { (f(m), ...); }, metrics_);
  }
};

template <class Meter, class... Callbacks>
struct meter_among {
  using type = Meter;
};
template <class... Metrics, class First, class... Others>
struct meter_among<meter<Metrics...>, First, Others...>
    : meter_among<std::conditional_t<is_metric<std::remove_cvref_t<First>>, meter<Metrics..., First>,
                                     meter<Metrics...>>,
                  Others...> {};

/// The meter of the metrics among callbacks: the same for a fit that is also watched as for an evaluation.
template <class... Callbacks>
using meter_of = typename meter_among<meter<>, Callbacks...>::type;

}  // namespace detail

}  // namespace tapeless
