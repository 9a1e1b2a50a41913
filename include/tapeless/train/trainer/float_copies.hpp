// SPDX-License-Identifier: BSL-1.0
// Float copies of parameters of 16 bits, which a trainer keeps under mixed precision.
#pragma once

#include <cstddef>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/train/program/parameter_description.hpp>
#include <tapeless/train/program/tensor_conversion.hpp>
#include <tapeless/train/trainer/averaged_weights.hpp>

namespace tapeless::detail {

/// Whether a trainer of this kind may keep float copies of parameters of 16 bits.
template <class Net>
concept has_masters = requires(Net& net) { net.master_data(0); };

/// Whether this one does. Others compile nothing that reads them.
template <class Net>
inline constexpr bool keeps_masters = [] {
  if constexpr (has_masters<Net> && requires { Net::state_descriptions(); })
    for (const state_description& s : Net::state_descriptions())
      if (s.label == &interned<master_label>) return true;
  return false;
}();

template <class Net>
std::byte* master_of(Net& net, std::size_t i) {
  if constexpr (keeps_masters<Net>) return net.master_data(i);
  return nullptr;
}

/// Float copies of a trainer's parameters, to be read. While averages stand in for the parameters they are
/// copies of these, which the trainer keeps none of.
class float_copies {
 public:
  /// That of parameter number i; null where it has none. It stays where it is as long as this lives.
  template <class Net>
  std::byte* of(Net& net, std::size_t i) {
    std::byte* const own = master_of(net, i);
    if constexpr (keeps_masters<Net>)
      if (own != nullptr && averages_stand_in(net))
        return copy_of(net.parameter_descriptions(), i, net.parameter_data()[i]);
    return own;
  }

 private:
  std::vector<std::byte> of_averages_;  // of all parameters, in their order

  TAPELESS_COLD std::byte* copy_of(array_view<const parameter_description> all, std::size_t number,
                                   const std::byte* data) {
    std::size_t count = 0, before = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i == number) before = count;
      count += static_cast<std::size_t>(all[i].count);
    }
    of_averages_.resize(count * sizeof(float));
    std::byte* const copy = of_averages_.data() + before * sizeof(float);
    convert_elements(all[number].type, data, element::f32, copy, all[number].count);
    return copy;
  }
};

}  // namespace tapeless::detail
