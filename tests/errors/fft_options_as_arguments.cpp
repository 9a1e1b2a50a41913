// SPDX-License-Identifier: BSL-1.0
// Options of Fourier transforms as arguments.
// both compilers
// expect: fft: its options are a template argument: tl::fft<tl::fft_options{.n = 1024}>(z)
// expect: ifft: its options are a template argument: tl::ifft<tl::fft_options{.n = 1024}>(z)
// expect: rfft: its options are a template argument: tl::rfft<tl::fft_options{.n = 1024}>(x)
// expect: irfft: its options are a template argument: tl::irfft<tl::fft_options{.n = 1024}>(z)
// expect: hfft: its options are a template argument: tl::hfft<tl::fft_options{.n = 1024}>(z)
// expect: ihfft: its options are a template argument: tl::ihfft<tl::fft_options{.n = 1024}>(x)
// expect: fft2: its options are a template argument: tl::fft2<tl::fft2_options{.s = {8, 8}}>(z)
// expect: ifft2: its options are a template argument: tl::ifft2<tl::fft2_options{.s = {8, 8}}>(z)
// expect: rfft2: its options are a template argument: tl::rfft2<tl::fft2_options{.s = {8, 8}}>(x)
// expect: irfft2: its options are a template argument: tl::irfft2<tl::fft2_options{.s = {8, 8}}>(z)
// expect: fftn: its options are a template argument: tl::fftn<tl::fftn_options{.s = {8, 8, 8}}>(z)
// expect: ifftn: its options are a template argument: tl::ifftn<tl::fftn_options{.s = {8, 8, 8}}>(z)
// expect: rfftn: its options are a template argument: tl::rfftn<tl::fftn_options{.s = {8, 8, 8}}>(x)
// expect: irfftn: its options are a template argument: tl::irfftn<tl::fftn_options{.s = {8, 8, 8}}>(z)
// expect: stft: its options are a template argument: tl::stft<tl::stft_options{.n_fft = 512}>(x, window)
// expect: istft: its options are a template argument: tl::istft<tl::stft_options{.n_fft = 512}>(z, window)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/ops/spectral.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 8>;
  auto z = tl::input<"z", float, 8, 8, 2>;
  auto window = tl::input<"window", float, 4>;
#ifdef CORRECTED
  constexpr tl::fft_options n{.n = 4};
  constexpr tl::fft2_options s{.s = {4, 4}};
  constexpr tl::fftn_options all{.s = {4, 4}};
  constexpr tl::stft_options pieces{.n_fft = 4};
  return tl::sum(tl::fft<n>(z)) + tl::sum(tl::ifft<n>(z)) + tl::sum(tl::rfft<n>(x)) +
         tl::sum(tl::irfft<n>(z)) + tl::sum(tl::hfft<n>(z)) + tl::sum(tl::ihfft<n>(x)) +
         tl::sum(tl::fft2<s>(z)) + tl::sum(tl::ifft2<s>(z)) + tl::sum(tl::rfft2<s>(x)) +
         tl::sum(tl::irfft2<s>(z)) + tl::sum(tl::fftn<all>(z)) + tl::sum(tl::ifftn<all>(z)) +
         tl::sum(tl::rfftn<all>(x)) + tl::sum(tl::irfftn<all>(z)) +
         tl::sum(tl::istft<pieces>(tl::stft<pieces>(x, window), window));
#else
  return tl::sum(tl::fft(z, 4)) + tl::sum(tl::fft<4>(z)) + tl::sum(tl::ifft(z, 4, -1, "ortho")) +
         tl::sum(tl::rfft(x, 4)) + tl::sum(tl::irfft(z, 4)) + tl::sum(tl::hfft(z, 4)) +
         tl::sum(tl::ihfft(x, 4)) + tl::sum(tl::fft2(z, 4, 4)) + tl::sum(tl::ifft2<4, 4>(z)) +
         tl::sum(tl::rfft2(x, 4, 4)) + tl::sum(tl::irfft2(z, 4)) + tl::sum(tl::fftn(z, 4)) +
         tl::sum(tl::ifftn(z, 4)) + tl::sum(tl::rfftn(x, 4)) + tl::sum(tl::irfftn(z, 4)) +
         tl::sum(tl::stft(x, 4, window)) + tl::sum(tl::stft<4>(x)) + tl::sum(tl::istft(z, 4, 1, 4, window));
#endif
};

int main() { model(); }
