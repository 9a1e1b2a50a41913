// SPDX-License-Identifier: BSL-1.0
// A transformer that writes letter by letter: with kept keys and values it says what it says of the whole
// window.
#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/ops/attention/cached_attention.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr int letters = 11, width = 12, window = 9;

constexpr tl::attention_options plain{.heads = 3, .causal = true};
constexpr tl::attention_options grouped{
    .heads = 6, .causal = true, .bias = false, .key_value_heads = 2, .rotary = true, .rotary_base = 100};

constexpr tl::attention_options near{.heads = 3, .causal = true, .window = 4, .alibi = true};
constexpr tl::attention_options near_grouped{.heads = 6,
                                             .causal = true,
                                             .key_value_heads = 2,
                                             .rotary = true,
                                             .rotary_interleaved = true,
                                             .window = 5,
                                             .alibi = true};

// Without heads, as a value: a sentence, where the compiler said that something is divided by zero.
static_assert([] {
  constexpr tl::attention_options none{.heads = 0, .causal = true};
  tl::graph g;
  const tl::value x = tl::make_constant(g, 0, tl::element::f32);
  tl::cached_attention<"attn", none>(x, x, x);
  return g.error.view() == "attention takes one head or more, but got 0";
}());

template <tl::name Scope>
constexpr auto behind_attention(tl::expression auto h) {
  return h + tl::linear<Scope + ".down", width>(
                 tl::gelu(tl::linear<Scope + ".up", 2 * width>(tl::layer_norm<Scope + ".ln2">(h))));
}
constexpr auto logits_of = [](auto h) { return tl::linear<"head", letters>(tl::layer_norm<"ln">(h)); };

/// All positions at once: [batch, window, letters].
template <class T, tl::attention_options Options, int Window = window>
struct whole_model {
  constexpr auto operator()() const {
    auto text = tl::input<"text", std::int32_t, batch, Window>;
    auto h = tl::embedding(tl::param<"token", T, letters, width>(tl::normal(1)), text) +
             tl::param<"place", T, Window, width>(tl::normal(0.5));
    auto a = h + tl::attention<"block0.attn", Options>(tl::layer_norm<"block0.ln1">(h));
    auto b = behind_attention<"block0">(a);
    auto c = b + tl::attention<"block1.attn", Options>(tl::layer_norm<"block1.ln1">(b));
    auto logits = logits_of(behind_attention<"block1">(c));
    return tl::outputs(tl::mean(tl::square(logits)), tl::named<"logits">(logits));
  }
};

/// One position, with the keys and values of those before: [batch, 1, letters].
template <class T, tl::attention_options Options, int Window = window, bool Each = false>
struct letter_model {
  static constexpr int heads = Options.key_value_heads == 0 ? Options.heads : Options.key_value_heads;
  static constexpr auto position() {
    if constexpr (Each) {
      return tl::input<"position", std::int32_t, batch>;
    } else {
      return tl::input<"position", std::int32_t>;
    }
  }
  constexpr auto operator()() const {
    auto letter = tl::input<"letter", std::int32_t, batch, 1>;
    auto place = tl::embedding(tl::param<"place", T, Window, width>(tl::normal(0.5)), position());
    auto kept0 = tl::input<"kept0", T, 2, batch, heads, Window, width / Options.heads>;
    auto kept1 = tl::input<"kept1", T, 2, batch, heads, Window, width / Options.heads>;
    auto h = tl::embedding(tl::param<"token", T, letters, width>(tl::normal(1)), letter) + in_rows(place);
    auto [y0, next0] =
        tl::cached_attention<"block0.attn", Options>(tl::layer_norm<"block0.ln1">(h), kept0, position());
    auto b = behind_attention<"block0">(h + y0);
    auto [y1, next1] =
        tl::cached_attention<"block1.attn", Options>(tl::layer_norm<"block1.ln1">(b), kept1, position());
    auto logits = logits_of(behind_attention<"block1">(b + y1));
    return tl::outputs(tl::mean(tl::square(logits)), tl::named<"logits">(logits), tl::named<"kept0">(next0),
                       tl::named<"kept1">(next1));
  }
  static constexpr auto in_rows(tl::expression auto place) {
    if constexpr (Each) {
      return tl::reshape<batch, 1, width>(place);
    } else {
      return place;
    }
  }
};

