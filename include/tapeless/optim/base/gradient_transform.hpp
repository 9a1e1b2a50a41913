// SPDX-License-Identifier: BSL-1.0
// What a rule is made of: transformations that turn a gradient into an update, as expressions that are fused
// and planned like everything else.
#pragma once

#include <array>
#include <concepts>
#include <type_traits>

#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/optim/base/chosen_rows.hpp>
#include <tapeless/optim/base/hyperparameter.hpp>
#include <tapeless/optim/base/rule_description.hpp>

namespace tapeless {

namespace detail {

/// In which type a parameter's update is computed and its states are kept: f16 has not the range of an
/// epsilon, nor of the square of a small gradient.
constexpr element updated_in(element parameter) {
  return parameter == element::f16 ? element::f32 : parameter;
}

/// What is stored where v is seen, in another type or as it is.
constexpr value stored_of(value v) { return v.is(operation_of<cast_operation>) ? v.operand(0) : v; }

}  // namespace detail

/// What a transformation sees of one parameter's place in a program, while the graph of a step is built.
class rule_context {
 public:
  constexpr rule_context() = default;
  constexpr rule_context(value parameter, value gradient)
      : owned_(parameter),
        parameter_(cast(parameter, detail::updated_in(parameter.type()))),
        source_(gradient),
        gradient_(cast(gradient, parameter_.type())),
        update_(gradient_) {}

