// SPDX-License-Identifier: BSL-1.0
// What ranks that train together must have in common, as a text, and what differs.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/train/files/model_summary.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// A line for the rule, for how gradients travel, for each parameter, and for the operations.
template <class Model, class Net>
TAPELESS_COLD std::string network_text(const Net& net, const std::string& travelling) {
  std::string text = join({"the rule ", net.rule_text(), "\n", travelling, "\n"});
  for (const parameter_description& p : net.parameter_descriptions())
    append(text, {"the parameter \"", p.label->view(), "\", ", name_of(p.type),
                  io::shape_text({p.extents().data(), p.extents().size()}), "\n"});
  const model_summary m = summary_of_model<Model>();
  append(text, {"the operations ", m.operations, "\n", "operations whose order, numbers or shapes make up ",
                m.hash, "\n"});
  return text;
}

/// Throws an error on all ranks where one has another text than rank 0, with its first line that differs.
TAPELESS_COLD inline void check_network(process_group& group, const std::string& own) {
  std::int64_t size = static_cast<std::int64_t>(own.size());
  group.broadcast(size);
  std::string theirs = own;
  theirs.resize(static_cast<std::size_t>(size));
  if (group.rank() == 0) theirs = own;
  group.broadcast(array_view<std::byte>(reinterpret_cast<std::byte*>(theirs.data()), theirs.size()));
  group.together("data_parallel", 0, [&] {
    const auto line = [](std::string_view& all) {
      const std::size_t end = all.find('\n');
      const std::string_view one = all.substr(0, end);
      all = end == std::string_view::npos ? std::string_view() : all.substr(end + 1);
      return one;
    };
    std::string_view a = theirs, b = own;
    while (!a.empty() || !b.empty()) {
      const std::string_view first = line(a), second = line(b);
      if (first != second)
        throw_error({"data_parallel: all ranks train one network, but rank 0 has ",
                     first.empty() ? "nothing more" : first, ", and rank ", group.rank(), " has ",
                     second.empty() ? "nothing more" : second});
    }
  });
}

}  // namespace tapeless::detail
