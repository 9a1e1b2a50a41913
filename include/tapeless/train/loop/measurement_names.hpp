// SPDX-License-Identifier: BSL-1.0
// Which measurements a history has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/measurement.hpp>

namespace tapeless::detail {

/// The report's measurement of that name; null where it has none.
inline const measurement* find_measurement(const report& r, std::string_view name) {
  for (const auto& [known, m] : r)
    if (known == name) return &m;
  return nullptr;
}

/// Adds the names of the report's measurements that are not there yet. Whether there was one.
template <class Name>
TAPELESS_COLD bool add_names(std::vector<Name>& names, const report& r) {
  const std::size_t before = names.size();
  for (const auto& [name, m] : r) {
    bool is_new = true;
    for (const Name& known : names) is_new = is_new && known != name;
    if (is_new) names.push_back(name);
  }
  return names.size() > before;
}

/// The names of all measurements in these reports, in the order in which they come.
template <class Epoch>
TAPELESS_COLD std::vector<std::string> measurement_names(const std::vector<Epoch>& history,
                                                         report Epoch::* part) {
  std::vector<std::string> names;
  for (const Epoch& epoch : history) add_names(names, epoch.*part);
  return names;
}

}  // namespace tapeless::detail