/// Some positions at once: [batch, positions, letters].
template <tl::attention_options Options, auto Positions, bool Each>
struct prompt_model : letter_model<double, Options, window, Each> {
  constexpr auto operator()() const {
    auto text = tl::input<"text", std::int32_t, batch, Positions>;
    auto places = tl::input<"places", std::int32_t, batch, Positions>;
    auto kept = tl::input<"kept", double, 2, batch, prompt_model::heads, window, width / Options.heads>;
    auto h = tl::embedding(tl::param<"token", double, letters, width>(tl::normal(1)), text) +
             tl::embedding(tl::param<"place", double, window, width>(tl::normal(0.5)), places);
    auto [y, next] = tl::cached_attention<"block0.attn", Options>(tl::layer_norm<"block0.ln1">(h), kept,
                                                                  prompt_model::position());
    auto logits = logits_of(behind_attention<"block0">(h + y));
    return tl::outputs(tl::mean(tl::square(logits)), tl::named<"logits">(logits), tl::named<"kept">(next));
  }
};
template <tl::attention_options Options>
struct one_block_model {
  constexpr auto operator()() const {
    auto text = tl::input<"text", std::int32_t, batch, window>;
    auto h = tl::embedding(tl::param<"token", double, letters, width>(tl::normal(1)), text) +
             tl::param<"place", double, window, width>(tl::normal(0.5));
    auto a = h + tl::attention<"block0.attn", Options>(tl::layer_norm<"block0.ln1">(h));
    auto logits = logits_of(behind_attention<"block0">(a));
    return tl::outputs(tl::mean(tl::square(logits)), tl::named<"logits">(logits));
  }
};

/// By name.
template <class From, class To>
void copy_weights(From& from, To& to) {
  for (std::size_t i = 0; i < to.parameter_descriptions().size(); ++i) {
    const auto& p = to.parameter_descriptions()[i];
    bool found = false;
    for (std::size_t k = 0; k < from.parameter_descriptions().size(); ++k)
      if (from.parameter_descriptions()[k].label->view() == p.label->view()) {
        std::copy_n(from.parameter_data()[k], p.bytes(), to.parameter_data()[i]);
        found = true;
      }
    REQUIRE(found);
  }
}

template <class T, tl::attention_options Options, class Policy>
void check_equal(double tolerance) {
  constexpr int streams = 2;
  tl::trainer trained{whole_model<T, Options>{}, tl::sgd({}), Policy{}, 5};
  tl::trainer writer{letter_model<T, Options>{}, tl::sgd({}), Policy{}, 6};
  copy_weights(trained, writer);
  test::numbers random{3};
  std::vector<std::int32_t> text;
  for (int i = 0; i < streams * window; ++i) text.push_back(static_cast<std::int32_t>(random(0, letters)));
  const auto expected = test::elements(trained.predict("text"_t = text).template get<"logits">());
  constexpr int heads = letter_model<T, Options>::heads;
  std::vector<T> kept0(2 * streams * heads * window * width / Options.heads), kept1 = kept0;
  double difference = 0;
  for (std::int32_t t = 0; t < window; ++t) {
    std::vector<std::int32_t> letter;
    for (int s = 0; s < streams; ++s) letter.push_back(text[static_cast<std::size_t>(s * window + t)]);
    const auto r =
        writer.predict("letter"_t = letter, "position"_t = t, "kept0"_t = kept0, "kept1"_t = kept1);
    const auto logits = r.template get<"logits">();
    for (int s = 0; s < streams; ++s)
      for (int i = 0; i < letters; ++i) {
        const double a = logits[static_cast<std::size_t>(s * letters + i)];
        const double b = expected[static_cast<std::size_t>((s * window + t) * letters + i)];
        difference = std::max(difference, std::abs(a - b));
      }
    const auto next0 = r.template get<"kept0">(), next1 = r.template get<"kept1">();
    kept0.assign(next0.begin(), next0.end());
    kept1.assign(next1.begin(), next1.end());
  }
  INFO("difference " << difference);
  CHECK(difference < tolerance);
}

/// Multiplications of all products of a program, for one element of the batch.
template <class GraphBuilder>
constexpr std::int64_t multiplications() {
  std::int64_t all = 0;
  const auto& g = tl::constant_graph_of<GraphBuilder>;
  for (const tl::node& n : g.nodes) {
    if (n.op->kind != tl::family::product) continue;
    const tl::node& left = g.nodes[static_cast<std::size_t>(n.operands[0])];
    std::int64_t one = left.shape[left.rank - 1];
    for (int d = 0; d < n.rank; ++d) one *= n.shape[d] > 0 ? n.shape[d] : 1;
    all += one;
  }
  return all;
}
template <class Model>
using predicts = typename decltype(tl::trainer{Model{}, tl::sgd({})})::predict_program;

}  // namespace

