// SPDX-License-Identifier: BSL-1.0
// What the observers that write files share: the epochs that they have seen, and texts as files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/train/loop/fit_progress.hpp>

namespace tapeless::detail {

/// When a fit begins: the epochs that an observer shows already. Those of earlier fits stay, so that an
/// object that is given to several fits goes on; a fit that was resumed brings its own, in place of those
/// that came at the same updates or later.
template <class Epoch>
TAPELESS_COLD void begin_epochs(std::vector<Epoch>& seen, const fit_progress& p) {
  if (!p.resumed || p.history == nullptr) return;
  const std::int64_t kept = p.history->empty() ? p.updates : p.history->front().updates - 1;
  while (!seen.empty() && seen.back().updates > kept) seen.pop_back();
  seen.insert(seen.end(), p.history->begin(), p.history->end());
}

/// Replaces the file at `path` by the text.
TAPELESS_COLD inline void write_text(const std::string& path, std::string_view text) {
  const array_view<const std::byte> bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
  io::write_file_atomically(path, array_view<const array_view<const std::byte>>(&bytes, 1));
}

}  // namespace tapeless::detail
