// SPDX-License-Identifier: BSL-1.0
// Trainers of several processes that train one network together.
#pragma once

#include <string_view>

namespace tapeless::detail {

/// A trainer that is one of several, which make one fit together: each of its steps waits for theirs.
template <class Net>
concept is_one_of_several = requires { Net::spans_ranks; };

/// Whether what is saved of the trainer is written here: of several, rank 0 does.
template <class Net>
bool writes_files(const Net& net) {
  if constexpr (is_one_of_several<Net>) {
    return net.group().rank() == 0;
  } else {
    return true;
  }
}
/// Before the float copies of parameters are read, which several may have divided: all ranks call it.
template <class Net>
void collect_masters(Net& net, std::string_view who_asks) {
  if constexpr (requires { net.collect_masters(who_asks); }) net.collect_masters(who_asks);
}
/// As writes_files, of what has the float copies.
template <class Net>
bool writes_masters(Net& net) {
  collect_masters(net, "save with tl::masters");
  return writes_files(net);
}

}  // namespace tapeless::detail
