// SPDX-License-Identifier: BSL-1.0
// copy_parameters(from, to), soft_update(from, to, t): parameters from one model to another, by name.
#pragma once

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/optim/base/hyperparameter_range.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>

namespace tapeless {

namespace detail {

inline constexpr tensor_origin copied_from{"copy_parameters", "the model that is copied from"};
inline constexpr tensor_origin updated_from{"soft_update", "the model that is moved to"};

/// Moves elements of a floating type by that part of the way to others, which have one as well.
template <class T>
void move_elements(element from_type, const std::byte* from, T* to, std::int64_t count, double t) {
  if (from_type == element_of<T>) {
    const T part = static_cast<T>(t), rest = static_cast<T>(1 - t);
    const T* const other = reinterpret_cast<const T*>(from);
    for (std::int64_t i = 0; i < count; ++i) to[i] = rest * to[i] + part * other[i];
  } else {
    const std::size_t size = size_of(from_type);
    for (std::int64_t i = 0; i < count; ++i, from += size)
      to[i] = static_cast<T>((1 - t) * static_cast<double>(to[i]) + t * read_number(from_type, from));
  }
}

/// The same of elements of any type. Those of 16 bits are computed in double; what is no number of a floating
/// type is copied.
TAPELESS_WARM inline void move_elements(element from_type, const std::byte* from, element type, std::byte* to,
                                        std::int64_t count, double t) {
  if (type == element::f32) return move_elements(from_type, from, reinterpret_cast<float*>(to), count, t);
  if (type == element::f64) return move_elements(from_type, from, reinterpret_cast<double*>(to), count, t);
  if (!is_floating(type)) return convert_elements(from_type, from, type, to, count);
  for (std::int64_t i = 0; i < count; ++i, to += size_of(type), from += size_of(from_type))
    store_number((1 - t) * read_number(type, to) + t * read_number(from_type, from), type, to);
}

TAPELESS_COLD inline void require_equal_when_rounded(const parameter_description& p, const std::byte* data,
                                                     std::int64_t count, element from_type,
                                                     const std::byte* from, double t) {
  for (std::int64_t i = 0; i < count; ++i, data += size_of(p.type), from += size_of(from_type)) {
    std::byte rounded[2];
    convert_elements(from_type, from, p.type, rounded, 1);
    if (read_number(p.type, rounded) != read_number(p.type, data))
      throw_error({"soft_update: \"", p.label->view(), "\" is ", name_of(p.type),
                   " and has no float copy: steps of t = ", number_text(t).digits,
                   " would be rounded away; keep it in a function or trainer of the float model"});
  }
}

/// The same of `count` elements from number `first` on of parameter number i, which is at `data`, and of its
/// float copy.
template <class To>
void move_parameter(To& to, std::size_t i, std::byte* data, std::int64_t first, std::int64_t count,
                    element from_type, const std::byte* from, double t) {
  const element type = to.parameter_descriptions()[i].type;
  data = element_at(data, type, first);
  if (std::byte* master = master_of(to, i)) {
    master = element_at(master, element::f32, first);
    move_elements(from_type, from, element::f32, master, count, t);
    convert_elements(element::f32, master, type, data, count);
  } else {
    move_elements(from_type, from, type, data, count, t);
  }
}

/// Throws an error where move_parameter would lose a part of the step by rounding: a parameter of 16 bits
/// without a float copy, whose elements are not there already.
template <class To>
void check_move(To& to, std::size_t i, std::byte* data, std::int64_t first, std::int64_t count,
                element from_type, const std::byte* from, double t) {
  if (const parameter_description& p = to.parameter_descriptions()[i];
      is_half(p.type) && t > 0 && t < 1 && master_of(to, i) == nullptr)
    require_equal_when_rounded(p, element_at(data, p.type, first), count, from_type, from, t);
}

/// The number of the parameter in `from` that has the name, shape and type of number i in `to`, or is or has
/// the float copy that it has; -1 where there is none.
template <class From, class To>
int place_of_alike(From& from, To& to, std::size_t i) {
  const parameter_description& p = to.parameter_descriptions()[i];
  const array_view<const parameter_description> all = from.parameter_descriptions();
  const int place = place_of(*p.label, all);
  if (place < 0) return -1;
  const auto k = static_cast<std::size_t>(place);
  const element type = master_of(from, k) != nullptr ? element::f32 : all[k].type;
  const bool same_type = type == p.type || (type == element::f32 && master_of(to, i) != nullptr);
  return same_type && all[k].rank == p.rank && all[k].shape == p.shape ? place : -1;
}

/// A soft update of a model by one that has all of its parameters as they are, as it mostly is: it takes no
/// memory. False, and nothing has changed, where options or parameters ask for a closer look.
template <class From, class To>
TAPELESS_WARM bool move_to_alike(From& from, To& to, double t, const load_options& options) {
  if (!options.strip_prefix.empty() || !options.names.empty() || !options.add_prefix.empty() ||
      !options.join.empty() || !options.only.empty() || !options.allow_unexpected)
    return false;
  [[maybe_unused]] const auto alone = keep_others_out(from, to);
  const auto theirs = from.parameter_data(), own = to.parameter_data();
  for (std::size_t i = 0; i < own.size(); ++i)
    if (const int k = place_of_alike(from, to, i);
        k < 0 || (averages_stand_in(from) && master_of(from, static_cast<std::size_t>(k)) != nullptr))
      return false;
  const auto for_each = [&](auto is_meant, auto f) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!is_meant(i)) continue;
      const auto k = static_cast<std::size_t>(place_of_alike(from, to, i));
      const std::byte* const master = master_of(from, k);
      f(i, master != nullptr ? element::f32 : from.parameter_descriptions()[k].type,
        master != nullptr ? master : theirs[k]);
    }
  };
  const auto count = [&](std::size_t i) { return to.parameter_descriptions()[i].count; };
  const auto has_16_bits = [&](std::size_t i) { return is_half(to.parameter_descriptions()[i].type); };
  for_each(has_16_bits, [&](std::size_t i, element type, const std::byte* data) {
    check_move(to, i, own[i], 0, count(i), type, data, t);
  });
  [[maybe_unused]] const auto changing = begin_change(to);
  const auto all = [](std::size_t) { return true; };
  for_each(all, [&](std::size_t i, element type, const std::byte* data) {
    move_parameter(to, i, own[i], 0, count(i), type, data, t);
  });
  return true;
}

}  // namespace detail

