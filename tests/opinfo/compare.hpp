// SPDX-License-Identifier: BSL-1.0
// Compares what a case's graph gives, its derivatives too, with what PyTorch gave.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tapeless/graph/core/graph.hpp>
#include <tapeless/io/safetensors.hpp>

namespace opinfo {

/// A sample: its name, under which its tensors are stored, and the function that adds its operation to a
/// graph: of the inputs x0, x1, ..., with the outputs y0, y1, ...
struct sample_case {
  const char* name;
  void (*build)(tapeless::graph&);
  double tolerance;
};

/// How far the parts of one case are from PyTorch's, as the largest |got - want| / (1 + the largest |want|);
/// below zero where PyTorch has none. `problem` says why there is nothing to compare.
struct comparison {
  double values = -1, gradients = -1, second = -1;
  double modes = -1;  // forward mode against reverse mode, both the library's
  std::string problem;
};

/// All cases of the program: what is generated defines it.
std::vector<sample_case> all_cases();

comparison compare(const sample_case& one, const tapeless::io::safetensors& stored);

}  // namespace opinfo
