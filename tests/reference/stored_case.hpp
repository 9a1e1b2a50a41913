// SPDX-License-Identifier: BSL-1.0
// A case of a reference file as the generator sees it, and the C++ spelling of its shapes and numbers.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/io/json_string.hpp>
#include <tapeless/io/safetensors.hpp>

#include "../io/json_reader.hpp"

namespace reference {

using json = test::json;
using integers = std::vector<std::int64_t>;

/// 2, -1, 0
inline std::string listed(const integers& items) {
  std::string text;
  for (const std::int64_t i : items) text += (text.empty() ? "" : ", ") + std::to_string(i);
  return text;
}

/// A number as a literal of type double, exactly.
inline std::string literal(double x) {
  char digits[32];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// A number as a constant of a model.
inline std::string constant(double x) { return "tl::constant<" + literal(x) + ">"; }

/// The order of a norm, which is a number or "inf".
inline std::string order(const json& stored) {
  if (stored.get_if<std::string>() != nullptr) return "tl::infinity";
  const double x = stored.number();
  const auto whole = static_cast<std::int64_t>(x);
  return static_cast<double>(whole) == x ? std::to_string(whole) : literal(x);
}

/// A text in C++'s quotes.
inline std::string quoted(const std::string& text) { return tapeless::io::json_string(text); }

/// One case: its metadata and its tensors.
class stored_case {
 public:
  stored_case(const tapeless::io::safetensors& file, std::string name)
      : file_(&file),
        name_(std::move(name)),
        metadata_(test::read_json(file.metadata().at(name_), file.path())) {}

  const std::string& name() const { return name_; }
  const std::string& op() const { return metadata_["op"].as<std::string>(); }
  const json& metadata() const { return metadata_; }

  const json& attribute(std::string_view key) const { return metadata_["attrs"][key]; }
  double number(std::string_view key) const { return attribute(key).number(); }
  bool flag(std::string_view key) const { return attribute(key).as<bool>(); }
  const std::string& word(std::string_view key) const { return attribute(key).as<std::string>(); }
  std::int64_t integer(std::string_view key) const { return attribute(key).as<std::int64_t>(); }
  /// A list of integers; null is the empty list.
  integers list(std::string_view key) const { return list_of(attribute(key)); }

  int inputs() const { return count("inputs"); }
  int outputs() const { return count("outputs"); }
  integers gradients() const { return list_of(metadata_["grads"]); }

  const tapeless::io::tensor_entry* find(const std::string& role) const {
    return file_->find(name_ + "." + role);
  }
  const tapeless::io::tensor_entry& operator[](const std::string& role) const {
    return (*file_)[name_ + "." + role];
  }
  const integers& shape(const std::string& role) const { return (*this)[role].shape; }
  int rank(const std::string& role) const { return static_cast<int>(shape(role).size()); }

 private:
  const tapeless::io::safetensors* file_;
  std::string name_;
  json metadata_;

  int count(std::string_view key) const { return static_cast<int>(metadata_[key].as<std::int64_t>()); }
  static integers list_of(const json& value) {
    integers items;
    if (value.get_if<std::nullptr_t>() != nullptr) return items;
    for (const json& item : value.as<json::array>()) items.push_back(item.as<std::int64_t>());
    return items;
  }
};

/// out, out1, out2 for the stem "out": the roles of a case's outputs.
inline std::string numbered(std::string_view stem, int i) {
  return std::string(stem) + (i == 0 ? "" : std::to_string(i));
}

/// in0, in1, ...
inline std::string operands(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i == 0 ? "in" : ", in") + std::to_string(i);
  return text;
}

/// tl::NAME<TEMPLATE ARGUMENTS>(OPERANDS), without the angle brackets where there is nothing between.
inline std::string call(const std::string& name, const std::string& arguments, const std::string& operands) {
  return "tl::" + name + (arguments.empty() ? "" : "<" + arguments + ">") + "(" + operands + ")";
}

/// tl::input<"in0", T, 2, 3>, for the tensor of that role; T stands for the floating type.
inline std::string input_for(const stored_case& c, const std::string& role) {
  const tapeless::io::tensor_entry& tensor = c[role];
  const std::string type = tensor.type == tapeless::element::f64 ? "T" : std::string(name_of(tensor.type));
  return "tl::input<\"" + role + "\", " + type + (tensor.shape.empty() ? "" : ", ") + listed(tensor.shape) +
         ">";
}

}  // namespace reference
