// SPDX-License-Identifier: BSL-1.0
// What Fourier transforms do not take.
// expect: fft of a value of the shape [2, 3]: complex numbers are pairs along a last axis of 2; complex(x, 0_c) makes them of real ones
// expect: rfft got an operand of the element type std::int32_t: it takes floating-point numbers; tl::cast<float>(x) converts
// expect: ifft of a value of the shape [3, 2]: it has no axis 1
// expect: irfft of a value of the shape [1, 2]: a signal of 0 numbers has no transform
// expect: irfft of a value of the shape [n, 0, 2]: a signal of 0 numbers has no transform
// expect: fft2 of a value of the shape [4, 3, 2]: its axes -1 and 1 are the same one
// expect: fftn of a value of the shape [3, 2]: its axes -1 and 0 are the same one
// expect: rfftn of a value of the shape [2, 3]: it takes one axis or more, and one length for each, got 1 and 2
// expect: complex_mul of a value of the shape [3]: complex numbers are pairs along a last axis of 2
// expect: fftshift of a value of the shape [n]: the extent of axis 0 must be an integer
// expect: stft of a value of the shape [2, 3, 4]: it takes [.., length]
// expect: stft got x float[8] and window float[3]: it takes a window of 4 elements of x's type
// expect: istft of a value of the shape [4, 5, 2]: it takes [.., 3, pieces, 2]
// expect: istft of a value of the shape [n, 3, 0, 2]: there is no piece
// expect: stft of pieces of 2 elements, 0 apart, with a window of 2: all three are 1 or more, and the window no longer than a piece
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/spectral.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto z = tl::input<"z", float, 3, 2>;
  auto signal = tl::input<"signal", float, 8>;
  auto window = tl::input<"window", float, 4>;
  constexpr tl::stft_options four{.n_fft = 4};
#ifndef CORRECTED
  tl::fft(x);
  tl::rfft(tl::input<"i", int, 4>);
  tl::ifft<tl::fft_options{.axis = 1}>(z);
  tl::irfft(tl::input<"one", float, 1, 2>);
  tl::irfft(tl::input<"none", float, tl::dyn<"n">, 0, 2>);
  tl::fft2<tl::fft2_options{.axes = {-1, 1}}>(tl::input<"image", float, 4, 3, 2>);
  tl::fftn<tl::fftn_options{.axes = {-1, 0}}>(z);
  tl::rfftn<tl::fftn_options{.s = {2, 2}, .axes = {0}}>(x);
  tl::complex_mul(tl::input<"v", float, 3>, z);
  tl::fftshift<0>(tl::input<"any", float, tl::dyn<"n">>);
  tl::stft<four>(tl::input<"volume", float, 2, 3, 4>);
  tl::stft<four>(signal, tl::input<"short", float, 3>);
  tl::istft<four>(tl::input<"spectra", float, 4, 5, 2>);
  tl::istft<four>(tl::input<"no_pieces", float, tl::dyn<"n">, 3, 0, 2>);
  tl::stft<tl::stft_options{.n_fft = 2}>(signal);
#endif
  return tl::complex_mul(tl::fft(tl::complex(x, 0_c)), tl::ifft<tl::fft_options{.axis = 0}>(z)) +
         tl::slice<0, 0, 2>(tl::slice<1, 0, 3>(tl::stft<four>(signal, window))) *
             tl::slice<1, 0, 3>(tl::reshape<1, 3, 2>(z));
};

int main() { model(); }
