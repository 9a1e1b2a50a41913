// SPDX-License-Identifier: BSL-1.0
// What all losses share: their options, the check of their operands, and how many losses become one.
#pragma once

#include <cstdint>
#include <limits>

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/loss/sample_weights.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/mean.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

/// What becomes of the single losses: their mean, their sum, themselves, or their sum over the first extent.
enum class reduction : std::uint8_t { mean, sum, none, batch_mean };

/// Stands for the number that a loss has by itself.
inline constexpr double usual = -std::numeric_limits<double>::max();
/// An index that no label has.
inline constexpr int no_index = std::numeric_limits<int>::min();

/// Options of the losses, with PyTorch's defaults but for ignore_index, which has none: PyTorch's is -100.
/// Each loss says which ones it reads, and refuses the others. The last operand of any loss may be
/// sample_weights(w).
struct loss {
  reduction reduce = reduction::mean;  ///< what becomes of the single losses
  double label_smoothing = 0;   ///< cross_entropy: the share of the labels that is spread over all classes
  int ignore_index = no_index;  ///< cross_entropy, nll_loss, focal_loss: rows with this label count nothing
  double alpha = usual;   ///< focal losses of two classes: the weight of the positive one, 0.25, 1 - alpha
                          ///< that of the other; tversky_loss: the weight of false positives, 0.5
  double beta = usual;    ///< smooth_l1_loss: where the square becomes a line, 1; tversky_loss: the weight of
                          ///< false negatives, 0.5
  double delta = 1;       ///< huber_loss: where the square becomes a line
  double quantile = 0.5;  ///< quantile_loss: the part of the targets that is below the prediction
  double margin = usual;  ///< 1; in cosine_embedding_loss and margin_ranking_loss 0
  double power = usual;   ///< 1; in triplet_margin_loss 2
  double eps = usual;  ///< 1e-8; triplet_margin_loss, gaussian_nll_loss: 1e-6; dice_loss, tversky_loss: 1e-5
  bool log_target = false;     ///< kl_div: whether the target is given as a logarithm
  bool log_input = true;       ///< poisson_nll_loss: whether the prediction is
  bool full = false;           ///< poisson_nll_loss: adds Stirling's term; gaussian_nll_loss: log(2 pi) / 2
  int blank = 0;               ///< ctc_loss: the class that stands for no label
  bool zero_infinity = false;  ///< ctc_loss: infinite losses count nothing
  int axis = -1;      ///< cross_entropy, nll_loss, focal_loss: that of the classes; 1 for PyTorch's images
  bool swap = false;  ///< triplet_margin_loss: the nearer one of anchor and positive is compared
  double gamma = 2;   ///< focal losses: how much less the easy ones count
  double temperature = 0.07;  ///< info_nce_loss: what dot products are divided by
  bool symmetric = false;     ///< info_nce_loss: queries are found for keys, too
  friend constexpr bool operator==(const loss&, const loss&) = default;
};

