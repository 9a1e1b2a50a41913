// SPDX-License-Identifier: BSL-1.0
// Finds the tensor for each parameter, by name, and says all that does not fit at once.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
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
#include <tapeless/train/program/tensor_names.hpp>

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

/// A tensor, and which elements of a parameter it has: `count` from number `first` on, all of the tensor's.
struct matched_tensor {
  std::size_t parameter = 0;
  const io::tensor_entry* tensor = nullptr;
  std::int64_t first = 0, count = 0;
};

/// Matches tensors with parameters, as options say. A template, so that compilers pass over it where it is
/// not used.
template <std::same_as<load_options> Options>
class tensor_matcher {
 public:
  tensor_matcher(array_view<const io::tensor_entry> tensors, array_view<const matched_parameter> parameters,
                 const Options& options, const tensor_origin& origin)
      : tensors_(tensors), parameters_(parameters), options_(options), origin_(origin) {}

  /// What parameters take; there is nothing of those that keep their values. Throws one error that lists
  /// whatever does not fit.
  TAPELESS_COLD list<matched_tensor> match();

 private:
  array_view<const io::tensor_entry> tensors_;
  array_view<const matched_parameter> parameters_;
  const Options& options_;
  tensor_origin origin_;
  std::vector<std::string> names_;  // of the tensors, as parameters have them
  list<bool> used_;                 // of the tensors, which belong to a parameter
  list<matched_tensor> found_;
  std::vector<std::string> missing_, unexpected_;
  std::string mismatched_, wrong_;

