// SPDX-License-Identifier: BSL-1.0
// Losses and their options against PyTorch 2.15: values, and gradients of their sums.
#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <tapeless/ops/autodiff/grad.hpp>
#include <tapeless/ops/loss.hpp>

namespace {

using tl::loss, tl::reduction;

constexpr loss each{.reduce = reduction::none}, total{.reduce = reduction::sum};
constexpr loss full{.reduce = reduction::none, .eps = 0.4, .full = true};
constexpr loss hard{.reduce = reduction::none, .alpha = -1, .gamma = 1.5};
constexpr loss images{.axis = 1}, ignoring{.ignore_index = 0, .axis = 1};
constexpr loss smooth{.label_smoothing = 0.2, .ignore_index = 0, .axis = 1};
constexpr loss smooth_each{.reduce = reduction::none, .label_smoothing = 0.2, .axis = 1};
constexpr loss smooth_soft{.label_smoothing = 0.2, .axis = 1};
constexpr loss squares{.margin = 0.7, .power = 2};
constexpr loss swapped{.reduce = reduction::none, .margin = 2.5, .swap = true};
constexpr loss cubes{.power = 3, .eps = 1e-3, .swap = true};
constexpr loss bounded{.reduce = reduction::sum, .zero_infinity = true};

using test::check;

/// 1 or -1.
std::vector<double> signs(std::uint32_t seed, std::size_t count) {
  std::vector<double> s = test::numbers(seed).vector(count);
  for (double& v : s) v = v > 0 ? 1 : -1;
  return s;
}

}  // namespace

