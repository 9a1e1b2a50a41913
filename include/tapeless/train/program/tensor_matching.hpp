// SPDX-License-Identifier: BSL-1.0
// Finds the tensor for each parameter, by name, and says all that does not fit at once.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/io/utf8.hpp>
#include <tapeless/optim/base/name_pattern.hpp>
#include <tapeless/train/program/load_options.hpp>
#include <tapeless/train/program/parameters.hpp>
#include <tapeless/train/program/tensor_conversion.hpp>

namespace tapeless::detail {

/// A parameter that takes a tensor's values.
struct matched_parameter {
  parameter_description description;
  bool takes_float = false;  // for a float copy, besides its own type
};

/// Whose tensors they are, as messages say it.
struct tensor_origin {
  std::string_view where;   // "net.safetensors"
  std::string_view holder;  // "the file"
};

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

/// Whether one of the patterns fits a parameter, or there are none.
TAPELESS_COLD inline bool is_wanted(const std::vector<std::string>& only, std::string_view label) {
  for (const std::string& pattern : only)
    if (fits(pattern, label)) return true;
  return only.empty();
}

/// Matches tensors with parameters, as options say. A template, so that compilers pass over it where it is
/// not used.
template <std::same_as<load_options> Options>
class tensor_matcher {
 public:
  tensor_matcher(array_view<const io::tensor_entry> tensors, array_view<const matched_parameter> parameters,
                 const Options& options, const tensor_origin& origin)
      : tensors_(tensors), parameters_(parameters), options_(options), origin_(origin) {}

  /// The tensor of each parameter; null where the parameter keeps its values. Throws one error that lists
  /// whatever does not fit.
  TAPELESS_COLD list<const io::tensor_entry*> match();

 private:
  array_view<const io::tensor_entry> tensors_;
  array_view<const matched_parameter> parameters_;
  const Options& options_;
  tensor_origin origin_;
  std::vector<std::string> names_;  // of the tensors, as parameters have them
  std::vector<std::string> missing_, unexpected_;
  std::string mismatched_, wrong_;

  static void add(std::string& all, std::initializer_list<text_piece> item) {
    append(all, {all.empty() ? "" : ", ", join(item)});
  }

