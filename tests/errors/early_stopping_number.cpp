// SPDX-License-Identifier: BSL-1.0
// A number where a callback takes options.
// lines: 20
// expect: options stand in braces, by their names: tl::early_stopping({.patience = 5})
// reject: no matching
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  tl::early_stopping stopping({.patience = 5});
#else
  tl::early_stopping stopping(5);
#endif
}
