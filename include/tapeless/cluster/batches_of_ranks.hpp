// SPDX-License-Identifier: BSL-1.0
// What fit does with the batches of trainers that train together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tapeless/cluster/gathered.hpp>
#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/shares.hpp>
#include <tapeless/data/source.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/train/loop/batches.hpp>
#include <tapeless/train/loop/evaluate.hpp>
#include <tapeless/train/loop/weights_of_parts.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless::detail {

/// What the ranks have of a batch. Throws an error on all of them where they have different ones in mind, or
/// other weights or hyperparameters.
inline std::vector<ranks_part> gather_parts(process_group& group, const ranks_part& mine) {
  std::vector<ranks_part> all(static_cast<std::size_t>(group.size()));
  group.all_gather(reinterpret_cast<const std::byte*>(&mine), reinterpret_cast<std::byte*>(all.data()),
                   sizeof(mine));
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r].place != all[0].place)
      group.throw_on_all({"rank ", r,
                          " takes other samples than rank 0: all ranks need the same data, and the same "
                          "options of fit"});
    if (all[r].hyperparameters != all[0].hyperparameters)
      group.throw_on_all(
          {"rank ", r,
           " has other hyperparameters than rank 0, such as the learning rate: give all rules the "
           "same options, and call net.set on all ranks alike, or on rank 0, and net.synchronize() "
           "on all"});
    if (all[r].weights != all[0].weights)
      group.throw_on_all(
          {"rank ", r,
           " has other weights than rank 0: change weights on all ranks alike, or on rank 0, and call "
           "net.synchronize() on all; ranks also need processors that compute alike"});
  }
  return all;
}

/// A number for these samples.
inline std::uint64_t place_of(array_view<const std::int64_t> samples) {
  std::uint64_t place = samples.size();
  for (const std::int64_t s : samples) place = (place ^ static_cast<std::uint64_t>(s)) * 0x9e3779b97f4a7c15u;
  return place;
}

/// Runs on this rank's part of a batch, where it has one, and gives `add` what all ranks together have: their
/// result, their batch, which `source` has the own part of, and what is known of all parts. `run` is given
/// the place of the result and the own part, whose loss it sets.
template <class Result, class Source, class Run, class Add>
void run_on_part(process_group& group, over_samples loss_kind, ranks_part mine, const Source& source,
                 const Run& run, const Add& add) {
  std::optional<Result> r;
  run(r, mine);
  const joined_parts all(group, gather_parts(group, mine), loss_kind);
  add(gathered_result<Result>(r, all), gathered_batch<Source>(mine.samples > 0 ? &source : nullptr, all),
      all);
}

/// What the loss of each of a rank's parts counts in that of a batch of `size` samples, and what the latter
/// divides by, or is as if it did.
struct shares_in_batch {
  list<double> of_parts;
  double weight = 0;
};
template <class Net, class Source>
shares_in_batch shares_of_parts(Net& net, array_view<const std::int64_t> share, std::int64_t part_size,
                                std::int64_t size, Source& source, std::int64_t pass) {
  list<double> weights;
  const auto weigh = [&] { find_weights_of_parts(weights, net, share, part_size, source, pass); };
  auto all = static_cast<double>(size);
  if constexpr (Net::loss_kind == over_samples::weighted) {
    net.group().together("a step of fit", net.steps() + 1, weigh);
    all = net.group().sum(sum_of(weights));
  } else {
    weigh();
  }
  make_shares(weights, Net::loss_kind, all);
  return {std::move(weights), all};
}

/// A loss, and what it divides by, or is as if it did.
struct loss_of_batch {
  double loss = 0, weight = 0;
};

/// A step of fit: each rank computes its share, in parts that all have as many of, though one may be empty.
/// Returns the loss of the batch. Ranks that have come apart find out before gradients travel.
template <class Net, class Source, class Prepare, class Add, class Finish>
loss_of_batch fit_batch(Net& net, array_view<const std::int64_t> samples, std::int64_t part_size,
                        Source& source, std::int64_t pass, const Prepare& prepare, const Add& add,
                        const Finish& finish) {
  using result = typename Net::template result_of<typename Net::step_program>;
  const auto share = net.share_of(samples);
  const auto size = static_cast<std::int64_t>(samples.size());
  const trainer_state before = net.position();
  loss_of_batch all_samples;
  undone_by([&] { net.take_back(before); },
            [&] {
              net.group().meet("a batch of fit", net.steps() + 1);
              gather_parts(net.group(), net.part_of_batch(0, place_of(samples)));
              const std::int64_t largest = begin_of_share(size, 1, net.group().size());
              const auto [shares, weight] = shares_of_parts(net, share, part_size, size, source, pass);
              all_samples.weight = weight;
              const bool is_read = Net::loss_kind == over_samples::weighted && shares.size() == 1;
              for (std::int64_t first = 0; first < largest; first += part_size) {
                const auto part = first_part(
                    share.subspan(std::min(static_cast<std::size_t>(first), share.size())), part_size);
                const auto count = static_cast<std::int64_t>(part.size());
                if (first + part_size >= largest) net.begin_last_part(before.collected, count, size);
                const auto run = [&](std::optional<result>& r, ranks_part& own) {
                  own.loss_weight = count > 0 ? shares[static_cast<std::size_t>(first / part_size)] : 0;
                  net.add_part_together(
                      before.steps + 1, count, size, own.loss_weight,
                      [&]() -> const auto& {
                        const auto& inputs = is_read ? source.inputs() : source.gather(part, pass);
                        prepare();
                        return inputs;
                      },
                      r, own.loss);
                };
                run_on_part<result>(net.group(), Net::loss_kind, {.samples = count}, source, run,
                                    [&](const auto& r, const auto& batch, const joined_parts& all) {
                                      add(r, batch);
                                      const double counts =
                                          Net::loss_kind == over_samples::sum ? 1 : all.loss_weight();
                                      if (counts != 0) all_samples.loss += counts * r.loss();
                                    });
              }
              net.count_batch(before.collected);
              finish();
              net.finish_batch();
            });
  return all_samples;
}

/// As evaluate_samples, each rank with its share of each batch: all measure the same.
template <class Net, class Meter>
report measure(Net& net, const data::source& from, array_view<const std::int64_t> samples, std::int64_t batch,
               Meter& meter) {
  using program = typename Net::evaluate_program;
  batch_source<program> source(from);
  meter.clear();
  for_each_batch(samples, batch, [&](array_view<const std::int64_t> all, auto) {
    const auto share = net.share_of(all);
    using result = typename Net::template result_of<program>;
    const auto own = static_cast<std::int64_t>(share.size());
    run_on_part<result>(
        net.group(), Net::loss_kind, {.samples = own, .place = place_of(all)}, source,
        [&](std::optional<result>& r, ranks_part& mine) {
          net.group().together("the validation of fit", net.steps(), [&] {
            if (share.empty()) return;
            r.emplace(net.evaluate_on(source.gather(share)));
            mine.loss = static_cast<double>(r->loss());
            mine.loss_weight = net.loss_weight_of(own, source.inputs());
          });
        },
        [&](const auto& r, const auto& batch, const joined_parts& parts) {
          meter.add(r, batch, weight_in_mean(Net::loss_kind, parts.loss_weight()));
        });
  });
  report r;
  meter.write(r);
  return r;
}

}  // namespace tapeless::detail
