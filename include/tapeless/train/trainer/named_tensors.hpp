// SPDX-License-Identifier: BSL-1.0
// The parameters of a trainer or function as named tensors, and how they take the values of others.
#pragma once

#include <algorithm>
#include <compare>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/optim/base/name_pattern.hpp>
#include <tapeless/train/program/parameter_description.hpp>
#include <tapeless/train/program/parameters.hpp>
#include <tapeless/train/program/save_options.hpp>
#include <tapeless/train/program/tensor_conversion.hpp>
#include <tapeless/train/program/tensor_matching.hpp>
#include <tapeless/train/program/tensor_names.hpp>
#include <tapeless/train/trainer/averaged_weights.hpp>
#include <tapeless/train/trainer/float_copies.hpp>
#include <tapeless/train/trainer/weights_guard.hpp>

namespace tapeless::detail {

TAPELESS_SELDOM inline io::tensor_entry entry_of(const parameter_description& p, const std::byte* data) {
  return {std::string(p.label->view()),
          p.type,
          {p.extents().begin(), p.extents().end()},
          {data, static_cast<std::size_t>(p.bytes())}};
}

struct nothing {};
/// As long as what it returns lives, other threads are kept out of a trainer, or change no weights of a
/// function, and what is read of it belongs together.
template <class Net>
[[nodiscard]] auto keep_others_out(Net& net) {
  if constexpr (requires { net.keep_others_out(); }) {
    return net.keep_others_out();
  } else {
    return nothing{};
  }
}
/// The same of `from` while its values go to `to`. Keeps nobody out if `from` is a function on the weights of
/// `to`: the change of `to` does.
template <class From, class To>
[[nodiscard]] auto keep_others_out(From& from, To& to) {
  if constexpr (std::is_same_v<decltype(keep_others_out(from)), weights_guard::reading>) {
    const auto theirs = from.parameter_data();
    if (theirs.empty()) return weights_guard::reading(nullptr);
    for (const std::byte* own : to.parameter_data())
      if (own == theirs[0]) return weights_guard::reading(nullptr);
  }
  return keep_others_out(from);
}

/// Throws an error where a pattern of the options fits no parameter. Of several ranks all call it.
TAPELESS_COLD inline void check_patterns(const save_options& options,
                                         array_view<const parameter_description> all,
                                         std::string_view where) {
  for (const std::string& pattern : options.only) {
    std::string names;
    bool any = false;
    for (const parameter_description& p : all) {
      any = any || fits(pattern, p.label->view());
      append(names, {names.empty() ? "\"" : ", \"", p.label->view(), "\""});
    }
    if (!any) throw_error({where, ": no parameter of the model fits \"", pattern, "\"; there are ", names});
  }
}

/// The parameters that options choose, or all: as they are, or as their float copies where they have some.
/// Others are kept out of the trainer or function as long as they are read; `to` is what they are copied to.
template <class Net>
class named_tensors : public std::vector<io::tensor_entry> {
 public:
  template <class... To>
  TAPELESS_COLD named_tensors(Net& net, bool as_masters, const save_options& options = {}, To&... to)
      : alone_(detail::keep_others_out(net, to...)) {
    const auto data = net.parameter_data();
    reserve(data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
      parameter_description p = net.parameter_descriptions()[i];
      if (!is_wanted(options.only, p.label->view())) continue;
      const std::byte* from = data[i];
      if (const std::byte* master = as_masters ? copies_.of(net, i) : nullptr; master != nullptr) {
        p.type = element::f32;
        from = master;
      }
      push_back(entry_of(p, from));
      back().name.insert(0, options.add_prefix);
    }
  }

