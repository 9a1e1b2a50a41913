// SPDX-License-Identifier: BSL-1.0
// Where a function's weights are: in memory of its own, or in a trainer's.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/tensor_formats.hpp>
#include <tapeless/system_mutex.hpp>
#include <tapeless/train/trainer/function_declaration.hpp>
#include <tapeless/train/trainer/model_parameters.hpp>
#include <tapeless/train/trainer/trained_weights.hpp>
#include <tapeless/train/trainer/weights.hpp>

namespace tapeless {

namespace detail {

/// Parameters with memory of their own, which calls may read at the same time.
template <class Model, class Policy>
class weights_of_function {
 public:
  template <class Resources>
  weights_of_function(Resources& resources, std::uint64_t seed)
      : resources_(resources), parameters_(resources, seed) {}

  array_view<std::byte* const> program_pointers() const { return parameters_.memory().program_pointers(); }
  array_view<std::byte* const> pointers() const { return parameters_.memory().pointers(); }
  template <name Name>
  auto view() const {
    return parameters_.template view<Name>();
  }

  /// As long as what it returns lives, nothing is loaded into them; what was written to them calls find.
  /// Throws an error where something is.
  weights_guard::reading read() {
    weights_guard::reading r = guard_.read();
    if constexpr (has_streams<typename Policy::resources>) {
      const mutex_lock lock(mutex_);
      resources_.send_changes_to_others();
    }
    return r;
  }
  weights_guard::changing change() { return guard_.change(); }

 private:
  typename Policy::resources& resources_;
  model_parameters<Model, element::number, typename Policy::memory> parameters_;
  weights_guard guard_{weights_owner::function};
  system_mutex mutex_;
};

inline bool are_alike(const parameter_description& a, const parameter_description& b) {
  return a.type == b.type && a.rank == b.rank && a.shape == b.shape;
}

[[noreturn]] TAPELESS_COLD inline void refuse_trainer(array_view<const parameter_description> own,
                                                      array_view<const parameter_description> trained) {
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
           ", but the trainer holds ", name_of(found.type), io::shape_text(found.extents())});
    }
  }
  for (const parameter_description& p : trained)
    if (place_of(*p.label, own) < 0) add(unexpected, {"\"", p.label->view(), "\""});
  if (!missing.empty()) {
    missing = join({"missing in the trainer: ", missing});
    if (!unexpected.empty()) append(missing, {"; no parameters of the model: ", unexpected});
    if (!mismatched.empty()) missing += "; ";
  }
  throw_error({"function on a trainer's weights: ", missing, mismatched});
}

/// The places of a model's parameters among those of a trainer, by name. Throws one error that lists all that
/// the trainer lacks, or has in another type or shape.
TAPELESS_WARM inline list<int> places_in_trainer(array_view<const parameter_description> own,
                                                 array_view<const parameter_description> trained) {
  list<int> places;
  for (const parameter_description& p : own) {
    const int place = place_of(*p.label, trained);
    if (place < 0 || !are_alike(p, trained[static_cast<std::size_t>(place)])) refuse_trainer(own, trained);
    places.push(place);
  }
  return places;
}

/// Those of a trainer, which both own then.
template <class Model, class Policy, element StoredAs>
class weights_of_trained_model {
  using memory = parameter_memory<typename Policy::memory>;
  static constexpr const auto& descriptions = parameters_of_model<Model, StoredAs>;

 public:
  template <class Trained>
  explicit weights_of_trained_model(const std::shared_ptr<Trained>& trained)
      : owned_(trained),
        memory_(trained->parameters.memory()),
        resources_(trained->resources),
        guard_(trained->guard),
        mutex_(trained->mutex),
        places_(places_in_trainer(descriptions, Trained::parameters_type::descriptions)) {
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
      return memory_
          .template view<descriptions[index].type>(descriptions[index],
                                                   static_cast<std::size_t>(places_[index]))
          .as_const();
    } else {
      return error_stub_result();
    }
  }

  /// As long as what it returns lives, nothing changes them. Throws an error where a step or a load does.
  weights_guard::reading read() {
    weights_guard::reading r = guard_.read();
    if constexpr (has_streams<typename Policy::resources>) {
      const mutex_lock lock(mutex_);
      resources_.make_visible();
    }
    return r;
  }

 private:
  std::shared_ptr<void> owned_;
  const memory& memory_;
  typename Policy::resources& resources_;
  weights_guard& guard_;
  system_mutex& mutex_;
  list<int> places_;
  list<std::byte*> program_pointers_, pointers_;
};

}  // namespace detail

}  // namespace tapeless
