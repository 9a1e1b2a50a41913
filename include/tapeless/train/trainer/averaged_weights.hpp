// SPDX-License-Identifier: BSL-1.0
// Other values in the place of a trainer's parameters, for a while.
#pragma once

#include <cstring>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/train/program/parameters.hpp>

namespace tapeless {

/// As long as it lives, parameters have other values; then they are again what they were.
template <class Memory>
class weights_in_use {
 public:
  /// `replace` gives the parameters their other values.
  template <class Replace>
  weights_in_use(bool& flag, array_view<const parameter_description> parameters,
                 const parameter_memory<Memory>& values, Replace replace)
      : flag_(flag), parameters_(parameters), values_(values) {
    if (flag_) throw_error("averaged_weights() stand in for the parameters already");
    const auto data = values.pointers();
    for (std::size_t i = 0; i < data.size(); ++i)
      kept_.insert(kept_.end(), data[i], data[i] + parameters[i].bytes());
    replace();
    flag_ = true;
  }
  ~weights_in_use() {
    const std::byte* from = kept_.data();
    const auto data = values_.pointers_to_overwrite();
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto bytes = static_cast<std::size_t>(parameters_[i].bytes());
      std::memcpy(data[i], from, bytes);
      from += bytes;
    }
    flag_ = false;
  }
  weights_in_use(const weights_in_use&) = delete;
  weights_in_use& operator=(const weights_in_use&) = delete;

 private:
  bool& flag_;
  array_view<const parameter_description> parameters_;
  const parameter_memory<Memory>& values_;
  std::vector<std::byte> kept_;
};

}  // namespace tapeless
