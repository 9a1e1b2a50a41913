// SPDX-License-Identifier: BSL-1.0
// How the cases of second-order.safetensors are written: programs of a few lines with derivatives in them.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "operations.hpp"

namespace reference {

/// A program: its statements, and the roles of what goes in, comes out, and is left out for a reason.
struct program_text {
  std::string statements;
  std::vector<std::string> inputs, outputs;
  std::map<std::string, std::string> exceptions;
};

namespace detail {

/// Adds statements and roles to a program.
class writer {
 public:
  explicit writer(const stored_case& c) : case_(c) {}

  void input(const std::string& role) {
    text_.inputs.push_back(role);
    text_.statements += "auto " + role + " = " + input_for(case_, role) + ";\n";
  }
  void define(const std::string& name, const std::string& expression) {
    text_.statements += "auto " + name + " = " + expression + ";\n";
  }
  void output(const std::string& role, const std::string& expression) {
    define(role, expression);
    text_.outputs.push_back(role);
  }
  void leave_out(const std::string& role, const std::string& reason) { text_.exceptions[role] = reason; }

  int parameters() const {
    int n = 0;
    while (case_.find("param" + std::to_string(n)) != nullptr) ++n;
    return n;
  }
  /// Linear layers with tanh between them, of x; the parameters' names begin with `stem`.
  std::string network(const std::string& stem = "param") {
    std::string h = "x";
    for (int k = 0; k < parameters(); k += 2) {
      h = "tl::linear(" + h + ", " + stem + std::to_string(k) + ", " + stem + std::to_string(k + 1) + ")";
      if (k + 2 < parameters()) h = "tl::tanh(" + h + ")";
    }
    return h;
  }
  void parameter_inputs() {
    for (int k = 0; k < parameters(); ++k) input("param" + std::to_string(k));
  }
  /// grad0, grad1, ... of the loss. Where the last bias does not enter it, 0 is stored.
  void parameter_gradients() {
    for (int k = 0; k < parameters(); ++k) {
      const std::string i = std::to_string(k);
      const auto stored = case_["grad" + i].as<double>();
      if (std::all_of(stored.begin(), stored.end(), [](double g) { return g == 0; }))
        leave_out("grad" + i,
                  "the loss does not depend on param" + i + ", which is a compile-time error here");
      else
        output("grad" + i, "tl::grad(loss, param" + i + ")");
    }
  }
  void loss_of(const std::string& predictions) {
    const bool classes = case_.word("loss") == "cross_entropy";
    output("loss", classes ? "tl::cross_entropy(" + predictions + ", target)"
                           : "tl::mean(tl::square(" + predictions + " - target))");
  }

  program_text finish() { return text_; }
  const stored_case& source() const { return case_; }

 private:
  const stored_case& case_;
  program_text text_;
};

inline void scalar_derivatives(writer& w) {
  const std::string function = w.source().word("function");
  w.input("x");
  w.output("y", "tl::" + (function == "reciprocal" ? "recip" : function) + "(x)");
  w.output("d1", "tl::grad(tl::sum(y), x)");
  w.output("d2", "tl::grad(tl::sum(d1), x)");
  if (function == "square")
    w.leave_out("d3", "the second derivative is constant, so that the third is a compile-time error here");
  else
    w.output("d3", "tl::grad(tl::sum(d2), x)");
}

inline void mlp_hvp(writer& w) {
  w.input("x");
  w.input("target");
  w.parameter_inputs();
  w.loss_of(w.network());
  w.parameter_gradients();
  std::string along;
  for (int k = 0; k < w.parameters(); ++k) {
    const std::string i = std::to_string(k);
    w.input("vector" + i);
    along += (k == 0 ? "" : " + ") + std::string("tl::sum(grad") + i + " * vector" + i + ")";
  }
  w.define("along", along);
  for (int k = 0; k < w.parameters(); ++k) {
    const std::string i = std::to_string(k);
    w.output("hvp" + i, "tl::grad(along, param" + i + ")");
  }
}

/// The parameters laid end to end are one vector, of which the network takes its parameters.
inline void mlp_hessian(writer& w) {
  w.input("x");
  w.input("target");
  w.parameter_inputs();
  std::string pieces;
  for (int k = 0; k < w.parameters(); ++k)
    pieces += (k == 0 ? "" : ", ") + std::string("tl::flatten(param") + std::to_string(k) + ")";
  w.define("all", "tl::concat<0>(" + pieces + ")");
  std::int64_t begin = 0;
  for (int k = 0; k < w.parameters(); ++k) {
    const std::string i = std::to_string(k);
    const integers& shape = w.source().shape("param" + i);
    std::int64_t end = begin;
    for (std::int64_t count = 1; const std::int64_t e : shape) end = begin + (count *= e);
    w.define("piece" + i,
             "tl::reshape<" + listed(shape) + ">(tl::slice<" + listed({0, begin, end}) + ">(all))");
    begin = end;
  }
  w.loss_of(w.network("piece"));
  w.output("gradient", "tl::grad(loss, all)");
  w.output("hessian", "tl::hessian(loss, all)");
}

inline void pinn_poisson(writer& w) {
  w.input("x");
  w.input("f");
  w.parameter_inputs();
  w.output("u", w.network());
  w.output("u_x", "tl::grad(tl::sum(u), x)");
  w.output("u_xx", "tl::grad(tl::sum(u_x), x)");
  w.output("loss", "tl::mean(tl::square(u_xx + f))");
  w.parameter_gradients();
}

inline void pinn_burgers(writer& w) {
  w.input("x");
  w.parameter_inputs();
  w.output("u", w.network());
  w.define("slope", "tl::grad(tl::sum(u), x)");
  w.output("u_x", "tl::slice<1, 0, 1>(slope)");
  w.output("u_t", "tl::slice<1, 1, 2>(slope)");
  w.output("u_xx", "tl::slice<1, 0, 1>(tl::grad(tl::sum(u_x), x))");
  w.output("residual", "u_t + u * u_x - " + constant(w.source().number("nu")) + " * u_xx");
  w.output("loss", "tl::mean(tl::square(residual))");
  w.parameter_gradients();
}

inline void gradient_penalty(writer& w) {
  w.input("x");
  w.parameter_inputs();
  w.output("grad_x", "tl::grad(tl::sum(" + w.network() + "), x)");
  w.output("loss", "tl::mean(tl::square(tl::norm<1>(grad_x) - 1_c))");
  w.parameter_gradients();
}

}  // namespace detail

/// The programs, by the cases' `op`.
inline const std::map<std::string, void (*)(detail::writer&), std::less<>>& second_order_programs() {
  using namespace detail;
  static const std::map<std::string, void (*)(writer&), std::less<>> all = {
      {"scalar_derivatives", scalar_derivatives},
      {"mlp_hvp", mlp_hvp},
      {"mlp_hessian", mlp_hessian},
      {"pinn_poisson", pinn_poisson},
      {"pinn_burgers", pinn_burgers},
      {"gradient_penalty", gradient_penalty}};
  return all;
}

}  // namespace reference
