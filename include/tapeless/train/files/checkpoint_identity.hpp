// SPDX-License-Identifier: BSL-1.0
// Of what model and rule a checkpoint is, as texts of its file.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <string>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/texts_by_name.hpp>
#include <tapeless/train/files/model_summary.hpp>

namespace tapeless::detail {

inline constexpr const char *rule_key = "tapeless.rule", *model_key = "tapeless.model",
                            *operations_key = "tapeless.operations";

/// Of what trainer a checkpoint is, as the file's texts.
template <class = compiled_once>
TAPELESS_COLD io::texts_by_name identity_texts(const model_summary& model, const std::string& rule) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016" PRIx64, model.hash);
  return {{rule_key, rule}, {model_key, digits}, {operations_key, model.operations}};
}

template <class File>
TAPELESS_COLD const std::string& text_in(const File& file, const char* key) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end())
    throw_error({file.path(),
                 ": the file does not say of what model and rule it is a checkpoint: it has no "
                 "metadata of the name \"",
                 key, "\""});
  return found->text;
}

/// The rule is looked at first, and the rest of the model last, when its parameters are known to be the same.
template <class File>
TAPELESS_COLD void check_rule(const File& file, const io::texts_by_name& own) {
  const std::string &theirs = text_in(file, rule_key), &ours = own.at(rule_key);
  if (theirs != ours)
    throw_error({file.path(), ": the file is of a trainer with another rule, ", theirs,
                 ", but this one's is ", ours, "; to go on with its weights alone, load them (tl::load)"});
}
template <class File>
TAPELESS_COLD void check_model(const File& file, const io::texts_by_name& own) {
  if (text_in(file, model_key) == own.at(model_key)) return;
  std::string what = first_difference(text_in(file, operations_key), own.at(operations_key));
  if (what.empty()) what = "the operations are the same, but not their numbers, their shapes or their order";
  throw_error({file.path(), ": the file is of a trainer of another model: ", what,
               "; to go on with its weights alone, load them (tl::load)"});
}

}  // namespace tapeless::detail
