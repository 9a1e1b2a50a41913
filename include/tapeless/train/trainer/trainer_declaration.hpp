// SPDX-License-Identifier: BSL-1.0
// The name of the class that trains, for policies that have one of their own.
#pragma once

namespace tapeless {

template <class Model, class Rule, class Policy, class Timing>
class trainer;

}  // namespace tapeless
