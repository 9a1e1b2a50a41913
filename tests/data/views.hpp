// SPDX-License-Identifier: BSL-1.0
// What tests of views and transforms read with.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <tapeless/data/sample_order.hpp>
#include <tapeless/data/source.hpp>

namespace test {

/// A column of those samples, as the source tells of it, in that pass.
template <class T>
std::vector<T> column_of(const tapeless::data::source& from, std::string_view name,
                         const std::vector<std::int64_t>& samples, std::int64_t pass = 0) {
  tapeless::data::batch_memory memory;
  const tapeless::data::column_description* told = from.find(name);
  memory.add(told != nullptr ? *told : tapeless::data::column_of<T>(std::string(name)));
  memory.resize(static_cast<std::int64_t>(samples.size()), pass);
  tapeless::data::batch into(memory);
  from.read(samples, into);
  const auto all = into.get<T>(name);
  return std::vector<T>(all.begin(), all.end());
}
template <class T>
std::vector<T> all_of(const tapeless::data::source& from, std::string_view name, std::int64_t pass = 0) {
  return column_of<T>(from, name, tapeless::data::detail::first_numbers(from.size()), pass);
}

/// Samples 0 to count - 1 in a column "n" of their numbers.
inline tapeless::data::dataset numbered(std::int64_t count) {
  tapeless::data::dataset d;
  d.add("n", {}, tapeless::data::detail::first_numbers(count));
  return d;
}

/// The same, as a user's own source.
struct numbered_source {
  std::int64_t count = tapeless::data::endless;
  std::int64_t size() const { return count; }
  void read(std::int64_t i, tapeless::data::sample& s) const { s.get<std::int64_t>("n")[0] = i; }
};

}  // namespace test
