// SPDX-License-Identifier: BSL-1.0
// How the cases of clipped gradients are written.
#pragma once

#include <string>

#include "stored_case.hpp"

namespace reference {

namespace detail {

inline std::string clip(const stored_case& c) {
  const json& hyper = c.metadata()["hyper"];
  if (c.op() == "clip_grad_value") return "tl::clip_by_value(" + literal(hyper["clip_value"].number()) + ")";
  return "tl::clip_by_global_norm(" + literal(hyper["max_norm"].number()) + ", tl::order<" +
         order(hyper["norm_type"]) + ">)";
}

}  // namespace detail

/// The call that clips the two gradients of a case and compares. Cases with the same shapes share a model.
inline std::string clipping_call(const stored_case& c, const std::string& file) {
  const auto extents = [&](const std::string& role) {
    return "reference::extents<" + listed(c.shape(role)) + ">";
  };
  return "reference::check_clipping(reference::two_gradients<" + extents("grad_a") + ", " +
         extents("grad_b") + ">{}, " + detail::clip(c) + ", " + quoted(file) + ", " + quoted(c.name()) + ");";
}

}  // namespace reference
