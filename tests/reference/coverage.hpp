// SPDX-License-Identifier: BSL-1.0
// Which of the library's operations the generated tests cover, for the table in the README.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>

#include "program_text.hpp"

namespace reference {

/// What is known of one operation: its cases, its element types and the highest order of derivatives
/// compared.
class coverage {
 public:
  void add(const stored_case& c, const program_text& p) {
    entry& e = entries_[operation_of(c, p)];
    ++e.cases;
    const json* error = c.metadata().find("f32_err");
    e.single = e.single || error == nullptr || error->get_if<std::nullptr_t>() == nullptr;
    e.order = std::max(e.order, order_of(p));
  }

  /// A line for each: the operation, its cases, the element types, the orders, with tabs between.
  std::string text() const {
    std::string lines;
    for (const auto& [name, e] : entries_)
      lines += name + "\t" + std::to_string(e.cases) + "\tdouble" + (e.single ? " float" : "") + "\t0.." +
               std::to_string(e.order) + "\n";
    return lines;
  }

 private:
  struct entry {
    int cases = 0, order = 0;
    bool single = false;
  };
  std::map<std::string, entry> entries_;

  static int order_of(const program_text& p) {
    int order = 0;
    for (const std::string& role : p.outputs) {
      if (role.starts_with("grad") || role == "d1") order = std::max(order, 1);
      if (role.starts_with("hvp") || role == "hessian" || role == "d2") order = std::max(order, 2);
      if (role == "d3") order = 3;
    }
    return order;
  }

  /// The library's name, of the function that gives the first output; of operators and programs, the case's.
  static std::string operation_of(const stored_case& c, const program_text& p) {
    for (const std::string begin : {"auto out = tl::", "auto y = tl::", "] = tl::"}) {
      std::size_t at = p.statements.find(begin);
      if (at == std::string::npos) continue;
      std::size_t end = at += begin.size();
      while (std::isalnum(static_cast<unsigned char>(p.statements[end])) != 0 || p.statements[end] == '_')
        ++end;
      return p.statements.substr(at, end - at);
    }
    return c.op();
  }
};

}  // namespace reference