TEST_CASE("losses of elements are PyTorch's") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2, 3, 2>;
    auto t = tl::input<"t", double, 2, 3, 2>;
    auto w = tl::input<"w", double, 3, 2>;
    auto two = tl::input<"two", double, 2>;
    auto p = tl::input<"p", double, 2, 3, 2>;
    auto s = tl::input<"s", double, 2, 3, 2>;
    auto b = tl::input<"b", double, 2, 3, 2>;
    auto v = tl::input<"v", double, 2, 3, 2>;
    auto u = tl::input<"u", double, 2, 3>;
    auto bce_ = tl::bce_loss(p, t, tl::element_weights(w));
    auto logits_ = tl::bce_with_logits_loss(x, t, two, tl::element_weights(w));
    auto gauss_ = tl::gaussian_nll_loss(x, t, v);
    auto gauss_full_ = tl::gaussian_nll_loss<full>(x, t, u);
    auto ranking_ = tl::margin_ranking_loss<loss{.margin = 0.3}>(x, b, s);
    auto hinge_ = tl::hinge_embedding_loss<loss{.margin = 0.8}>(x, s);
    auto soft_margin_ = tl::soft_margin_loss(x, s);
    auto focal_ = tl::sigmoid_focal_loss(x, t);
    auto dice_ = tl::dice_loss(p, t);
    return tl::outputs(
        tl::named<"bce">(bce_), tl::named<"bce by p">(tl::grad(tl::sum(bce_), p)),
        tl::named<"bce none">(tl::bce_loss<each>(p, t, tl::element_weights(w))), tl::named<"logits">(logits_),
        tl::named<"logits by x">(tl::grad(tl::sum(logits_), x)),
        tl::named<"logits sum">(tl::bce_with_logits_loss<total>(x, t, tl::element_weights(w))),
        tl::named<"gauss">(gauss_), tl::named<"gauss by x">(tl::grad(tl::sum(gauss_), x)),
        tl::named<"gauss by v">(tl::grad(tl::sum(gauss_), v)), tl::named<"gauss full">(gauss_full_),
        tl::named<"gauss full by u">(tl::grad(tl::sum(gauss_full_), u)), tl::named<"ranking">(ranking_),
        tl::named<"ranking by x">(tl::grad(tl::sum(ranking_), x)), tl::named<"hinge">(hinge_),
        tl::named<"hinge by x">(tl::grad(tl::sum(hinge_), x)),
        tl::named<"hinge zero">(tl::hinge_embedding_loss<each>(x, 0_c * s)),
        tl::named<"soft margin">(soft_margin_),
        tl::named<"soft margin by x">(tl::grad(tl::sum(soft_margin_), x)), tl::named<"focal">(focal_),
        tl::named<"focal by x">(tl::grad(tl::sum(focal_), x)),
        tl::named<"focal none">(tl::sigmoid_focal_loss<hard>(x, t)), tl::named<"dice">(dice_),
        tl::named<"dice by p">(tl::grad(tl::sum(dice_), p)));
  }};
  auto r = f("x"_t = test::numbers(1).vector(12, -2, 2), "t"_t = test::numbers(2).vector(12, 0, 1),
             "w"_t = test::numbers(3).vector(6, 0.5, 2), "two"_t = std::vector<double>{0.5, 3},
             "p"_t = test::numbers(4).vector(12, 0.05, 0.95), "s"_t = signs(5, 12),
             "b"_t = test::numbers(6).vector(12, -2, 2), "v"_t = test::numbers(7).vector(12, 0.1, 1),
             "u"_t = test::numbers(8).vector(6, 0, 1));
  check(r.get<"bce">(), {1.0700109766});
  check(r.get<"bce by p">(),
        {0.0099188553046, 0.079053838619, 0.22186787246, 0.034882455433, -0.64861533396, 0.30251432494,
         -0.06840757264, -0.074726766208, 0.0079929411149, 0.067940765881, -0.03873454037, 0.22323348797});
  check(r.get<"bce none">(),
        {0.470146856, 0.99113833211, 1.3837499882, 0.96124371968, 1.8454733807, 1.5665359069, 0.46708263316,
         0.97969063719, 1.253263227, 1.0553391252, 0.67799790808, 1.1884700046});
  check(r.get<"logits">(), {1.287941401});
  check(r.get<"logits by x">(),
        {0.0078024033737, -0.073524938189, 0.054635759715, -0.069738232521, -0.023953823665, 0.016180737843,
         0.040652607755, -0.037114313522, -0.025568167465, -0.079035864587, -0.015913903831, 0.028774641553});
  check(r.get<"logits sum">(), {13.321686656});
  check(r.get<"gauss">(), {3.5255464197});
  check(r.get<"gauss by x">(),
        {-0.34164541949, -0.088823068103, -0.022006933655, 0.0069245010684, -1.4512421915, -0.06120737558,
         0.17519416362, -0.13959996055, -1.2657762058, -0.01181331968, -0.14542367201, -0.060205869606});
  check(r.get<"gauss by v">(),
        {-0.56801357108, -0.0021526652921, 0.061074435177, 0.044309771116, -12.348087165, 0.025403370121,
         -0.086092591893, 0.16499179483, -9.3557848506, 0.04144053813, -0.08417620254, 0.05032350138});
  check(r.get<"gauss full">(),
        {2.544212065, 1.6683885988, 0.49776551321, 0.46832683877, 8.3662890751, 0.97144320341, 1.3144543207,
         0.93239980768, 4.9762540722, 0.76540072959, 3.0675049569, 0.81096711773});
  check(r.get<"gauss full by u">(),
        {-5.727535823, 2.3887349564, -18.54036486, 0.5750601056, -4.5237333814, -2.5611064096});
  check(r.get<"ranking">(), {0.82063920101});
  check(r.get<"ranking by x">(), {0.083333333333, -0.083333333333, 0, -0.083333333333, -0.083333333333,
                                  0.083333333333, 0, 0.083333333333, 0, -0.083333333333, 0, 0});
  check(r.get<"hinge">(), {0.76940564116});
  check(r.get<"hinge by x">(),
        {-0.083333333333, 0.083333333333, -0.083333333333, 0.083333333333, 0.083333333333, -0.083333333333, 0,
         -0.083333333333, -0.083333333333, 0.083333333333, -0.083333333333, -0.083333333333});
  check(r.get<"hinge zero">(), {1, 1, 1, 1, 1, 1, 1.0990518332, 1, 1, 1, 1, 1});
  check(r.get<"soft margin">(), {0.70176416672});
  check(r.get<"soft margin by x">(),
        {0.021535303376, -0.05231914135, 0.042020160916, -0.025488566837, -0.071490335253, 0.031033488234,
         0.062506867128, 0.046329434537, 0.010525459445, -0.030353797933, 0.022441362483, 0.035249618993});
  check(r.get<"focal">(), {0.11814915317});
  check(r.get<"focal by x">(), {0.0023298324543, -0.00035214388086, 0.010316356231, -0.00176817672,
                                -0.011318238822, 0.0067512923692, 0.021225565085, 0.0013213449946,
                                -0.0046313423792, -0.0021004785805, -0.0083108429218, 0.0092445546998});
  check(r.get<"focal none">(),
        {0.12491277579, 0.24199049343, 0.2489008456, 0.14920799852, 0.76517003766, 0.13449262869, 0.604127104,
         0.25181033293, 0.43007827589, 0.18559994984, 0.46567338621, 0.16992258157});
  check(r.get<"dice">(), {0.51538357135});
  check(r.get<"dice by p">(),
        {-0.0034398538666, -0.044866189702, 0.0054518641295, -0.097208129205, -0.092587120934, 0.018767535707,
         0.010910756883, -0.03715722086, -0.046691208766, -0.077616939546, -0.078966292301, 0.028694046371});
}

