// SPDX-License-Identifier: BSL-1.0
// resample and balance_classes: samples drawn at random, some more often than others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/data/number_type.hpp>
#include <tapeless/data/sample_order.hpp>
#include <tapeless/data/view.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/bindable_elements.hpp>
#include <tapeless/graph/core/bound_elements.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/copy_elements.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/graph/core/random_seed.hpp>

namespace tapeless::data {

/// How samples are drawn.
struct resample_options {
  std::int64_t count = 0;  ///< samples in a pass; 0: as many as the source has
  random_seed seed = 0;
};

namespace detail {

/// Sample i of pass p is drawn by a random number that depends on the seed, p and i alone.
class resampled_view final : public view {
 public:
  resampled_view(const source& from, std::vector<double> cumulative, const resample_options& o)
      : view(from), cumulative_(std::move(cumulative)), options_(o) {}
  std::int64_t size() const override { return options_.count; }

  void read(array_view<const std::int64_t> samples, batch& into) const override {
    sample_numbers theirs(into, samples.size());
    for (std::size_t k = 0; k < samples.size(); ++k) {
      random_stream random = into.at(0, samples[k]).random(options_.seed ^ hash_of("resample"));
      const auto found =
          std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, random.uniform() * cumulative_.back());
      theirs[k] = found - cumulative_.begin();
    }
    from_.read(theirs, into);
  }

 private:
  std::vector<double> cumulative_;
  resample_options options_;
};

/// The classes of all samples, as the column says.
template <element_type Label>
std::vector<std::int64_t> labels_of(const source& from, const column_description& column) {
  constexpr std::int64_t at_once = 4096;
  batch_memory memory;
  memory.add(column);
  std::vector<std::int64_t> all = first_numbers(from.size());
  for (std::int64_t first = 0; first < from.size(); first += at_once) {
    const std::int64_t count = std::min(at_once, from.size() - first);
    memory.resize(count, 0);
    batch into(memory);
    from.read({all.data() + first, static_cast<std::size_t>(count)}, into);
    std::copy_n(into.get<Label>(column.name).begin(), count, all.begin() + first);
  }
  return all;
}

}  // namespace detail

/// Samples that are drawn with replacement, each with a probability in proportion to its weight, others in
/// each pass. Throws tl::error where there is not one weight for each sample, one is negative or not finite,
/// or all are 0.
TAPELESS_WARM inline source resample(const source& from, array_view<const double> weights,
                                     resample_options options = {}) {
  detail::require_end(from, "resample");
  if (static_cast<std::int64_t>(weights.size()) != from.size())
    throw_error(
        {"resample: expected ", from.size(), " weights, one for each sample, found ", weights.size()});
  if (options.count < 0) throw_error({"resample: count is ", options.count, "; it must be 0 or more"});
  if (options.count == 0) options.count = from.size();
  double total = 0;
  std::vector<double> cumulative;
  cumulative.reserve(weights.size());
  for (const double weight : weights) {
    if (!(weight >= 0 && std::isfinite(weight)))
      throw_error({"resample: a weight is ", weight, "; it must be 0 or more"});
    cumulative.push_back(total += weight);
  }
  if (!(total > 0 && std::isfinite(total))) throw_error("resample: the weights must have a positive sum");
  return source::make<detail::resampled_view>(from, std::move(cumulative), options);
}

/// The same of weights with strides, such as a row of a matrix of Eigen's.
template <class Weights>
  requires tapeless::detail::has_known_strides<Weights>
source resample(const source& from, const Weights& weights, resample_options options = {}) {
  static_assert(tapeless::detail::element_type_of<Weights>() == element::f64,
                "tapeless: the weights of samples are double: give weights.cast<double>().eval()");
  const bound_elements all = tapeless::detail::elements_of(weights);
  std::vector<double> copy(static_cast<std::size_t>(all.count));
  if (!copy.empty()) tapeless::detail::copy_elements(all, reinterpret_cast<std::byte*>(copy.data()));
  return resample(from, copy, options);
}

/// Samples that are drawn with replacement so that all classes are equally frequent, however many samples
/// they have. `label` names a column of integers, one for each sample; all of it is read once. Throws
/// tl::error where there is no such column.
TAPELESS_WARM inline source balance_classes(const source& from, std::string_view label,
                                            const resample_options& options = {}) {
  detail::require_end(from, "balance_classes");
  const column_description* column = from.find(label);
  if (column == nullptr) throw_error({"balance_classes: the data do not tell of a column \"", label, "\""});
  std::vector<std::int64_t> labels;
  const auto read = [&](auto type) {
    using label_type = std::remove_cvref_t<decltype(*type)>;
    if constexpr (std::is_integral_v<label_type>) labels = detail::labels_of<label_type>(from, *column);
  };
  const bool is_label = column->sample_shape.empty() && is_integer(column->type);
  if (!is_label || !detail::with_number_type(column->type, read))
    throw_error({"balance_classes: expected integers, one for each sample, found column \"", label, "\" of ",
                 text_of(*column)});
  std::vector<std::int64_t> sorted = labels;
  std::make_heap(sorted.begin(), sorted.end());
  std::sort_heap(sorted.begin(), sorted.end());  // not std::sort, which compiles to several times as much
  std::vector<double> weights;
  weights.reserve(labels.size());
  for (const std::int64_t l : labels) {
    const auto [begin, end] = std::equal_range(sorted.begin(), sorted.end(), l);
    weights.push_back(1 / static_cast<double>(end - begin));
  }
  return resample(from, weights, options);
}

}  // namespace tapeless::data
