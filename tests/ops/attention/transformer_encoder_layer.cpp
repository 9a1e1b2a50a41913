// SPDX-License-Identifier: BSL-1.0
// The encoder's layer against PyTorch 2.15's TransformerEncoderLayer(4, 2, 5) in double: values, and
// gradients by the input and all parameters, which have PyTorch's names. Its dropout, by what must hold for
// every draw.
#include <tapeless/ops/attention/transformer_encoder_layer.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

using vector = std::vector<double>;

constexpr auto batch = tl::dyn<"batch">;
constexpr auto gelu = tl::transformer_activation::gelu;

template <tl::transformer_options Options, bool Masked>
struct loss {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, batch, 3, 4>;
    auto masks = [] {
      if constexpr (Masked) return std::tuple(tl::input<"mask", bool, batch, 3>);
      if constexpr (!Masked) return std::tuple();
    }();
    auto y = std::apply(
        [&](auto... mask) { return tl::transformer_encoder_layer<"layer", Options>(x, mask...); }, masks);
    auto sum = tl::sum(y * tl::input<"weights", double, batch, 3, 4>);
    return tl::outputs(sum, tl::named<"y">(y), tl::named<"by x">(tl::grad(sum, x)));
  }
};

constexpr std::array names{"self_attn.in_proj_weight",
                           "self_attn.in_proj_bias",
                           "self_attn.out_proj.weight",
                           "self_attn.out_proj.bias",
                           "linear1.weight",
                           "linear1.bias",
                           "linear2.weight",
                           "linear2.bias",
                           "norm1.weight",
                           "norm1.bias",
                           "norm2.weight",
                           "norm2.bias"};

vector wave(std::size_t n, int start, double scale = 1) {
  vector all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(scale * std::sin(1.7 * static_cast<double>(i) + start));
  return all;
}

// The place of "layer.NAME" among PyTorch's names.
std::size_t place_of(std::string_view name) {
  REQUIRE(name.starts_with("layer."));
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name.substr(6)) - names.begin());
}

void start(auto& net) {
  for (auto& p : net.parameters())
    std::ranges::copy(wave(p.size(), 3 * static_cast<int>(place_of(p.name())) + 2, 0.6), p.begin());
}

double along_wave(const vector& v) {
  const vector w = wave(v.size(), 40);
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * w[i];
  return sum;
}

template <tl::transformer_options Options, bool Masked = false>
void check(const vector& y, const vector& gradients) {
  test::on_each_policy([&]<class Policy>() {
    tl::trainer net{loss<Options, Masked>{}, tl::sgd({}), Policy{}};
    start(net);
    const auto run = [&] {
      const auto x = wave(24, 20), weights = wave(24, 30);
      if constexpr (Masked) {
        return net.gradients("x"_t = x, "weights"_t = weights,
                             "mask"_t = std::array{true, true, false, true, false, true});
      } else {
        return net.gradients("x"_t = x, "weights"_t = weights);
      }
    };
    const auto r = run();
    const auto found = test::elements(r.template get<"y">());
    REQUIRE(found.size() == y.size());
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(found[i] == test::Approx(y[i]).margin(1e-9));
    CHECK(along_wave(test::elements(r.template get<"by x">())) == test::Approx(gradients[0]).margin(1e-9));
    std::array<double, names.size()> by_parameter{};
    std::size_t count = 0;
    for (auto& g : net.all_gradients()) {
      by_parameter.at(place_of(g.name())) = along_wave(vector(g.begin(), g.end()));
      ++count;
    }
    REQUIRE(count + 1 == gradients.size());
    std::size_t next = 1;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!Options.bias && std::string_view(names[i]).ends_with("bias")) continue;
      INFO(names[i]);
      CHECK(by_parameter[i] == test::Approx(gradients[next++]).margin(1e-9));
    }
  });
}

}  // namespace

