// SPDX-License-Identifier: BSL-1.0
// snapshot(net), restore(net, s): where training is, in memory, and back to there.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/train/program/parameters.hpp>
#include <tapeless/train/trainer/averaged_weights.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless {

/// All that a trainer of the model by the rule goes on from; what snapshot(net) returns.
template <class Model, class Rule>
class trainer_snapshot {
 public:
  using model_type = Model;
  using rule_type = Rule;

  trainer_snapshot(const trainer_state& position, std::vector<std::byte> bytes,
                   std::vector<double> hyperparameters, double loss_scale)
      : position_(position),
        bytes_(std::move(bytes)),
        hyperparameters_(std::move(hyperparameters)),
        loss_scale_(loss_scale) {}

  /// The number of updates so far.
  std::int64_t steps() const { return position_.steps; }
  const trainer_state& position() const { return position_; }
  /// Parameters, states, and gradients that wait, one after the other.
  const std::vector<std::byte>& bytes() const { return bytes_; }
  /// The numbers that hyperparameters were set to, in the rule's order; NaN where none was.
  const std::vector<double>& hyperparameters() const { return hyperparameters_; }
  /// What the gradients that wait are times, where that is a hyperparameter; else NaN.
  double loss_scale() const { return loss_scale_; }

 private:
  trainer_state position_;
  std::vector<std::byte> bytes_;
  std::vector<double> hyperparameters_;
  double loss_scale_;
};

namespace detail {

/// Calls f(data, bytes) for all of a trainer's memory that training goes on from.
template <class Net, class F>
void for_each_block(Net& net, bool waiting, F f) {
  const auto visit = [&](const auto& descriptions, array_view<std::byte* const> data) {
    for (std::size_t i = 0; i < data.size(); ++i)
      f(data[i], static_cast<std::size_t>(descriptions[i].bytes()));
  };
  visit(net.parameter_descriptions(), net.parameter_data());
  visit(net.state_descriptions(), net.state_data());
  if (waiting) visit(net.gradient_descriptions(), net.collected_gradients());
}

}  // namespace detail

/// Keeps where training is: parameters, running statistics, the rule's states, gradients that wait for their
/// update, and the numbers of steps. The numbers that hyperparameters were set to (net.set) and the places in
/// the random numbers and in the passes of fit belong to it, too. What the rule was made with, and schedules,
/// are not part of it.
template <detail::no_stub Net>
auto snapshot(Net&& net) {
  detail::require_own_weights(net);
  const auto alone = detail::keep_others_out(net);
  const trainer_state position = net.position();
  std::vector<std::byte> bytes;
  detail::for_each_block(net, position.collected > 0, [&](const std::byte* data, std::size_t size) {
    bytes.insert(bytes.end(), data, data + size);
  });
  const auto numbers = net.changed_hyperparameters();
  using trainer = std::remove_cvref_t<Net>;
  return trainer_snapshot<typename trainer::model_type, typename trainer::rule_type>(
      position, std::move(bytes), {numbers.data(), numbers.data() + numbers.size()},
      position.collected > 0 ? net.loss_scale_in(position.steps) : std::nan(""));
}

/// Goes back to where a trainer of the same model and rule was, on whatever policy: what follows is the same
/// bit for bit, unless a schedule was set since. Views, and functions on the trainer's weights, show what it
/// has then. Throws an error, and changes nothing, where the states are of another size, as those of lbfgs
/// with another history, or gradients wait that are times another loss scale than this rule's.
template <detail::no_stub Net, class Model, class Rule>
void restore(Net& net, const trainer_snapshot<Model, Rule>& s) {
  constexpr bool same_model = std::is_same_v<Model, typename Net::model_type>;
  constexpr bool same_rule = std::is_same_v<Rule, typename Net::rule_type>;
  static_assert(same_model,
                "tapeless: restore: the snapshot is of a trainer of another model; copy_parameters(from, to) "
                "takes over parameters of the same names");
  static_assert(
      same_rule || !same_model,
      "tapeless: restore: the snapshot is of a trainer with another rule; copy_parameters(from, to) "
      "takes over the parameters alone");
  if constexpr (same_model && same_rule) {
    detail::require_own_weights(net);
    const bool waiting = s.position().collected > 0;
    std::size_t size = 0;
    const auto measure = [&](const auto& descriptions) {
      for (const auto& d : descriptions) size += static_cast<std::size_t>(d.bytes());
    };
    measure(net.parameter_descriptions());
    measure(net.state_descriptions());
    if (waiting) measure(net.gradient_descriptions());
    if (size != s.bytes().size())
      throw_error({"restore: the snapshot has ", s.bytes().size(), " bytes, but this trainer has ", size,
                   ": its rule has other numbers"});
    net.check_changed_hyperparameters(s.hyperparameters(), "restore");
    if (waiting) net.check_loss_scale(s.loss_scale(), s.position().steps, s.hyperparameters(), "restore");
    [[maybe_unused]] const auto changing = detail::begin_change(net);
    net.set_changed_hyperparameters(s.hyperparameters());
    net.set_position(s.position());
    const std::byte* from = s.bytes().data();
    detail::for_each_block(net, waiting, [&](std::byte* data, std::size_t bytes) {
      std::memcpy(data, from, bytes);
      from += bytes;
    });
  }
}

// Of a trainer whose model's error has been reported.
inline int snapshot(error_stub&) { return 0; }
inline void restore(error_stub&, const auto&) {}

}  // namespace tapeless
