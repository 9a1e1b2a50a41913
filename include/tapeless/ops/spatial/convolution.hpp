// SPDX-License-Identifier: BSL-1.0
// What convolutions and transposed ones share: the check of their operands, and their parameters.
#pragma once

#include <tapeless/expr/param.hpp>
#include <tapeless/ops/linalg/linear.hpp>
#include <tapeless/ops/spatial/conv_options.hpp>
#include <tapeless/ops/spatial/convolve.hpp>

namespace tapeless::detail {

constexpr spatial_windows windows_of(const conv& options, int axes, value weight) {
  spatial_windows w{.axes = axes};
  for (int s = 0; s < axes; ++s) {
    w.along[s] = {weight.get().shape[2 + s], options.stride.along(s, axes), options.dilation.along(s, axes)};
    w.padding[s] = options.padding.along(s, axes);
  }
  return w;
}

/// How an operation takes its weight: with PyTorch's axes, whose first one is either the results' channels
/// or, transposed, x's.
struct convolution_signature {
  std::string_view name;
  int axes = 2;
  bool transposed = false;
};

/// x with the padding that its windows cannot have, which is one of a mode or an uneven one; theirs is the
/// rest.
constexpr value pad_for(std::string_view op, value x, spatial_windows& w, const conv& options) {
  for (int s = 0; s < w.axes; ++s) {
    std::int64_t before = w.padding[s], after = before;
    if (options.padding.size == padding_size::same) {
      const std::int64_t both = span_of(w.along[s]) - 1;
      before = both / 2;
      after = both - before;
    }
    w.padding[s] = options.padding_mode == padding_mode::zeros ? before : 0;
    x = pad_along(op, x, 2 + s, before - w.padding[s], after - w.padding[s], options.padding_mode);
  }
  return x;
}

constexpr text operands_sentence(const convolution_signature& op, value x, value weight) {
  text t;
  t << op.name << " got x " << name_of(x.type());
  x.builder->describe_shape(t, x.get());
  t << " and a weight " << name_of(weight.type());
  x.builder->describe_shape(t, weight.get());
  return t;
}

/// Whether x and the weight fit; an error otherwise.
constexpr bool require_operands(const convolution_signature& op, const conv& options, value x, value weight) {
  const std::string_view kernel = op.axes == 1   ? "kernel]"
                                  : op.axes == 2 ? "kernel height, kernel width]"
                                                 : "kernel depth, kernel height, kernel width]";
  if (x.rank() != 2 + op.axes || weight.rank() != 2 + op.axes || x.type() != weight.type() ||
      !is_floating(x.type())) {
    x.fail(operands_sentence(op, x, weight)
           << ": it takes two of one floating type, [batch, in, " << image_axes(op.axes) << "] and "
           << (op.transposed ? "[in, out / groups, " : "[out, in / groups, ") << kernel);
    return false;
  }
  const shape_list given = shape_of(weight);
  bool literal = true, as_options = true;
  for (int s = 0; s < op.axes; ++s) {
    const int wanted = options.kernel.along(s, op.axes);
    literal = literal && extent_table::is_literal(given.extents[2 + s]) && given.extents[2 + s] > 0;
    as_options = as_options && (wanted == 0 || wanted == given.extents[2 + s]);
  }
  if (!literal || !as_options) {
    x.fail(operands_sentence(op, x, weight)
           << (literal ? ", whose kernel is not the one in its options"
                       : ": the kernel's extents must be integers, 1 or more"));
    return false;
  }
  extent_table& e = x.builder->extents;
  const std::int64_t channels = x.get().shape[1], first = given.extents[0];
  const auto divides = [&](std::int64_t n) {
    return e.multiply(e.divide(n, options.groups), options.groups) == n;
  };
  if (options.groups != 1 && !(divides(channels) && divides(first))) {
    x.fail(operands_sentence(op, x, weight)
           << ": the channels of x and the first extent of the weight must be multiples of " << options.groups
           << ", the groups");
    return false;
  }
  if (channels == (op.transposed ? first : e.multiply(given.extents[1], options.groups))) return true;
  text t = operands_sentence(op, x, weight);
  t << ": x has ";
  e.describe(t, channels);
  t << " channels, but the weight takes ";
  e.describe(t, op.transposed ? first : given.extents[1]);
  if (!op.transposed && options.groups != 1) t << " in each of " << options.groups << " groups";
  x.fail(t);
  return false;
}

/// y [N, C, L...] + bias [C], where there is a bias.
constexpr value add_bias(std::string_view op, value y, value bias) {
  if (!bias.exists()) return y;
  const std::int64_t channels = y.get().shape[1];
  if (bias.rank() != 1 || bias.get().shape[0] != channels || bias.type() != y.type()) {
    text t;
    t << op << " got a bias " << name_of(bias.type());
    y.builder->describe_shape(t, bias.get());
    t << ": it takes " << name_of(y.type()) << "[";
    y.builder->extents.describe(t, channels);
    return y.fail(t << "], one number for each channel of the result");
  }
  const shape_list s{y.rank() - 1, {channels, 1, 1, 1}};
  return y + reshape(bias, s);
}

/// Name.weight and Name.bias of a layer, of x's element type, and the statement that takes them.
template <name Name, std::int64_t Out, conv Options, class Statement>
struct convolution_layer {
  static constexpr int arity = 1;
  static constexpr text refusal() {
    if (Out < 0)
      return text() << Statement::name << "<\"" << Name.view() << "\">: the number of channels, " << Out
                    << ", must be 0 or more";
    return Statement::refusal();
  }
  static constexpr value build(value x) {
    constexpr int axes = Statement::signature.axes;
    const std::int64_t groups = Options.groups;
    text t;
    t << Statement::name << "<\"" << Name.view() << "\">";
    if (!require_kind(t.view(), x, element_kind::floating, "x")) return x;
    t = shape_sentence(t.view(), x);
    if (x.rank() != 2 + axes && x.rank() != 1 + axes)
      return x.fail(t << ": it takes [batch, in, " << image_axes(axes) << "]");
    const std::int64_t in = x.get().shape[x.rank() - axes - 1];
    if (!extent_table::is_literal(in)) {
      if (x.rank() == 2 + axes) return x.fail(t << ": the channels must be an integer");
      return x.fail(t << ": it takes [channels, " << image_axes(axes)
                      << "] of one sample, whose channels must be an integer, or [batch, channels, ...], as "
                         "tl::unsqueeze<1>(x) is");
    }
    if (in % groups != 0 || Out % groups != 0)
      return x.fail(t << ": " << groups << " groups do not divide " << in << " and " << Out << " channels");
    shape_list s{2 + axes, {Out, in / groups}};
    if constexpr (Statement::signature.transposed) s = {2 + axes, {in, Out / groups}};
    std::int64_t elements = 1;
    for (int i = 0; i < axes; ++i) {
      s.extents[2 + i] = Options.kernel.along(i, axes);
      elements *= s.extents[2 + i];
    }
    if (elements <= 0) return x.fail(t << ": its options need a kernel of 1 or more: conv{.kernel = 3}");
    const double fan = static_cast<double>((in / groups + Out / groups) * elements);
    const value weight =
        make_parameter(*x.builder, &interned<Name + ".weight">, x.type(), s, uniform(square_root(6.0 / fan)));
    if constexpr (Options.bias) {
      return Statement::build(
          x, weight, make_parameter(*x.builder, &interned<Name + ".bias">, x.type(), {1, {Out}}, fill(0)));
    } else {
      return Statement::build(x, weight);
    }
  }
};

/// What is said of options that no convolution can have.
constexpr text refused_options(std::string_view op, const conv& o, int axes) {
  if (!(o.kernel.fits(axes) && o.stride.fits(axes) && o.padding.fits(axes) && o.dilation.fits(axes) &&
        o.output_padding.fits(axes)))
    return text() << op << ": an option of a convolution takes one number, or one for each spatial axis";
  if (o.groups < 1) return text() << op << " takes one group or more, but got " << o.groups;
  text t = refused_below(0, op, "kernel", o.kernel, axes);
  if (t.empty()) t = refused_below(1, op, "stride", o.stride, axes);
  if (t.empty()) t = refused_below(1, op, "dilation", o.dilation, axes);
  if (t.empty()) t = refused_below(0, op, "padding", o.padding, axes);
  if (t.empty()) t = refused_below(0, op, "output_padding", o.output_padding, axes);
  return t;
}

}  // namespace tapeless::detail
