// SPDX-License-Identifier: BSL-1.0
// How cases of layers are written that own their parameters here: the stored ones are put into a trainer.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "program_text.hpp"

namespace reference {

namespace detail {

/// The loss, the sum of out * gout, and its gradients by what is given, and by the parameters.
inline void gradients_of_layer(writer& w) {
  w.input("gout");
  w.define("loss", "tl::sum(out * gout)");
  w.lead_with("loss");
  w.output("grad_in0", "tl::grad(loss, in0)");
}

/// A parameter, as the model mentions it: T is the floating type.
inline std::string parameter(const std::string& name, const integers& shape, const std::string& start) {
  return "tl::param<\"" + name + "\", T, " + listed(shape) + ">(" + start + ")";
}

inline void batch_norm(writer& w) {
  const stored_case& c = w.source();
  const bool affine = c.flag("affine");
  w.input("in0");
  w.output("out", "tl::batch_norm<\"bn\", tl::batch_norm_options{.eps = " + literal(c.number("eps")) +
                      ", .momentum = " + literal(c.number("momentum")) + (affine ? "" : ", .affine = false") +
                      "}>(in0)");
  gradients_of_layer(w);
  if (affine) {
    w.own("bn.weight", {"in1"});
    w.own("bn.bias", {"in2"});
    w.output("grad_in1", "tl::grad(loss, " + parameter("bn.weight", c.shape("in1"), "tl::fill(1)") + ")");
    w.output("grad_in2", "tl::grad(loss, " + parameter("bn.bias", c.shape("in2"), "tl::fill(0)") + ")");
  }
  w.own("bn.running_mean", {affine ? "in3" : "in1"}, "aux_running_mean");
  w.own("bn.running_var", {affine ? "in4" : "in2"}, "aux_running_var");
  w.run_in(c.flag("training") ? "training" : "evaluation");
}

/// The weights of queries, keys and values are one parameter here, as in PyTorch's module.
inline void multi_head_attention(writer& w) {
  const stored_case& c = w.source();
  const int first = c.flag("cross") ? 2 : 1;
  const auto in = [&](int i) { return "in" + std::to_string(first + i); };
  const std::int64_t width = c.shape(in(0))[1];
  w.input("in0");
  if (first == 2) w.input("in1");
  w.output("out",
           "tl::attention<\"a\", tl::attention_options{.heads = " + std::to_string(c.integer("heads")) +
               (c.flag("causal") ? ", .causal = true" : "") + "}>(" + operands(first) + ")");
  gradients_of_layer(w);
  if (first == 2) w.output("grad_in1", "tl::grad(loss, in1)");

  const std::string uniform = "tl::uniform(tl::detail::square_root(6.0 / " + std::to_string(4 * width) + "))",
                    other = "tl::uniform(1 / tl::detail::square_root(" + literal(static_cast<double>(width)) +
                            "))";
  w.own("a.in_proj_weight", {in(0), in(2), in(4)});
  w.own("a.in_proj_bias", {in(1), in(3), in(5)});
  w.own("a.out_proj.weight", {in(6)});
  w.own("a.out_proj.bias", {in(7)});
  w.define("weights", "tl::grad(loss, " + parameter("a.in_proj_weight", {3 * width, width}, uniform) + ")");
  w.define("biases", "tl::grad(loss, " + parameter("a.in_proj_bias", {3 * width}, "tl::fill(0)") + ")");
  for (int i = 0; i < 3; ++i) {
    const std::string rows = "tl::slice<" + listed({0, i * width, (i + 1) * width}) + ">";
    w.output("grad_" + in(2 * i), rows + "(weights)");
    w.output("grad_" + in(2 * i + 1), rows + "(biases)");
  }
  w.output("grad_" + in(6), "tl::grad(loss, " + parameter("a.out_proj.weight", {width, width}, other) + ")");
  w.output("grad_" + in(7), "tl::grad(loss, " + parameter("a.out_proj.bias", {width}, "tl::fill(0)") + ")");
  w.run_in("training");
}

}  // namespace detail

/// The programs with layers that own their parameters, by the cases' `op`.
inline const programs& layer_programs() {
  static const programs all = {{"batch_norm", detail::batch_norm},
                               {"multi_head_attention", detail::multi_head_attention}};
  return all;
}

}  // namespace reference
