// SPDX-License-Identifier: BSL-1.0
// A compile-time error that is one sentence, put together from the program's own names and shapes.
#pragma once

#include <tapeless/graph/core/text.hpp>

namespace tapeless {

#if defined(__clang__)
// clang shortens a template argument in the assertion's own line, but prints a concept's in full.
template <sentence S>
concept nothing_wrong = S.characters[0] == 0;
#else
template <sentence S>
inline constexpr bool nothing_wrong = S.characters[0] == 0;
#endif

/// Instantiated to stop the compiler: its argument, which both compilers print in full, is the sentence.
template <sentence S>
struct compile_error {
  static_assert(nothing_wrong<S>,
                "tapeless: the sentence in compile_error<sentence{\"...\"}> says what is wrong");
  static constexpr bool reported = true;
};

/// `message`'s sentence, in just the room that it takes: usable as compile_error's argument.
template <int Size>
constexpr sentence<Size> sentence_of(const text& message) {
  sentence<Size> s;
  // The last one, 0, is written, too: else clang prints a sentence of 64 or 128 characters as numbers.
  for (int i = 0; i <= Size; ++i) s.characters[i] = message.characters[i];
  return s;
}

}  // namespace tapeless