namespace detail {

// consteval: where a graph is built while a program runs, clang 19 reads other members of a template
// argument.
consteval double given(double option, double otherwise) { return option == usual ? otherwise : option; }

/// Whether only `reduce` and these members are other than by default; x fails with the first of the others.
template <auto... Read>
constexpr bool require_options(std::string_view op, const loss& options, value x) {
  constexpr loss by_default;
  loss rest = options;
  ((rest.*Read = by_default.*Read), ...);
  const auto is_unread = [&](auto member, std::string_view option) {
    if (rest.*member == by_default.*member) return false;
    x.fail(text() << op << " does not read loss::" << option);
    return true;
  };
  if (is_unread(&loss::label_smoothing, "label_smoothing") ||
      is_unread(&loss::ignore_index, "ignore_index") || is_unread(&loss::beta, "beta") ||
      is_unread(&loss::delta, "delta") || is_unread(&loss::margin, "margin") ||
      is_unread(&loss::power, "power") || is_unread(&loss::eps, "eps") ||
      is_unread(&loss::log_target, "log_target") || is_unread(&loss::log_input, "log_input") ||
      is_unread(&loss::full, "full") || is_unread(&loss::blank, "blank") ||
      is_unread(&loss::zero_infinity, "zero_infinity") || is_unread(&loss::axis, "axis") ||
      is_unread(&loss::swap, "swap") || is_unread(&loss::alpha, "alpha") ||
      is_unread(&loss::gamma, "gamma") || is_unread(&loss::quantile, "quantile") ||
      is_unread(&loss::temperature, "temperature") || is_unread(&loss::symmetric, "symmetric"))
    return false;
  rest.reduce = by_default.reduce;
  if (rest == by_default) return true;
  x.fail(text() << op << " does not read one of the options of loss");  // one that the list above lacks
  return false;
}

constexpr unsigned all_axes(value x) { return (1u << x.rank()) - 1; }
constexpr unsigned last_axis(value x) { return 1u << (x.rank() - 1); }

/// Single losses as one number, or as they are. The mean divides by `weight` where there is one, and the sum
/// of `sample` takes the place of the number of samples.
constexpr value reduce_losses(value losses, reduction reduce, value weight = {}, value sample = {}) {
  if (reduce == reduction::none) return losses;
  if (is_half(losses.type())) {  // a sum of 16 bits could be infinite where the mean is not
    const auto wide = [](value v) { return v.exists() ? value(cast(v, element::f32)) : v; };
    return cast(reduce_losses(wide(losses), reduce, wide(weight), wide(sample)), losses.type());
  }
  if (reduce == reduction::mean && !weight.exists())
    return mean_operation::build(losses, all_axes(losses), false);
  const value total = sum_operation::build(losses, all_axes(losses), false);
  if (reduce == reduction::sum) return total;
  if (reduce == reduction::mean) return total / sum_operation::build(weight, all_axes(weight), false);
  if (losses.rank() == 0) return losses.fail(text() << "reduction::batch_mean of a loss without axes");
  if (sample.exists())
    return total /
           sum_operation::build(mean_operation::build(sample, all_axes(sample) & ~1u, false), 1, false);
  return total * (1.0 / make_size(*losses.builder, losses.get().shape[0]));
}

constexpr value reduce_weighted(std::string_view op, value losses, reduction reduce, value sample_weights) {
  const weighted_losses all(op, losses, {}, sample_weights);
  return reduce_losses(all.losses, reduce, all.weight, all.sample);
}

/// Whether a and b are floating, of one type and shape; a number fits everything.
constexpr bool are_alike(value a, value b) {
  if (a.type() == element::number || b.type() == element::number)
    return is_floating(a.type()) && is_floating(b.type());
  return a.type() == b.type() && is_floating(a.type()) && shape_of(a) == shape_of(b);
}

}  // namespace detail

/// The statement of a loss that compares a prediction and a target element by element; sample weights follow
/// where there are some. An Operation has
///   name
///   require_options        detail::require_options of the options that it reads
///   of<Options>(x, t)      the single losses
/// and may have
///   refusal<Options>()     what it says of options with numbers that it does not take
template <class Operation, loss Options, int SampleWeights = 0>
struct loss_statement {
  static constexpr std::string_view name = Operation::name;
  static constexpr int arity = 2 + SampleWeights;
  static constexpr text refusal() {
    if constexpr (requires { Operation::template refusal<Options>(); }) {
      return Operation::template refusal<Options>();
    } else {
      return {};
    }
  }
  static constexpr value build(value x, value t, value sample_weights = {}) {
    if (!Operation::require_options(name, Options, x)) return x;
    if (!detail::are_alike(x, t))
      return detail::do_not_fit(name, {{"predictions", x}, {"targets", t}},
                                "two of one floating type and shape");
    detail::leave_out_removed(sample_weights, x, t);
    return detail::reduce_weighted(name, Operation::template of<Options>(x, t), Options.reduce,
                                   sample_weights);
  }
};

}  // namespace tapeless
