// SPDX-License-Identifier: BSL-1.0
// Fourier transforms: laws, PyTorch's values, sums that say what a transform is for lengths of many kinds,
// and the same bits on any number of threads.
#include <tapeless/ops/spectral.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "laws/laws.hpp"

using laws::part;

// Odd and even lengths, along both axes, cropped and padded; what is multiplied is seen by second
// derivatives.
TAPELESS_LAW(transforms, 12, 8, -1, 1,
             tl::complex_mul(tl::fft<tl::fft_options{.n = 4}>(part<0, 6, 2>(z)),
                             tl::ifft<tl::fft_options{.norm = tl::fft_norm::ortho}>(part<4, 4, 2>(z))))
TAPELESS_LAW(transforms_along_columns, 12, 12, -1, 1,
             tl::fft<tl::fft_options{.n = 3, .axis = 0}>(part<0, 2, 2, 2>(z)) *
                     (tl::fft2(part<0, 3, 2, 2>(z)) + tl::rfft2(part<0, 3, 2>(z))) +
                 tl::square(tl::ifft2(part<0, 3, 2, 2>(z))))
TAPELESS_LAW(transforms_of_real_numbers, 12, 16, -1, 1,
             tl::complex_mul(tl::rfft<tl::fft_options{.n = 7}>(part<0, 2, 6>(z)),
                             tl::ihfft(part<0, 2, 6>(z))))
TAPELESS_LAW(transforms_to_real_numbers, 12, 14, -1, 1,
             tl::concat<0>(tl::irfft<tl::fft_options{.n = 5}>(part<0, 4, 2>(z)) * part<0, 5>(z),
                           tl::irfft(part<0, 3, 2>(z)) * tl::hfft(part<6, 3, 2>(z)),
                           tl::reshape<5>(tl::irfft2<tl::fft2_options{.s = {1, 5}}>(part<0, 1, 3, 2>(z))) *
                               part<2, 5>(z)))
TAPELESS_LAW(pieces_of_signals, 9, 8, -1, 1,
             tl::istft<tl::stft_options{.n_fft = 4, .length = 8}>(
                 tl::stft<tl::stft_options{.n_fft = 4}>(part<0, 8>(z), 1.5_c + part<5, 4>(z)),
                 1.5_c + part<5, 4>(z)) *
                 part<1, 8>(z))
TAPELESS_LAW(complex_numbers, 8, 8, 0.5, 1.5,
             tl::conj(tl::polar(tl::complex_abs(part<0, 4, 2>(z)), 0.5_c * tl::angle(part<0, 4, 2>(z)))) *
                 tl::complex(tl::imag(part<0, 4, 2>(z)), tl::real(part<0, 4, 2>(z))))

