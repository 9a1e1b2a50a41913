// SPDX-License-Identifier: BSL-1.0
// metric<"name", "output", "target">(callable): a metric of one's own.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/expr/contract.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/metrics/row_weights.hpp>

namespace tapeless {

/// The contract of what metric() is given, on elements of these types.
template <class F, class... T>
struct metric_callable_contract {
  using subject = F;
  static constexpr std::string_view noun = "callable of metric()";
  static constexpr bool takes_elements = [] {
    if constexpr (std::invocable<F&, T...>) {
      return std::convertible_to<std::invoke_result_t<F&, T...>, double>;
    } else {
      return false;
    }
  }();
  static constexpr bool takes_samples = [] {
    if constexpr (std::invocable<F&, std::span<const T>...>) {
      return std::convertible_to<std::invoke_result_t<F&, std::span<const T>...>, double>;
    } else {
      return false;
    }
  }();
  static constexpr demand demands[1] = {
      {takes_elements || takes_samples,
       "a call with an element of the output and of each input, or with each one's sample as a std::span, "
       "that "
       "returns a number"},
  };
};

/// What metric() returns.
template <class F, name Label, name Output, name... Inputs>
class own_metric {
 public:
  static constexpr std::string_view label = Label.view();

  explicit own_metric(F f) : f_(std::move(f)) {}

  void clear() { mean_ = {}; }

  /// Adds a batch: a run's result and what was bound to it.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    add_batches(batch, batch_from(result.template get<Output>()),
                batch_from(batch.template get<Inputs>())...);
  }

  measurement get() const { return mean_.get(); }

  template <class State>
  void state(State& s) {
    mean_.state(s);
  }

 private:
  template <class T>
  struct batch_of {
    const T* elements;
    std::size_t size;
    std::size_t samples;
    std::span<const T> sample(std::size_t i) const {
      return {elements + i * (size / samples), size / samples};
    }
  };

  F f_;
  mean_of_groups mean_;

  template <class View>
  static auto batch_from(const View& v) {
    const auto shape = v.shape();
    return batch_of<typename View::value_type>{v.begin(), v.size(),
                                               shape.empty() ? 1 : static_cast<std::size_t>(shape[0])};
  }

  template <class Batch, class First, class... T>
  void add_batches(const Batch& batch, batch_of<First> first, batch_of<T>... others) {
    using contract = metric_callable_contract<F, First, T...>;
    if (!((others.samples == first.samples) && ...)) refuse();
    if constexpr (!require_contracts<contract>()) {
      return;
    } else if constexpr (contract::takes_elements) {
      if (!((others.size == first.size) && ...)) refuse();
      const std::size_t columns = first.samples > 0 ? first.size / first.samples : 0;
      const auto weights = detail::weights_of_rows(batch, static_cast<std::int64_t>(first.size),
                                                   static_cast<std::int64_t>(columns));
      detail::means_of_samples means(mean_);
      for (std::size_t i = 0; i < first.size; ++i) {
        if (const double weight = weights(static_cast<std::int64_t>(i)); weight > 0)
          means.add(static_cast<double>(f_(first.elements[i], others.elements[i]...)), weight);
        if ((i + 1) % columns == 0) means.end_sample();
      }
    } else {
      const auto weights = detail::weights_of_rows(batch, static_cast<std::int64_t>(first.samples), 1);
      for (std::size_t i = 0; i < first.samples; ++i)
        if (const double weight = weights(static_cast<std::int64_t>(i)); weight > 0)
          mean_.add_weighted(static_cast<double>(f_(first.sample(i), others.sample(i)...)), weight);
    }
  }

  [[noreturn]] TAPELESS_COLD static void refuse() {
    throw_error({"metric \"", label,
                 "\": the output and the inputs must have as many samples, and where the callable takes "
                 "elements, as many of them"});
  }
};

/// A metric of one's own, by the name Label in reports: the mean of what the callable returns for each
/// element of the output Output and of the inputs in the same place. Where it takes std::span, it returns one
/// number for each sample (an index of the first axis). Under weighted(), elements may have weights each. The
/// standard error takes samples as independent.
///   tl::metric<"within 10 %", "price", "target">(
///       [](float y, float t) { return std::abs(y - t) < 0.1f * t; })
///
///   tl::metric<"code length", "code">([](std::span<const float> code) { return norm(code); })
template <name Label, name Output, name... Inputs, class F>
own_metric<F, Label, Output, Inputs...> metric(F f) {
  return own_metric<F, Label, Output, Inputs...>(std::move(f));
}

}  // namespace tapeless
