// SPDX-License-Identifier: BSL-1.0
// Types that keep a contract but for one demand, and what the compiler would say of them.
#pragma once

#include <string_view>

#include <tapeless/expr/contract.hpp>

namespace test {

/// What the bases have, taken together: a type that lacks one of them lacks what only that has.
template <class... Parts>
struct made_of : Parts... {};

/// What the sentence says that the contract's subject lacks; nothing where the contract is kept.
template <class Contract>
constexpr bool lacks(std::string_view what) {
  std::string_view all;
  int count = 0;
  for (const tapeless::demand& d : Contract::demands) {
    if (d.is_met) continue;
    all = d.what;
    ++count;
  }
  return count == (what.empty() ? 0 : 1) && all == what && tapeless::is_kept<Contract>() == what.empty();
}

}  // namespace test
