// SPDX-License-Identifier: BSL-1.0
// normalize, one_hot: columns of numbers as networks want them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/column_transform.hpp>
#include <tapeless/data/number_type.hpp>
#include <tapeless/data/sample_order.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::data {

/// What normalize subtracts and divides by: one number for all elements of a sample, or one for each index of
/// its first axis (the channels of an image, the features of a vector).
struct normalization {
  std::vector<double> mean;
  std::vector<double> deviation;
};

namespace detail {

class normalized final : public column_transform {
 public:
  normalized(const source& from, std::string_view column, normalization by)
      : column_transform(from, "normalize", column), by_(std::move(by)) {
    if (by_.mean.empty() || by_.mean.size() != by_.deviation.size())
      fail({"expected as many means as deviations, found ", by_.mean.size(), " and ", by_.deviation.size()});
    for (const double m : by_.mean)
      if (!std::isfinite(m)) fail({"has a mean of ", m, "; it must be finite"});
    for (const double d : by_.deviation)
      if (!(d > 0) || !std::isfinite(d))
        fail({"has a deviation of ", d, "; it must be positive, and finite"});
    if (!is_known()) return;
    check_shape(before());
    becomes(
        {column_name(), before().type == element::f64 ? element::f64 : element::f32, before().sample_shape});
    if (!with_number_type(before().type, [](auto) {})) fail({"holds ", name_of(before().type)});
  }

 private:
  normalization by_;

  void check_shape(const column_description& c) const {
    const std::size_t n = by_.mean.size();
    if (n != 1 && (c.sample_shape.empty() || c.sample_shape[0] != static_cast<std::int64_t>(n)))
      fail({"has samples of ", text_of(c), ", for which there are ", n,
            " means; one, or one for each index of ", "the first axis, is possible"});
  }

  void apply(const std::byte* in, std::byte* out, const batch_column& column, const sample&) const override {
    if (!is_known()) check_shape(column.description);
    const element from = is_known() ? before().type : column.description.type;
    const auto refuse = [&] {
      fail({"is asked for as ", name_of(column.description.type), "; it is float or double"});
    };
    const bool is_number = with_number_type(from, [&](auto type) {
      const auto* values = reinterpret_cast<decltype(type)>(in);
      if (column.description.type == element::f64)
        write(values, reinterpret_cast<double*>(out), column.sample_size);
      else if (column.description.type == element::f32)
        write(values, reinterpret_cast<float*>(out), column.sample_size);
      else
        refuse();
    });
    if (!is_number) refuse();
  }

  template <class From, class To>
  void write(const From* in, To* out, std::int64_t size) const {
    const std::int64_t channels = static_cast<std::int64_t>(by_.mean.size()), each = size / channels;
    for (std::int64_t c = 0; c < channels; ++c) {
      const double mean = by_.mean[static_cast<std::size_t>(c)];
      const double deviation = by_.deviation[static_cast<std::size_t>(c)], factor = 1 / deviation;
      for (std::int64_t i = c * each; i < (c + 1) * each; ++i) {
        const double x = static_cast<double>(in[i]) - mean;
        if constexpr (sizeof(To) == sizeof(double))
          out[i] = x / deviation;
        else
          out[i] = static_cast<To>(x * factor);  // faster, and as good once it is rounded
      }
    }
  }
};

class one_hot_encoded final : public column_transform {
 public:
  one_hot_encoded(const source& from, std::string_view column, std::int64_t classes)
      : column_transform(from, "one_hot", column), classes_(classes) {
    if (classes < 1) fail({"shall have ", classes, " classes; there must be 1 or more"});
    if (!is_known()) fail_unknown();
    const element type = before().type;
    if (!is_integer(type)) fail_as_no_integer();
    column_description after{column_name(), element::f32, before().sample_shape};
    after.sample_shape.push_back(classes);
    becomes(std::move(after));
  }

 private:
  std::int64_t classes_;

