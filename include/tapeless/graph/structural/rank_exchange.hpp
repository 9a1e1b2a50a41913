// SPDX-License-Identifier: BSL-1.0
// What processes that compute together do with a value: how a node says it.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/node.hpp>

namespace tapeless {

/// What becomes of a node's elements, behind the command that computes them.
enum class rank_exchange : std::uint8_t {
  none,
  sum,     // they are added up over all ranks
  gather,  // element r of the first axis becomes what it is on rank r
  rank     // each becomes this process's number; of the first axis there are as many as ranks
};

/// Such a node is a concat of one operand: a copy in memory of its own, which nothing else is computed with.
constexpr rank_exchange exchange_of(const node& n) {
  return n.op->kind == family::concat ? static_cast<rank_exchange>(n.attributes[1]) : rank_exchange::none;
}
constexpr void set_exchange(node& n, rank_exchange exchange) {
  n.attributes[1] = static_cast<std::int64_t>(exchange);
}

}  // namespace tapeless
