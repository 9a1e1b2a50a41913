// SPDX-License-Identifier: BSL-1.0
// What the options of load and save make of names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/io/utf8.hpp>
#include <tapeless/optim/base/name_pattern.hpp>
#include <tapeless/train/program/load_options.hpp>

namespace tapeless::detail {

/// Whether the rule fits a name; then `becomes` is what the name becomes.
TAPELESS_COLD inline bool renames(const renamed& rule, std::string_view name, std::string& becomes) {
  const std::string_view from = rule.from, to = rule.to;
  const std::size_t star = from.find('*'), there = to.find('*');
  if (star == std::string_view::npos) {
    if (name != from) return false;
    becomes = to;
    return true;
  }
  const std::string_view begin = from.substr(0, star), end = from.substr(star + 1);
  if (name.size() < begin.size() + end.size() || !name.starts_with(begin) || !name.ends_with(end))
    return false;
  if (there == std::string_view::npos) {
    becomes = to;
    return true;
  }
  const std::string_view middle = name.substr(star, name.size() - begin.size() - end.size());
  becomes = join({to.substr(0, there), middle, to.substr(there + 1)});
  return true;
}

/// Adds an item to a list of them, as in messages.
TAPELESS_COLD inline void add_item(std::string& all, std::initializer_list<text_piece> item) {
  append(all, {all.empty() ? "" : ", ", join(item)});
}

/// The names of tensors as parameters have them. Whatever renames none is a mistake of the one who wrote it,
/// and added to what is wrong.
TAPELESS_COLD inline std::vector<std::string> names_as_parameters(array_view<const io::tensor_entry> tensors,
                                                                  const load_options& options,
                                                                  std::string_view holder,
                                                                  std::string& wrong) {
  std::vector<std::string> names;
  bool stripped = options.strip_prefix.empty();
  list<bool> used(options.names.size());
  for (const io::tensor_entry& tensor : tensors) {
    std::string_view name = tensor.name;
    if (!options.strip_prefix.empty() && name.starts_with(options.strip_prefix)) {
      name.remove_prefix(options.strip_prefix.size());
      stripped = true;
    }
    std::string own(name);
    for (std::size_t r = 0; r < options.names.size(); ++r)
      if (renames(options.names[r], name, own)) {
        used[r] = true;
        break;
      }
    names.push_back(options.add_prefix + own);
  }
  if (!stripped)
    add_item(wrong, {"no name in ", holder, " begins with the prefix \"", options.strip_prefix, "\""});
  for (std::size_t r = 0; r < options.names.size(); ++r)
    if (!used[r]) add_item(wrong, {"no name in ", holder, " fits \"", options.names[r].from, "\""});
  return names;
}

/// Whether one of the patterns fits a parameter, or there are none.
TAPELESS_COLD inline bool is_wanted(const std::vector<std::string>& only, std::string_view label) {
  for (const std::string& pattern : only)
    if (fits(pattern, label)) return true;
  return only.empty();
}

/// The first rule by which tensors are joined for a parameter; null where there is none.
TAPELESS_COLD inline const joined_tensors* joining_rule(const std::vector<joined_tensors>& rules,
                                                        std::string_view label) {
  std::string ignored;
  for (const joined_tensors& rule : rules)
    if (renames({rule.parameter, ""}, label, ignored)) return &rule;
  return nullptr;
}

/// Whether a # in the names of the tensors counts layers.
TAPELESS_COLD inline bool counts_layers(const joined_tensors& rule) {
  for (const std::string& tensor : rule.tensors)
    if (tensor.find('#') != std::string::npos) return true;
  return false;
}

/// The name of one of the rule's tensors, in that layer of a parameter that the rule fits.
TAPELESS_COLD inline std::string name_of_part(const joined_tensors& rule, std::string tensor,
                                              std::string_view label, std::int64_t layer) {
  const std::string number = join({layer});
  for (std::size_t at = 0; (at = tensor.find('#', at)) != std::string::npos; at += number.size())
    tensor.replace(at, 1, number);
  std::string name;
  renames({rule.parameter, tensor}, label, name);
  return name;
}

/// The names of the rule's tensors, in the first layer, as in messages.
TAPELESS_COLD inline std::string names_of_parts(const joined_tensors& rule, std::string_view label) {
  std::string names;
  for (const std::string& tensor : rule.tensors)
    append(names, {names.empty() ? "\"" : ", \"", io::shown(name_of_part(rule, tensor, label, 0)), "\""});
  return names;
}

}  // namespace tapeless::detail
