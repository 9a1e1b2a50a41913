// SPDX-License-Identifier: BSL-1.0
// cached_attention<"attn", options>(x, cache, position): the layer of attention for one more position, or
// several, with the keys and values of the positions before kept.
#pragma once

#include <array>
#include <tuple>

#include <tapeless/expr/pack.hpp>
#include <tapeless/ops/attention/attention.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/indexing/index_values.hpp>

namespace tapeless {

template <name Name, attention_options Options>
struct cached_attention_layer {
  using layer = attention_layer<Name, Options>;
  static constexpr text refusal() {
    if (Options.add_bias_kv || Options.add_zero_attn)
      return text() << "cached_attention has no add_bias_kv and add_zero_attn";
    return layer::refusal();
  }
  static constexpr int arity = 3;

  static constexpr node_list build_all(graph& g, const node_list& operands) {
    const auto [y, next] = build({&g, operands.ids[0]}, {&g, operands.ids[1]}, {&g, operands.ids[2]});
    node_list both = node_list::only(y);
    both.append(node_list::only(next));
    return both;
  }

  static constexpr std::array<value, 2> build(value x, value cache, value position) {
    if constexpr (is_refused<cached_attention_layer>) {
      return refuse(x.fail(refusal()));
    } else {
      return step(x, cache, position);
    }
  }

 private:
  static constexpr std::array<value, 2> refuse(value what) { return {what, what}; }

  static constexpr std::array<value, 2> step(value x, value cache, value position) {
    if (!Options.causal)
      return refuse(
          x.fail(text() << "cached_attention<\"" << Name.view()
                        << "\"> is for causal attention, in which a position looks at none that comes "
                           "later: train with attention_options{.causal = true} and use that here"));
    if (x.rank() < 2 || x.rank() + 2 + layer::head_axes > max_rank || !is_floating(x.type()) ||
        !extent_table::is_literal(layer::last_extent(x)))
      return refuse(
          x.fail(got("x", x) << ": it takes floating [.., positions, width], whose width is an integer"));
    const std::int64_t width = layer::last_extent(x), features = width / layer::heads;
    if (width == 0 || width % layer::heads != 0 || (Options.rotary && features % 2 != 0))
      return refuse(x.fail(got("x", x)
                           << " for " << layer::heads << " heads: its width must be a multiple of "
                           << (Options.rotary ? "twice " : "") << "these"));
    const shape_list rows = shape_of_rows(x);
    const std::int64_t window = cache.rank() < 2 ? 0 : cache.get().shape[cache.rank() - 2];
    shape_list whole = rows;
    whole.extents[whole.rank - 2] = window;
    if (cache.type() != x.type() || !(shape_of(cache) == whole) || !extent_table::is_literal(window)) {
      text t = got("x", x);
      t << " and a cache " << name_of(cache.type());
      x.builder->describe_shape(t, cache.get());
      return refuse(x.fail(t << ": it takes one of the type of x and the shape [2, .., " << layer::shared
                             << ", window, " << features
                             << "], where .. is as in x and the window an integer"));
    }
    if (extent_table::is_literal(length_of(x)) && length_of(x) > window)
      return refuse(x.fail(got("x", x) << ": its positions are more than the window of " << window));
    shape_list leading = shape_of(x);
    leading.rank -= 2;
    if (!detail::is_wide_index(position) || (position.rank() != 0 && !(shape_of(position) == leading)))
      return refuse(x.fail(got("a position", position)
                           << ": it takes an integer, or one for each element of the batch"));
    return attend(x, cache, position, rows, window);
  }

  static constexpr std::int64_t length_of(value x) { return x.get().shape[x.rank() - 2]; }

  // Keys and values of the new positions: [2, .., shared heads, positions, features].
  static constexpr shape_list shape_of_rows(value x) {
    shape_list s{x.rank() + 2, {}};
    s.extents[0] = 2;
    for (int i = 0; i < x.rank() - 2; ++i) s.extents[1 + i] = x.get().shape[i];
    s.extents[s.rank - 3] = layer::shared;
    s.extents[s.rank - 2] = length_of(x);
    s.extents[s.rank - 1] = layer::last_extent(x) / layer::heads;
    return s;
  }

  static constexpr std::array<value, 2> attend(value x, value cache, value position, const shape_list& rows,
                                               std::int64_t window) {
    graph& g = *x.builder;
    // How many there can be. window - length is an extent of its own, not a part of (window + 1) - length:
    // the check of negative counts refuses a run-time length that is more than the window.
    const std::int64_t starts = g.extents.add(g.extents.subtract(window, length_of(x)), 1);
    detail::check_indices(position, starts);
    const value all = layer::projected(x, layer::in_weight(x), layer::in_bias(x), 0, layer::rows_of(x));
    value turned = layer::head_slice(all, 0, layer::heads + layer::shared);
    if (Options.rotary)
      turned = detail::rotated(turned, turned.rank() - 3, layer::turns, with_axes(position, 3));
    // [.., positions, shared, features] twice
    const value now[] = {
        one_of_two(layer::head_slice(turned, layer::heads, layer::shared), rows),
        one_of_two(layer::head_slice(all, layer::heads + layer::shared, layer::shared), rows)};
    const value next = written(cache, concat(now, 2, 0), with_axes(position, 3));
    value last = with_axes(position, layer::head_axes + 2);
    if (length_of(x) != 1) last = last + make_iota(g, {2, {length_of(x), 1}}, 0, position.type());
    const value away = last - make_iota(g, {1, {window}}, 0, position.type());
    attention_options options = Options;
    options.causal = options.alibi = false;
    options.window = 0;
    value y = detail::attend(layer::by_head(layer::head_slice(turned, 0, layer::heads)), half(next, 0),
                             half(next, 1), mask_of(away, x.type()), options);
    y = layer::project_back(y, x);
    if (!detail::is_bound(position))
      y = y * with_axes(detail::factor_of_indices(position, starts, index_bound::none, x.type()), 2);
    return {y, next};
  }