  /// The parameter that the rule changes. It stands for the model's own, which has the name: under mixed
  /// precision it is that one's float copy, and one of f16 is seen as float.
  constexpr value parameter() const { return parameter_; }
  constexpr value owned() const { return owned_; }
  /// The same parameter's place, with another copy of it to change and another gradient.
  constexpr rule_context with(value parameter, value gradient) const {
    rule_context c = *this;
    c.parameter_ = parameter;
    c.gradient_ = c.update_ = gradient;
    return c;
  }
  /// The same parameter's place, of which the rule sees and changes these rows alone, and their gradient.
  constexpr rule_context of_rows(const chosen_rows& rows, value gradient) const {
    rule_context c = with(cast(rows.of(detail::stored_of(parameter_)), parameter_.type()), gradient);
    c.rows_ = rows;
    c.source_ = gradient;
    return c;
  }
  constexpr bool has_rows() const { return rows_.exists(); }
  /// The gradient as the backward pass left it, or as it was added up; the same in the parameter's type; and
  /// what the transformations so far have made of it.
  constexpr value source() const { return source_; }
  constexpr value gradient() const { return gradient_; }
  constexpr value update() const { return update_; }
  constexpr void set_update(value next) { update_ = next; }
  /// The number of the step, counted from 1; an optimizer transformation may count otherwise. Of the steps
  /// of one parameter those are left out in which it is held fast, but not in what all parameters share.
  constexpr value step() const { return left_out_.exists() ? shared_step() - left_out_ : shared_step(); }
  constexpr value shared_step() const {
    return step_.exists() ? step_ : make_hyperparameter(builder(), step_entry);
  }
  constexpr void set_step(value number) { step_ = number; }
  constexpr void leave_out_steps(value number) { left_out_ = number; }
  /// Whether no step has changed the parameter before. Of rows each has a first step of its own, which may be
  /// any; a number for each row remembers it, the state lazy_rows.seen.
  template <std::same_as<value> Value = value>
  constexpr Value is_first_step() {
    if (!rows_.exists()) return step() == 1.0;
    if (!is_first_.exists()) {
      shape_list each_row = shape_of(parameter_);
      for (int axis = 1; axis < each_row.rank; ++axis) each_row.extents[axis] = 1;
      const value seen = state<"lazy_rows.seen">(each_row);
      is_first_ = seen == 0.0;
      set(seen, make_constant(builder(), 1, seen.type()));
    }
    return is_first_;
  }
  /// What is `next` after a step of the parameter; after one that the rule inside leaves out (skip_nonfinite,
  /// freezable) it is as it was. Those steps do not count in step() either, which is the number of the next
  /// one until it is made.
  constexpr value after_step(value next, value before) const {
    return is_made_.exists() ? where(is_made_, next, before) : next;
  }
  /// Says to what stands around the rule in which steps this parameter has none.
  constexpr void make_step_where(value condition) {
    is_made_ = is_made_.exists() ? is_made_ && condition : condition;
  }
  /// Says in which steps the gradient is one of those that a rule looks at together, as their length.
  constexpr void count_where(value condition) { counts_ = condition; }
  /// The parameter's part in a sum over all of them, or in their maximum; 0 where its gradient does not
  /// count.
  constexpr value counted(value part) const { return counts_.exists() ? where(counts_, part, 0.0) : part; }
  /// What a sum over all parameters takes of this one's state: `next`, or `kept` if its gradient does not
  /// count.
  constexpr value counted(value next, value kept) const {
    return counts_.exists() ? where(counts_, next, kept) : next;
  }
  /// What the parameter should be when the model is used: an average of what it was, where a rule keeps one.
  constexpr value averaged() const { return averaged_.exists() ? averaged_ : parameter_; }
  constexpr void set_averaged(value average) { averaged_ = average; }
  constexpr bool has_average() const { return averaged_.exists(); }
  /// The transformation's own hyperparameter number i, counted from 0.
  constexpr value hyper(int i) const {
    if (i < 0 || i >= hypers_)
      return parameter_.fail(
          text() << "a gradient transformation asks for c.hyper(" << i << "), but has " << hypers_
                 << " hyperparameters: hyper_names lists them all, and c.hyper(0) is the first");
    return make_hyperparameter(builder(), first_rule_entry + first_hyper_ + i);
  }
  /// A state of the transformation for the parameter: as this in shape, or of the given shape, and zero at
  /// first, or `start` everywhere. One number is kept in float where the parameter is of 16 bits, and is then
  /// one without a type.
  template <name Label>
  constexpr value state() const {
    return state<Label>(shape_of(parameter_));
  }
  template <name Label>
  constexpr value state(const shape_list& shape, double start = 0) const {
    const bool rounds = shape.rank == 0 && is_half(parameter_.type());
    const element type = rounds ? element::f32 : parameter_.type();
    const element stored = stored_as(interned<Label>, shape, type);
    const bool by_rows = rows_.exists() && shape.rank > 0 && shape.extents[0] == rows_.count();
    const value kept =
        make_state(builder(), &interned<Label>, stored,
                   by_rows ? detail::with_first_extent(shape, owned_.get().shape[0]) : shape,
                   builder().states++, parameter_number(owned_.get()), {initializer::kind::constant, start});
    return cast(by_rows ? rows_.of(kept) : kept, rounds ? element::number : type);
  }
  /// In which type a state is stored, by its name, its shape and its own type.
  using stored_type = element (*)(const name&, const shape_list&, element);
  /// Until end_storing, states are stored as this says; where it leaves one as it is, as what was begun
  /// before says.
  constexpr void begin_storing(stored_type type) {
    if (storing_ < most_storing)
      stored_types_[storing_] = type;
    else
      parameter_.fail(text() << "states_as stands in states_as " << most_storing << " times at most");
    ++storing_;
  }
  constexpr void end_storing() { --storing_; }
  /// A number of steps of the parameter, zero at first: exact up to 2^24, whatever the parameter is stored
  /// as.
  template <name Label>
  constexpr value counter() const {
    return make_state(builder(), &interned<Label>, type_of_number(), {}, builder().states++,
                      parameter_number(owned_.get()), {});
  }
  /// A state of the transformation that all parameters share: one number, which is stored as float where they
  /// are of 16 bits.
  template <name Label>
  constexpr value shared_state(double start = 0) const {
    const value kept = make_state(builder(), &interned<Label>, type_of_number(), {}, builder().states++, -1,
                                  {initializer::kind::constant, start});
    return is_half(parameter_.type()) ? cast(kept, element::number) : kept;
  }
  /// From the next step on, the state (or parameter) has this value. Returns it, as it is stored.
  constexpr value set(value target, value next) const {
    value last = next;
    if (target.is(operation_of<cast_operation>)) {  // what is stored in another type
      target = target.operand(0);
      last = cast(expand(next, shape_of(target)), target.type());
      next = cast(last, next.type());
    }
    last = expand(last, shape_of(target));
    if (rows_.exists() && target.is(gather_kind::by_index)) {
      target = target.operand(0);
      last = rows_.put(target, last);
    }
    builder().effects.push({target.id, last.id, source_.id});
    return next;
  }

