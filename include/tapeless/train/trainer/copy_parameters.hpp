// SPDX-License-Identifier: BSL-1.0
// copy_parameters(from, to), soft_update(from, to, t): parameters from one model to another, by name.
#pragma once

#include <concepts>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>

namespace tapeless {

namespace detail {

template <class From, class To>
concept are_no_stubs = !std::derived_from<From, error_stub> && !std::derived_from<To, error_stub>;

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
TAPELESS_WARM inline void move_elements(const io::tensor_entry& from, element type, std::byte* to,
                                        std::int64_t count, double t) {
  const std::byte* const data = from.bytes.data();
  if (type == element::f32) return move_elements(from.type, data, reinterpret_cast<float*>(to), count, t);
  if (type == element::f64) return move_elements(from.type, data, reinterpret_cast<double*>(to), count, t);
  if (!is_floating(type)) return convert_elements(from.type, data, type, to, count);
  for (std::int64_t i = 0; i < count; ++i, to += size_of(type)) {
    const double other = read_number(from.type, data + static_cast<std::size_t>(i) * size_of(from.type));
    store_number((1 - t) * read_number(type, to) + t * other, type, to);
  }
}

}  // namespace detail

/// The parameters and running statistics of `to` become those of `from`, by name; each is a trainer or a
/// function. Shapes and types must be the same, and what `from` has beside is passed over; options say what
/// else may be, as for load. Under mixed precision the float copies are copied. The rule's states stay as
/// they are. Throws one error that lists all that is missing or does not fit, and changes nothing then.
template <class From, class To>
  requires detail::are_no_stubs<From, To>
TAPELESS_WARM void copy_parameters(From& from, To& to, const load_options& options = {}) {
  detail::take_tensors(to, detail::named_tensors(from, true), options, detail::copied_from);
}

/// to = (1 - t) to + t from, by name, for each parameter and running statistic of `to`; what is no floating
/// number is copied. Under mixed precision the float copies are computed with. Throws an error where t is not
/// from 0 to 1 or averaged_weights() stand in for the parameters of `to`, and one that lists all that is
/// missing or does not fit; nothing has changed then.
template <class From, class To>
  requires detail::are_no_stubs<From, To>
TAPELESS_WARM void soft_update(From& from, To& to, double t, const load_options& options = {}) {
  if (!(t >= 0 && t <= 1)) throw_error({"soft_update: t is ", t, "; it must be from 0 to 1"});
  detail::refuse_shared_weights<To>();
  detail::require_own_weights(to);
  const std::vector<io::tensor_entry> tensors = detail::named_tensors(from, true);
  const list<detail::matched_parameter> parameters = detail::parameters_to_match(to);
  const auto found = detail::tensor_matcher(tensors, parameters, options, detail::updated_from).match();
  const auto data = to.parameter_data();
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (found[i] == nullptr) continue;
    const parameter_description& p = parameters[i].description;
    if (std::byte* const master = detail::master_of(to, i)) {
      detail::move_elements(*found[i], element::f32, master, p.count, t);
      detail::convert_elements(element::f32, master, p.type, data[i], p.count);
    } else {
      detail::move_elements(*found[i], p.type, data[i], p.count, t);
    }
  }
}

// Of trainers whose model's error has been reported.
template <class From, class To>
void copy_parameters(From&, To&, const load_options& = {}) {}
template <class From, class To>
void soft_update(From&, To&, double, const load_options& = {}) {}

}  // namespace tapeless
