// SPDX-License-Identifier: BSL-1.0
// kept_weights: a copy of a trainer's weights in memory, which can be put back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/train/program/parameter_description.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>

namespace tapeless {

/// The values of a trainer's parameters at one time, running statistics and float copies under mixed
/// precision too; where averaged_weights() stand in for the parameters, these and float copies of them. The
/// rule's states and the number of steps are not among them (see snapshot).
class kept_weights {
 public:
  bool empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }

  /// Keeps those that it has now, in place of those before. Where ranks have divided float copies among them,
  /// all call it.
  template <class Net>
  void keep(Net& net) {
    detail::collect_masters(net, "the keeping of weights");
    [[maybe_unused]] const auto alone = detail::keep_others_out(net);
    detail::float_copies copies;
    keep_all(places_in(net, copies));
    of_ = hash_of_all(net.parameter_descriptions());
  }

  /// Gives the trainer those that were kept. Throws an error, and changes nothing, where none were, those of
  /// parameters of other names, types or shapes, or averaged_weights() stand in for the parameters.
  template <class Net>
  void put_back(Net& net) const {
    detail::require_own_weights(net);
    if (!empty() && of_ != of_a_checkpoint && of_ != hash_of_all(net.parameter_descriptions()))
      throw_error("put_back: weights of other names, types or shapes were kept than this trainer has");
    [[maybe_unused]] const auto changing = detail::begin_change(net);
    detail::float_copies copies;
    put_back_all(places_in(net, copies));
  }

  template <class State>
  void state(State& s) {
    s("weights", bytes_);
    if (s.gives()) of_ = of_a_checkpoint;
  }

 private:
  std::vector<std::byte> bytes_;
  static constexpr std::uint64_t of_a_checkpoint = 0;  // a checkpoint checks its model itself
  std::uint64_t of_ = of_a_checkpoint;                 // or a hash of the parameters' names, types and shapes

  TAPELESS_COLD static std::uint64_t hash_of_all(array_view<const parameter_description> all) {
    std::uint64_t hash = 1;
    const auto add = [&](std::uint64_t x) { hash = (hash ^ x) * 0x9e3779b97f4a7c15u; };
    for (const parameter_description& p : all) {
      add(hash_of(p.label->view()));
      add(static_cast<std::uint64_t>(p.type));
      for (const std::int64_t extent : p.extents()) add(static_cast<std::uint64_t>(extent));
    }
    return hash;
  }

  using places = list<array_view<std::byte>>;

  template <class Net>
  TAPELESS_COLD static places places_in(Net& net, detail::float_copies& copies) {
    places all;
    const auto data = net.parameter_data();
    for (std::size_t i = 0; i < data.size(); ++i) {
      const parameter_description& p = net.parameter_descriptions()[i];
      all.push({data[i], static_cast<std::size_t>(p.bytes())});
      if (std::byte* const master = copies.of(net, i))
        all.push({master, static_cast<std::size_t>(p.count) * sizeof(float)});
    }
    return all;
  }

  // Templates, which programs that keep none do not compile.
  template <class Places>
  TAPELESS_WARM void keep_all(const Places& all) {
    bytes_.clear();
    for (const auto& place : all) bytes_.insert(bytes_.end(), place.begin(), place.end());
  }

  template <class Places>
  TAPELESS_WARM void put_back_all(const Places& all) const {
    std::size_t size = 0;
    for (const auto& place : all) size += place.size();
    if (size != bytes_.size())
      throw_error({"put_back: ", bytes_.size(), " bytes of weights were kept, but this trainer has ", size});
    const std::byte* from = bytes_.data();
    for (const auto& place : all) {
      if (!place.empty()) std::memcpy(place.data(), from, place.size());
      from += place.size();
    }
  }
};

}  // namespace tapeless