namespace {

struct as_in_torch {
  constexpr auto operator()() const {
    auto l = tl::input<"l", double, 12>;
    auto w = tl::input<"w", double, 4>;
    auto w3 = tl::input<"w3", double, 3>;
    const auto x = tl::reshape<2, 6>(l);
    const auto z = tl::reshape<6, 2>(l);
    const auto zs = tl::reshape<3, 2, 2>(l);
    const auto volume = tl::reshape<1, 3, 2, 2>(l);
    constexpr tl::stft_options both_sides{
        .n_fft = 5, .hop_length = 3, .win_length = 3, .center = false, .normalized = true, .onesided = false};
    const auto turns = tl::polar(1_c, 0.3_c * tl::iota<double, 13>());
    const auto spectra = tl::stft<tl::stft_options{.n_fft = 4}>(l, w);
    return tl::outputs(
        tl::named<"fft">(tl::fft(z)),
        tl::named<"fft_cropped">(tl::fft<tl::fft_options{.n = 5, .norm = tl::fft_norm::forward}>(z)),
        tl::named<"fft_columns">(
            tl::fft<tl::fft_options{.n = 4, .axis = 0, .norm = tl::fft_norm::ortho}>(zs)),
        tl::named<"ifft">(tl::ifft(z)),
        tl::named<"ifft_ortho">(tl::ifft<tl::fft_options{.n = 4, .norm = tl::fft_norm::ortho}>(z)),
        tl::named<"ifft_forward">(tl::ifft<tl::fft_options{.norm = tl::fft_norm::forward}>(z)),
        tl::named<"rfft">(tl::rfft(x)),
        tl::named<"rfft_ortho">(tl::rfft<tl::fft_options{.n = 5, .norm = tl::fft_norm::ortho}>(x)),
        tl::named<"rfft_columns">(
            tl::rfft<tl::fft_options{.n = 3, .axis = 0, .norm = tl::fft_norm::forward}>(x)),
        tl::named<"irfft">(tl::irfft(z)),
        tl::named<"irfft_odd">(tl::irfft<tl::fft_options{.n = 7, .norm = tl::fft_norm::ortho}>(z)),
        tl::named<"irfft_columns">(
            tl::irfft<tl::fft_options{.n = 3, .axis = 0, .norm = tl::fft_norm::forward}>(zs)),
        tl::named<"hfft">(tl::hfft(z)),
        tl::named<"hfft_odd">(tl::hfft<tl::fft_options{.n = 7, .norm = tl::fft_norm::ortho}>(z)),
        tl::named<"hfft_forward">(tl::hfft<tl::fft_options{.n = 4, .norm = tl::fft_norm::forward}>(z)),
        tl::named<"ihfft">(tl::ihfft(x)),
        tl::named<"ihfft_ortho">(tl::ihfft<tl::fft_options{.n = 5, .norm = tl::fft_norm::ortho}>(x)),
        tl::named<"fft2">(tl::fft2(zs)),
        tl::named<"ifft2">(tl::ifft2<tl::fft2_options{.s = {2, 3}, .norm = tl::fft_norm::ortho}>(zs)),
        tl::named<"rfft2">(tl::rfft2(x)),
        tl::named<"rfft2_turned">(
            tl::rfft2<tl::fft2_options{.axes = {1, 0}, .norm = tl::fft_norm::forward}>(x)),
        tl::named<"irfft2">(tl::irfft2(zs)),
        tl::named<"irfft2_padded">(tl::irfft2<tl::fft2_options{.s = {4, 3}}>(zs)),
        tl::named<"rfftn">(tl::rfftn(tl::reshape<2, 2, 3>(l))),
        tl::named<"fftn">(
            tl::fftn<tl::fftn_options{.s = {2, 3}, .axes = {2, 0}, .norm = tl::fft_norm::ortho}>(volume)),
        tl::named<"ifftn">(tl::ifftn<tl::fftn_options{.s = {2, 2}}>(volume)),
        tl::named<"irfftn">(tl::irfftn<tl::fftn_options{.norm = tl::fft_norm::forward}>(volume)),
        tl::named<"stft">(tl::stft<tl::stft_options{.n_fft = 4}>(l)),
        tl::named<"stft_window">(tl::stft<tl::stft_options{.n_fft = 4, .hop_length = 2}>(x, w)),
        tl::named<"stft_both_sides">(tl::stft<both_sides>(l, w3)),
        tl::named<"stft_zeros">(
            tl::stft<tl::stft_options{
                .n_fft = 6, .hop_length = 3, .win_length = 5, .pad_mode = tl::padding_mode::zeros}>(l)),
        tl::named<"istft">(tl::istft<tl::stft_options{.n_fft = 4}>(tl::complex_mul(spectra, turns), w)));
  }
};

}  // namespace

