// SPDX-License-Identifier: BSL-1.0
// save_checkpoint(net, path), load_checkpoint(net, path): all that training goes on from, as one file.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/optim/base/hyperparameter_range.hpp>
#include <tapeless/train/files/checkpoint_identity.hpp>
#include <tapeless/train/files/model_summary.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/loop/fit_state.hpp>
#include <tapeless/train/trainer/averaged_weights.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless {

namespace detail {

/// A state's name in a file: "adam.mu.fc1.weight", or its own where it belongs to no parameter.
inline std::string name_of_state(const state_description& s,
                                 array_view<const parameter_description> parameters) {
  std::string name(s.label->view());
  if (s.of >= 0) append(name, {".", parameters[static_cast<std::size_t>(s.of)].label->view()});
  return name;
}

/// What is in a checkpoint: the trainer's own memory, and what is known of it. The gradients that wait for
/// their update are there where `waiting` says so.
template <class Net>
TAPELESS_COLD std::vector<io::tensor_entry> checkpoint_entries(Net& net, bool waiting) {
  std::vector<io::tensor_entry> entries;
  const auto parameters = net.parameter_descriptions();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    entries.push_back(entry_of(parameters[i], net.parameter_data()[i]));
  const auto states = net.state_descriptions();
  for (std::size_t i = 0; i < states.size(); ++i) {
    entries.push_back(entry_of(states[i], net.state_data()[i]));
    entries.back().name = name_of_state(states[i], parameters);
  }
  if (!waiting) return entries;
  const auto gradients = net.collected_gradients();  // none yet where a file has some and the trainer not
  for (std::size_t i = 0; i < net.gradient_descriptions().size(); ++i) {
    entries.push_back(entry_of(net.gradient_descriptions()[i], gradients.empty() ? nullptr : gradients[i]));
    entries.back().name.insert(0, "gradient.");
  }
  return entries;
}

struct trainer_state_entry {
  const char* name;
  std::int64_t* number;
  bool only_if_any = false;  // it is not in the file where it is 0
};

/// A trainer_state as tensors of a file.
class trainer_state_in_file {
 public:
  trainer_state state;
  std::array<trainer_state_entry, 7> entries{{{"trainer.steps", &state.steps},
                                              {"trainer.collected", &state.collected},
                                              {"trainer.random", &state.random},
                                              {"trainer.fit.pass", &state.fit.pass},
                                              {"trainer.fit.batch", &state.fit.batch},
                                              {"trainer.fit.batches", &state.fit.batches},
                                              {"trainer.evaluations", &state.evaluations, true}}};

  trainer_state_in_file() = default;
  trainer_state_in_file(const trainer_state_in_file&) = delete;
  trainer_state_in_file& operator=(const trainer_state_in_file&) = delete;