/// The parameters and running statistics of `to` become those of `from`, by name; each is a trainer or a
/// function. Shapes and types must be the same, and what `from` has beside is passed over; options say what
/// else may be, as for load. Under mixed precision the float copies are copied: where ranks have divided
/// them (sharded_states), all call it together. The rule's states stay as they are. Throws one error that
/// lists all that is missing or does not fit, and changes nothing then.
template <detail::no_stub From, detail::no_stub To>
TAPELESS_WARM void copy_parameters(From& from, To& to, const load_options& options = {}) {
  detail::collect_masters(from, detail::copied_from.where);
  detail::take_tensors(to, detail::named_tensors(from, true, {}, to), options, detail::copied_from);
}

/// to = (1 - t) to + t from, by name, for each parameter and running statistic of `to`; what is no floating
/// number is copied. Under mixed precision the float copies are computed with, see copy_parameters. Throws an
/// error, and changes nothing, where t is not from 0 to 1, where averaged_weights() stand in for the
/// parameters of `to`, and where a parameter of 16 bits has no float copy (no rule changes it), so that steps
/// would be rounded away; and one that lists all that is missing or does not fit. It takes no memory where
/// `from` has all parameters of `to` in the same shapes and types, and options name none.
template <detail::no_stub From, detail::no_stub To>
TAPELESS_WARM void soft_update(From& from, To& to, double t, const load_options& options = {}) {
  if (!(t >= 0 && t <= 1)) throw_error({"soft_update: t is ", t, "; it must be from 0 to 1"});
  detail::refuse_fixed_weights<To>();
  detail::require_own_weights(to);
  detail::collect_masters(from, detail::updated_from.where);
  detail::collect_masters(to, detail::updated_from.where);
  if (detail::move_to_alike(from, to, t, options)) return;
  const detail::named_tensors tensors(from, true, {}, to);
  const list<detail::matched_parameter> parameters = detail::parameters_to_match(to);
  const auto found = detail::tensor_matcher(tensors, parameters, options, detail::updated_from).match();
  const auto data = to.parameter_data();
  const detail::matched_sources sources(to, found);
  for (int i = 0; i < found.size(); ++i) {
    const detail::matched_tensor& m = found[i];
    detail::check_move(to, m.parameter, data[m.parameter], m.first, m.count, m.tensor->type, sources[i], t);
  }
  [[maybe_unused]] const auto changing = detail::begin_change(to);
  for (int i = 0; i < found.size(); ++i) {
    const detail::matched_tensor& m = found[i];
    detail::move_parameter(to, m.parameter, data[m.parameter], m.first, m.count, m.tensor->type, sources[i],
                           t);
  }
}

// Of trainers whose model's error has been reported.
template <class From, class To>
void copy_parameters(From&, To&, const load_options& = {}) {}
template <class From, class To>
void soft_update(From&, To&, double, const load_options& = {}) {}

}  // namespace tapeless
