// SPDX-License-Identifier: BSL-1.0
// Tables, explanations and drawings of one small model, and of nets of other kinds.
#include <catch.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/explain.hpp>
#include <tapeless/train/inspect/profile.hpp>
#include <tapeless/train/inspect/summary.hpp>
#include <tapeless/train/inspect/to_dot.hpp>
#include <tapeless/train/inspect/to_mermaid.hpp>

#include "policies.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", float, batch, 1>;
  auto h = tl::relu(tl::linear<"body.fc1", 3>(x));
  auto out = tl::linear<"body.fc2", 1>(h);
  return tl::outputs(tl::mse_loss(out, y), tl::named<"out">(out));
};
using model_type = std::remove_const_t<decltype(model)>;
using adam = decltype(tl::adam({.learning_rate = 0.1f}));

/// What summary and explain are told of a trainer; no trainer is compiled.
template <class Model, class Rule, class Policy = tl::cpu>
constexpr tl::described_net net_of() {
  return tl::detail::describe_net<tl::trainer<Model, Rule, Policy>>();
}
constexpr tl::described_net net = net_of<model_type, adam>();
constexpr tl::bound_extent four{&tl::interned<"batch">, 4};

std::string line_of(const std::string& text, const std::string& beginning) {
  const std::size_t at = ("\n" + text).find("\n" + beginning);
  REQUIRE(at != std::string::npos);
  return text.substr(at, text.find('\n', at) - at);
}

}  // namespace

TEST_CASE("a summary has a line for each layer, in terms of extents that are not known") {
  const std::string text = tl::detail::summary_text(net, {}, {});
  CHECK_THAT(line_of(text, "body.fc1"), contains("matmul, +, relu") && contains("[batch, 3]") &&
                                            contains(" 9 ") && contains("36 B") && contains("18 batch"));
  CHECK_THAT(line_of(text, "body.fc2"), contains("[batch, 1]") && contains(" 4 ") && contains("7 batch"));
  CHECK_THAT(line_of(text, "loss"), contains("square"));
  CHECK_THAT(line_of(text, "all"), contains(" 13 ") && contains("52 B"));
  CHECK_THAT(text, contains("memory of a step: depends on batch, see summary(net, \"batch\"_t = 32)"));
}

TEST_CASE("layers are told apart by as many parts of names as are asked for") {
  const std::string text = tl::detail::summary_text(net, {.depth = 1}, {});
  CHECK_THAT(line_of(text, "body "), contains(" 13 "));
  CHECK_THAT(text, !contains("body.fc1"));
  CHECK_THROWS_WITH(tl::detail::summary_text(net, {.depth = -1}, {}), contains("depth is -1"));
}

TEST_CASE("the memory of a summary is that of the memory plan") {
  const tl::known_extents known{net.program->plan->extents, {&four, 1}};
  using trainer = tl::trainer<model_type, adam>;
  CHECK(tl::detail::memory_of(net, known) == trainer::plan("batch"_t = 4));
  using collecting = decltype(tl::accumulate(3, tl::adam({.learning_rate = 0.1f})));
  constexpr tl::described_net collects = net_of<model_type, collecting>();
  const tl::known_extents there{collects.program->plan->extents, {&four, 1}};
  CHECK(tl::detail::memory_of(collects, there) == tl::trainer<model_type, collecting>::plan("batch"_t = 4));
  const std::string text = tl::detail::summary_text(collects, {}, {&four, 1});
  CHECK_THAT(text, contains("operations of an update, after several steps: "));
  // relu 24, bias 12, weight 48, and 18 to add them up: in the backward pass, not in an update
  CHECK_THAT(line_of(text, "body.fc1"), contains(" 102 "));
}