  // What a query looks at, of how many places the keys are before it: those at its own place and before.
  static constexpr value mask_of(value away, element type) {
    value seen = away >= 0.0;
    if (Options.window > 0) seen = seen && away < static_cast<double>(Options.window);
    if (!Options.alibi) return seen;
    const element wide = computed_in(type);
    shape_list heads{layer::head_axes + 2, {}};
    for (int i = 0; i < heads.rank; ++i) heads.extents[i] = 1;
    heads.extents[0] = layer::head_axes == 1 ? layer::heads : layer::shared;
    if (layer::head_axes == 2) heads.extents[1] = layer::heads / layer::shared;
    const value slopes = reshape(detail::slopes_of_heads(*away.builder, layer::heads, wide), heads);
    return where(seen, cast(-slopes * cast(away, wide), type), detail::nothing_attended(type));
  }

  // The cache with the new rows from `first` on.
  static constexpr value written(value cache, value now, value first) {
    graph& g = *cache.builder;
    const int axis = cache.rank() - 2;
    const std::int64_t window = cache.get().shape[axis], count = now.get().shape[axis];
    const value row = make_iota(g, {2, {window, 1}}, 0, first.type());
    if (count == 1) return where(row == first, now, cache);
    const value of_now = row - first;
    const value fresh = of_now >= 0 && of_now < make_size(g, count);
    return where(fresh, gather(now, axis, expand(where(fresh, of_now, 0.0), shape_of(cache))), cache);
  }

  // [.., a, b] -> [.., a, b, 1, 1, ..]
  static constexpr value with_axes(value v, int count) {
    shape_list s = shape_of(v);
    if (s.rank == 0) return v;
    for (int i = 0; i < count; ++i) s.extents[s.rank++] = 1;
    return reshape(v, s);
  }

  // [.., positions, shared, features] -> [1, .., shared, positions, features]
  static constexpr value one_of_two(value v, shape_list rows) {
    rows.extents[0] = 1;
    return reshape(detail::heads_first(v, 1), rows);
  }

  // The keys (0) or values (1) by head, as attention has them: [.., shared, window, features], where heads
  // share them [.., shared, 1, window, features].
  static constexpr value half(value cache, std::int64_t which) {
    const value v = slice(cache, 0, which, 1, 1);
    const shape_list from = shape_of(v);
    shape_list s{0, {}};
    for (int i = 1; i < from.rank; ++i) {
      if (i == from.rank - 2 && layer::head_axes == 2) s.extents[s.rank++] = 1;
      s.extents[s.rank++] = from.extents[i];
    }
    return reshape(v, s);
  }

  static constexpr text got(std::string_view what, value v) {
    text t;
    t << "cached_attention<\"" << Name.view() << "\"> got " << what << " " << name_of(v.type());
    v.builder->describe_shape(t, v.get());
    return t;
  }
};

/// attention<Name, Options>(x) of a causal model at one position or several neighbouring ones, without those
/// before being computed again: the layer of the same name and parameters, for a prompt that is read at once
/// and text that is then written letter by letter.
///   x         [.., positions, width]: what stands there; how many positions may be a run-time extent
///   cache     [2, .., heads, window, width / heads]: keys and values of the positions before, zeros at
///   first;
///             of options with key_value_heads so many heads
///   position  the first of them: an integer, or one for each element of the batch, from 0 to
///             window - positions
/// -> [.., positions, width], and the cache with these positions' own keys and values, which goes in with the
/// next ones:
///   auto [y, next] = cached_attention<"attn", options>(x, input<"cache", ...>, input<"position",
///   std::int32_t>);
/// Each position looks at those before it, the new ones too, as far as Options.window says. An input is
/// checked to be within the window; a position that is computed and is not makes y NaN. The time is linear in
/// the window, and in the positions.
/// @formula y = attention of the positions to the keys and values in the cache, with their own
/// @shapes floating x [.., positions, width], cache [2, .., heads, window, width / heads], an integer -> y
/// and the cache
/// @errors cached_attention_not_causal cached_attention_shapes cached_attention_window
/// @torch none; past_key_values of transformers
/// @jax flax.linen.MultiHeadDotProductAttention(decode=True)
/// @given x = [[1, 2]]; cache = [[[[0, 0], [0, 0]]], [[[0, 0], [0, 0]]]]; position = int32 0
/// @example auto [y, next] = tl::cached_attention<"cached", tl::attention_options{.causal = true}>(x, cache,
///   position);
/// @gives y = [[-1.416, 0.5499]]
template <name Name, attention_options Options, is_value X>
constexpr std::array<value, 2> cached_attention(X x, value cache, value position) {
  return cached_attention_layer<Name, Options>::build(x, cache, position);
}
template <name Name, attention_options Options, expression_operand X, expression_operand Cache,
          expression_operand Position>
TAPELESS_FACTORY auto cached_attention(X x, Cache cache, Position position) {
  auto both = make<cached_attention_layer<Name, Options>>(x, cache, position);
  return std::tuple(unpack<0>(both), unpack<1>(both));
}

}  // namespace tapeless