TEST_CASE("transformer_encoder_layer is PyTorch's, normalized behind each part") {
  check<tl::transformer_options{.heads = 2, .hidden = 5, .dropout = 0}>(
      {-0.61992369745,  -0.710516708247, -0.333256421542, 0.42428456732,   -0.602470258913,  -0.765579160695,
       -0.332027743854, 0.40014500769,   -0.655221286211, -0.716999119727, -0.293351459553,  0.35320147669,
       -0.685219901679, -0.683361577754, -0.264079249892, 0.325488694911,  -0.753700507482,  -0.572912295815,
       -0.172383752582, 0.268533132933,  -0.789132158511, -0.498486717986, -0.0885966442342, 0.22448768118},
      {-0.0685234161622, 0.852152752475, 0.824912759173, 0.818736314685, -1.32131259452, 0.871977206785,
       0.104520202663, 0.55383633612, -1.04241456502, 1.31599296183, 0.206814622163, 0.449600046135,
       -6.43092555966});
  check<tl::transformer_options{.heads = 2, .hidden = 5, .dropout = 0, .activation = gelu, .bias = false}>(
      {0.0276786993073,  -0.248873836126, -0.70347979705,  0.374278132891,  0.136232661199,  -0.405998437803,
       -0.648530388462,  0.326602367374,  0.178091097456,  -0.495942135513, -0.610721882783, 0.273769471747,
       0.324649752648,   -0.620648348867, -0.417226659673, 0.184446269515,  0.352607961207,  -0.741080165126,
       -0.0705523901557, -0.138718344849, -0.127169608739, 0.116863700094,  0.58687609984,   -0.486353319771},
      {-0.906580811963, 0.649008085268, 0.517819238302, -0.193087335728, -0.161321482922, -1.33127385255,
       3.50301408376});
}

TEST_CASE("transformer_encoder_layer is PyTorch's, normalized before each part") {
  check<tl::transformer_options{
      .heads = 2, .hidden = 5, .dropout = 0, .activation = gelu, .eps = 1e-3, .norm_first = true}>(
      {-1.00945330912,  -0.0700364239676, -0.545909683889, -1.27904667466,  -0.941642427669, -0.535711753463,
       -0.536566005366, -0.778232299544,  -1.15361666304,  -0.960241483295, -0.241573397995, -0.430592645651,
       -1.60822913819,  -1.24424192708,   0.295918991096,  -0.233589582212, -2.12963727481,  -1.28970241227,
       0.846436437865,  -0.368551386565,  -2.61378328005,  -1.08632555575,  1.30202765484,   -0.719440136144},
      {-10.3594256972, -0.887827355168, -3.06055224181, -1.7637660739, -6.77060444341, 2.98307246491,
       -0.460582796736, 3.05366400077, -6.43092555966, -0.449674996779, -3.83084093936, 0.531888713197,
       3.82831928875});
}

TEST_CASE("transformer_encoder_layer is PyTorch's with masks") {
  check<tl::transformer_options{
      .heads = 2, .hidden = 5, .dropout = 0, .norm_first = true, .causal = true, .bias = false}>(
      {0.985441728396, 0.265409676589,  -1.0219608386,   -0.0253706436714, 1.09810402354,    -0.234664004731,
       -1.00805989703, 0.543615687639,  0.896396356783,  -0.657999059193,  -0.719454408552,  0.932914513042,
       0.445636603497, -0.914829317489, -0.208022425339, 1.13128413992,    -0.0960985372943, -0.95588525321,
       0.353487448231, 0.988086589972,  -0.577809900331, -0.756414278891,  0.804248951896,   0.641898318839},
      {-10.4123862246, -0.535159523507, -0.258450132445, -0.376033272912, -0.752772160627, -0.507147600862,
       0.127275394401});
  check<tl::transformer_options{.heads = 2, .hidden = 5, .dropout = 0}, true>(
      {-0.613531071969, -0.712424971175, -0.338051370794, 0.433022034642,  -0.583369282074,  -0.781612728127,
       -0.342351718364, 0.415523148472,  -0.641502649261, -0.732862081522, -0.303948306306,  0.363408842994,
       -0.680275917913, -0.690050117004, -0.268942912347, 0.329232029516,  -0.753593147849,  -0.573455202055,
       -0.172359334726, 0.268219631069,  -0.790156619942, -0.496076110466, -0.0852678716007, 0.22272234859},
      {-0.0581143095052, 0.46705329084, 0.705324105686, 0.591842284493, -1.16774945838, 0.865511817593,
       0.0558478839447, 0.580103831591, -1.08441434845, 0.988919717515, 0.16353926272, 0.51228549468,
       -6.43092555966});
}

