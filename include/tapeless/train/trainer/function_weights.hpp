// SPDX-License-Identifier: BSL-1.0
// Where a function's weights are: in memory of its own, or in that of a trainer or another function.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/tensor_formats.hpp>
#include <tapeless/system_mutex.hpp>
#include <tapeless/train/binding/named_view.hpp>
#include <tapeless/train/trainer/function_declaration.hpp>
#include <tapeless/train/trainer/model_parameters.hpp>
#include <tapeless/train/trainer/trained_weights.hpp>
#include <tapeless/train/trainer/weights.hpp>

namespace tapeless {

namespace detail {

/// What owns a function's weights: the resources that its programs have anyway. Where these have a stream, it
/// is an owner on a stream of its own: weights are read and sent while others run, and capture, on theirs.
template <class Resources>
decltype(auto) weights_owner_beside(Resources& of_programs) {
  if constexpr (has_streams<Resources>) {
    return typename Resources::memory_owner(of_programs.device());
  } else {
    return (of_programs);
  }
}
template <class Resources>
using weights_owner_of = decltype(weights_owner_beside(std::declval<Resources&>()));

/// What a function and those on its weights own together: as trained_weights.
template <class Parameters, class Policy, class Programs>
struct loaded_weights {
  loaded_weights(const Policy& p, std::shared_ptr<Programs> its_programs, std::uint64_t seed)
      : policy(p),
        programs(std::move(its_programs)),
        resources(weights_owner_beside(programs->first())),
        parameters(resources, seed) {}

  using parameters_type = Parameters;

  Policy policy;
  std::shared_ptr<Programs> programs;
  weights_owner_of<typename Policy::resources> resources;
  Parameters parameters;
  weights_guard guard{weights_owner::function};
  system_mutex mutex;
};

/// Parameters with memory of their own, which calls may read at the same time.
template <class Model, class Policy, class Programs>
class weights_of_function {
 public:
  using shared_type =
      loaded_weights<model_parameters<Model, element::number, typename Policy::memory>, Policy, Programs>;

  weights_of_function(const Policy& policy, const std::shared_ptr<Programs>& programs, std::uint64_t seed)
      : shared_(std::make_shared<shared_type>(policy, programs, seed)) {}

  const std::shared_ptr<shared_type>& shared() const { return shared_; }

  array_view<std::byte* const> program_pointers() const {
    return shared_->parameters.memory().program_pointers();
  }
  array_view<std::byte* const> pointers() const { return shared_->parameters.memory().pointers(); }
  template <name Name>
  auto view() const {
    return shared_->parameters.template view<Name>();
  }
  template <bool Const>
  auto views() const {
    return shared_->parameters.template views<Const>();
  }

  /// As long as what it returns lives, nothing is loaded into them; what was written to them calls find.
  /// Throws an error where something is.
  weights_guard::reading read() {
    weights_guard::reading r = shared_->guard.read();
    if constexpr (has_streams<typename Policy::resources>) {
      const mutex_lock lock(shared_->mutex);
      shared_->resources.send_changes_to_others();
    }
    return r;
  }
  weights_guard::changing change() { return shared_->guard.change(); }