 private:
  decltype(detail::keep_others_out(std::declval<Net&>())) alone_;
  float_copies copies_;
};

template <class Net>
list<matched_parameter> parameters_to_match(Net& net) {
  list<matched_parameter> all;
  for (const parameter_description& p : net.parameter_descriptions())
    all.push({p, master_of(net, static_cast<std::size_t>(all.size())) != nullptr});
  return all;
}

/// Stops the compiler where the weights are not the net's own, or it is const.
template <class Net>
constexpr void refuse_fixed_weights() {
  static_assert(
      !std::is_const_v<Net>,
      "tapeless: the weights of a trainer or function that is const do not change: leave its const out "
      "where they are to be loaded or copied into it");
  if constexpr (requires { Net::shares_weights; })
    static_assert(!Net::shares_weights,
                  "tapeless: this function computes with a trainer's weights: change those of the trainer");
}

/// As long as what it returns lives, the net's weights are being changed. Throws an error where a function is
/// called that reads them.
template <class Net>
[[nodiscard]] auto begin_change(Net& net) {
  if constexpr (requires { net.begin_change(); }) {
    return net.begin_change();
  } else {
    return nothing{};
  }
}

/// Where matched tensors are read while the net's parameters are written one after the other. A tensor that
/// lies in a parameter which takes another tensor is copied first: both may be the net's own.
class matched_sources {
 public:
  template <class Net>
  TAPELESS_COLD matched_sources(Net& net, array_view<const matched_tensor> found) {
    const auto data = net.parameter_data();
    list<written> all;
    const auto add = [&](const std::byte* begin, std::int64_t bytes, std::size_t parameter) {
      if (begin != nullptr && bytes > 0) all.push({begin, begin + bytes, parameter});
    };
    for (const matched_tensor& m : found) {
      const parameter_description& p = net.parameter_descriptions()[m.parameter];
      add(data[m.parameter], p.bytes(), m.parameter);
      add(master_of(net, m.parameter), p.count * static_cast<std::int64_t>(sizeof(float)), m.parameter);
    }
    copy_what_overlaps(found, all);
  }
  /// Of number i of them.
  const std::byte* operator[](int i) const { return sources_[i]; }

 private:
  struct written {
    const std::byte *begin, *end;
    std::size_t parameter;
  };
  list<const std::byte*> sources_;
  std::vector<std::byte> copies_;

  // Elements are read in their type.
  static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

  TAPELESS_COLD void copy_what_overlaps(array_view<const matched_tensor> found, list<written>& all) {
    const auto before = [](const std::byte* a, const std::byte* b) {
      return std::compare_three_way{}(a, b) < 0;  // also of separate memory
    };
    std::sort(all.begin(), all.end(),
              [&](const written& a, const written& b) { return before(a.begin, b.begin); });
    for (const matched_tensor& m : found) {
      const array_view<const std::byte> bytes = m.tensor->bytes;
      auto place = std::partition_point(all.begin(), all.end(),
                                        [&](const written& w) { return !before(bytes.data(), w.end); });
      while (place != all.end() && place->parameter == m.parameter) ++place;
      const bool overlaps = place != all.end() && before(place->begin, bytes.end());
      if (overlaps) {
        copies_.insert(copies_.end(), bytes.begin(), bytes.end());
        copies_.resize(aligned(copies_.size()));
      }
      sources_.push(overlaps ? nullptr : bytes.data());
    }
    const std::byte* copy = copies_.data();
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (sources_[i] != nullptr) continue;
      sources_[i] = copy;
      copy += aligned(found[i].tensor->bytes.size());
    }
  }
};

/// The parameters take the values of tensors, their float copies too. Throws one error that lists whatever
/// does not fit, and changes nothing then.
template <class Net>
TAPELESS_COLD void take_tensors(Net& net, array_view<const io::tensor_entry> tensors,
                                const load_options& options, const tensor_origin& origin) {
  refuse_fixed_weights<Net>();
  require_own_weights(net);
  const list<matched_parameter> parameters = parameters_to_match(net);
  const auto found = tensor_matcher(tensors, parameters, options, origin).match();
  [[maybe_unused]] const auto changing = begin_change(net);
  const auto data = net.parameter_data();
  const matched_sources sources(net, found);
  for (int i = 0; i < found.size(); ++i) {
    const matched_tensor& m = found[i];
    const element type = parameters[m.parameter].description.type, from_type = m.tensor->type;
    const std::byte* const from = sources[i];
    if (std::byte* const master = master_of(net, m.parameter))
      convert_elements(from_type, from, element::f32, element_at(master, element::f32, m.first), m.count);
    convert_elements(from_type, from, type, element_at(data[m.parameter], type, m.first), m.count);
  }
}

}  // namespace tapeless::detail