  /// Where the transformation's hyperparameters begin, and how many there are.
  constexpr int first_hyper() const { return first_hyper_; }
  constexpr void begin_transform(int first_hyper, int count) { first_hyper_ = first_hyper, hypers_ = count; }

 private:
  value owned_, parameter_;
  value source_, gradient_;
  value update_;
  value step_, left_out_, is_made_, counts_, is_first_;
  value averaged_;
  chosen_rows rows_;
  int first_hyper_ = 0, hypers_ = 0;
  static constexpr int most_storing = 4;
  stored_type stored_types_[most_storing] = {};
  int storing_ = 0;

  constexpr element stored_as(const name& state, const shape_list& shape, element type) const {
    element stored = type;
    for (int i = (storing_ < most_storing ? storing_ : most_storing) - 1; i >= 0 && stored == type; --i)
      stored = stored_types_[i](state, shape, type);
    return stored;
  }
  constexpr graph& builder() const { return *parameter_.builder; }
  constexpr element type_of_number() const {
    return parameter_.type() == element::f64 ? element::f64 : element::f32;
  }
};

/// Base of the gradient transformations.
template <int Hypers>
struct gradient_transform {
  std::array<hyperparameter, Hypers> hypers;
};

/// Whether one parameter's update depends on all gradients.
template <class T>
concept needs_all_gradients = requires(list<rule_context>& all) { T::transform_all(all); };

/// Whether it turns the gradient of every parameter into a step down.
template <class T>
concept turns_downhill = requires { requires T::descends; };
/// Whether it is known to turn no gradient's sign.
template <class T>
concept keeps_sign = requires { requires T::keeps_sign; };

/// The contract of a gradient transformation: what makes the next gradient, and at last the update, of the
/// one before. It has
///   hyper_names                        its hyperparameters' names
///   hypers                             the hyperparameters: see gradient_transform
///   transform(context, g) -> value     the update (or next gradient) from the gradient
/// or, where one parameter's update depends on all gradients,
///   transform_all(contexts)            sets each context's update, of the parameters that the rule changes;
///                                      a sum of gradients adds c.counted(part), one of
///                                      states what is made of c.counted(next, kept)
/// and may have a label, see describe_transform, hyper_ranges, an array of the numbers that its
/// hyperparameters may be, where that is not by their names, a true `descends`, where it turns the gradient
/// into a step down, as the last of a whole rule does, or a true `keeps_sign`, where it never does: no
/// trainer takes a chain of such ones alone. Laws:
///   the update has the parameter's shape, or one that broadcasts to it;
///   the same context gives the same graph: the same states in the same order;
///   it sets its own states only: what changes the parameter is the rule that it is part of.
template <class T>
struct gradient_transform_contract {
  using subject = T;
  static constexpr std::string_view noun = "gradient transformation";
  static constexpr std::string_view called = is_schedule<T> ? "a schedule" : "";
  static constexpr std::string_view instead =
      is_schedule<T>
          ? "it stands in one, as in tl::scale_by_learning_rate(schedule), or in a rule's options, "
            "tl::adam({.learning_rate = schedule})"
          : "";
  static constexpr bool has_names = requires {
    { T::hyper_names[0] } -> std::convertible_to<const name&>;
  };
  static constexpr bool has_numbers = requires(const T& t) {
    { t.hypers } -> std::convertible_to<const std::array<hyperparameter, T::hyper_names.size()>&>;
  };
  static constexpr bool transforms = requires(rule_context& c, value g) {
    { T::transform(c, g) } -> std::convertible_to<value>;
  };
  static constexpr demand demands[3] = {
      {has_names, "hyper_names, an array of its hyperparameters' names"},
      {has_numbers, "hypers, an array of as many hyperparameters"},
      {transforms || needs_all_gradients<T>,
       "transform(context, g), static, which returns a value, or transform_all(contexts)"},
  };
};
template <class T>
concept is_gradient_transform = is_kept<gradient_transform_contract<T>>();

}  // namespace tapeless
