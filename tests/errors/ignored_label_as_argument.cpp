// SPDX-License-Identifier: BSL-1.0
// PyTorch's ignore_index and a mask in the place of class weights.
// both compilers
// expect: cross_entropy: its third operand are weights, and numbers are options, which are template arguments: tl::cross_entropy<tl::loss{.ignore_index = -100}>(logits, labels)
// expect: nll_loss: its third operand are weights, and numbers are options, which are template arguments: tl::nll_loss<tl::loss{.ignore_index = -100}>(log_probabilities, labels)
// expect: class weights of the same element type, one for each class, and a mask of rows as tl::sample_weights(tl::cast<float>(mask))
// reject: no matching
// reject: no match for
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  auto y = tl::input<"y", int, 8>;
#ifdef CORRECTED
  return tl::cross_entropy<tl::loss{.ignore_index = -100}>(x, y) +
         tl::nll_loss<tl::loss{.ignore_index = -100}>(tl::log_softmax(x), y) +
         tl::cross_entropy(x, y, tl::sample_weights(tl::cast<float>(y > y)));
#else
  return tl::cross_entropy(x, y, -100) + tl::nll_loss(tl::log_softmax(x), y, -100) +
         tl::cross_entropy(x, y, y > y);
#endif
};

int main() { model(); }
