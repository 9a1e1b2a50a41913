// SPDX-License-Identifier: BSL-1.0
// What is measured while samples go by: the loss, and the metrics among a fit's callbacks.
#pragma once

#include <concepts>
#include <tuple>

#include <tapeless/train/loop/measurement.hpp>

namespace tapeless::detail {

template <class Callback>
concept is_metric = requires(Callback c) {
  c.clear();
  { c.get() } -> std::convertible_to<measurement>;
  Callback::label;
};

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

}  // namespace tapeless::detail
