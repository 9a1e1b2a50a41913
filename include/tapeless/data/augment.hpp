// SPDX-License-Identifier: BSL-1.0
// random_crop, random_flip, cutout: images that differ from pass to pass. What happens to a sample depends on
// the seed, the pass and the sample's number alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include <tapeless/data/column_transform.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/graph/core/random_seed.hpp>

namespace tapeless::data {

/// How random_crop cuts.
struct crop_options {
  std::int64_t padding = 0;  ///< rows and columns of zeros around the image
  std::int64_t height = 0;   ///< of what is cut out; 0: the image's
  std::int64_t width = 0;
  random_seed seed = 0;
  std::optional<bool> channels_last = {};  ///< [height, width, channels]; see random_crop
};

/// How often random_flip flips.
struct flip_options {
  double probability = 0.5;
  random_seed seed = 0;
  std::optional<bool> channels_last = {};  ///< [height, width, channels]; see random_crop
};

/// What cutout cuts.
struct cutout_options {
  std::int64_t size = 8;  ///< the square's side; at the border less of it is in the image
  random_seed seed = 0;
  std::optional<bool> channels_last = {};  ///< [height, width, channels]; see random_crop
};

namespace detail {

/// A column of images [channels, height, width], whose elements are moved as bytes; those of
/// [height, width, channels] are images of one channel, whose elements are pixels.
class image_transform : public column_transform {
 protected:
  struct image {
    std::int64_t channels, height, width;
    std::size_t element_size;
  };

  image_transform(const source& from, std::string_view what, std::string_view column,
                  std::optional<bool> channels_last)
      : column_transform(from, what, column), stream_(hash_of(what)), channels_last_(channels_last) {
    if (!is_known()) return;
    require_image(before());
    require_order(before());
  }
  std::size_t axis_of_rows() const { return channels_last_.value_or(false) ? 0 : 1; }

  // Transforms of different kinds draw different numbers, also where their seeds are equal.
  random_stream random_of(const sample& which, std::uint64_t seed) const {
    return which.random(seed ^ stream_);
  }

  image require_image(const column_description& c) const {
    const std::vector<std::int64_t>& s = c.sample_shape;
    const bool last = channels_last_.value_or(false);
    if (s.size() != 3)
      fail({"has samples of ", text_of(c), ", expected ",
            last ? "[height, width, channels]" : "[channels, height, width]"});
    if (!is_known()) require_order(c);
    if (last) return {1, s[0], s[1], static_cast<std::size_t>(s[2]) * size_of(c.type)};
    return {s[0], s[1], s[2], size_of(c.type)};
  }

 private:
  std::uint64_t stream_;
  std::optional<bool> channels_last_;

  // Images as most libraries read them would be taken for ones with hundreds of channels.
  void require_order(const column_description& c) const {
    const auto may_be_channels = [](std::int64_t extent) {
      return extent == 1 || extent == 3 || extent == 4;
    };
    const std::vector<std::int64_t>& s = c.sample_shape;
    if (channels_last_.has_value() || may_be_channels(s[0]) || !may_be_channels(s[2])) return;
    if (s[0] > s[2] && s[1] > s[2])
      fail({"has samples of ", text_of(c),
            ", expected [channels, height, width]: say .channels_last = true where they are [height, width, "
            "channels], and false where they are not"});
  }
};

class cropped final : public image_transform {
 public:
  cropped(const source& from, std::string_view column, const crop_options& o)
      : image_transform(from, "random_crop", column, o.channels_last), options_(o) {
    if (o.padding < 0 || o.height < 0 || o.width < 0) fail({"cannot be cropped by negative numbers"});
    if (!is_known()) {
      if (o.height != 0 || o.width != 0) fail_unknown();
      return;
    }
    const image i = require_image(before());
    const std::int64_t height = o.height > 0 ? o.height : i.height, width = o.width > 0 ? o.width : i.width;
    if (height > i.height + 2 * o.padding || width > i.width + 2 * o.padding)
      fail({"has samples of ", text_of(before()), ", too small to cut out ", height, " x ", width,
            " with a padding of ", o.padding});
    std::vector<std::int64_t> shape = before().sample_shape;
    shape[axis_of_rows()] = height;
    shape[axis_of_rows() + 1] = width;
    becomes({column_name(), before().type, shape});
  }

 private:
  crop_options options_;

