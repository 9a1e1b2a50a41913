// SPDX-License-Identifier: BSL-1.0
// All Fourier transforms, and operations of complex numbers.
#pragma once

#include <tapeless/ops/spectral/complex.hpp>
#include <tapeless/ops/spectral/fft.hpp>
#include <tapeless/ops/spectral/fft2.hpp>
#include <tapeless/ops/spectral/fftfreq.hpp>
#include <tapeless/ops/spectral/fftshift.hpp>
#include <tapeless/ops/spectral/fourier.hpp>
#include <tapeless/ops/spectral/hann_window.hpp>
#include <tapeless/ops/spectral/hfft.hpp>
#include <tapeless/ops/spectral/rfft.hpp>
#include <tapeless/ops/spectral/stft.hpp>
