// SPDX-License-Identifier: BSL-1.0
// A value by its name, with which an operation's own apply() writes operators instead of computing numbers.
#pragma once

#include <string>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/value_writer.hpp>

namespace tapeless::onnx {

struct symbol {
  value_writer* to;
  element type;
  std::string name;

  TAPELESS_COLD symbol made_by(std::string_view op, name_list inputs) const {
    return {to, type, to->add(op, inputs)};
  }
  friend symbol operator+(const symbol& a, const symbol& b) { return a.made_by("Add", {a.name, b.name}); }
  friend symbol operator-(const symbol& a, const symbol& b) { return a.made_by("Sub", {a.name, b.name}); }
  friend symbol operator*(const symbol& a, const symbol& b) { return a.made_by("Mul", {a.name, b.name}); }
  friend symbol operator/(const symbol& a, const symbol& b) { return a.made_by("Div", {a.name, b.name}); }
  friend symbol operator<(const symbol& a, const symbol& b) { return a.made_by("Less", {a.name, b.name}); }
  friend symbol operator==(const symbol& a, const symbol& b) { return a.made_by("Equal", {a.name, b.name}); }
  friend symbol operator-(const symbol& a) { return a.made_by("Neg", {a.name}); }
  friend symbol abs(const symbol& a) { return a.made_by("Abs", {a.name}); }
  friend symbol log(const symbol& a) { return a.made_by("Log", {a.name}); }
  friend symbol sqrt(const symbol& a) { return a.made_by("Sqrt", {a.name}); }
  friend symbol tanh(const symbol& a) { return a.made_by("Tanh", {a.name}); }
  friend symbol number_like(const symbol& a, double x) { return {a.to, a.type, a.to->number(x, a.type)}; }
  friend symbol choose(const symbol& condition, const symbol& a, const symbol& b) {
    return a.made_by("Where", {condition.name, a.name, b.name});
  }
  friend symbol larger(const symbol& a, const symbol& b) { return a.made_by("Max", {a.name, b.name}); }
  friend symbol smaller(const symbol& a, const symbol& b) { return a.made_by("Min", {a.name, b.name}); }
  friend symbol limited_above(const symbol& x, const symbol& limit) { return smaller(x, limit); }
};

}  // namespace tapeless::onnx
