// SPDX-License-Identifier: BSL-1.0
// Small static steps and predictions on tl::bare and tl::straight_line, each a function whose instructions
// are counted; see counts.cmake. Usage: counts NAME
#include <cstdio>
#include <cstring>
#include <type_traits>

#include <tapeless/bare.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

template <auto Batch>
constexpr auto mlp = [] {
  auto x = tl::input<"x", float, Batch, 2>;
  auto y = tl::input<"y", float, Batch, 1>;
  auto p = tl::linear<"b", 1>(tl::tanh(tl::linear<"a", 16>(x)));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};
template <auto Batch>
constexpr auto controller = [] {
  auto x = tl::input<"x", float, Batch, 4>;
  auto y = tl::input<"y", float, Batch, 2>;
  auto p = tl::linear<"c", 2>(tl::tanh(tl::linear<"b", 64>(tl::tanh(tl::linear<"a", 64>(x)))));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};
template <auto Batch>
constexpr auto regression = [] {
  auto x = tl::input<"x", float, Batch, 8>;
  auto y = tl::input<"y", float, Batch, 1>;
  auto p = tl::linear<"a", 1>(x);
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};

float x[32 * 8], y[2][32 * 2];

template <std::size_t Count>
const float (&first(const float* all))[Count] {
  return *reinterpret_cast<const float(*)[Count]>(all);
}

// A trainer of a model with so many numbers going in and out.
template <auto Model, std::size_t In, std::size_t Out, class Rule, class Policy>
class counted {
 public:
  explicit counted(Rule rule) : net_(Model, rule) {
    if constexpr (!std::is_same_v<Policy, tl::bare>) {  // programs are made when they first run
      step(0);
      predict();
    }
  }
  float step(int k) { return net_.step("x"_t = first<In>(x), "y"_t = first<Out>(y[k % 2])).loss(); }
  float predict() { return net_.predict("x"_t = first<In>(x)).template get<"p">()[0]; }

 private:
  tl::trainer<std::remove_cvref_t<decltype(Model)>, Rule, Policy, tl::deferred_updates_t> net_;
};
template <auto Model, std::size_t In, std::size_t Out, class Policy = tl::bare>
auto count_steps(auto rule) {
  return counted<Model, In, Out, decltype(rule), Policy>(rule);
}

auto mlp_1 = count_steps<mlp<1>, 2, 1>(tl::sgd({.learning_rate = 0.01f}));
auto mlp_32 = count_steps<mlp<32>, 64, 32>(tl::sgd({.learning_rate = 0.01f}));
auto controller_1 = count_steps<controller<1>, 4, 2>(tl::adam({.learning_rate = 1e-3f}));
auto controller_32 = count_steps<controller<32>, 128, 64>(tl::adam({.learning_rate = 1e-3f}));
auto regression_1 = count_steps<regression<1>, 8, 1>(tl::sgd({.learning_rate = 0.01f}));
auto regression_32 = count_steps<regression<32>, 256, 32>(tl::sgd({.learning_rate = 0.01f}));
auto line_mlp_1 = count_steps<mlp<1>, 2, 1, tl::straight_line>(tl::sgd({.learning_rate = 0.01f}));
auto line_controller_1 =
    count_steps<controller<1>, 4, 2, tl::straight_line>(tl::adam({.learning_rate = 1e-3f}));
auto line_regression_1 =
    count_steps<regression<1>, 8, 1, tl::straight_line>(tl::sgd({.learning_rate = 0.01f}));
auto line_regression_32 =
    count_steps<regression<32>, 256, 32, tl::straight_line>(tl::sgd({.learning_rate = 0.01f}));

}  // namespace

// What valgrind finds by its name.
extern "C" {
[[gnu::noinline]] float step_mlp_1(int k) { return mlp_1.step(k); }
[[gnu::noinline]] float step_mlp_32(int k) { return mlp_32.step(k); }
[[gnu::noinline]] float step_controller_1(int k) { return controller_1.step(k); }
[[gnu::noinline]] float step_controller_32(int k) { return controller_32.step(k); }
[[gnu::noinline]] float step_regression_1(int k) { return regression_1.step(k); }
[[gnu::noinline]] float step_regression_32(int k) { return regression_32.step(k); }
[[gnu::noinline]] float predict_mlp_1(int) { return mlp_1.predict(); }
[[gnu::noinline]] float predict_controller_1(int) { return controller_1.predict(); }
[[gnu::noinline]] float predict_regression_1(int) { return regression_1.predict(); }
[[gnu::noinline]] float line_step_mlp_1(int k) { return line_mlp_1.step(k); }
[[gnu::noinline]] float line_step_controller_1(int k) { return line_controller_1.step(k); }
[[gnu::noinline]] float line_step_regression_1(int k) { return line_regression_1.step(k); }
[[gnu::noinline]] float line_step_regression_32(int k) { return line_regression_32.step(k); }
[[gnu::noinline]] float line_predict_mlp_1(int) { return line_mlp_1.predict(); }
[[gnu::noinline]] float line_predict_controller_1(int) { return line_controller_1.predict(); }
[[gnu::noinline]] float line_predict_regression_1(int) { return line_regression_1.predict(); }
}

int main(int count, char** arguments) {
  for (int i = 0; i < 256; ++i) x[i] = static_cast<float>((i * 37 + 11) % 23) / 11.5f - 1;
  for (int i = 0; i < 64; ++i) {
    y[0][i] = static_cast<float>((i * 31 + 5) % 19) / 9.5f - 1;
    y[1][i] = -y[0][i];
  }
  struct {
    const char* name;
    float (*run)(int);
  } const all[] = {{"step_mlp_1", step_mlp_1},
                   {"step_mlp_32", step_mlp_32},
                   {"step_controller_1", step_controller_1},
                   {"step_controller_32", step_controller_32},
                   {"step_regression_1", step_regression_1},
                   {"step_regression_32", step_regression_32},
                   {"predict_mlp_1", predict_mlp_1},
                   {"predict_controller_1", predict_controller_1},
                   {"predict_regression_1", predict_regression_1},
                   {"line_step_mlp_1", line_step_mlp_1},
                   {"line_step_controller_1", line_step_controller_1},
                   {"line_step_regression_1", line_step_regression_1},
                   {"line_step_regression_32", line_step_regression_32},
                   {"line_predict_mlp_1", line_predict_mlp_1},
                   {"line_predict_controller_1", line_predict_controller_1},
                   {"line_predict_regression_1", line_predict_regression_1}};
  for (const auto& function : all) {
    if (count < 2 || std::strcmp(function.name, arguments[1]) != 0) continue;
    float sum = 0;
    for (int k = 0; k < 100; ++k) sum += function.run(k);
    std::printf("%g\n", static_cast<double>(sum));
    return 0;
  }
  for (const auto& function : all) std::printf("%s\n", function.name);
  return count < 2 ? 0 : 1;
}