  [[noreturn]] TAPELESS_COLD void fail_as_no_integer() const {
    fail({"holds ", name_of(before().type), ", expected integers"});
  }
  void apply(const std::byte* in, std::byte* out, const batch_column& column,
             const sample& which) const override {
    auto* numbers = reinterpret_cast<float*>(out);
    std::fill_n(numbers, column.sample_size, 0.0f);
    const bool is_number = with_number_type(before().type, [&](auto type) {
      const auto* labels = reinterpret_cast<decltype(type)>(in);
      for (std::int64_t i = 0; i < column.sample_size / classes_; ++i) {
        const auto label = static_cast<std::int64_t>(labels[i]);
        if (label < 0 || label >= classes_)
          fail({"of sample ", which.number(), " has the class ", label, "; it must be from 0 to ",
                classes_ - 1});
        numbers[i * classes_ + label] = 1;
      }
    });
    if (!is_number) fail_as_no_integer();
  }
};

}  // namespace detail

/// (x - mean) / deviation for the elements x of a column, in float, or in double where the column is of
/// double: normalize(train, "image", {{0.1307}, {0.3081}}). Throws tl::error where the numbers do not fit the
/// column's samples.
TAPELESS_WARM inline source normalize(const source& from, std::string_view column, normalization by) {
  return source::make<detail::normalized>(from, column, std::move(by));
}

/// A column of classes as ones among zeros: labels [...] from 0 to classes - 1 become float [..., classes].
/// Throws tl::error where the column does not hold integers and, when it is read, at a label that is no
/// class.
TAPELESS_WARM inline source one_hot(const source& from, std::string_view column, std::int64_t classes) {
  return source::make<detail::one_hot_encoded>(from, column, classes);
}

namespace detail {

/// The mean and the squares of the deviations from it, by one pass (Welford, 1962).
struct running_moments {
  double count = 0, mean = 0, squares = 0;

  void add(double x) {
    count += 1;
    const double delta = x - mean;
    mean += delta / count;
    squares += delta * (x - mean);
  }
  /// 1 of numbers that are all the same.
  double deviation() const { return squares > 0 ? std::sqrt(squares / count) : 1; }
};

}  // namespace detail

/// The mean and the standard deviation of a column over all samples, one of each for each index of the
/// samples' first axis; for a constant the deviation is 1. A NaN stands for a number that is missing, and is
/// left out. All samples are read. Throws tl::error where they have no end, the source does not tell of that
/// column of numbers, a number is infinite, or all at an index are missing.
TAPELESS_WARM inline normalization normalization_of(const source& from, std::string_view column) {
  const column_description* found = from.find(column);
  if (found == nullptr) throw_error({"normalization_of: the data do not tell of a column \"", column, "\""});
  if (from.is_endless()) throw_error("normalization_of: the data have no end");
  batch_memory memory;
  const batch_column& c = memory.add(*found);
  const std::int64_t channels = found->sample_shape.empty() ? 1 : found->sample_shape[0];
  const std::int64_t each = c.sample_size / channels;
  std::vector<detail::running_moments> moments(static_cast<std::size_t>(channels));
  for (std::int64_t i = 0; i < from.size(); ++i) {
    memory.resize(1, 0);
    batch into(memory);
    from.read({&i, 1}, into);
    const bool is_number = detail::with_number_type(found->type, [&](auto type) {
      const auto* values = reinterpret_cast<decltype(type)>(memory.columns()[0].begin());
      for (detail::running_moments& channel : moments)
        for (std::int64_t e = 0; e < each; ++e) {
          const auto x = static_cast<double>(*values++);
          if (std::isinf(x))
            throw_error({"normalization_of: column \"", column, "\" of sample ", i, " holds ", x,
                         ", of which there is no deviation"});
          if (!std::isnan(x)) channel.add(x);
        }
    });
    if (!is_number) throw_error({"normalization_of: column \"", column, "\" holds ", name_of(found->type)});
  }
  normalization all;
  for (const detail::running_moments& channel : moments) {
    if (channel.count == 0)
      throw_error({"normalization_of: column \"", column, "\" has no number at index ", all.mean.size(),
                   " of ", from.size(), " samples"});
    all.mean.push_back(channel.mean);
    all.deviation.push_back(channel.deviation());
  }
  return all;
}

}  // namespace tapeless::data