  void apply(const std::byte* in, std::byte* out, const batch_column& column,
             const sample& which) const override {
    const image to = require_image(column.description), from = is_known() ? require_image(before()) : to;
    random_stream random = random_of(which, options_.seed);
    const std::int64_t top =
        random.below(from.height + 2 * options_.padding - to.height + 1) - options_.padding;
    const std::int64_t left =
        random.below(from.width + 2 * options_.padding - to.width + 1) - options_.padding;
    std::memset(out, 0, column.sample_bytes);
    const std::int64_t begin = std::max<std::int64_t>(0, -left), end = std::min(to.width, from.width - left);
    if (begin >= end) return;
    for (std::int64_t c = 0; c < to.channels; ++c) {
      for (std::int64_t y = std::max<std::int64_t>(0, -top); y < std::min(to.height, from.height - top);
           ++y) {
        const std::int64_t source_row = (c * from.height + y + top) * from.width + left;
        std::memcpy(out + static_cast<std::size_t>((c * to.height + y) * to.width + begin) * to.element_size,
                    in + static_cast<std::size_t>(source_row + begin) * to.element_size,
                    static_cast<std::size_t>(end - begin) * to.element_size);
      }
    }
  }
};

class flipped final : public image_transform {
 public:
  flipped(const source& from, std::string_view column, const flip_options& o)
      : image_transform(from, "random_flip", column, o.channels_last), options_(o) {
    if (!(o.probability >= 0 && o.probability <= 1))
      fail({"cannot be flipped with the probability ", o.probability});
  }

 private:
  flip_options options_;

  void apply(const std::byte* in, std::byte* out, const batch_column& column,
             const sample& which) const override {
    const image i = require_image(column.description);
    if (random_of(which, options_.seed).uniform() >= options_.probability)
      return static_cast<void>(std::memcpy(out, in, column.sample_bytes));
    const auto width = static_cast<std::size_t>(i.width), size = i.element_size;
    for (std::size_t row = 0; row < column.sample_bytes; row += width * size)
      for (std::size_t x = 0; x < width; ++x)
        std::memcpy(out + row + x * size, in + row + (width - 1 - x) * size, size);
  }
};

class cut final : public image_transform {
 public:
  cut(const source& from, std::string_view column, const cutout_options& o)
      : image_transform(from, "cutout", column, o.channels_last), options_(o) {
    if (o.size < 1) fail({"cannot lose a square with the side ", o.size});
  }

 private:
  cutout_options options_;

  void apply(const std::byte* in, std::byte* out, const batch_column& column,
             const sample& which) const override {
    const image i = require_image(column.description);
    random_stream random = random_of(which, options_.seed);
    const std::int64_t top = random.below(i.height) - options_.size / 2;
    const std::int64_t left = random.below(i.width) - options_.size / 2;
    const std::int64_t begin = std::max<std::int64_t>(0, left), end = std::min(i.width, left + options_.size);
    std::memcpy(out, in, column.sample_bytes);
    for (std::int64_t c = 0; c < i.channels; ++c)
      for (std::int64_t y = std::max<std::int64_t>(0, top); y < std::min(i.height, top + options_.size); ++y)
        std::memset(out + static_cast<std::size_t>((c * i.height + y) * i.width + begin) * i.element_size, 0,
                    static_cast<std::size_t>(end - begin) * i.element_size);
  }
};

}  // namespace detail

/// A piece of each image [channels, height, width] with zeros around it, at a place that is drawn anew in
/// each pass: random_crop(train, "image", {.padding = 4}). Images [height, width, channels] are moved by
/// .channels_last = true. Throws tl::error where the samples are no images, or too small, or look like
/// [height, width, channels] while .channels_last says neither.
TAPELESS_WARM inline source random_crop(const source& from, std::string_view column,
                                        const crop_options& options) {
  return source::make<detail::cropped>(from, column, options);
}

/// Each image [channels, height, width] as it is or, with the given probability, with left and right
/// exchanged, drawn anew in each pass. Throws tl::error where the samples are no images, or look like
/// [height, width, channels] while .channels_last says neither.
TAPELESS_WARM inline source random_flip(const source& from, std::string_view column,
                                        const flip_options& options = {}) {
  return source::make<detail::flipped>(from, column, options);
}

/// Sets a square of each image [channels, height, width] to zero, around a point that is drawn anew in each
/// pass (DeVries and Taylor, 2017). Throws tl::error where the samples are no images, or look like
/// [height, width, channels] while .channels_last says neither.
TAPELESS_WARM inline source cutout(const source& from, std::string_view column,
                                   const cutout_options& options = {}) {
  return source::make<detail::cut>(from, column, options);
}

}  // namespace tapeless::data
