// SPDX-License-Identifier: BSL-1.0
// How the operations of the reference files are written with this library: from a case's name and attributes
// to the statements that define its outputs, out, out1, ..., from its inputs, in0, in1, ...
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "stored_case.hpp"

namespace reference {

/// Writes the statements of a case.
using spelling = std::string (*)(const stored_case&);

namespace detail {

inline std::string out(const std::string& expression) { return "auto out = " + expression + ";\n"; }

/// tl::OP(in0, in1, ...), for operations that have our name and no attributes.
inline std::string plain(const stored_case& c) { return out(call(c.op(), "", operands(c.inputs()))); }

inline std::string constant_of(const stored_case& c, std::string_view key) { return constant(c.number(key)); }

inline std::string reduction(const stored_case& c, const std::string& name, const std::string& options = "") {
  return out(
      call(name, listed(c.list("axes")), "in0" + options + (c.flag("keepdim") ? ", tl::keep_dims" : "")));
}

inline std::string norm(const stored_case& c) {
  return reduction(c, "norm", ", tl::order<" + order(c.attribute("ord")) + ">");
}

/// One axis after the other: x becomes tl::NAME<axis, ...>(x).
inline std::string slices(const stored_case& c) {
  const integers start = c.list("start"), stop = c.list("stop"), step = c.list("step");
  std::string x = "in0";
  for (std::size_t i = 0; i < start.size(); ++i)
    x = call("slice", listed({static_cast<std::int64_t>(i), start[i], stop[i], step[i]}), x);
  return out(x);
}
inline std::string pads(const stored_case& c) {
  const integers before = c.list("before"), after = c.list("after");
  const std::string value = c.number("value") == 0 ? "" : ", " + constant_of(c, "value");
  std::string x = "in0";
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != 0 || after[i] != 0)
      x = call("pad", listed({static_cast<std::int64_t>(i), before[i], after[i]}), x + value);
  return out(x);
}

inline std::string matmul(const stored_case& c) {
  const std::string a = c.flag("transpose_a") ? "tl::transpose(in0)" : "in0";
  const std::string b = c.flag("transpose_b") ? "tl::transpose(in1)" : "in1";
  return out("tl::matmul(" + a + ", " + b + ")");
}

/// The members of an options aggregate, those alone that differ from the defaults.
class members {
 public:
  void add(const std::string& name, const std::string& value, const std::string& standard) {
    if (value != standard) text_ += (text_.empty() ? "." : ", .") + name + " = " + value;
  }
  /// Spatial extents; for one axis the vertical one is left alone.
  void add_extents(const std::string& name, integers e, std::int64_t standard) {
    if (e.size() == 1) e.insert(e.begin(), standard);
    if (e != integers{standard, standard}) add(name, "{" + listed(e) + "}", "");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

inline std::string convolution(const stored_case& c) {
  members m;
  m.add_extents("stride", c.list("stride"), 1);
  m.add_extents("padding", c.list("padding"), 0);
  m.add_extents("dilation", c.list("dilation"), 1);
  m.add("groups", std::to_string(c.integer("groups")), "1");
  if (c.op() == "conv_transpose2d") m.add_extents("output_padding", c.list("output_padding"), 0);
  return out(call(c.op(), "tl::conv{" + m.text() + "}", operands(c.inputs())));
}

inline std::string pooling(const stored_case& c) {
  members m;
  m.add_extents("kernel", c.list("kernel"), 0);
  m.add_extents("stride", c.list("stride"), 0);
  m.add_extents("padding", c.list("padding"), 0);
  if (c.op() == "avg_pool2d")
    m.add("count_include_pad", c.flag("count_include_pad") ? "true" : "false", "true");
  return out(call(c.op(), "tl::pool{" + m.text() + "}", "in0"));
}

/// tl::NAME<tl::loss{...}>(in0, ...): the options that the case has, where they differ from the defaults.
inline std::string loss(const stored_case& c, const std::string& name, const std::string& fixed = "") {
  members m;
  const std::string reduce = c.word("reduction");
  m.add("reduce", "tl::reduction::" + (reduce == "batchmean" ? "batch_mean" : reduce), "tl::reduction::mean");
  const auto number = [&](std::string_view key, const std::string& member, double standard) {
    if (c.metadata()["attrs"].find(key) != nullptr) m.add(member, literal(c.number(key)), literal(standard));
  };
  number("label_smoothing", "label_smoothing", 0);
  number("beta", "beta", 1);
  number("delta", "delta", 1);
  number("margin", "margin", 1);
  number("p", "power", 1);
  if (!fixed.empty()) m.add("power", fixed, "");
  if (c.op() == "kl_div" && c.flag("log_target")) m.add("log_target", "true", "false");
  return out(call(name, m.text().empty() ? "" : "tl::loss{" + m.text() + "}", operands(c.inputs())));
}

inline std::string layer_norm(const stored_case& c) {
  return out(call("layer_norm",
                  std::to_string(c.integer("normalized_dims")) + ", " + literal(c.number("eps")),
                  operands(c.inputs())));
}
inline std::string group_norm(const stored_case& c) {
  return out(call("group_norm", std::to_string(c.integer("groups")) + ", " + literal(c.number("eps")),
                  operands(c.inputs())));
}
inline std::string norm_with_eps(const stored_case& c) {
  return out(call(c.op(), literal(c.number("eps")), operands(c.inputs())));
}

inline std::string attention(const stored_case& c) {
  members m;
  m.add("causal", c.flag("causal") ? "true" : "false", "false");
  const double standard = 1 / std::sqrt(static_cast<double>(c.shape("in0").back()));
  m.add("scale", literal(c.number("scale")), literal(standard));
  return out(call("scaled_dot_product_attention",
                  m.text().empty() ? "" : "tl::attention_options{" + m.text() + "}", operands(c.inputs())));
}

/// The cell of a recurrent operation: its name with options.
inline std::string recurrent_cell(const stored_case& c) {
  const std::string name = c.op().substr(0, c.op().rfind('_'));
  if (name == "rnn_relu") return "rnn_cell<tl::nonlinearity::relu>";
  return (name == "rnn_tanh" ? "rnn" : name) + "_cell";
}
inline std::string cell(const stored_case& c) {
  const std::string call = "tl::" + recurrent_cell(c) + "(" + operands(c.inputs()) + ")";
  return c.outputs() == 2 ? "auto [out, out1] = " + call + ";\n" : out(call);
}

/// A network over a sequence, whose operands are the cell's.
inline std::string sequence(const stored_case& c) {
  const std::string name = c.op().substr(0, c.op().rfind('_'));
  const std::string call = name == "rnn_relu"   ? "rnn<tl::recurrent{.activation = tl::nonlinearity::relu}>"
                           : name == "rnn_tanh" ? "rnn"
                                                : name;
  return std::string("auto [out, out1") + (c.outputs() == 3 ? ", out2" : "") + "] = tl::" + call + "(" +
         operands(c.inputs()) + ");\n";
}

}  // namespace detail

/// All operations, by their names in the files.
inline const std::map<std::string, spelling, std::less<>>& operations() {
  using namespace detail;
  using c = const stored_case&;
  static const std::map<std::string, spelling, std::less<>> all = [] {
    std::map<std::string, spelling, std::less<>> m;
    for (const char* same : {"exp", "expm1", "log", "sqrt", "sin", "cos", "tan", "tanh", "sigmoid", "relu",
                             "abs", "square", "erf", "pow"})
      m[same] = plain;
    for (const char* same : {"log2", "exp2", "rsqrt", "cube", "silu", "atan2", "fmod", "embedding", "linear",
                             "dot", "global_avg_pool2d"})
      m[same] = plain;

    // element by element
    m["neg"] = [](c) { return out("-in0"); };
    m["reciprocal"] = [](c) { return out("tl::recip(in0)"); };
    m["leaky_relu"] = [](c x) { return out("tl::leaky_relu(in0, " + constant_of(x, "slope") + ")"); };
    m["elu"] = [](c x) { return out("tl::elu(in0, " + constant_of(x, "alpha") + ")"); };
    m["softplus"] = [](c x) { return out("tl::softplus(in0, " + constant_of(x, "beta") + ")"); };
    m["gelu"] = [](c x) {
      return out(x.word("approximate") == "tanh" ? "tl::gelu<tl::approximation::tanh>(in0)"
                                                 : "tl::gelu(in0)");
    };
    m["pow_scalar"] = [](c x) { return out("tl::pow(in0, " + constant_of(x, "exponent") + ")"); };
    m["add"] = [](c) { return out("in0 + in1"); };
    m["sub"] = [](c) { return out("in0 - in1"); };
    m["mul"] = [](c) { return out("in0 * in1"); };
    m["div"] = [](c) { return out("in0 / in1"); };
    m["maximum"] = [](c) { return out("tl::max(in0, in1)"); };
    m["minimum"] = [](c) { return out("tl::min(in0, in1)"); };
    m["remainder"] = [](c) { return out("tl::mod(in0, in1)"); };
    m["less"] = [](c) { return out("in0 < in1"); };
    m["where"] = plain;
    m["where_less"] = [](c) { return out("tl::where(in0 < in1, in2, in3)"); };

    // reductions
    m["sum"] = [](c x) { return reduction(x, "sum"); };
    m["mean"] = [](c x) { return reduction(x, "mean"); };
    m["amax"] = [](c x) { return reduction(x, "max"); };
    m["amin"] = [](c x) { return reduction(x, "min"); };
    m["prod"] = [](c x) { return reduction(x, "prod"); };
    m["logsumexp"] = [](c x) { return reduction(x, "logsumexp"); };
    m["var"] = [](c x) {
      return reduction(x, "var", ", tl::correction<" + std::to_string(x.integer("correction")) + ">");
    };
    m["norm"] = norm;

    // shape
    m["reshape"] = [](c x) { return out("tl::reshape<" + listed(x.list("shape")) + ">(in0)"); };
    m["broadcast_to"] = [](c x) { return out("tl::expand<" + listed(x.list("shape")) + ">(in0)"); };
    m["transpose"] = [](c x) {
      return out(call("transpose", listed({x.integer("axis0"), x.integer("axis1")}), "in0"));
    };
    m["permute"] = [](c x) { return out(call("permute", listed(x.list("axes")), "in0")); };
    m["slice"] = slices;
    m["pad"] = pads;
    m["flip"] = [](c x) { return out(call("flip", listed(x.list("axes")), "in0")); };
    const auto along_axis = [](c x) {
      return out(call(x.op(), std::to_string(x.integer("axis")), operands(x.inputs())));
    };
    m["concat"] = along_axis;
    m["gather"] = along_axis;
    m["index_select"] = along_axis;
    m["softmax"] = m["log_softmax"] = along_axis;

    // linear algebra, convolution, pooling
    m["matmul"] = matmul;
    m["matvec"] = m["vecmat"] = [](c) { return out("tl::matmul(in0, in1)"); };
    m["conv2d"] = m["conv1d"] = convolution;
    m["conv_transpose2d"] = convolution;
    m["max_pool2d"] = m["avg_pool2d"] = pooling;
    m["adaptive_avg_pool2d"] = [](c x) {
      return out(call("adaptive_avg_pool2d", listed(x.list("output_size")), "in0"));
    };

    // losses
    for (const char* same : {"cross_entropy", "nll_loss", "mse_loss", "l1_loss", "smooth_l1_loss",
                             "huber_loss", "kl_div", "hinge_loss", "multi_margin_loss"})
      m[same] = [](c x) { return loss(x, x.op()); };
    m["squared_hinge_loss"] = [](c x) { return loss(x, "hinge_loss", "2"); };
    m["bce_with_logits"] = [](c x) { return loss(x, "bce_with_logits_loss"); };

    // layers, with their parameters given
    m["layer_norm"] = layer_norm;
    m["group_norm"] = group_norm;
    m["rms_norm"] = norm_with_eps;
    m["instance_norm"] = norm_with_eps;
    m["scaled_dot_product_attention"] = attention;
    m["rnn_tanh_cell"] = m["rnn_relu_cell"] = m["lstm_cell"] = m["gru_cell"] = cell;
    m["rnn_tanh_sequence"] = m["rnn_relu_sequence"] = m["lstm_sequence"] = m["gru_sequence"] = sequence;
    m["dropout"] = [](c x) {  // with the mask that is stored
      return out("tl::where(in1, in0 / " + constant(1 - x.number("p")) + ", 0_c)");
    };
    return m;
  }();
  return all;
}

}  // namespace reference