TEST_CASE("transforms are PyTorch's") {
  test::on_each_policy([]<class Policy>() {
    tl::function<as_in_torch, Policy> f{as_in_torch{}};
    auto y = f("l"_t = std::vector<double>{0.5, -1, 2, 0.25, -0.75, 1.5, 1, -0.5, 0.125, 3, -2, 0.6},
               "w"_t = std::vector<double>{0, 0.5, 1, 0.5}, "w3"_t = std::vector<double>{0.5, 1, 0.25});
    const auto check = [&](std::string_view name, const auto& view, const std::vector<double>& expected) {
      INFO(name);
      REQUIRE(view.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(view[i] == test::Approx(expected[i]).epsilon(0).margin(1e-10));
    };
    check("fft", y.template get<"fft">(),
          {0.875, 3.85, -1.789646997, -5.03132938683, 2.80842921435, -8.39687384345, -1.125, 3.15,
           0.816570785648, 0.0468738434491, 1.414646997, 0.381329386826});
    check("fft_cropped", y.template get<"fft_cropped">(),
          {0.575, 0.65, -0.0970856101547, -0.31186370784, -0.93208586817, -1.21734689778, 0.475323122388,
           -0.110768397156, 0.478848355936, -0.010020997223});
    check("fft_columns", y.template get<"fft_columns">(),
          {-0.0625, 1.75, 0.5, 0.175, 0.9375, -1.625, 1.75, -0.675, 0.6875, 0.25, -0.5, 0.675, -0.5625,
           -2.375, 2.25, 0.325});
    check("ifft", y.template get<"ifft">(),
          {0.145833333333, 0.641666666667, 0.2357744995, 0.0635548978044, 0.136095130941, 0.00781230724152,
           -0.1875, 0.525, 0.468071535725, -1.39947897391, -0.2982744995, -0.838554897804});
    check("ifft_ortho", y.template get<"ifft_ortho">(), {1.375, 0.125, 0.25, -0.75, -1.625, 0.375, 1, -1.75});
    check("ifft_forward", y.template get<"ifft_forward">(),
          {0.875, 3.85, 1.414646997, 0.381329386826, 0.816570785648, 0.0468738434491, -1.125, 3.15,
           2.80842921435, -8.39687384345, -1.789646997, -5.03132938683});
    check("rfft", y.template get<"rfft">(),
          {2.5, 0, -0.125, -0.216506350946, -0.125, 4.54663336987, 1, 0, 2.225, 0, -1.0125, -0.887676038879,
           4.8875, 2.7929319272, -3.975, 0});
    check("rfft_ortho", y.template get<"rfft_ortho">(),
          {0.4472135955, 0, -0.832294901688, -0.35368337206, 1.16770509831, 0.810035846323, 0.726722092687, 0,
           -1.0289135288, 0.117750367407, 1.7835864712, -1.6171088711});
    check("rfft_columns", y.template get<"rfft_columns">(),
          {0.5,
           0,
           -0.5,
           0,
           0.708333333333,
           0,
           1.08333333333,
           0,
           -0.916666666667,
           0,
           0.7,
           0,
           0,
           -0.288675134595,
           -0.25,
           0.144337567297,
           0.645833333333,
           -0.0360843918244,
           -0.416666666667,
           -0.866025403784,
           0.0833333333333,
           0.57735026919,
           0.4,
           -0.173205080757});
    check("irfft", y.template get<"irfft">(),
          {0.325, -0.12704629239, 0.228848355936, -0.0833551099927, 0.225323122388, -0.475, -1.18208586817,
           0.917904260274, -0.347085610155, 1.01749714211});
    check("irfft_odd", y.template get<"irfft_odd">(),
          {1.88982236505, -0.512524688328, 0.846906865044, -0.521844795658, -2.86785553147, 0.822448195283,
           1.66592324562});
    check("irfft_columns", y.template get<"irfft_columns">(),
          {-1, 4, -1.34807621135, 1.86602540378, 3.84807621135, 0.133974596216});
    check("hfft", y.template get<"hfft">(),
          {3.25, 10.1749714211, -3.47085610155, 9.17904260274, -11.8208586817, -4.75, 2.25323122388,
           -0.833551099927, 2.28848355936, -1.2704629239});
    check("hfft_odd", y.template get<"hfft_odd">(),
          {1.88982236505, 1.66592324562, 0.822448195283, -2.86785553147, -0.521844795658, 0.846906865044,
           -0.512524688328});
    check("hfft_forward", y.template get<"hfft_forward">(), {0.9375, 0.4375, -1.0625, 0.1875});
    check("ihfft", y.template get<"ihfft">(),
          {0.416666666667, 0, -0.0208333333333, 0.0360843918244, -0.0208333333333, -0.757772228311,
           0.166666666667, 0, 0.370833333333, 0, -0.16875, 0.14794600648, 0.814583333333, -0.465488654534,
           -0.6625, 0});
    check("ihfft_ortho", y.template get<"ihfft_ortho">(),
          {0.4472135955, 0, -0.832294901688, 0.35368337206, 1.16770509831, -0.810035846323, 0.726722092687, 0,
           -1.0289135288, -0.117750367407, 1.7835864712, 1.6171088711});
    check("fft2", y.template get<"fft2">(),
          {0.875, 3.85, -1.125, 3.15, 1.06083395016, -4.89030398304, -2.03391016151, -0.0941515603353,
           5.56416604984, -1.20969601696, -1.34108983849, -6.80584843966});
    check("ifft2", y.template get<"ifft2">(),
          {1.12268279878, 0.102062072616, -0.626046160663, 1.31581535332, -0.80282285596, -0.80550499024,
           0.918558653544, -0.714434508312, 0.0410211749029, -0.82016044449, 0.571351260793, -1.52726722568});
    check("rfft2", y.template get<"rfft2">(),
          {4.725, 0, -1.1375, -1.10418238983, 4.7625, 7.33956529707, -2.975, 0, 0.275, 0, 0.8875,
           0.671169687933, -5.0125, 1.75370144266, 4.975, 0});
    check("rfft2_turned", y.template get<"rfft2_turned">(),
          {0.39375,         0, -0.0947916666667, -0.0920151991521, 0.396875,         0.611630441423,
           -0.247916666667, 0, 0.396875,         -0.611630441423,  -0.0947916666667, 0.0920151991521,
           0.0229166666667, 0, 0.0739583333333,  0.0559308073277,  -0.417708333333,  0.146141786889,
           0.414583333333,  0, -0.417708333333,  -0.146141786889,  0.0739583333333,  -0.0559308073277});
    check("irfft2", y.template get<"irfft2">(),
          {0.145833333333, -0.1875, 0.927361008307, -0.223514973081, 0.17680565836, -0.338985026919});
    check("irfft2_padded", y.template get<"irfft2_padded">(),
          {0.15625, -0.144268148554, -0.0432318514459, 0.65625, -0.562569418743, -0.374930581257,
           -0.0520833333333, 0.00306095081517, 0.392772382518, 0.739583333333, 0.0594390491848,
           -0.330272382518});
    check("rfftn", y.template get<"rfftn">(),
          {4.725, 0, 4.7625, 7.33956529707, -0.475, 0, -2.3875, -1.06088111964, 0.275, 0, -5.0125,
           1.75370144266, 1.475, 0, 2.6375, 2.35991922531});
    const std::vector<double> plane{1.02062072616,  -0.306186217848, -0.612372435696, -0.510310363080,
                                    0.102062072616, 0.408248290464,  -0.714434508312, 0.816496580928,
                                    -0.76546554462, 1.46969384567,   0.867527617236,  0.979795897113};
    std::vector<double> three_times;
    for (int i = 0; i < 3; ++i) three_times.insert(three_times.end(), plane.begin(), plane.end());
    check("fftn", y.template get<"fftn">(), three_times);
    check("ifftn", y.template get<"ifftn">(),
          {0.6875, 0.0625, -0.8125, 0.1875, 0.5625, -0.4375, 0.0625, -0.8125});
    check("irfftn", y.template get<"irfftn">(),
          {0.875, -1.125, 5.56416604984, -1.34108983849, 1.06083395016, -2.03391016151});
    check("stft", y.template get<"stft">(),
          {0.5, 0,      0.5,    0,      1.75, 0,     0.5,    0,      3,    0,    2,     0,    1.25,
           0,   2.125,  0,      3.625,  0,    0.625, 0,      1.725,  0,    -0.4, 0,     -0.4, 0,
           1.5, 0,      0,      1.5,    -1.5, 1.25,  -1.25,  -2.75,  2.75, 1.25, -1.25, 1.75, -1.75,
           -2,  2,      -0.875, 0.875,  3.5,  -3.5,  -2.125, 2.125,  -2.4, 2.4,  0,     0,    2.4,
           4.5, 0,      -4.5,   0,      3.25, 0,     -2,     0,      -0.5, 0,    1.5,   0,    -0.75,
           0,   -0.125, 0,      -1.375, 0,    4.375, 0,      -5.475, 0,    7.6,  0,     -7.6, 0});
    check(
        "stft_window", y.template get<"stft_window">(),
        {-0.5, 0, 1.625,  0,    0.125,  0,    0.125,  0,   -0.5, 0, -2,     0.625, 0.75, 0.625, 0.75, -0.625,
         1.5,  0, 2.375,  0,    -1.625, 0,    -1.625, 0,   0.5,  0, 1.375,  0,     -0.2, 0,     -0.2, 0,
         -1,   0, -0.125, 1.75, 2,      -1.2, 2,      1.2, 1.5,  0, -1.125, 0,     -3.8, 0,     -3.8, 0});
    check("stft_both_sides", y.template get<"stft_both_sides">(), {0.698771242969,  0,
                                                                   0.614918693812,  0,
                                                                   0.279508497187,  0,
                                                                   -0.815317810742, -0.296639312777,
                                                                   -0.684979673453, -0.169084918508,
                                                                   -0.351127124297, 0.270622323581,
                                                                   0.465932189258,  0.955500748621,
                                                                   0.377520326547,  0.630231338742,
                                                                   0.211372875703,  -0.200111988595,
                                                                   0.465932189258,  -0.955500748621,
                                                                   0.377520326547,  -0.630231338742,
                                                                   0.211372875703,  0.200111988595,
                                                                   -0.815317810742, 0.296639312777,
                                                                   -0.684979673453, 0.169084918508,
                                                                   -0.351127124297, -0.270622323581});
    check("stft_zeros", y.template get<"stft_zeros">(), {-0.5,    0,
                                                         1,       0,
                                                         1.5,     0,
                                                         1.625,   0,
                                                         1.6,     0,
                                                         0,       -0.866025403784,
                                                         -0.875,  -1.51554445662,
                                                         -1.625,  -1.08253175473,
                                                         -1.3125, -1.40729128115,
                                                         1.7,     1.2124355653,
                                                         1,       0.866025403784,
                                                         0.625,   3.24759526419,
                                                         1.125,   2.38156986041,
                                                         5.1875,  2.27331668493,
                                                         3.7,     2.25166604984,
                                                         -1.5,    0,
                                                         2.5,     0,
                                                         1,       0,
                                                         -3.375,  0,
                                                         5.6,     0});
    check("istft", y.template get<"istft">(),
          {0.43642960758, -0.679019385772, 1.82562214331, -0.510654992021, 0.143187661512, 0.674274978599,
           -0.869743284449, -0.025455469135, 0.588842302893, -2.88431324997, 1.66459478669, -0.389120182139});
  });
}

namespace {

constexpr auto n = tl::dyn<"n">, batch = tl::dyn<"batch">;

/// Of lengths that are known when the program runs; the second axis of x has pairs.
template <class T>
struct of_any_length {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, batch, n>;
    auto z = tl::input<"z", T, batch, n, 2>;
    return tl::outputs(tl::named<"fft">(tl::fft(z)), tl::named<"rfft">(tl::rfft(x)),
                       tl::named<"again">(tl::ifft(tl::fft(z))),
                       tl::named<"real again">(tl::irfft<tl::fft_options{.n = n}>(tl::rfft(x))),
                       tl::named<"hfft">(tl::hfft<tl::fft_options{.n = 9}>(z)));
  }
};

std::complex<double> number(const std::vector<double>& z, std::size_t i) { return {z[2 * i], z[2 * i + 1]}; }

std::complex<double> turned(std::size_t turns, std::size_t whole) {
  return std::polar(1.0,
                    -6.283185307179586 * static_cast<double>(turns % whole) / static_cast<double>(whole));
}

template <class T, class F>
void check_sums(F& f, std::size_t batches, std::size_t length, double tolerance) {
  INFO(batches << " signals of " << length << " numbers");
  test::numbers random;
  const auto x = random.vector<T>(batches * length), z = random.vector<T>(2 * batches * length);
  const std::int64_t rows = static_cast<std::int64_t>(batches), columns = static_cast<std::int64_t>(length);
  auto y = f("x"_t = x, "z"_t = z, "batch"_t = rows, "n"_t = columns);
  const auto fft = test::elements(y.template get<"fft">()), rfft = test::elements(y.template get<"rfft">()),
             again = test::elements(y.template get<"again">()),
             real_again = test::elements(y.template get<"real again">());
  double worst = 0;
  for (std::size_t b = 0; b < batches; ++b)
    for (std::size_t k = 0; k < length; ++k) {
      std::complex<double> sum = 0, of_real = 0;
      for (std::size_t j = 0; j < length; ++j) {
        const std::size_t at = b * length + j;
        sum += std::complex<double>(z[2 * at], z[2 * at + 1]) * turned(j * k, length);
        of_real += static_cast<double>(x[at]) * turned(j * k, length);
      }
      worst = std::max(worst, std::abs(number(fft, b * length + k) - sum));
      const std::size_t half = length / 2 + 1;
      if (k < half) worst = std::max(worst, std::abs(number(rfft, b * half + k) - of_real));
      worst = std::max(worst, std::abs(real_again[b * length + k] - static_cast<double>(x[b * length + k])));
      worst = std::max(worst,
                       std::abs(again[2 * (b * length + k)] - static_cast<double>(z[2 * (b * length + k)])));
    }
  CHECK(worst < tolerance * std::sqrt(static_cast<double>(length)));
}

}  // namespace

