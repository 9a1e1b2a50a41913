// SPDX-License-Identifier: BSL-1.0
// The states of a rule that are divided among ranks, as if all were here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/state_division.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// Copies of the states that other ranks have: what they have last been written to, or collect has brought.
class states_of_others {
 public:
  /// Where all states are: `here`, and copies of those that are not.
  array_view<std::byte* const> with(array_view<std::byte* const> here, const state_division& division,
                                    array_view<const state_description> states) {
    all_.assign(here.begin(), here.end());
    copies_.resize(here.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (division.states()[i] == 0) continue;
      copies_[i].resize(static_cast<std::size_t>(states[i].bytes()));
      all_[i] = copies_[i].data();
    }
    return all_;
  }
  /// Brings them from where they are to all ranks, which call it together.
  void collect(process_group& group, array_view<std::byte* const> here, const state_division& division,
               array_view<const state_description> states) {
    with(here, division, states);
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (states[i].of >= 0)
        group.broadcast(array_view<std::byte>(all_[i], static_cast<std::size_t>(states[i].bytes())),
                        division.owner(static_cast<std::size_t>(states[i].of)));
  }
  void forget() { copies_.clear(); }

 private:
  std::vector<std::vector<std::byte>> copies_;
  std::vector<std::byte*> all_;
};

}  // namespace tapeless::detail
