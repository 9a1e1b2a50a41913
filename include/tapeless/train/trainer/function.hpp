// SPDX-License-Identifier: BSL-1.0
// function: a model's outputs from its inputs, without any training.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/io/bytes_reader.hpp>
#include <tapeless/run/common/policy.hpp>
#include <tapeless/run/default_policy.hpp>
#include <tapeless/train/binding/struct_binding.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/function_result.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/function_declaration.hpp>
#include <tapeless/train/trainer/function_weights.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>
#include <tapeless/train/trainer/program_pool.hpp>
#include <tapeless/train/trainer/training_progress.hpp>

namespace tapeless {

/// A compiled model: f("x"_t = x).get<"y">(). Its parameters, if it has some, are
///   function f{model}                    the initial values of a seed, until they are written to
///   function f{model, weights(path)}     those of a file
///   function f{model, weights(bytes)}    those of a file's bytes, which are copied
///   function f{model, weights(net)}      a trainer's own, or another function's, which are not copied
/// The model may be another one than theirs; the parameters of its names are taken.
///
/// Calls are const, and any number of threads may make them at once: each has an arena of its own, which is
/// used again after it. While calls go on, or it is saved, nobody writes to the parameters: load,
/// copy_parameters and soft_update are errors then, as is a step of a trainer whose weights are shared; what
/// is written to a view is not noticed. A function can be moved, not copied.
template <class Model, class Policy = default_policy, class Weights>
class function {
 public:
  using policy_type = Policy;
  using graph_builder = ready_for<forward_graph_builder<Model, Weights::stored_as>, Policy>;
  static constexpr bool shares_weights = Weights::are_shared;
  static constexpr element stored_as = Weights::stored_as;

  /// Parameters start from the seed, each by its own initializer.
  TAPELESS_WARM explicit function(Model, Policy policy = {}, random_seed seed = 0)
    requires(!detail::are_weights<Policy> && !Weights::are_shared)
      : own_(new members(policy, seed)) {}
  /// Throws one error that lists all parameters that the file lacks, or has in another type or shape.
  TAPELESS_WARM function(Model, const weights_in_file& file, Policy policy = {})
    requires(!Weights::are_shared)
      : function(Model{}, policy) {
    detail::take_tensors(*this, io::read_tensors(file.path)->entries(), file.options,
                         {file.path, "the file"});
  }
  TAPELESS_WARM function(Model, weights_in_memory file, Policy policy = {})
    requires(!Weights::are_shared)
      : function(Model{}, policy) {
    const auto read = io::safetensors::read_from(io::bytes_reader({file.bytes, file.size}));
    detail::take_tensors(*this, read.entries(), {}, {"the bytes", "the file"});
  }
  /// Throws one error that lists all parameters that the owner lacks, or has in another type or shape.
  template <class Net>
    requires Weights::are_shared
  function(Model, const weights_to_share<Net>& trained)
      : function(Model{}, trained, trained.shared->policy) {}
  template <class Net>
    requires Weights::are_shared
  TAPELESS_WARM function(Model, const weights_to_share<Net>& trained, std::type_identity_t<Policy> policy)
      : own_(new members(policy, trained.shared)) {
    if constexpr (requires { policy.device; })
      if (policy.device != trained.shared->policy.device)
        throw_error({"function: the shared weights are on device ", trained.shared->policy.device,
                     ", but the function is told to run on device ", policy.device});
  }

  error_stub_result operator()(inputs_in_braces) const { return {}; }

  /// From the next call on, random numbers are those of this seed; parameters stay as they are. Calls draw
  /// the same numbers until then. Other threads may call the function meanwhile: the seed is theirs, too.
  /// Threads that need seeds of their own have a function each; functions on weights(net) copy no weights.
  void seed(random_seed number) { own().random_key = random_key_of(number); }

  /// Computes the outputs. They can be read as long as the result lives, or a view of one of them.
  template <class... Bindings>
  function_result<graph_builder> operator()(const Bindings&... bindings) const {
    const bindings_of<graph_builder> sorted = detail::sort_bindings<Model, graph_builder>(bindings...);
    [[maybe_unused]] const auto reading = own().weights.read();
    return function_result<graph_builder>(own().programs->run(
        own().random_key, own().weights.program_pointers(), sorted.inputs, sorted.known_extents()));
  }

  /// A view of a parameter's elements; those of its own can be written to while no call goes on.
  template <name Name>
  auto parameter() {
    return own().weights.template view<Name>();
  }
  template <name Name>
  auto parameter() const {
    const auto view = own().weights.template view<Name>();
    if constexpr (std::is_same_v<decltype(view), const error_stub_result>) {
      return view;
    } else {
      return view.as_const();
    }
  }

