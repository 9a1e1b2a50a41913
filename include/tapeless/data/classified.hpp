// SPDX-License-Identifier: BSL-1.0
// What readers return that number the classes they find.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <tapeless/data/dataset.hpp>

namespace tapeless::data {

/// A dataset, and for each of its columns that holds numbers of classes what they stand for:
/// class_names.at("y")[2]. As auto [set, class_names] = ... it comes apart.
struct classified {
  dataset set;
  std::map<std::string, std::vector<std::string>> class_names;
};

}  // namespace tapeless::data