TEST_CASE("a transform of any length is its sum") {
  test::on_each_policy([]<class Policy>() {
    tl::function<of_any_length<double>, Policy> f{of_any_length<double>{}};
    for (const int length : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 30, 49, 64, 97, 120, 210, 242})
      check_sums<double>(f, 2, static_cast<std::size_t>(length), 1e-13);
    check_sums<double>(f, 0, 8, 1e-13);
    const std::vector<double> nothing;
    CHECK_THROWS_WITH(
        f("x"_t = nothing, "z"_t = nothing, "batch"_t = std::int64_t{2}, "n"_t = std::int64_t{0}),
        test::contains("of a signal of 0 numbers, which has none"));
  });
}

TEST_CASE("a transform of a length with a large prime factor is its sum") {
  tl::function<of_any_length<double>, tl::cpu> f{of_any_length<double>{}};
  for (const int length : {53, 106, 202, 212, 404, 509, 1018, 2018, 53})
    check_sums<double>(f, 2, static_cast<std::size_t>(length), 1e-13);
  tl::function<of_any_length<float>, tl::cpu> of_floats{of_any_length<float>{}};
  for (const int length : {509, 2018})
    check_sums<float>(of_floats, 2, static_cast<std::size_t>(length), 1e-6);
}

TEST_CASE("a transform of floats is as exact as floats are") {
  test::on_each_policy([]<class Policy>() {
    tl::function<of_any_length<float>, Policy> f{of_any_length<float>{}};
    for (const int length : {1, 3, 8, 30, 97, 256})
      check_sums<float>(f, 3, static_cast<std::size_t>(length), 1e-6);
  });
}

