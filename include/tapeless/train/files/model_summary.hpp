// SPDX-License-Identifier: BSL-1.0
// What a model computes in training, as a number and as a text of its operations, which tells what differs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/program/graph_summary.hpp>

namespace tapeless::detail {

struct model_summary {
  std::uint64_t hash = 0;
  std::string operations;  // such as "add 2, matmul 2, relu 1"
};

/// Of the loss and of what a step changes in parameters by itself; other outputs may come and go.
template <class Model>
TAPELESS_COLD model_summary summary_of_model() {
  model_summary s{constant_summary_of<Model>.hash, {}};
  for (const operation_count& o : constant_summary_of<Model>.operations)
    append(s.operations, {s.operations.empty() ? "" : ", ", o.name, " ", o.count});
  return s;
}

/// What the second list of operations has that the first has not, or the other way round: "the file's has 1
/// relu, this one 0"; empty where they are equal.
TAPELESS_COLD inline std::string first_difference(std::string_view theirs, std::string_view own) {
  const auto next = [](std::string_view& all) {
    const std::size_t end = all.find(", ");
    const std::string_view entry = all.substr(0, end);
    all = end == std::string_view::npos ? std::string_view() : all.substr(end + 2);
    return entry;
  };
  const auto name_of_entry = [](std::string_view entry) { return entry.substr(0, entry.rfind(' ')); };
  const auto count_of_entry = [](std::string_view entry) { return entry.substr(entry.rfind(' ') + 1); };
  while (!theirs.empty() || !own.empty()) {
    std::string_view a = theirs, b = own;
    const std::string_view x = next(a), y = next(b);
    if (x == y) {
      theirs = a;
      own = b;
      continue;
    }
    const std::string_view i = name_of_entry(x), j = name_of_entry(y);
    if (i == j)
      return join({"the file's has ", count_of_entry(x), " of ", i, ", this one ", count_of_entry(y)});
    if (y.empty() || (!x.empty() && i < j)) return join({"the file's has ", i, ", this one does not"});
    return join({"this one has ", j, ", the file's does not"});
  }
  return {};
}

}  // namespace tapeless::detail