  /// Views of all parameters, with their names, in the order in which the model mentions them. Those of a
  /// loop have one type: for (auto& p : f.parameters()) std::cout << p.name() << p.size() << p[0].
  auto parameters() { return own().weights.template views<shares_weights>(); }
  auto parameters() const { return own().weights.template views<true>(); }

  /// What is known of the parameters while compiling, in the order in which the model mentions them.
  static constexpr array_view<const parameter_description> parameter_descriptions() {
    return parameters_of_model<Model, Weights::stored_as>;
  }
  /// Where their elements are.
  array_view<std::byte* const> parameter_data() const { return own().weights.pointers(); }
  // As long as what it returns lives, nothing changes them. Throws an error where a step or a load does.
  [[nodiscard]] weights_guard::reading keep_others_out() const { return own().weights.read(); }
  // As long as what it returns lives, they are being changed. Throws an error where a call goes on.
  [[nodiscard]] auto begin_change()
    requires(!Weights::are_shared)
  {
    return own().weights.change();
  }
  // For functions on its weights.
  auto shared_weights()
    requires(!Weights::are_shared)
  {
    return own().weights.shared();
  }

 private:
  using kernel_table = std::remove_cvref_t<decltype(Policy::template kernels<graph_builder>)>;
  using program_type = program_pool<Policy, kernel_table>;
  using weights_type =
      std::conditional_t<shares_weights, detail::weights_of_another<Model, Policy, Weights::stored_as>,
                         detail::weights_of_function<Model, Policy, program_type>>;

  // What stays in its place when the function moves.
  struct members {
    TAPELESS_COLD members(const Policy& policy, std::uint64_t seed)
        : programs(make_programs(policy)), weights(policy, programs, seed), random_key(random_key_of(seed)) {}
    template <class Trained>
    TAPELESS_COLD members(const Policy& policy, const std::shared_ptr<Trained>& trained)
        : programs(make_programs(policy)), weights(trained), random_key(random_key_of(0)) {}

    std::shared_ptr<program_type> programs;
    weights_type weights;
    std::atomic<double> random_key;
  };
  sole_owner<members> own_;

  static double random_key_of(std::uint64_t seed) {
    return training_progress(seed, parameters_of_model<Model, Weights::stored_as>.size())
        .next_evaluation_key();
  }
  static auto make_programs(const Policy& policy) {
    return std::make_shared<program_type>(checked_plan_of<graph_builder>(),
                                          Policy::template kernels<graph_builder>, policy);
  }

  members& own() const { return detail::unless_moved_from(own_, "function"); }
};

namespace detail {

/// Says why a function does not run on what stands where a policy or weights may.
template <class Policy>
struct function_report : policy_report<Policy> {};
template <has_weights Policy>
struct function_report<Policy> {
  static_assert(std::is_void_v<Policy>,
                "tapeless: a function takes weights by tl::weights: tl::function f{model, tl::weights(net)}, "
                "or tl::weights(\"net.safetensors\")");
};

}  // namespace detail

template <class Model, class Policy, class Weights>
  requires(!can_run_on<Policy>() || !is_sound_model<Model>() || std::is_same_v<Weights, erroneous_weights>)
class function<Model, Policy, Weights> : public error_stub {
 public:
  explicit function(Model, const auto&...) {
    static_cast<void>(sizeof(model_report<Model>) + sizeof(detail::function_report<Policy>));
  }
};

template <class Model, class Policy = default_policy>
  requires(!detail::are_weights<Policy>)
function(Model, Policy = {}, random_seed = 0) -> function<Model, Policy>;
template <class Model>
function(Model, weights_in_file) -> function<Model>;
template <class Model, class Policy>
function(Model, weights_in_file, Policy) -> function<Model, Policy>;
template <class Model>
function(Model, weights_in_memory) -> function<Model>;
template <class Model, class Policy>
function(Model, weights_in_memory, Policy) -> function<Model, Policy>;
template <class Model, class Net>
function(Model, weights_to_share<Net>)
    -> function<Model, typename Net::policy_type, shared_weights<Net::stored_as>>;
template <class Model, class Net, class Policy>
function(Model, weights_to_share<Net>, Policy)
    -> function<Model, typename Net::policy_type, shared_weights<Net::stored_as>>;
template <class Model>
function(Model, erroneous_weights) -> function<Model, default_policy, erroneous_weights>;

}  // namespace tapeless