TEST_CASE("transforms have the same bits on any number of threads") {
  test::numbers random;
  const auto x = random.vector<float>(300 * 60), z = random.vector<float>(2 * 300 * 60);
  const auto run = [&](int threads, std::int64_t rows, std::int64_t columns) {
    tl::function<of_any_length<float>, tl::cpu> f{of_any_length<float>{}, tl::cpu{.threads = threads}};
    const auto numbers = static_cast<std::size_t>(rows * columns);
    auto y = f("x"_t = std::span(x).first(numbers), "z"_t = std::span(z).first(2 * numbers), "batch"_t = rows,
               "n"_t = columns);
    auto all = test::elements(y.template get<"fft">());
    for (const double v : y.template get<"rfft">()) all.push_back(v);
    for (const double v : y.template get<"hfft">()) all.push_back(v);
    return all;
  };
  CHECK(run(1, 300, 60) == run(3, 300, 60));
  CHECK(run(1, 300, 59) == run(3, 300, 59));
}

namespace {

struct frequencies {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, 2, 5>;
    return tl::outputs(tl::named<"even">(tl::fftfreq<float, 4>()), tl::named<"odd">(tl::fftfreq<double, 5>()),
                       tl::named<"half">(tl::rfftfreq<float, 5>()),
                       tl::named<"shifted">(tl::fftshift<0, 1>(x)),
                       tl::named<"hann">(tl::hann_window<double, 5>()),
                       tl::named<"hamming">(tl::hamming_window<double, 3>()),
                       tl::named<"blackman">(tl::blackman_window<double, 5>()),
                       tl::named<"one">(tl::hann_window<float, 1>() * tl::blackman_window<float, 1>()),
                       tl::named<"back">(tl::ifftshift<0, -1>(tl::fftshift<0, 1>(x))));
  }
};

}  // namespace