namespace {

template <double Dropout, bool NormFirst>
struct dropping {
  constexpr auto operator()() const {
    constexpr tl::transformer_options options{
        .heads = 2, .hidden = 5, .dropout = Dropout, .norm_first = NormFirst};
    auto x = tl::input<"x", double, batch, 3, 4>;
    auto y = tl::transformer_encoder_layer<"layer", options>(x);
    auto norms = tl::layer_norm<"layer.norm2">(tl::layer_norm<"layer.norm1">(x));
    return tl::outputs(tl::sum(y), tl::named<"y">(y), tl::named<"norms">(norms));
  }
};

}  // namespace

TEST_CASE("transformer_encoder_layer drops in training alone, and with both parts dropped has nothing else") {
  const auto x = wave(24, 20);
  tl::trainer all{dropping<1.0, false>{}, tl::sgd({.learning_rate = 0})};
  tl::trainer first{dropping<1.0, true>{}, tl::sgd({.learning_rate = 0})};
  tl::trainer some{dropping<0.1, false>{}, tl::sgd({.learning_rate = 0})};
  tl::trainer none{dropping<0.0, false>{}, tl::sgd({.learning_rate = 0})};
  start(all), start(first), start(some), start(none);
  const auto r = all.step("x"_t = x);
  const auto found = test::elements(r.get<"y">()), norms = test::elements(r.get<"norms">());
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(found[i] == test::Approx(norms[i]).margin(1e-12));
  CHECK(test::elements(first.step("x"_t = x).get<"y">()) == x);

  const auto y = test::elements(none.step("x"_t = x).get<"y">());
  const auto once = test::elements(some.step("x"_t = x).get<"y">());
  CHECK(once != y);
  CHECK(test::elements(some.step("x"_t = x).get<"y">()) != once);
  const auto predicted = test::elements(some.predict("x"_t = x).get<"y">());
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(predicted[i] == test::Approx(y[i]).margin(1e-12));
}

namespace {

// One position attends to itself alone, so that the weight of attention is 1.
struct dropping_inside {
  constexpr auto operator()() const {
    constexpr tl::transformer_options options{.heads = 2, .hidden = 4, .dropout = 0.5, .norm_first = true};
    auto x = tl::input<"x", double, batch, 1, 4>;
    auto y = tl::transformer_encoder_layer<"layer", options>(x);
    return tl::outputs(tl::sum(y), tl::named<"added">(y - x));
  }
};

// What a part adds whose features are 1, dropped by halves and dropped again: 4 in a quarter of the places.
void check_dropped_twice(auto& net) {
  constexpr int rows = 2000;
  const auto added = test::elements(net.step("x"_t = wave(4 * rows, 20)).template get<"added">());
  double zeros = 0;
  for (const double a : added) {
    const bool is_dropped = std::abs(a) < 1e-9;
    REQUIRE((is_dropped || a == test::Approx(4)));
    zeros += is_dropped;
  }
  // A weight of attention is dropped for a row's 4 features at once, whose zeros then vary by 1.5.
  CHECK(std::abs(zeros - 3 * rows) < 3.5 * std::sqrt(1.5 * rows));
}

}  // namespace

TEST_CASE("transformer_encoder_layer drops weights of attention and hidden features, too") {
  const vector identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  tl::trainer net{dropping_inside{}, tl::sgd({.learning_rate = 0})};
  const auto clear = [&] {
    for (auto& p : net.parameters()) std::ranges::fill(p, 0.0);
  };
  clear();
  std::ranges::fill(net.parameter<"layer.linear1.bias">(), 1.0);
  std::ranges::copy(identity, net.parameter<"layer.linear2.weight">().begin());
  check_dropped_twice(net);

  clear();
  std::ranges::fill(net.parameter<"layer.self_attn.in_proj_bias">(), 1.0);
  std::ranges::copy(identity, net.parameter<"layer.self_attn.out_proj.weight">().begin());
  check_dropped_twice(net);
}
