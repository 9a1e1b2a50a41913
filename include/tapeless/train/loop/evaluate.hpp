// SPDX-License-Identifier: BSL-1.0
// evaluate: the loss and metrics on a data set.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include <tapeless/data/sample_order.hpp>
#include <tapeless/data/source.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/binding/run_time_extents.hpp>
#include <tapeless/train/loop/batches.hpp>
#include <tapeless/train/loop/meter.hpp>
#include <tapeless/train/program/loss_over_samples.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>

namespace tapeless {

/// Options of evaluate.
struct evaluate_options {
  /// Samples computed at once; matters for memory, speed, the uncertainty and losses that are sums alone.
  std::int64_t batch = 500;
};

namespace detail {

/// The first `size` of the samples, or all where there are fewer.
inline array_view<const std::int64_t> first_part(array_view<const std::int64_t> samples, std::int64_t size) {
  return samples.first(std::min(static_cast<std::size_t>(size), samples.size()));
}

/// Calls f(part, next) for parts of that size, one after the other; `next` is empty behind the last.
template <class F>
void for_each_batch(array_view<const std::int64_t> samples, std::int64_t size, F f) {
  for (auto part = first_part(samples, size); !part.empty();) {
    samples = samples.subspan(part.size());
    const auto next = first_part(samples, size);
    f(part, next);
    part = next;
  }
}

/// Throws before training what evaluation would throw after an epoch: columns that do not fit the model.
/// Looks at the types and shapes of the first and the last batch; no sample is read.
template <class Net>
TAPELESS_COLD void require_columns_fit(const Net& net, const data::source& from,
                                       array_view<const std::int64_t> samples, std::int64_t size) {
  using program = typename Net::evaluate_program;
  data::batch_memory memory = memory_for(described_inputs<program>, from);
  bool is_first = true;
  for_each_batch(samples, size, [&](array_view<const std::int64_t> batch, auto next) {
    if constexpr (is_one_of_several<Net>) batch = net.share_of(batch);
    if (batch.empty() || (!is_first && !next.empty())) return;
    is_first = false;
    bindings_of<program> inputs;
    bind_columns(memory, batch, inputs.inputs);
    run_time_extents(checked_plan_of<program>()).find(inputs.inputs, inputs.known_extents());
  });
}

/// The numbers of all samples. Throws an error where there are none, or no end of them, or no batch of them.
TAPELESS_WARM inline std::vector<std::int64_t> samples_to_evaluate(const data::source& from,
                                                                   const evaluate_options& options) {
  if (options.batch < 1) throw_error({"evaluate: batch is ", options.batch, "; it must be 1 or more"});
  if (from.size() == 0) throw_error("evaluate: the data set is empty");
  if (from.is_endless()) throw_error("evaluate: the data have no end: evaluate on data::take(source, count)");
  return data::detail::first_numbers(from.size());
}

template <class Net, class... Callbacks>
TAPELESS_WARM report evaluate_samples(Net& net, const data::source& from,
                                      array_view<const std::int64_t> samples, std::int64_t batch,
                                      meter<Callbacks...>& m) {
  const auto alone = net.keep_others_out();
  batch_source<typename Net::evaluate_program> source(from);
  m.clear();
  for_each_batch(samples, batch, [&](array_view<const std::int64_t> part, auto next) {
    const auto& inputs = source.gather(part);
    if (!next.empty()) source.expect(next);
    const double weight = net.loss_weight_of(static_cast<std::int64_t>(part.size()), inputs);
    m.add(net.evaluate_on(inputs), source, weight_in_mean(Net::loss_kind, weight));
  });
  report r;
  m.write(r);
  return r;
}

/// The contract of a metric on the batches of one of a trainer's programs.
template <class Net, class Program, class Metric>
using adding_to = adding_contract<Metric, typename Net::template result_of<Program>, batch_source<Program>>;

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

/// Measures the loss and the metrics on a data set, without changing anything. The loss is that of all
/// samples together, where it is a mean or a weighted mean of samples, see loss_over_samples; a sum is the
/// mean over batches of theirs. Metrics with a name can be read afterwards, too. Throws an error where the
/// data set is empty, has no end or lacks a column, the batch is below 1, or a metric cannot take what it is
/// given.
template <class Net, class... Metrics>
report evaluate(Net& net, const data::source& from, const evaluate_options& options, Metrics&&... metrics) {
  if constexpr (!detail::can_evaluate<Net, std::remove_reference_t<Metrics>...>()) {
    return {};
  } else {
    const std::vector<std::int64_t> samples = detail::samples_to_evaluate(from, options);
    std::tuple<std::remove_reference_t<Metrics>&...> all(metrics...);
    detail::meter_of<std::remove_reference_t<Metrics>...> m(all);
    return detail::evaluate_samples(net, from, array_view<const std::int64_t>(samples), options.batch, m);
  }
}
template <class Net, class... Metrics>
  requires(!std::same_as<std::remove_cvref_t<Metrics>, evaluate_options> && ...)
report evaluate(Net& net, const data::source& from, Metrics&&... metrics) {
  return evaluate(net, from, evaluate_options{}, metrics...);
}

}  // namespace tapeless
