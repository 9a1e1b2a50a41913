// SPDX-License-Identifier: BSL-1.0
// Contracts: what a type must have to be used as something, each demand with the words that name it. A
// contract is written once; the concept and the sentence about what is missing both come from it.
#pragma once

#include <string_view>
#include <type_traits>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/graph/core/type_text.hpp>

namespace tapeless {

/// One demand of a contract: whether the type meets it, and what it asks for.
struct demand {
  bool is_met;
  std::string_view what;
};

/// Whether all demands are met. A contract is a class with
///   subject   the type in question
///   noun      what the type is where it keeps the contract: "metric"
///   demands   an array of demand, whose bound is written: nvcc does not find it by itself
/// and may have
///   instead   what to write in place of a subject that is something else; else it is empty
///   called    what such a subject is, where that says more than its type's name; else it is empty
template <class Contract>
constexpr bool is_kept() {
  for (const demand& d : Contract::demands)
    if (!d.is_met) return false;
  return true;
}

namespace detail {

template <class Contract>
constexpr text name_of_subject() {
  if constexpr (requires { Contract::called; })
    if (!Contract::called.empty()) return text() << Contract::called;
  constexpr std::string_view subject = type_text<typename Contract::subject>();
  constexpr std::size_t room = 120;
  return text() << "`" << subject.substr(0, room) << (subject.size() > room ? "..." : "") << "`";
}

template <class Contract>
constexpr text broken_contract() {
  text t = name_of_subject<Contract>();
  t << " is no " << Contract::noun;
  if constexpr (requires { Contract::instead; })
    if (!Contract::instead.empty()) return t << ": " << Contract::instead;
  t << "; it lacks: ";
  bool first = true;
  for (const demand& d : Contract::demands) {
    if (d.is_met) continue;
    t << (first ? "" : "; ") << d.what;
    first = false;
  }
  return t;
}

}  // namespace detail

/// Stops the compiler with the sentence that says what is missing, where a contract is not kept. A base
/// class, so that nothing else is said; where it is not one, ::reported is asked for.
template <class Contract, bool Kept = is_kept<Contract>()>
struct contract_report {
  static constexpr bool reported = true;
};
template <class Contract>
struct contract_report<Contract, false> : error_report<sentence_of<detail::broken_contract<Contract>().size>(
                                              detail::broken_contract<Contract>())> {};

/// Whether all contracts are kept; the compiler is stopped with a sentence for each that is not.
template <class... Contracts>
constexpr bool require_contracts() {
  if constexpr ((is_kept<Contracts>() && ...)) {
    return true;  // by far the most of them, so that nothing else is instantiated
  } else {
    static_assert((contract_report<Contracts>::reported && ...));
    return false;
  }
}

}  // namespace tapeless