  template <class File>
  TAPELESS_COLD void read(const File& file) {
    if (file.find(entries[0].name) == nullptr)
      throw_error({file.path(),
                   ": it is no checkpoint, but may hold weights, which tl::load reads: it has no "
                   "tensor \"",
                   entries[0].name, "\""});
    if (file.find(entries[1].name) == nullptr && file.metadata().find(rule_key) == file.metadata().end())
      throw_error({file.path(),
                   ": it is a checkpoint of a trainer on tl::bare, which such a trainer's load_checkpoint "
                   "reads; for its weights alone, load them (tl::load)"});
    for (const trainer_state_entry& e : entries) {
      if (e.only_if_any && file.find(e.name) == nullptr) continue;
      const io::tensor_entry& stored = file[e.name];
      if (stored.type != element::i64 || !stored.shape.empty())
        throw_error({file.path(), ": \"", e.name, "\" is ", name_of(stored.type),
                     io::shape_text(stored.shape), ", but a checkpoint has one std::int64_t there"});
      std::memcpy(e.number, stored.bytes.data(), sizeof(*e.number));
    }
    check_trainer_state(state, file.path());
  }
  TAPELESS_COLD void add_to(std::vector<io::tensor_entry>& all) const {
    for (const trainer_state_entry& e : entries)
      if (!e.only_if_any || *e.number != 0)
        all.push_back(
            {e.name, element::i64, {}, {reinterpret_cast<const std::byte*>(e.number), sizeof(*e.number)}});
  }
};

inline constexpr const char* hyperparameters_key = "trainer.hyperparameters";

/// The numbers that hyperparameters were set to, in the rule's order, as a tensor of a file. They must
/// outlive it.
TAPELESS_COLD inline io::tensor_entry hyperparameters_entry(array_view<const double> numbers) {
  return {hyperparameters_key,
          element::f64,
          {static_cast<std::int64_t>(numbers.size())},
          {reinterpret_cast<const std::byte*>(numbers.data()), numbers.size() * sizeof(double)}};
}
TAPELESS_COLD inline bool any_is_set(array_view<const double> numbers) {
  return std::any_of(numbers.begin(), numbers.end(), detail::is_set);
}

inline constexpr const char* loss_scale_key = "trainer.loss_scale";

/// What the gradients of a file that wait for their update are times. It must outlive the entry.
TAPELESS_COLD inline io::tensor_entry loss_scale_entry(const double& scale) {
  return {loss_scale_key, element::f64, {}, {reinterpret_cast<const std::byte*>(&scale), sizeof scale}};
}

/// What names of a fit's state begin with, which a trainer's checkpoint may have behind its own.
inline constexpr std::string_view fit_state_prefix = "trainer.fit.state.";

TAPELESS_COLD inline io::tensor_entry entry_of(const fit_state::item& i) {
  std::vector<std::int64_t> shape;
  if (i.is_list) shape.push_back(static_cast<std::int64_t>(i.bytes.size() / size_of(i.type)));
  return {join({fit_state_prefix, i.name}), i.type, std::move(shape), i.bytes};
}

/// The state of the fit that wrote the file. Throws an error where there is none.
template <class File>
TAPELESS_COLD fit_state fit_state_in(const File& file) {
  std::vector<fit_state::item> items;
  for (const io::tensor_entry& e : file)
    if (e.name.starts_with(fit_state_prefix))
      items.push_back({e.name.substr(fit_state_prefix.size()),
                       e.type,
                       !e.shape.empty(),
                       {e.bytes.begin(), e.bytes.end()}});
  if (items.empty())
    throw_error(
        {file.path(),
         ": it has no state of a fit: it is a checkpoint of a trainer alone, which load_checkpoint reads"});
  return {std::move(items), file.path()};
}

/// Throws an error where the file has not just these tensors, beside a fit's state.
template <class File>
TAPELESS_COLD void check_tensors(const File& file, array_view<const io::tensor_entry> expected) {
  for (const io::tensor_entry& own : expected) {
    const io::tensor_entry& stored = file[own.name];
    if (stored.type != own.type || stored.shape != own.shape)
      throw_error({file.path(), ": \"", own.name, "\" is ", name_of(own.type), io::shape_text(own.shape),
                   ", but the file holds ", name_of(stored.type), io::shape_text(stored.shape)});
  }
  for (const io::tensor_entry& stored : file) {
    bool known = stored.name.starts_with(fit_state_prefix);
    for (const io::tensor_entry& own : expected) known = known || own.name == stored.name;
    if (!known)
      throw_error({file.path(), ": \"", stored.name, "\" belongs to nothing that this trainer has"});
  }
}

/// Throws an error where a state that counts something is no count. Precondition: the file has all of them.
template <class File>
TAPELESS_COLD void check_counts(const File& file, array_view<const io::tensor_entry> states) {
  for (const io::tensor_entry& state : states)
    if (state.type == element::i64)
      for (const std::int64_t number : file[state.name].template as<std::int64_t>())
        check_number(file.path(), state.name, number, most_steps);
}

// Calls write(tensors, texts) with what a checkpoint holds.
template <class Net, class Write>
TAPELESS_WARM void write_checkpoint(Net& net, const fit_state& kept, Write write) {
  const auto alone = keep_others_out(net);
  require_own_weights(net);
  trainer_state_in_file here;
  here.state = net.position();
  auto entries = checkpoint_entries(net, here.state.collected > 0);
  here.add_to(entries);
  const auto numbers = net.changed_hyperparameters();
  if (any_is_set(numbers)) entries.push_back(hyperparameters_entry(numbers));
  const double scale = here.state.collected > 0 ? net.loss_scale_in(here.state.steps) : std::nan("");
  if (is_set(scale)) entries.push_back(loss_scale_entry(scale));
  for (const fit_state::item& i : kept.items()) entries.push_back(entry_of(i));
  write(entries, identity_texts(summary_of_model<typename Net::model_type>(), net.rule_text()));
}

}  // namespace detail

