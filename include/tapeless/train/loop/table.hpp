// SPDX-License-Identifier: BSL-1.0
// table(history): what a fit has brought, as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/measurement_names.hpp>
#include <tapeless/train/loop/text_columns.hpp>

namespace tapeless {

namespace detail {

/// The report's measurement of that name as text; nothing where it has none.
TAPELESS_COLD inline std::string cell_of(const report& r, std::string_view name) {
  const measurement* m = find_measurement(r, name);
  return m != nullptr ? text_of(*m) : "";
}

}  // namespace detail

/// What fit returns as a table of text: a line for each epoch. Columns are the measurements on the training
/// samples, then those on the validation, and the time that the epoch took, where that is known. Decimal
/// points stand below one another. There is no line break at the end: std::puts adds one.
template <class History = std::vector<epoch_report>>
TAPELESS_COLD std::string table(const History& given) {
  const std::vector<epoch_report>& history = given;
  const auto train = detail::measurement_names(history, &epoch_report::train);
  const auto validation = detail::measurement_names(history, &epoch_report::validation);
  bool has_times = false;
  for (const epoch_report& r : history) has_times = has_times || r.seconds > 0;
  using align = detail::text_columns::align;  // no using enum: nvcc does not see its names
  detail::text_columns columns;
  columns.add("", align::left);
  for (std::size_t i = 0; i < train.size(); ++i) columns.add(i == 0 ? "train" : "", align::left);
  for (std::size_t i = 0; i < validation.size(); ++i) columns.add(i == 0 ? "validation" : "", align::left);
  columns.end_line();
  columns.add("epoch", align::left);
  for (const std::string& name : train) columns.add(name, align::left);
  for (const std::string& name : validation) columns.add(name, align::left);
  if (has_times) columns.add("time", align::right);
  columns.end_line();
  for (std::size_t i = 0; i < history.size(); ++i) {
    columns.add(join({history[i].number_at(i)}), align::right);
    for (const std::string& name : train) columns.add(detail::cell_of(history[i].train, name), align::point);
    for (const std::string& name : validation)
      columns.add(detail::cell_of(history[i].validation, name), align::point);
    if (has_times) columns.add(detail::duration_text(history[i].seconds), align::right);
    columns.end_line();
  }
  return columns.text();
}

}  // namespace tapeless