TEST_CASE("frequencies, their order, and windows are PyTorch's") {
  test::on_each_policy([]<class Policy>() {
    tl::function<frequencies, Policy> f{frequencies{}};
    const auto y = f("x"_t = std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(test::elements(y.template get<"even">()) == std::vector<double>{0, 0.25, -0.5, -0.25});
    CHECK(test::elements(y.template get<"odd">()) == std::vector<double>{0, 0.2, 0.4, -0.4, -0.2});
    CHECK(y.template get<"half">()[2] == 0.4f);
    const auto are = [](const auto& view, const std::vector<double>& expected) {
      REQUIRE(view.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(view[i] == test::Approx(expected[i]).epsilon(0).margin(1e-14));
    };
    are(y.template get<"hann">(),
        {0, 0.345491502812526, 0.904508497187474, 0.904508497187474, 0.345491502812526});
    are(y.template get<"hamming">(), {0.08, 0.77, 0.77});
    are(y.template get<"blackman">(),
        {0, 0.20077014326253, 0.849229856737469, 0.84922985673747, 0.200770143262531});
    CHECK(y.template get<"one">()[0] == 1);
    CHECK(test::elements(y.template get<"shifted">()) == std::vector<double>{8, 9, 5, 6, 7, 3, 4, 0, 1, 2});
    CHECK(test::elements(y.template get<"back">()) == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  });
}

namespace {

constexpr auto m = tl::dyn<"m">;

// Transforms of lengths that are named by run-time extents.
struct of_named_length {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n>;
    auto rows = tl::outer(x, x);
    auto again = tl::irfft<tl::fft_options{.n = n}>(tl::rfft(x));
    constexpr tl::fft_options of_m{.n = m};
    return tl::outputs(
        tl::named<"again">(again), tl::named<"gradient">(tl::grad(tl::sum(tl::square(again)), x)),
        tl::named<"resized">(tl::real(tl::ifft<of_m>(tl::fft<of_m>(tl::complex(x, 0_c))))),
        tl::named<"of_five">(tl::irfft<of_m>(tl::rfft<of_m>(tl::input<"five", double, 5>))),
        tl::named<"rows">(tl::irfft2<tl::fft2_options{.s = {0, n}}>(tl::rfft2(rows)) - rows),
        tl::named<"also_rows">(tl::irfftn<tl::fftn_options{.s = {n, n}}>(tl::rfftn(rows)) - rows),
        tl::named<"frequencies">(tl::fftfreq<double, n>()), tl::named<"half">(tl::rfftfreq<float, n>()));
  }
};

}  // namespace

TEST_CASE("lengths are run-time extents") {
  test::on_each_policy([]<class Policy>() {
    tl::function<of_named_length, Policy> f{of_named_length{}};
    const std::vector<double> five{1, 2, 3, 4, 5};
    for (const std::size_t length : {1u, 4u, 5u, 9u})
      for (const std::size_t other : {2u, 3u, 7u}) {
        const auto x = test::numbers().vector(length);
        const auto y = f("x"_t = x, "five"_t = five, "m"_t = static_cast<std::int64_t>(other));
        const auto is = [&](const auto& view, std::size_t i, double expected) {
          CHECK(view[i] == test::Approx(expected).margin(1e-12));
        };
        REQUIRE(y.template get<"again">().size() == length);
        REQUIRE(y.template get<"resized">().size() == other);
        REQUIRE(y.template get<"of_five">().size() == other);
        REQUIRE(y.template get<"half">().size() == length / 2 + 1);
        for (std::size_t i = 0; i < length; ++i) {
          is(y.template get<"again">(), i, x[i]);
          is(y.template get<"gradient">(), i, 2 * x[i]);
          const double turns = static_cast<double>(2 * i < length ? i : length - i);
          is(y.template get<"frequencies">(), i,
             (2 * i < length ? turns : -turns) / static_cast<double>(length));
          if (2 * i <= length)
            is(y.template get<"half">(), i, static_cast<float>(i) / static_cast<float>(length));
        }
        for (std::size_t i = 0; i < length * length; ++i) {
          is(y.template get<"rows">(), i, 0);
          is(y.template get<"also_rows">(), i, 0);
        }
        for (std::size_t i = 0; i < other; ++i) {
          is(y.template get<"resized">(), i, i < length ? x[i] : 0);
          is(y.template get<"of_five">(), i, i < 5 ? five[i] : 0);
        }
      }
  });
}
