// SPDX-License-Identifier: BSL-1.0
// Runs a generated case in double and in float, and compares what it gives with the stored tensors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "reference/error.hpp"

#include <tapeless/io/safetensors.hpp>
#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace reference {

/// Names of inputs or outputs, which are the tensors' roles: "in0", "gout", "grad_in0".
template <tl::name... Role>
struct roles {};

template <tl::name... Role>
std::vector<std::string_view> names_of(roles<Role...>) {
  return {Role.view()...};
}

/// In which precisions a case is compared, and how closely in float.
struct precision {
  bool single = true;
  double single_tolerance = 1e-5;
  double double_tolerance = 1e-10;
};

/// A part of a case that is not compared, and why.
struct exception {
  std::string_view role, reason;
};

/// The tensors of one case.
class tensors {
 public:
  tensors(const std::string& path, std::string name) : file_(open(path)), name_(std::move(name)) {}

  const tl::io::tensor_entry& operator[](std::string_view role) const {
    return file_[name_ + "." + std::string(role)];
  }

  /// The roles of the tensors that the file has for this case.
  std::vector<std::string> roles() const {
    std::vector<std::string> found;
    for (const tl::io::tensor_entry& entry : file_)
      if (entry.name.starts_with(name_ + ".")) found.push_back(entry.name.substr(name_.size() + 1));
    return found;
  }

 private:
  const tl::io::safetensors& file_;
  std::string name_;

  static const tl::io::safetensors& open(const std::string& path) {
    static std::map<std::string, tl::io::safetensors> files;
    const auto found = files.find(path);
    return found != files.end() ? found->second
                                : files.emplace(path, tl::io::safetensors::read(path)).first->second;
  }
};

/// A stored tensor as what is given to an input: its doubles as they are, or rounded to float.
class elements_of_tensor {
 public:
  elements_of_tensor(const tl::io::tensor_entry& entry, tl::element floating) {
    bound_.given = true;
    bound_.type = entry.type;
    bound_.data = entry.bytes.data();
    bound_.rank = static_cast<int>(entry.shape.size());
    bound_.count = 1;
    for (std::size_t i = 0; i < entry.shape.size(); ++i) {
      bound_.shape[i] = entry.shape[i];
      bound_.count *= entry.shape[i];
    }
    if (floating != tl::element::f32 || entry.type != tl::element::f64) return;
    for (const double x : entry.as<double>()) rounded_.push_back(static_cast<float>(x));
    bound_.type = floating;
    bound_.data = reinterpret_cast<const std::byte*>(rounded_.data());
  }

  const tl::bound_elements& bound() const { return bound_; }

 private:
  std::vector<float> rounded_;
  tl::bound_elements bound_;
};

inline std::vector<double> numbers(const tl::io::tensor_entry& entry) {
  if (entry.type == tl::element::f64) return test::elements(entry.as<double>());
  if (entry.type == tl::element::boolean) return test::elements(entry.as<bool>());
  return test::elements(entry.as<std::int64_t>());
}

/// What a program gave for one role.
struct outcome {
  std::vector<std::int64_t> shape;
  std::vector<double> numbers;

  template <class View>
  explicit outcome(const View& view)
      : shape(view.shape().begin(), view.shape().end()), numbers(test::elements(view)) {}
};

inline void compare(std::string_view role, const outcome& got, const tl::io::tensor_entry& want,
                    double tolerance) {
  INFO(role);
  REQUIRE(got.shape == want.shape);
  CHECK(error_of(got.numbers, numbers(want)) <= tolerance);
}

/// Every tensor of the case is among `known`, or an exception, whose reason is shown.
inline void account_for(const tensors& stored, const std::vector<std::string_view>& known,
                        const std::vector<exception>& exceptions) {
  for (const std::string& role : stored.roles()) {
    bool found = std::find(known.begin(), known.end(), role) != known.end();
    for (const exception& e : exceptions) {
      if (e.role != role) continue;
      found = true;
      WARN("skipped: " << role << ": " << e.reason);
    }
    INFO("tensor \"" << role << "\" takes no part in the test");
    CHECK(found);
  }
}

/// The tensors that are inputs, by role.
inline std::map<std::string_view, elements_of_tensor> inputs_of(const tensors& stored, tl::element floating,
                                                                const std::vector<std::string_view>& roles) {
  std::map<std::string_view, elements_of_tensor> all;
  for (const std::string_view role : roles) all.emplace(role, elements_of_tensor(stored[role], floating));
  return all;
}

