// SPDX-License-Identifier: BSL-1.0
// The sentence for operands that do not fit one another.
#pragma once

#include <initializer_list>

#include <tapeless/graph/core/value.hpp>

namespace tapeless::detail {

/// An operand and what a sentence calls it.
struct named_operand {
  std::string_view name;
  value v;
};

/// "OP got NAME float[3] and NAME float[4]: it takes TAKES"
constexpr value do_not_fit(std::string_view op, std::initializer_list<named_operand> operands,
                           std::string_view takes) {
  text t;
  t << op << " got ";
  for (const named_operand& x : operands) {
    t << (&x == operands.begin()     ? ""
          : &x + 1 == operands.end() ? " and "
                                     : ", ")
      << x.name << " " << name_of(x.v.type());
    x.v.builder->describe_shape(t, x.v.get());
  }
  return operands.begin()->v.fail(t << ": it takes " << takes);
}

}  // namespace tapeless::detail
