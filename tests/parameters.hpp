// SPDX-License-Identifier: BSL-1.0
// A trainer's parameters, as numbers and as bytes that can be compared.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace test {

/// All parameters, one after the other.
template <class Net>
std::vector<double> all_parameters(Net& net) {
  std::vector<double> all;
  for (const auto& p : net.parameters()) all.insert(all.end(), p.begin(), p.end());
  return all;
}

/// The bytes of all parameters and buffers, one after the other.
template <class Net>
std::string bytes_of_parameters(Net& net) {
  std::string bytes;
  const auto descriptions = net.parameter_descriptions();
  for (std::size_t i = 0; i < descriptions.size(); ++i)
    bytes.append(reinterpret_cast<const char*>(net.parameter_data()[i]),
                 static_cast<std::size_t>(descriptions[i].bytes()));
  return bytes;
}

}  // namespace test