TEST_CASE("a letter's logits are those of the whole window") {
  test::on_each_policy([]<class Policy>() { check_equal<double, grouped, Policy>(1e-12); });
  check_equal<float, plain, tl::default_policy>(1e-5);
  check_equal<double, near, tl::default_policy>(1e-12);
}

TEST_CASE("each element of the batch at a position of its own, in the natural loop") {
  tl::trainer trained{whole_model<double, grouped>{}, tl::sgd({}), tl::default_policy{}, 5};
  tl::trainer writer{letter_model<double, grouped, window, true>{}, tl::sgd({}), tl::default_policy{}, 6};
  copy_weights(trained, writer);
  std::vector<std::int32_t> text(2 * window);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<std::int32_t>(7 * i % letters);
  const auto expected = test::elements(trained.predict("text"_t = text).get<"logits">());
  // the second waits for two steps, and writes over what it wrote then
  const std::vector<double> none(2 * 2 * 2 * window * 2);
  auto r = writer.predict("letter"_t = std::vector{text[0], text[window]}, "position"_t = std::vector{0, 0},
                          "kept0"_t = none, "kept1"_t = none);
  for (int t = 1; t < window; ++t) {
    const int other = std::max(0, t - 2);
    r = writer.predict(
        "letter"_t =
            std::vector{text[static_cast<std::size_t>(t)], text[static_cast<std::size_t>(window + other)]},
        "position"_t = std::vector{t, other}, "kept0"_t = r.get<"kept0">(), "kept1"_t = r.get<"kept1">());
    const auto logits = r.get<"logits">();
    double difference = 0;
    for (int i = 0; i < letters; ++i) {
      difference = std::max(difference, std::abs(logits[static_cast<std::size_t>(i)] -
                                                 expected[static_cast<std::size_t>(t * letters + i)]));
      difference =
          std::max(difference, std::abs(logits[static_cast<std::size_t>(letters + i)] -
                                        expected[static_cast<std::size_t>((window + other) * letters + i)]));
    }
    CHECK(difference < 1e-12);
  }
}

// Two texts are read `counts` positions at a time; with Each, the second one reads the last position of each
// part again.
template <tl::attention_options Options, auto Positions, bool Each>
void check_prompt(std::initializer_list<int> counts) {
  tl::trainer trained{one_block_model<Options>{}, tl::sgd({}), tl::default_policy{}, 5};
  tl::trainer reader{prompt_model<Options, Positions, Each>{}, tl::sgd({}), tl::default_policy{}, 6};
  copy_weights(trained, reader);
  std::vector<std::int32_t> text(2 * window);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<std::int32_t>(7 * i % letters);
  const auto expected = test::elements(trained.predict("text"_t = text).template get<"logits">());
  std::vector<double> kept(2 * 2 * prompt_model<Options, Positions, Each>::heads * window * width /
                           Options.heads);
  double difference = 0;
  std::int32_t first[] = {0, 0};
  for (const int count : counts) {
    std::vector<std::int32_t> letters_now, places;
    for (int s = 0; s < 2; ++s)
      for (int t = 0; t < count; ++t) {
        places.push_back(first[s] + t);
        letters_now.push_back(text[static_cast<std::size_t>(s * window + first[s] + t)]);
      }
    const auto r = [&] {
      const std::int64_t shape[] = {2, count};
      const tl::tensor_view<const std::int32_t> now(letters_now.data(), shape), at(places.data(), shape);
      if constexpr (Each) {
        return reader.predict("text"_t = now, "places"_t = at, "kept"_t = kept,
                              "position"_t = std::vector{first[0], first[1]});
      } else {
        return reader.predict("text"_t = now, "places"_t = at, "kept"_t = kept, "position"_t = first[0]);
      }
    }();
    const auto logits = r.template get<"logits">();
    for (int s = 0; s < 2; ++s)
      for (int t = 0; t < count; ++t)
        for (int i = 0; i < letters; ++i)
          difference = std::max(
              difference,
              std::abs(logits[static_cast<std::size_t>((s * count + t) * letters + i)] -
                       expected[static_cast<std::size_t>((s * window + first[s] + t) * letters + i)]));
    const auto next = r.template get<"kept">();
    kept.assign(next.begin(), next.end());
    first[0] += count;
    first[1] += Each ? count - 1 : count;
  }
  INFO("difference " << difference);
  CHECK(difference < 1e-12);
}