/// Double is compared on the CPU's tables, float where a GPU's kernels run: half as many programs to compile,
/// which show the same mistakes. The docstrings' examples are of float on the CPU, and straight-line code has
/// the bits of tables: see laws/ and run/cpu/straight_line/.
template <class Policy>
inline constexpr bool compares_double = std::is_same_v<Policy, tl::cpu_by_tables>;
template <class Policy>
inline constexpr bool compares_float = !compares_double<Policy> || !test::has_thrust_host;

template <class T, class Policy, class Model, tl::name... In, tl::name... Out>
void run(Model model, const tensors& stored, double tolerance, roles<In...>, roles<Out...>) {
  INFO("elements of type " << tl::name_of(tl::element_of<T>));
  const auto given = inputs_of(stored, tl::element_of<T>, {In.view()...});
  tl::function f{model, Policy{}};
  const auto result = f(tl::binding<In>(given.at(In.view()).bound())...);
  (compare(Out.view(), outcome(result.template get<Out>()), stored[Out.view()], tolerance), ...);
}

/// Compares the case `name` of the file. Model<T> is its program, with inputs and outputs named by roles.
template <template <class> class Model, tl::name... In, tl::name... Out>
void check(const char* path, const char* name, roles<In...> in, roles<Out...> out, precision p,
           const std::vector<exception>& exceptions = {}) {
  const tensors stored(path, name);
  account_for(stored, {In.view()..., Out.view()...}, exceptions);
  test::on_table_policies([&]<class Policy>() {
    if constexpr (compares_double<Policy>)
      run<double, Policy>(Model<double>{}, stored, p.double_tolerance, in, out);
    if constexpr (compares_float<Policy>)
      if (p.single) run<float, Policy>(Model<float>{}, stored, p.single_tolerance, in, out);
  });
}

/// A layer's parameter: the tensors that it starts as, laid end to end, and the one that it is afterwards.
template <tl::name Parameter>
struct owned {
  std::vector<std::string_view> roles;
  std::string_view afterwards;
};

enum class mode { training, evaluation };

template <class View>
void fill(const View& parameter, const tensors& stored, const std::vector<std::string_view>& roles) {
  std::size_t count = 0;
  for (const std::string_view role : roles)
    for (const double x : stored[role].as<double>()) {
      REQUIRE(count < parameter.size());
      parameter[count++] = static_cast<typename View::value_type>(x);
    }
  REQUIRE(count == parameter.size());
}

/// A step, or an evaluation.
template <mode Mode, class Net, class... Bindings>
auto outputs_of(Net& net, const Bindings&... bindings) {
  if constexpr (Mode == mode::training) {
    return net.step(bindings...);
  } else {
    return net.evaluate(bindings...);
  }
}

template <class T, mode Mode, class Policy, class Model, tl::name... In, tl::name... Out,
          tl::name... Parameter>
void run_layer(Model model, const tensors& stored, double tolerance, roles<In...>, roles<Out...>,
               const owned<Parameter>&... parameter) {
  INFO("elements of type " << tl::name_of(tl::element_of<T>));
  const auto given = inputs_of(stored, tl::element_of<T>, {In.view()...});
  tl::trainer net{model, tl::sgd({.learning_rate = 1e-3}), Policy{}};
  (fill(net.template parameter<Parameter>(), stored, parameter.roles), ...);
  const auto result = outputs_of<Mode>(net, tl::binding<In>(given.at(In.view()).bound())...);
  (compare(Out.view(), outcome(result.template get<Out>()), stored[Out.view()], tolerance), ...);
  const auto compare_afterwards = [&](std::string_view role, const auto& view) {
    if (!role.empty()) compare(role, outcome(view), stored[role], tolerance);
  };
  (compare_afterwards(parameter.afterwards, net.template parameter<Parameter>()), ...);
}

/// The same as check for a layer that owns its parameters: they are put into a trainer.
template <template <class> class Model, mode Mode, class In, class Out, tl::name... Parameter>
void check_layer(const char* path, const char* name, In in, Out out, precision p,
                 const std::vector<exception>& exceptions, const owned<Parameter>&... parameter) {
  const tensors stored(path, name);
  std::vector<std::string_view> known = names_of(in), more = names_of(out);
  known.insert(known.end(), more.begin(), more.end());
  (known.insert(known.end(), parameter.roles.begin(), parameter.roles.end()), ...);
  (known.push_back(parameter.afterwards), ...);
  account_for(stored, known, exceptions);
  test::on_table_policies([&]<class Policy>() {
    if constexpr (compares_double<Policy>)
      run_layer<double, Mode, Policy>(Model<double>{}, stored, p.double_tolerance, in, out, parameter...);
    if constexpr (compares_float<Policy>)
      if (p.single)
        run_layer<float, Mode, Policy>(Model<float>{}, stored, p.single_tolerance, in, out, parameter...);
  });
}

}  // namespace reference
