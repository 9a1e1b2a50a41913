// SPDX-License-Identifier: BSL-1.0
// compare FILE: compares all cases with the tensors of the file, a line for each: its name, how far values,
// gradients, second derivatives and the two modes are off, and what is wrong, with tabs between. Fails if
// anything is.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "compare.hpp"

namespace {

/// What is further off than the case's tolerance allows: derivatives lose digits.
std::string off(const opinfo::comparison& c, double tolerance) {
  std::string text;
  const auto judge = [&](const char* part, double by, double limit) {
    if (!(by <= limit)) text += (text.empty() ? "" : ", ") + std::string(part) + " by " + std::to_string(by);
  };
  judge("values", c.values, tolerance);
  judge("gradients", c.gradients, 10 * tolerance);
  judge("second derivatives", c.second, 100 * tolerance);
  judge("forward mode", c.modes, 100 * tolerance);
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 2) throw tapeless::error("compare FILE");
    const auto stored = tapeless::io::safetensors::read(arguments[1]);
    int cases = 0, wrong = 0;
    for (const opinfo::sample_case& one : opinfo::all_cases()) {
      opinfo::comparison c = opinfo::compare(one, stored);
      if (c.problem.empty()) c.problem = off(c, one.tolerance);
      std::printf("%s\t%g\t%g\t%g\t%g\t%s\n", one.name, c.values, c.gradients, c.second, c.modes,
                  c.problem.c_str());
      std::fflush(stdout);
      ++cases;
      wrong += c.problem.empty() ? 0 : 1;
    }
    std::fprintf(stderr, "%d of %d cases are wrong\n", wrong, cases);
    return wrong == 0 && cases > 0 ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
