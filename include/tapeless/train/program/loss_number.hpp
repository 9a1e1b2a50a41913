// SPDX-License-Identifier: BSL-1.0
// The type of a loss that is taken as a number.
#pragma once

#include <tapeless/plan/plan.hpp>
#include <tapeless/run/common/element_types.hpp>

namespace tapeless::detail {

template <class GraphBuilder>
constexpr auto zero_of_loss() {
  constexpr auto& g = constant_graph_of<GraphBuilder>;
  if constexpr (g.outputs.size() == 0) {
    return 0.0f;
  } else {
    return computed_as<g.nodes[g.outputs[0].node].type>();
  }
}
/// That in which the first output is computed; a number also where that is no loss, whose use is refused.
template <class GraphBuilder>
using loss_number = decltype(zero_of_loss<GraphBuilder>());

}  // namespace tapeless::detail