  // "a", "b" and 12 more: the first ten.
  static std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 10;
    std::string all;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) add(all, {names[i]});
    if (names.size() > most) append(all, {" and ", names.size() - most, " more"});
    return all;
  }

  // A pattern that fits nothing is a mistake of the one who wrote it.
  void rename() {
    bool stripped = options_.strip_prefix.empty();
    list<bool> used(options_.names.size());
    for (const io::tensor_entry& tensor : tensors_) {
      std::string_view name = tensor.name;
      if (!options_.strip_prefix.empty() && name.starts_with(options_.strip_prefix)) {
        name.remove_prefix(options_.strip_prefix.size());
        stripped = true;
      }
      std::string own(name);
      for (std::size_t r = 0; r < options_.names.size(); ++r)
        if (renames(options_.names[r], name, own)) {
          used[r] = true;
          break;
        }
      names_.push_back(options_.add_prefix + own);
    }
    if (!stripped)
      add(wrong_, {"no name in ", origin_.holder, " begins with the prefix \"", options_.strip_prefix, "\""});
    for (std::size_t r = 0; r < options_.names.size(); ++r)
      if (!used[r]) add(wrong_, {"no name in ", origin_.holder, " fits \"", options_.names[r].from, "\""});
  }

  // "name", and what it has become where options changed it.
  std::string as_named(std::size_t tensor) const {
    const std::string_view name = tensors_[tensor].name;
    std::string text = join({"\"", io::shown(name), "\""});
    if (name != names_[tensor]) append(text, {" (as \"", io::shown(names_[tensor]), "\")"});
    return text;
  }
  // Where parameters may be missing, all of the model's are by mistake.
  void require_any(const list<const io::tensor_entry*>& found) {
    if (!options_.allow_missing || !options_.only.empty() || missing_.empty() || !wrong_.empty()) return;
    for (const io::tensor_entry* tensor : found)
      if (tensor != nullptr) return;
    add(wrong_, {"no tensor in ", origin_.holder, " is a parameter of the model: ",
                 unexpected_.empty() ? "there is none" : listed(unexpected_)});
  }

  void check_patterns() {
    for (const std::string& pattern : options_.only) {
      bool any = false;
      for (const matched_parameter& p : parameters_) any = any || fits(pattern, p.description.label->view());
      if (!any) add(wrong_, {"no parameter of the model fits \"", pattern, "\""});
    }
  }

  void compare(const matched_parameter& p, const io::tensor_entry& tensor) {
    const parameter_description& d = p.description;
    if (!tensor.foreign.empty()) {
      add(mismatched_, {"the parameter \"", d.label->view(), "\" is ", name_of(d.type),
                        io::shape_text(d.extents()), ", but ", origin_.holder, " holds elements of type ",
                        tensor.foreign, ", which the library lacks"});
      return;
    }
    const bool same_shape =
        std::equal(tensor.shape.begin(), tensor.shape.end(), d.extents().begin(), d.extents().end());
    const bool converted = is_floating(d.type) && is_floating(tensor.type);
    const bool same_type = tensor.type == d.type || (p.takes_float && tensor.type == element::f32) ||
                           (options_.convert && converted);
    if (same_shape && same_type) {
      require_fit(p, tensor);
      return;
    }
    add(mismatched_,
        {"the parameter \"", d.label->view(), "\" is ", name_of(d.type), io::shape_text(d.extents()),
         ", but ", origin_.holder, " holds ", name_of(tensor.type), io::shape_text(tensor.shape),
         same_shape && converted && mismatched_.find(".convert") == std::string::npos
             ? ", which .convert = true would round, as it does all floating types"
             : ""});
  }

  // A float copy takes the place of a parameter of 16 bits, which is rounded from it.
  void require_fit(const matched_parameter& p, const io::tensor_entry& tensor) {
    const element type = p.takes_float ? element::f32 : p.description.type;
    const std::byte* const bytes = tensor.bytes.data();
    const std::int64_t i = first_too_large(tensor.type, bytes, type, p.description.count);
    if (i == p.description.count) return;
    char text[32] = {};
    std::snprintf(text, sizeof text, "%g",
                  read_number(tensor.type, bytes + static_cast<std::size_t>(i) * size_of(tensor.type)));
    add(wrong_, {"tensor \"", io::shown(tensor.name), "\": element ", i, " is ", text,
                 ", which does not fit into ", name_of(type)});
  }

  void refuse() const {
    std::string all;
    const auto say = [&](std::string_view before, const std::string& what) {
      if (!what.empty()) append(all, {all.empty() ? "" : "; ", before, what});
    };
    const bool lacks = !missing_.empty() && !options_.allow_missing;
    if (lacks) say(join({"missing in ", origin_.holder, ": "}), listed(missing_));
    if (!options_.allow_unexpected) {
      say(join({"unexpected in ", origin_.holder, ": "}), listed(unexpected_));
    } else if (lacks) {
      say("no parameters of the model, unless .strip_prefix, .names or .add_prefix rename them: ",
          listed(unexpected_));
    }
    say("", mismatched_);
    say("", wrong_);
    if (!all.empty()) throw_error({origin_.where, ": ", all});
  }
};

// Behind the class, and so not inline: it need not be compiled in each program, see compiled.hpp.
template <std::same_as<load_options> Options>
list<const io::tensor_entry*> tensor_matcher<Options>::match() {
  rename();
  list<const io::tensor_entry*> found(parameters_.size());
  list<bool> used(tensors_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const std::string_view label = parameters_[i].description.label->view();
    for (std::size_t k = 0; k < tensors_.size(); ++k) {
      if (names_[k] != label) continue;
      used[k] = true;
      if (!is_wanted(options_.only, label)) continue;
      if (found[i] != nullptr)
        add(wrong_, {"\"", io::shown(found[i]->name), "\" and \"", io::shown(tensors_[k].name),
                     "\" are both taken for \"", label, "\""});
      found[i] = &tensors_[k];
    }
    if (!is_wanted(options_.only, label)) continue;
    if (found[i] == nullptr) missing_.push_back(join({"\"", label, "\""}));
    if (found[i] != nullptr) compare(parameters_[i], *found[i]);
  }
  for (std::size_t k = 0; k < tensors_.size(); ++k) {
    // PyTorch's files have one for each batch_norm, which is no hint of what is missing.
    const bool is_of_no_use = options_.allow_unexpected && names_[k].ends_with(".num_batches_tracked");
    if (!used[k] && !is_of_no_use) unexpected_.push_back(as_named(k));
  }
  check_patterns();
  require_any(found);
  refuse();
  return found;
}

}  // namespace tapeless::detail
