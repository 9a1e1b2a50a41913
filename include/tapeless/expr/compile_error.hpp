// SPDX-License-Identifier: BSL-1.0
// A compile-time error that is one sentence, put together from the program's own names and shapes. Each
// compiler has a form that shows all of it in the line of the error.
#pragma once

#include <utility>

#include <tapeless/graph/core/text.hpp>

namespace tapeless {

/// `message`'s sentence, in just the room that it takes: usable as compile_error's argument.
template <int Size>
constexpr sentence<Size> sentence_of(const text& message) {
  sentence<Size> s;
  // The last one, 0, is written, too: else clang prints a sentence of 64 or 128 characters as numbers.
  for (int i = 0; i <= Size; ++i) s.characters[i] = message.characters[i];
  return s;
}

#if !defined(__CUDACC__) && (__cpp_static_assert >= 202306L || (!defined(__clang__) && __GNUC__ >= 14))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wc++26-extensions"
/// static_assert(compile_error<S>::reported) stops the compiler with the sentence S.
template <sentence S>
struct compile_error {
  static_assert(false, S);
  static constexpr bool reported = true;
};
#pragma GCC diagnostic pop

/// The same of a class that is instantiated, as a base.
template <sentence S>
using error_report = compile_error<S>;

#elif defined(__clang__)

namespace detail {

template <sentence... Parts>
struct the_error_is {
  static constexpr bool said = false, reported = false;  // the names that others have
};

// So many characters of a template argument clang prints in the line of an error.
inline constexpr int printed_characters = 36;

/// Where the part of a sentence ends that starts at `begin`: behind a space, where there is one.
constexpr int end_of_part(std::string_view sentence, int begin) {
  const int size = static_cast<int>(sentence.size());
  if (size - begin <= printed_characters) return size;
  int end = begin + printed_characters;
  while (end > begin && sentence[static_cast<std::size_t>(end - 1)] != ' ') --end;
  return end > begin ? end : begin + printed_characters;
}
constexpr int begin_of_part(std::string_view sentence, int number) {
  int begin = 0;
  while (number-- > 0) begin = end_of_part(sentence, begin);
  return begin;
}
constexpr int count_parts(std::string_view sentence) {
  int count = 0;
  while (begin_of_part(sentence, count) < static_cast<int>(sentence.size())) ++count;
  return count;
}

template <sentence S, int Number>
constexpr auto part_of() {
  constexpr int begin = begin_of_part(S.view(), Number), size = end_of_part(S.view(), begin) - begin;
  sentence<size> part;
  for (int i = 0; i < size; ++i) part.characters[i] = S.characters[begin + i];
  part.characters[size] = 0;
  return part;
}

template <sentence S, class = std::make_integer_sequence<int, count_parts(S.view())>>
struct in_parts;
template <sentence S, int... Number>
struct in_parts<S, std::integer_sequence<int, Number...>> {
  using type = the_error_is<part_of<S, Number>()...>;
};

template <class Error>
struct stop {
  static_assert(Error::said);
};

}  // namespace detail

/// static_assert(compile_error<S>::reported) stops the compiler with the sentence S.
template <sentence S>
using compile_error = typename detail::in_parts<S>::type;

/// The same of a class that is instantiated, as a base.
template <sentence S>
using error_report = detail::stop<compile_error<S>>;

#else

// Never defined: a use of it is refused by its name.
template <sentence>
struct the_error_is;

/// static_assert(compile_error<S>::reported) stops the compiler with the sentence S.
template <sentence S>
struct compile_error {
  static_assert(the_error_is<S>::said);
  static constexpr bool reported = true;
};

/// The same of a class that is instantiated, as a base.
template <sentence S>
using error_report = compile_error<S>;

#endif

}  // namespace tapeless
