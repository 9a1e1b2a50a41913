// SPDX-License-Identifier: BSL-1.0
// All Fourier transforms, and operations of complex numbers.
#pragma once

#include <tapeless/ops/spectral/angle.hpp>
#include <tapeless/ops/spectral/blackman_window.hpp>
#include <tapeless/ops/spectral/complex.hpp>
#include <tapeless/ops/spectral/complex_abs.hpp>
#include <tapeless/ops/spectral/complex_mul.hpp>
#include <tapeless/ops/spectral/complex_pairs.hpp>
#include <tapeless/ops/spectral/conj.hpp>
#include <tapeless/ops/spectral/cosine_window.hpp>
#include <tapeless/ops/spectral/fft.hpp>
#include <tapeless/ops/spectral/fft2.hpp>
#include <tapeless/ops/spectral/fftfreq.hpp>
#include <tapeless/ops/spectral/fftn.hpp>
#include <tapeless/ops/spectral/fftshift.hpp>
#include <tapeless/ops/spectral/fourier.hpp>
#include <tapeless/ops/spectral/hamming_window.hpp>
#include <tapeless/ops/spectral/hann_window.hpp>
#include <tapeless/ops/spectral/hfft.hpp>
#include <tapeless/ops/spectral/imag.hpp>
#include <tapeless/ops/spectral/polar.hpp>
#include <tapeless/ops/spectral/real.hpp>
#include <tapeless/ops/spectral/rfft.hpp>
#include <tapeless/ops/spectral/stft.hpp>
