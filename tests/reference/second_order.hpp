// SPDX-License-Identifier: BSL-1.0
// How the cases of second-order.safetensors are written: programs of a few lines with derivatives in them.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "program_text.hpp"

namespace reference {

namespace detail {

inline int parameters(const stored_case& c) {
  int n = 0;
  while (c.find("param" + std::to_string(n)) != nullptr) ++n;
  return n;
}

/// Linear layers with tanh between them, of x; the parameters' names begin with `stem`.
inline std::string network(const stored_case& c, const std::string& stem = "param") {
  std::string h = "x";
  for (int k = 0; k < parameters(c); k += 2) {
    h = "tl::linear(" + h + ", " + stem + std::to_string(k) + ", " + stem + std::to_string(k + 1) + ")";
    if (k + 2 < parameters(c)) h = "tl::tanh(" + h + ")";
  }
  return h;
}

inline void parameter_inputs(writer& w) {
  for (int k = 0; k < parameters(w.source()); ++k) w.input("param" + std::to_string(k));
}
/// grad0, grad1, ... of the loss. Where the last bias does not enter it, 0 is stored.
inline void parameter_gradients(writer& w) {
  for (int k = 0; k < parameters(w.source()); ++k) {
    const std::string i = std::to_string(k);
    const auto stored = w.source()["grad" + i].as<double>();
    const bool is_last = k + 1 == parameters(w.source());
    if (is_last && std::all_of(stored.begin(), stored.end(), [](double g) { return g == 0; }))
      w.leave_out("grad" + i,
                  "the loss does not depend on param" + i + ", which is a compile-time error here");
    else
      w.output("grad" + i, "tl::grad(loss, param" + i + ")");
  }
}

inline void loss_of(writer& w, const std::string& predictions) {
  const bool classes = w.source().word("loss") == "cross_entropy";
  w.output("loss", classes ? "tl::cross_entropy(" + predictions + ", target)"
                           : "tl::mean(tl::square(" + predictions + " - target))");
}

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
  parameter_inputs(w);
  loss_of(w, network(w.source()));
  parameter_gradients(w);
  std::string along;
  for (int k = 0; k < parameters(w.source()); ++k) {
    const std::string i = std::to_string(k);
    w.input("vector" + i);
    along += (k == 0 ? "" : " + ") + std::string("tl::sum(grad") + i + " * vector" + i + ")";
  }
  w.define("along", along);
  for (int k = 0; k < parameters(w.source()); ++k) {
    const std::string i = std::to_string(k);
    w.output("hvp" + i, "tl::grad(along, param" + i + ")");
  }
}

/// The parameters laid end to end are one vector, of which the network takes its parameters.
inline void mlp_hessian(writer& w) {
  w.input("x");
  w.input("target");
  parameter_inputs(w);
  std::string flat, pieces;
  std::int64_t count = 0;
  for (int k = 0; k < parameters(w.source()); ++k) {
    const std::string i = std::to_string(k);
    const integers& shape = w.source().shape("param" + i);
    const std::int64_t begin = count;
    count += std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    flat += (k == 0 ? "" : ", ") + call("reshape", listed({count - begin}), "param" + i);
    pieces += "auto piece" + i + " = " +
              call("reshape", listed(shape), call("slice", listed({0, begin, count}), "all")) + ";\n";
  }
  w.define("all", call("concat", "0", flat));
  w.add(pieces);
  loss_of(w, network(w.source(), "piece"));
  w.output("gradient", "tl::grad(loss, all)");
  w.output("hessian", "tl::hessian(loss, all)");
}

inline void pinn_poisson(writer& w) {
  w.input("x");
  w.input("f");
  parameter_inputs(w);
  w.output("u", network(w.source()));
  w.output("u_x", "tl::grad(tl::sum(u), x)");
  w.output("u_xx", "tl::grad(tl::sum(u_x), x)");
  w.output("loss", "tl::mean(tl::square(u_xx + f))");
  parameter_gradients(w);
}

inline void pinn_burgers(writer& w) {
  w.input("x");
  parameter_inputs(w);
  w.output("u", network(w.source()));
  w.define("slope", "tl::grad(tl::sum(u), x)");
  w.output("u_x", "tl::slice<1, 0, 1>(slope)");
  w.output("u_t", "tl::slice<1, 1, 2>(slope)");
  w.output("u_xx", "tl::slice<1, 0, 1>(tl::grad(tl::sum(u_x), x))");
  w.output("residual", "u_t + u * u_x - " + constant(w.source().number("nu")) + " * u_xx");
  w.output("loss", "tl::mean(tl::square(residual))");
  parameter_gradients(w);
}

inline void gradient_penalty(writer& w) {
  w.input("x");
  parameter_inputs(w);
  w.output("grad_x", "tl::grad(tl::sum(" + network(w.source()) + "), x)");
  w.output("loss", "tl::mean(tl::square(tl::norm<1>(grad_x) - 1_c))");
  parameter_gradients(w);
}

}  // namespace detail

/// The programs, by the cases' `op`.
inline const programs& second_order_programs() {
  using namespace detail;
  static const programs all = {{"scalar_derivatives", scalar_derivatives},
                               {"mlp_hvp", mlp_hvp},
                               {"mlp_hessian", mlp_hessian},
                               {"pinn_poisson", pinn_poisson},
                               {"pinn_burgers", pinn_burgers},
                               {"gradient_penalty", gradient_penalty}};
  return all;
}

}  // namespace reference
