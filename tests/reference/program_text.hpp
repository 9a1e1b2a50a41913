// SPDX-License-Identifier: BSL-1.0
// The text of one test's program while the generator writes it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "stored_case.hpp"

namespace reference {

/// A parameter that a layer owns: the tensors that it is, laid end to end, and the one that it has become
/// when the program has run.
struct owned_parameter {
  std::string name;
  std::vector<std::string> roles;
  std::string afterwards;
};

/// A program: its statements, and the roles of what goes in, comes out, and is left out for a reason.
struct program_text {
  std::string statements;
  std::vector<std::string> inputs, outputs;
  std::map<std::string, std::string> exceptions;
  std::vector<owned_parameter> parameters;
  std::string first_output;  // the loss, which has no name
  std::string mode;          // of a program with parameters: training or evaluation
};

/// Adds statements and roles to a program.
class writer {
 public:
  explicit writer(const stored_case& c) : case_(c) {}

  const stored_case& source() const { return case_; }
  program_text finish() { return std::move(text_); }

  /// An input of the program by the name of its role.
  void input(const std::string& role) {
    text_.inputs.push_back(role);
    define(role, input_for(case_, role));
  }
  void define(const std::string& name, const std::string& expression) {
    add("auto " + name + " = " + expression + ";\n");
  }
  void add(const std::string& statements) { text_.statements += statements; }
  /// An output by the name of its role, which the statements define already.
  void output(const std::string& role) { text_.outputs.push_back(role); }
  void output(const std::string& role, const std::string& expression) {
    define(role, expression);
    output(role);
  }
  void leave_out(const std::string& role, const std::string& reason) { text_.exceptions[role] = reason; }

  void lead_with(const std::string& loss) { text_.first_output = loss; }
  void own(const std::string& name, std::vector<std::string> roles, const std::string& afterwards = "") {
    text_.parameters.push_back({name, std::move(roles), afterwards});
  }
  void run_in(const std::string& mode) { text_.mode = mode; }

 private:
  const stored_case& case_;
  program_text text_;
};

/// Writes a case's program.
using program = void (*)(writer&);
using programs = std::map<std::string, program, std::less<>>;

}  // namespace reference