 private:
  std::shared_ptr<shared_type> shared_;
};

inline bool are_alike(const parameter_description& a, const parameter_description& b) {
  return a.type == b.type && a.rank == b.rank && a.shape == b.shape;
}

[[noreturn]] TAPELESS_COLD inline void refuse_weights(weights_owner whose,
                                                      array_view<const parameter_description> own,
                                                      array_view<const parameter_description> trained) {
  const char* const owner = whose == weights_owner::trainer ? "trainer" : "function";
  std::string missing, unexpected, mismatched;
  const auto add = [](std::string& all, std::initializer_list<text_piece> item) {
    append(all, {all.empty() ? "" : ", ", join(item)});
  };
  for (const parameter_description& p : own) {
    const int place = place_of(*p.label, trained);
    if (place < 0) {
      add(missing, {"\"", p.label->view(), "\""});
    } else if (const parameter_description& found = trained[static_cast<std::size_t>(place)];
               !are_alike(p, found)) {
      add(mismatched,
          {"the parameter \"", p.label->view(), "\" is ", name_of(p.type), io::shape_text(p.extents()),
           ", but the ", owner, " holds ", name_of(found.type), io::shape_text(found.extents())});
    }
  }
  for (const parameter_description& p : trained)
    if (place_of(*p.label, own) < 0) add(unexpected, {"\"", p.label->view(), "\""});
  if (!missing.empty()) {
    missing = join({"missing in the ", owner, ": ", missing});
    if (!unexpected.empty()) append(missing, {"; no parameters of the model: ", unexpected});
    if (!mismatched.empty()) missing += "; ";
  }
  throw_error({whose == weights_owner::trainer ? "function on a trainer's weights: "
                                               : "function on another one's weights: ",
               missing, mismatched});
}

/// The places of a model's parameters among those of another owner, by name. Throws one error that lists all
/// that the owner lacks, or has in another type or shape.
TAPELESS_WARM inline list<int> places_among(weights_owner whose, array_view<const parameter_description> own,
                                            array_view<const parameter_description> trained) {
  list<int> places;
  for (const parameter_description& p : own) {
    const int place = place_of(*p.label, trained);
    if (place < 0 || !are_alike(p, trained[static_cast<std::size_t>(place)]))
      refuse_weights(whose, own, trained);
    places.push(place);
  }
  return places;
}

/// Those of a trainer or another function, which both own then.
template <class Model, class Policy, element StoredAs>
class weights_of_another {
  using memory = parameter_memory<typename Policy::memory>;
  static constexpr const auto& descriptions = parameters_of_model<Model, StoredAs>;

 public:
  template <class Trained>
  explicit weights_of_another(const std::shared_ptr<Trained>& trained)
      : owned_(trained),
        memory_(trained->parameters.memory()),
        resources_(trained->resources),
        guard_(trained->guard),
        mutex_(trained->mutex),
        places_(places_among(guard_.whose(), descriptions, Trained::parameters_type::descriptions)) {
    const auto there = memory_.program_pointers(), here = memory_.pointers();
    for (const int place : places_) {
      program_pointers_.push(there[static_cast<std::size_t>(place)]);
      pointers_.push(here[static_cast<std::size_t>(place)]);
    }
  }

  array_view<std::byte* const> program_pointers() const { return program_pointers_; }
  array_view<std::byte* const> pointers() const {
    memory_.pointers();
    return pointers_;
  }
  template <name Name>
  auto view() const {
    using own = model_parameters<Model, StoredAs, typename Policy::memory>;
    if constexpr (constexpr int index = own::template index_of<Name>(); index >= 0) {
      return view_at<index>();
    } else {
      return error_stub_result();
    }
  }
  template <bool>
  auto views() const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return named_views<const storage_of<descriptions[I].type>...>(
          {descriptions[I].label->view(), view_at<I>()}...);
    }(std::make_index_sequence<descriptions.size()>{});
  }

  /// As long as what it returns lives, nothing changes them. Throws an error where a step or a load does.
  weights_guard::reading read() {
    weights_guard::reading r = guard_.read();
    if constexpr (has_streams<typename Policy::resources>) {
      const mutex_lock lock(mutex_);
      if (guard_.whose() == weights_owner::trainer) {
        resources_.make_visible();
      } else {  // no step writes to a function's
        resources_.send_changes_to_others();
      }
    }
    return r;
  }

 private:
  std::shared_ptr<void> owned_;
  const memory& memory_;
  std::remove_reference_t<weights_owner_of<typename Policy::resources>>& resources_;
  weights_guard& guard_;
  system_mutex& mutex_;
  list<int> places_;
  list<std::byte*> program_pointers_, pointers_;

  template <std::size_t Index>
  auto view_at() const {
    constexpr const parameter_description& own = descriptions[Index];
    return memory_.template view<own.type>(own, static_cast<std::size_t>(places_[Index])).as_const();
  }
};

}  // namespace detail

}  // namespace tapeless