TEST_CASE("a prompt is read at once, and gives what the whole window gives") {
  check_prompt<plain, 3, false>({3, 3, 3});
  check_prompt<grouped, tl::dyn<"positions">, true>({4, 1, 3});
  check_prompt<near_grouped, tl::dyn<"positions">, true>({4, 1, 3});
}

TEST_CASE("a position beyond the window is refused") {
  constexpr auto model = [] {
    auto x = tl::input<"x", double, 1, width>;
    auto position = tl::input<"position", std::int64_t>;
    auto [y, next] = tl::cached_attention<"attn", plain>(x, tl::input<"kept", double, 2, 3, 5, 4>, position);
    auto [z, unused] =
        tl::cached_attention<"attn", plain>(x, tl::input<"kept", double, 2, 3, 5, 4>, position + 1_c);
    return tl::outputs(tl::sum(y), tl::named<"next">(next), tl::named<"computed">(z));
  };
  tl::trainer net{model, tl::sgd({})};
  const std::vector<double> x(width, 0.5), kept(120);
  CHECK(!std::isnan(
      net.predict("x"_t = x, "position"_t = std::int64_t{3}, "kept"_t = kept).get<"computed">()[0]));
  CHECK(std::isnan(
      net.predict("x"_t = x, "position"_t = std::int64_t{4}, "kept"_t = kept).get<"computed">()[0]));
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{5}})
    CHECK_THROWS_WITH(net.predict("x"_t = x, "position"_t = wrong, "kept"_t = kept),
                      test::contains("input \"position\" holds " + std::to_string(wrong)) &&
                          test::contains("it must be from 0 to 4"));
}

TEST_CASE(
    "a position beyond the window is refused however many positions there are, where that is known late") {
  constexpr auto model = [] {
    constexpr auto length = tl::dyn<"positions">;
    auto x = tl::input<"x", double, length, width>;
    auto position = tl::input<"position", std::int64_t>;
    auto [y, next] = tl::cached_attention<"attn", plain>(x, tl::input<"kept", double, 2, 3, 5, 4>, position);
    auto [z, unused] =
        tl::cached_attention<"attn", plain>(x, tl::input<"kept", double, 2, 3, 5, 4>, position + 1_c);
    return tl::outputs(tl::sum(y), tl::named<"next">(next), tl::named<"computed">(z));
  };
  tl::trainer net{model, tl::sgd({})};
  const std::vector<double> kept(120);
  for (const std::int64_t positions : {1, 2, 5}) {
    const std::vector<double> x(static_cast<std::size_t>(width * positions), 0.5);
    const std::int64_t last = 5 - positions;
    for (const std::int64_t wrong : {std::int64_t{-1}, last + 1})
      CHECK_THROWS_WITH(net.predict("x"_t = x, "position"_t = wrong, "kept"_t = kept),
                        test::contains("input \"position\" holds " + std::to_string(wrong)) &&
                            test::contains("it must be from 0 to " + std::to_string(last)));
    const auto first_of = [&](std::int64_t at) {
      return net.predict("x"_t = x, "position"_t = at, "kept"_t = kept).get<"computed">()[0];
    };
    CHECK(std::isnan(first_of(last)));
    if (last > 0) CHECK(!std::isnan(first_of(last - 1)));
  }
  const std::vector<double> six(6 * width);
  CHECK_THROWS_WITH(net.predict("x"_t = six, "position"_t = std::int64_t{0}, "kept"_t = kept),
                    "tapeless: the run-time extents do not fit: 5 - positions would be -1");
}

TEST_CASE("the cost of a letter is linear in the window") {
  constexpr std::int64_t at_8 = multiplications<predicts<letter_model<float, plain, 8>>>(),
                         at_16 = multiplications<predicts<letter_model<float, plain, 16>>>(),
                         at_32 = multiplications<predicts<letter_model<float, plain, 32>>>();
  STATIC_REQUIRE(at_32 - at_16 == 2 * (at_16 - at_8));
  STATIC_REQUIRE(at_16 - at_8 == 2 * 2 * width * 8);  // scores and averages of two layers
}
