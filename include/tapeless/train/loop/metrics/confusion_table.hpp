// SPDX-License-Identifier: BSL-1.0
// The text of a confusion matrix.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/measurement_text.hpp>
#include <tapeless/train/loop/metrics/class_counts.hpp>
#include <tapeless/train/loop/text_columns.hpp>

namespace tapeless::detail {

TAPELESS_COLD inline std::string share_text(const measurement& share, bool is_known) {
  return is_known ? printed("%.3f", share.mean) : "-";
}

TAPELESS_COLD inline std::string cell_text(double count) {
  if (count == 0) return ".";
  if (count == std::floor(count) && count < 1e15) return join({static_cast<std::int64_t>(count)});
  return printed("%.4g", count);
}

/// A line for each class and a column for each prediction; the classes have these names, as far as there are
/// some.
template <class Counts>
TAPELESS_COLD std::string confusion_table(const Counts& n, const std::vector<std::string>& names) {
  if (n.classes() == 0) return "nothing has been measured";
  const auto title = [&](std::int64_t c) {
    const auto i = static_cast<std::size_t>(c);
    return i < names.size() ? names[i] : join({c});
  };
  weight_sums hits, samples;
  std::int64_t columns = n.classes();
  for (std::int64_t c = 0; c < n.classes(); ++c) {
    hits = hits + n.hits(c);
    samples = samples + n.samples(c);
    if (n.count(c, n.classes()).weight > 0) columns = n.classes() + 1;  // one for those without any
  }

  using align = text_columns::align;  // no using enum: nvcc does not see its names
  text_columns table;
  table.add("label \\ predicted", align::left);
  for (std::int64_t j = 0; j < columns; ++j) table.add(j < n.classes() ? title(j) : "none", align::right);
  table.add("recall", align::right);
  table.end_line();
  for (std::int64_t i = 0; i < n.classes(); ++i) {
    table.add(title(i), align::left);
    for (std::int64_t j = 0; j < columns; ++j) table.add(cell_text(n.count(i, j).weight), align::right);
    table.add(share_text(share_of(n.hits(i), n.samples(i)), n.samples(i).weight > 0), align::right);
    table.end_line();
  }
  table.add("precision", align::left);
  for (std::int64_t j = 0; j < columns; ++j) {
    const bool is_class = j < n.classes();
    table.add(is_class ? share_text(share_of(n.hits(j), n.predictions(j)), n.predictions(j).weight > 0) : "",
              align::right);
  }
  table.add(share_text(share_of(hits, samples), samples.weight > 0), align::right);
  table.end_line();
  return table.text();
}

}  // namespace tapeless::detail