TEST_CASE("labels of a byte are right among more classes than a byte counts") {
  constexpr auto loss_of = []<class T>(T) {
    tl::function f{[] {
      constexpr auto classes = tl::dyn<"classes">;
      return tl::multilabel_margin_loss(tl::input<"x", double, 1, classes>, tl::input<"y", T, 1, classes>);
    }};
    std::vector<double> x;
    std::vector<T> y(200, T(-1));
    for (int i = 0; i < 200; ++i) x.push_back(0.01 * i);
    y[0] = 3;
    y[1] = 100;
    return f("x"_t = x, "y"_t = y).loss();
  };
  CHECK(loss_of(std::int8_t{}) == test::Approx(loss_of(std::int32_t{})));
  CHECK(loss_of(std::int32_t{}) == test::Approx(2.94));
}

TEST_CASE("losses of classes and of vectors are PyTorch's") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2, 3, 2>;
    auto t = tl::input<"t", double, 2, 3, 2>;
    auto y = tl::input<"y", int, 2, 2>;
    auto c = tl::input<"c", double, 3>;
    auto m = tl::input<"m", double, 4, 3>;
    auto n = tl::input<"n", double, 4, 3>;
    auto far = tl::input<"far", double, 4, 3>;
    auto q = tl::input<"q", double, 4, 3>;
    auto labels = tl::input<"labels", std::int64_t, 4>;
    auto several = tl::input<"several", int, 4, 3>;
    auto paths = tl::input<"paths", double, 4, 2, 3>;
    auto tokens = tl::input<"tokens", int, 2, 2>;
    auto times = tl::input<"times", int, 2>;
    auto lengths = tl::input<"lengths", int, 2>;
    auto entropy_ = tl::cross_entropy<images>(x, y, c);
    auto smooth_ = tl::cross_entropy<smooth>(x, y, c);
    auto soft_ = tl::cross_entropy<smooth_soft>(x, t, c);
    auto nll_ = tl::nll_loss<ignoring>(x, y, c);
    auto margin_ = tl::multi_margin_loss<squares>(m, labels, c);
    auto swap_ = tl::triplet_margin_loss<swapped>(m, n, far);
    auto several_ = tl::multilabel_margin_loss<each>(m, several);
    auto multilabel_ = tl::multilabel_soft_margin_loss(m, q, c);
    auto ctc_sum_ = tl::ctc_loss<bounded>(tl::log_softmax(paths), tokens, times, lengths);
    auto moved_ = tl::wasserstein_loss<each>(q, n);
    return tl::outputs(
        tl::named<"entropy">(entropy_), tl::named<"entropy by x">(tl::grad(tl::sum(entropy_), x)),
        tl::named<"smooth">(smooth_), tl::named<"smooth by x">(tl::grad(tl::sum(smooth_), x)),
        tl::named<"entropy none">(tl::cross_entropy<smooth_each>(x, y, c)), tl::named<"soft">(soft_),
        tl::named<"soft by x">(tl::grad(tl::sum(soft_), x)), tl::named<"nll">(nll_),
        tl::named<"nll by x">(tl::grad(tl::sum(nll_), x)), tl::named<"margin">(margin_),
        tl::named<"margin by m">(tl::grad(tl::sum(margin_), m)),
        tl::named<"margin none">(tl::multi_margin_loss<each>(m, labels, c)), tl::named<"swap">(swap_),
        tl::named<"swap by m">(tl::grad(tl::sum(swap_), m)),
        tl::named<"swap by n">(tl::grad(tl::sum(swap_), n)),
        tl::named<"swap cubes">(tl::triplet_margin_loss<cubes>(m, n, far)), tl::named<"several">(several_),
        tl::named<"several by m">(tl::grad(tl::sum(several_), m)),
        tl::named<"several mean">(tl::multilabel_margin_loss(m, several)),
        tl::named<"multilabel">(multilabel_), tl::named<"multilabel by m">(tl::grad(tl::sum(multilabel_), m)),
        tl::named<"multilabel none">(tl::multilabel_soft_margin_loss<each>(m, q)),
        tl::named<"ctc">(
            tl::ctc_loss<loss{.zero_infinity = true}>(tl::log_softmax(paths), tokens, times, lengths)),
        tl::named<"ctc sum">(ctc_sum_), tl::named<"ctc sum by paths">(tl::grad(tl::sum(ctc_sum_), paths)),
        tl::named<"ctc none">(tl::ctc_loss<each>(tl::log_softmax(paths), tokens, times, lengths)),
        tl::named<"moved">(moved_), tl::named<"moved by n">(tl::grad(tl::sum(moved_), n)));
  }};
  const auto x = test::numbers(1).vector(12, -2, 2), t = test::numbers(2).vector(12, 0, 1);
  auto r =
      f("x"_t = x, "t"_t = t, "y"_t = std::vector<int>{0, 2, 1, 0}, "c"_t = std::vector<double>{0.5, 1, 2},
        "m"_t = x, "n"_t = test::numbers(6).vector(12, -2, 2), "far"_t = test::numbers(7).vector(12, 0.1, 1),
        "q"_t = t, "labels"_t = std::vector<std::int64_t>{0, 2, 1, 2},
        "several"_t = std::vector<int>{2, 0, -1, 1, -1, 0, 0, 1, 2, -1, 1, 1},
        "paths"_t = test::numbers(9).vector(24, -2, 0), "tokens"_t = std::vector<int>{1, 2, 1, 1},
        "times"_t = std::vector<int>{4, 2}, "lengths"_t = std::vector<int>{2, 2});
  check(r.get<"entropy">(), {2.000194388});
  check(r.get<"entropy by x">(),
        {-0.096552759077, 0.085772055184, 0.083029601382, 0.32837085876, 0.013523157695, -0.41414291394,
         0.21349983756, -0.083048063139, -0.23971633038, 0.058484072677, 0.026216492821, 0.024563990462});
  check(r.get<"smooth">(), {2.0707277972});
  check(r.get<"smooth by x">(), {0, 0.093721400781, 0, 0.37911993848, 0, -0.47284133926, 0.28304422064, 0,
                                 -0.27472027742, 0, -0.0083239432245, 0});
  check(r.get<"entropy none">(), {0.96524289811, 3.140796348, 3.0713870436, 0.74068353308});
  check(r.get<"soft">(), {2.4945955363});
  check(r.get<"soft by x">(),
        {0.060518196691, -0.0029357529787, 0.21562969715, 0.031714788638, -0.27614789384, -0.028779035659,
         0.36873074267, 0.041016734443, -0.10255497865, -0.021360096503, -0.26617576402, -0.019656637941});
  check(r.get<"nll">(), {0.99262670676});
  check(r.get<"nll by x">(), {0, 0, 0, 0, 0, -0.66666666667, 0, 0, -0.33333333333, 0, 0, 0});
  check(r.get<"margin">(), {1.5045209937});
  check(r.get<"margin by m">(),
        {-0.25020054181, 0.10260504087, 0.14759550095, 0.68048650424, 0, -0.68048650424, 0.26238293648,
         -0.26238293648, 0, 0.52249096235, 0.0040977636973, -0.52658872604});
  check(r.get<"margin none">(), {0.60040108363, 1.5609730085, 0.62476587296, 1.4531774521});
  check(r.get<"swap">(), {3.2178589231, 1.9539319523, 3.25532276, 3.4063622919});
  check(r.get<"swap by m">(),
        {-0.0031222754522, -0.73084502597, -0.68253629896, -0.35301222538, 0.091851527895, 1.1483224225,
         -0.22050010423, 0.59568583042, -0.77235878675, -0.49665237352, -0.46446768039, -0.73321633489});
  check(r.get<"swap by n">(),
        {0.7747187243, 0.52168848683, 0.081793040775, 0.40097683631, 0.7199908606, -0.56641922406,
         -0.40814986739, 0.18107127959, 0.73431137913, -0.015343827748, 1.1035330124, 0.15923428703});
  check(r.get<"swap cubes">(), {1.3752262479});
  check(r.get<"several">(), {0.66379165649, 1.9644191265, 0, 0});
  check(r.get<"several by m">(), {-0.33333333333, 0.66666666667, -0.33333333333, 0.33333333333,
                                  -0.66666666667, 0.33333333333, 0, 0, 0, 0, 0, 0});
  check(r.get<"several mean">(), {0.65705269575});
  check(r.get<"multilabel">(), {0.93695214785});
  check(r.get<"multilabel by m">(), {0.00089919004907, -0.0073170111793, 0.052548600162, -0.0019901017256,
                                     -0.047907824603, 0.04252877756, 0.022678434937, 0.0069676422312,
                                     -0.066483811742, -0.0025391707622, -0.036240038631, 0.052634250732});
  check(r.get<"multilabel none">(), {0.65104264861, 0.84866420403, 1.005631856, 0.74057301523});
  check(r.get<"ctc">(), {0.5413036843});
  check(r.get<"ctc sum">(), {2.1652147372});
  check(r.get<"ctc sum by paths">(), {-0.38448138924, -0.33173824189, 0.71621963113,  0, 0, 0,
                                      0.069504065782, -0.18276045295, 0.11325638717,  0, 0, 0,
                                      0.02512904882,  0.02210672887,  -0.04723577769, 0, 0, 0,
                                      0.070170258892, 0.38484111578,  -0.45501137467, 0, 0, 0});
  check(r.get<"ctc none">(), {2.1652147372, tl::infinity});
  check(r.get<"moved">(), {2.8054532409, 3.2379980683, 2.6199963093, 3.0506240726});
  check(r.get<"moved by n">(), {-1, 0, 1, -1, -2, -1, -1, -2, -1, 3, 2, 1});
}