TEST_CASE("the memory that is planned is what a step takes, where commands are launched together, too") {
  test::on_table_policies([]<class Policy>() {
    constexpr auto rows = [] {
      auto x = tl::input<"x", float, batch, 32>;
      auto h = tl::layer_norm<"norm">(tl::linear<"b", 32>(tl::tanh(tl::linear<"a", 32>(x))));
      return tl::mean(tl::square(tl::softmax(h)));
    };
    using net_type = tl::trainer<std::remove_const_t<decltype(rows)>, adam, Policy>;
    using program = typename net_type::step_program;
    net_type net{rows, tl::adam({.learning_rate = 0.1f}), Policy{}};
    constexpr tl::memory_plan planned = net_type::plan("batch"_t = 512);
    tl::detail::copied_memory<Policy> memory(net, tl::description_of<program>);
    tl::bound_program<typename Policy::program> step(tl::checked_plan_of<program>(),
                                                     Policy::template kernels<program>, memory.for_program());
    const std::vector<float> x(512 * 32, 0.5f);
    const auto bound = tl::detail::sort_bindings<typename net_type::model_type, program>("x"_t = x);
    step.run(bound.inputs, bound.known_extents());
    CHECK(step.program().arena_bytes() == planned.peak - planned.parameters - planned.optimizer);
    constexpr tl::described_net described = tl::detail::describe_net<net_type>();
    const tl::bound_extent given{four.symbol, 512};
    CHECK(tl::detail::memory_of(described, {described.program->plan->extents, {&given, 1}}) == planned);
  });
}

TEST_CASE("an extent that the model does not have is an error that names those there are") {
  const tl::bound_extent other{&tl::interned<"btch">, 4}, negative{&tl::interned<"batch">, -1};
  CHECK_THROWS_WITH(tl::detail::summary_text(net, {}, {&other, 1}),
                    contains("summary: the model has no run-time extent named \"btch\"; there is \"batch\""));
  CHECK_THROWS_WITH(tl::detail::explanation_text(net, {&negative, 1}, {}),
                    contains("explain: the run-time extent \"batch\" is -1; it must be 0 or more"));
}

TEST_CASE("an explanation tells of the graph, the kernels and the memory") {
  const std::string text = tl::detail::explanation_text(net, {&four, 1}, {});
  CHECK_THAT(text, contains("# The graph") && contains("# The kernels") && contains("# The memory"));
  CHECK_THAT(text,
             contains("product: matmul, over [4, 2] times [2, 3]\n    forward of body.fc1, 48 operations, "
                      "104 B\n    %4 from x, body.fc1.weight\n"));
  CHECK_THAT(text,
             contains("new adam.mu, adam.nu of body.fc1.weight, new body.fc1.weight from numbers of the "
                      "prologue, body.fc1.weight, "));
  CHECK_THAT(text, contains("The peak, with parameters and states, is "));
  CHECK_THAT(tl::detail::explanation_text(net, {}, {}), contains("How large buffers are depends on batch"));
}

TEST_CASE("loops are told with their iterations") {
  constexpr auto recurrent = [] {
    auto x = tl::input<"x", float, 5, 2, 3>;
    auto [y, last] = tl::rnn<"rnn", 4>(x);
    return tl::mean(tl::square(last));
  };
  constexpr tl::described_net looping = net_of<std::remove_const_t<decltype(recurrent)>, adam>();
  const std::string text = tl::detail::explanation_text(looping, {}, {});
  CHECK_THAT(text,
             contains("loop: 5 iterations") && contains("loop: 5 iterations, from the last to the first"));
  const tl::operation_counts counts = tl::count_operations(*looping.program);
  // the input's products for all steps, and the state's in each
  CHECK(counts.forward.constant() > 5 * 2 * 2 * 3 * 4 + 5 * 2 * 2 * 4 * 4);
  CHECK(counts.backward.constant() > counts.forward.constant());
}