/// Writes all that training goes on from, and of what model and rule it is:
///   the parameters, and the rule's states (adam.mu.fc1.weight, ...)
///   gradients that wait for their update
///   the number of steps, by which schedules go
///   the numbers that hyperparameters were set to (net.set), but no schedule
///   the places in the random numbers, and in the passes of fit
/// and, behind that, a fit's state, where one is given. The file is replaced as a whole or not at all. Throws
/// an error where it cannot be written.
template <detail::no_stub Net>
TAPELESS_WARM void save_checkpoint(Net& net, const std::string& path, const fit_state& kept = {}) {
  detail::write_checkpoint(net, kept, [&](const auto& entries, const auto& identity) {
    io::write_safetensors(path, entries, identity);
  });
}

namespace detail {

template <class Net>
TAPELESS_WARM void load_checkpoint_file(Net& net, const io::safetensors& file) {
  if constexpr (requires { net.meet_to_load("load_checkpoint"); }) net.meet_to_load("load_checkpoint");
  require_own_weights(net);
  trainer_state_in_file there;
  there.read(file);
  const auto identity = identity_texts(summary_of_model<typename Net::model_type>(), net.rule_text());
  check_rule(file, identity);
  const bool waiting = there.state.collected > 0;
  auto expected = checkpoint_entries(net, waiting);
  there.add_to(expected);
  const io::tensor_entry* const set = file.find(hyperparameters_key);
  const auto present = net.changed_hyperparameters();
  if (set != nullptr) expected.push_back(hyperparameters_entry(present));
  const double scale = 0;
  if (waiting && file.find(loss_scale_key) != nullptr) expected.push_back(loss_scale_entry(scale));
  check_tensors(file, expected);
  check_counts(file, array_view<const io::tensor_entry>(expected).subspan(net.parameter_descriptions().size(),
                                                                          net.state_descriptions().size()));
  check_model(file, identity);
  std::vector<double> numbers(present.size(), std::nan(""));  // the rule's own
  if (set != nullptr) {
    const auto stored = set->template as<double>();
    numbers.assign(stored.begin(), stored.end());
    net.check_changed_hyperparameters(numbers, file.path());
  }
  if (const io::tensor_entry* const stored = waiting ? file.find(loss_scale_key) : nullptr)
    net.check_loss_scale(stored->template as<double>()[0], there.state.steps, numbers, file.path());
  [[maybe_unused]] const auto changing = begin_change(net);
  net.set_changed_hyperparameters(numbers);
  const bool takes_gradients = writes_files(net);  // one of several ranks does
  if constexpr (is_one_of_several<Net>) {
    net.discard_gradients();
    if (takes_gradients) there.state.share = static_cast<double>(there.state.collected);
  }
  net.set_position(there.state);
  std::size_t next = 0;  // from here on nothing throws
  const auto put = [&](array_view<std::byte* const> to) {
    for (std::byte* data : to) {
      const auto& bytes = file[expected[next++].name].bytes;
      std::copy(bytes.begin(), bytes.end(), data);
    }
  };
  put(net.parameter_data());
  put(net.state_data());
  if (waiting && takes_gradients) put(net.collected_gradients());
}

}  // namespace detail

/// Reads a checkpoint back into a trainer of the same model and rule, which goes on bit for bit as the one
/// that wrote it. Models are the same if they compute the loss in the same way from the same parameters.
/// Rules are the same if they are made of the same parts. The numbers that they were made with (learning
/// rates, schedules) are not in the file, and may be others. Those that were set later (net.set) are set
/// again, unless they are schedules; what was not set there is the rule's own number or schedule here, too.
///
/// Throws an error, and changes nothing, if the file
///   is of another model or rule
///   lacks something, or has more
///   has gradients that wait for their update, times another loss scale than this rule's
///   has something in another type or shape, or counts that cannot be
/// For weights alone there is load.
template <detail::no_stub Net>
TAPELESS_WARM void load_checkpoint(Net& net, const std::string& path) {
  detail::load_checkpoint_file(net, io::safetensors::read(path));
}
/// The same of a file that has more behind the trainer's: `kept` then gives out what another fit_state took
/// down, see save_checkpoint. Throws an error, and changes nothing, where nothing of the kind is there.
template <detail::no_stub Net>
TAPELESS_WARM void load_checkpoint(Net& net, const std::string& path, fit_state& kept) {
  const io::safetensors file = io::safetensors::read(path);
  fit_state found = detail::fit_state_in(file);
  detail::load_checkpoint_file(net, file);
  kept = std::move(found);
}

// Of a trainer whose model's error has been reported.
inline void save_checkpoint(error_stub&, const std::string&, const fit_state& = {}) {}
inline void load_checkpoint(error_stub&, const std::string&) {}
inline void load_checkpoint(error_stub&, const std::string&, fit_state&) {}

}  // namespace tapeless