  // "a", "b" and 12 more: the first ten.
  static std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 10;
    std::string all;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) add_item(all, {names[i]});
    if (names.size() > most) append(all, {" and ", names.size() - most, " more"});
    return all;
  }

  // "name", and what it has become where options changed it.
  std::string as_named(std::size_t tensor) const {
    const std::string_view name = tensors_[tensor].name;
    std::string text = join({"\"", io::shown(name), "\""});
    if (name != names_[tensor]) append(text, {" (as \"", io::shown(names_[tensor]), "\")"});
    return text;
  }
  // Where parameters may be missing, all of the model's are by mistake.
  void require_any() {
    const bool may_be = !options_.allow_missing || !options_.only.empty() || found_.size() > 0;
    if (may_be || missing_.empty() || !mismatched_.empty() || !wrong_.empty()) return;
    add_item(wrong_, {"no tensor in ", origin_.holder, " is a parameter of the model: ",
                      unexpected_.empty() ? "there is none" : listed(unexpected_)});
  }

  void check_patterns() {
    for (const joined_tensors& rule : options_.join) {
      bool any = false;
      for (const matched_parameter& p : parameters_)
        any = any || joining_rule(options_.join, p.description.label->view()) == &rule;
      if (!any)
        add_item(wrong_, {"no parameter of the model, that no rule before takes, fits \"", rule.parameter,
                          "\", for which tensors are joined"});
    }
    for (const std::string& pattern : options_.only) {
      bool any = false;
      for (const matched_parameter& p : parameters_) any = any || fits(pattern, p.description.label->view());
      if (!any) add_item(wrong_, {"no parameter of the model fits \"", pattern, "\""});
    }
  }

  // The tensor of that name, for that parameter; null if there is none.
  const io::tensor_entry* take(std::string_view name, std::string_view label) {
    const io::tensor_entry* found = nullptr;
    for (std::size_t k = 0; k < tensors_.size(); ++k) {
      if (names_[k] != name) continue;
      used_[k] = true;
      if (found != nullptr && is_wanted(options_.only, label))
        add_item(wrong_, {"\"", io::shown(found->name), "\" and \"", io::shown(tensors_[k].name),
                          "\" are both taken for \"", name, "\""});
      found = &tensors_[k];
    }
    return found;
  }

  static std::string described(const parameter_description& d) {
    return join(
        {"the parameter \"", d.label->view(), "\" is ", name_of(d.type), io::shape_text(d.extents())});
  }

  // Takes the tensors that are joined for parameter number i; false where none of them is there.
  bool take_joined(std::size_t i, const joined_tensors& rule) {
    const parameter_description& d = parameters_[i].description;
    const std::string_view label = d.label->view();
    const bool has_layers = counts_layers(rule) && d.rank > 0;
    const std::int64_t layers = has_layers ? d.extents()[0] : 1;
    list<const io::tensor_entry*> parts;
    std::string lacking, more;
    bool any = false;
    for (std::int64_t layer = 0; layer < layers + has_layers; ++layer)
      for (const std::string& tensor : rule.tensors) {
        if (layer == layers && tensor.find('#') == std::string::npos) continue;
        const std::string name = name_of_part(rule, tensor, label, layer);
        const io::tensor_entry* const part = take(name, label);
        any = any || part != nullptr;
        if (layer == layers ? part != nullptr : part == nullptr)
          add_item(layer == layers ? more : lacking, {"\"", io::shown(name), "\""});
        parts.push(part);
      }
    if (!any || !is_wanted(options_.only, label)) return any;
    if (!lacking.empty())
      add_item(mismatched_,
               {described(d), ", but ", origin_.holder, " lacks ", lacking, ", to be joined for it"});
    if (!more.empty())
      add_item(mismatched_,
               {described(d), ", but ", origin_.holder, " holds ", more, ", too: more layers than ", layers});
    const auto axes = d.extents().subspan(has_layers ? 1 : 0);
    const std::size_t size = rule.tensors.size();
    const array_view<const io::tensor_entry* const> all(parts);
    for (std::size_t at = 0; lacking.empty() && at < size * static_cast<std::size_t>(layers); at += size)
      if (!take_parts(i, all.subspan(at, size), axes, true)) break;
    return true;
  }

  // Takes tensors that are, one below the other, the next elements of parameter number i, a whole of that
  // shape; false where they are not.
  bool take_parts(std::size_t i, array_view<const io::tensor_entry* const> parts,
                  array_view<const std::int64_t> axes, bool are_joined) {
    const matched_parameter& p = parameters_[i];
    const parameter_description& d = p.description;
    bool same_shape = true, same_type = true, all_floating = is_floating(d.type);
    std::int64_t rows = 0;
    std::string held;
    for (const io::tensor_entry* part : parts) {
      const auto& shape = part->shape;
      if (!part->foreign.empty()) {
        add_item(mismatched_, {described(d), ", but ", origin_.holder, " holds elements of type ",
                               part->foreign, ", which the library lacks"});
        return false;
      }
      same_shape = same_shape && shape.size() == axes.size() &&
                   std::equal(shape.begin() + !shape.empty(), shape.end(), axes.begin() + !axes.empty());
      rows += shape.empty() ? 1 : shape[0];
      all_floating = all_floating && is_floating(part->type);
      same_type = same_type && (part->type == d.type || (p.takes_float && part->type == element::f32));
      if (are_joined) append(held, {held.empty() ? "\"" : ", \"", io::shown(part->name), "\" "});
      append(held, {name_of(part->type), io::shape_text(shape)});
    }
    same_shape = same_shape && rows == (axes.empty() ? 1 : axes[0]);
    if (!same_shape || !(same_type || (options_.convert && all_floating))) {
      add_item(mismatched_, {described(d), ", but ", origin_.holder, " holds ", held,
                             are_joined ? ", to be joined for it" : "",
                             same_shape && all_floating && mismatched_.find(".convert") == std::string::npos
                                 ? ", which .convert = true would round, as it does all floating types"
                                 : ""});
      return false;
    }
    for (const io::tensor_entry* part : parts) {
      const auto count = static_cast<std::int64_t>(part->bytes.size() / size_of(part->type));
      require_fit(p, *part, count);
      const bool follows = found_.size() > 0 && found_[found_.size() - 1].parameter == i;
      const std::int64_t first =
          follows ? found_[found_.size() - 1].first + found_[found_.size() - 1].count : 0;
      found_.push({i, part, first, count});
    }
    return true;
  }

  // A float copy takes the place of a parameter of 16 bits, which is rounded from it.
  void require_fit(const matched_parameter& p, const io::tensor_entry& tensor, std::int64_t count) {
    const element type = p.takes_float ? element::f32 : p.description.type;
    const std::byte* const bytes = tensor.bytes.data();
    const std::int64_t i = first_too_large(tensor.type, bytes, type, count);
    if (i == count) return;
    char text[32] = {};
    std::snprintf(text, sizeof text, "%g",
                  read_number(tensor.type, bytes + static_cast<std::size_t>(i) * size_of(tensor.type)));
    add_item(wrong_, {"tensor \"", io::shown(tensor.name), "\": element ", i, " is ", text,
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
      say("no parameters of the model, unless .strip_prefix, .names or .add_prefix rename them or .join "
          "joins them: ",
          listed(unexpected_));
    }
    say("", mismatched_);
    say("", wrong_);
    if (!all.empty()) throw_error({origin_.where, ": ", all});
  }
};

// Behind the class, and so not inline: it need not be compiled in each program, see compiled.hpp.
template <std::same_as<load_options> Options>
list<matched_tensor> tensor_matcher<Options>::match() {
  names_ = names_as_parameters(tensors_, options_, origin_.holder, wrong_);
  used_ = list<bool>(tensors_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const parameter_description& d = parameters_[i].description;
    const std::string_view label = d.label->view();
    const joined_tensors* const rule = joining_rule(options_.join, label);
    if (rule != nullptr && take_joined(i, *rule)) continue;
    const io::tensor_entry* const tensor = take(label, label);
    if (!is_wanted(options_.only, label)) continue;
    if (tensor != nullptr) {
      take_parts(i, {&tensor, 1}, d.extents(), false);
    } else {
      missing_.push_back(join({"\"", label, "\""}));
      if (rule != nullptr) append(missing_.back(), {" (joined of ", names_of_parts(*rule, label), ")"});
    }
  }
  for (std::size_t k = 0; k < tensors_.size(); ++k) {
    // PyTorch's files have one for each batch_norm, which is no hint of what is missing.
    const bool is_of_no_use = options_.allow_unexpected && names_[k].ends_with(".num_batches_tracked");
    if (!used_[k] && !is_of_no_use) unexpected_.push_back(as_named(k));
  }
  check_patterns();
  require_any();
  refuse();
  return std::move(found_);
}

}  // namespace tapeless::detail