TEST_CASE("a drawing has the model's forward graph, with layers as frames") {
  const tl::detail::drawing d = tl::detail::draw(net, {});
  const std::string dot = tl::detail::dot_text(d), mermaid = tl::detail::mermaid_text(d);
  CHECK_THAT(dot, contains("label=\"body.fc1\"") && contains("label=\"matmul\\n[batch, 3]\"") &&
                      contains("label=\"x\\nfloat [batch, 2]\"") && contains("label=\"loss\""));
  CHECK_THAT(mermaid,
             contains("subgraph g0[\"body.fc1\"]") && contains("(\"matmul<br/>[batch, 3]\"):::operation"));
  CHECK_THAT(mermaid,
             contains("class g0 frame") && contains("classDef operation fill:#fff,stroke:#555,color:#222"));
  for (const tl::detail::drawn_arrow& a : d.arrows) {
    CHECK(a.from >= 0);
    CHECK(a.to >= 0);
  }
  std::size_t outputs = 0;
  for (const tl::detail::drawn_box& b : d.boxes) outputs += b.kind == tl::detail::box_kind::output ? 1 : 0;
  CHECK(outputs == 2);
}

TEST_CASE("a drawing of the whole plan has its kernels by phase") {
  const std::string dot = tl::detail::dot_text(tl::detail::draw(net, {.whole_plan = true}));
  CHECK_THAT(dot,
             contains("label=\"forward\"") && contains("label=\"backward\"") && contains("label=\"update\""));
  CHECK_THAT(dot, contains("\\nnew body.fc1.weight\""));
}

TEST_CASE("names with signs of a drawing's language are spelled out") {
  CHECK(tl::detail::dot_string("a\"b\\c\nd") == "\"a\\\"b\\\\c\\nd\"");
  CHECK(tl::detail::mermaid_string("a\"<b>\n#") == "\"a#34;#60;b#62;<br/>#35;\"");
}

TEST_CASE("functions and trainers of several losses are described, too") {
  tl::function f{model};
  CHECK_THAT(tl::summary(f, "batch"_t = 4), contains("memory of a call: ") && !contains("backward"));
  CHECK_THAT(tl::explain(f), contains("The program of a call is a graph of"));
  CHECK_THAT(tl::to_mermaid(f), contains("flowchart TD"));
  constexpr auto rivals = [] {
    auto x = tl::input<"x", float, 4, 2>;
    auto a = tl::mean(tl::square(tl::linear<"a", 3>(x)));
    auto b = tl::mean(tl::abs(tl::linear<"b", 3>(x)));
    return tl::outputs(tl::named<"one">(a), tl::named<"other">(b));
  };
  using rule =
      decltype(tl::in_turn(tl::objective<"one">(tl::names_like<"a.*">, tl::sgd({.learning_rate = 0.1f})),
                           tl::objective<"other">(tl::names_like<"b.*">, tl::sgd({.learning_rate = 0.1f}))));
  constexpr tl::described_net several = net_of<std::remove_const_t<decltype(rivals)>, rule>();
  const std::string text = tl::detail::summary_text(several, {}, {});
  CHECK_THAT(text, contains("memory of an evaluation: "));
  CHECK_THAT(line_of(text, "b "), contains("matmul, +"));
}

TEST_CASE("arrows of drawings begin and end at boxes, whatever an output is") {
  constexpr auto odd = [] {
    auto x = tl::input<"x", float, 4>;
    return tl::outputs(tl::named<"y">(tl::relu(x)), tl::named<"c">(tl::constant<2.5>),
                       tl::named<"z">(tl::normal<"z", float, 4>()));
  };
  const tl::function f{odd};
  for (const bool whole_plan : {false, true}) {
    const std::string dot = tl::to_dot(f, {.whole_plan = whole_plan});
    int arrows = 0;
    for (std::size_t at = dot.find(" -> n"); at != std::string::npos; at = dot.find(" -> n", at + 1)) {
      const std::size_t begin = dot.rfind(' ', at - 1);
      for (const std::string& box :
           {dot.substr(begin, at - begin), dot.substr(at + 3, dot.find_first_of(" ;", at + 4) - at - 3)})
        CHECK_THAT(dot, contains(box + " [label="));
      ++arrows;
    }
    CHECK(arrows > 0);
  }
  CHECK_THAT(tl::to_dot(f), contains("[label=\"c\\n2.5\""));
}
