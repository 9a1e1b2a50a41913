// SPDX-License-Identifier: BSL-1.0
// What the layer attention computes: projections, heads, masks. cached_attention is made of the same parts.
#pragma once

#include <algorithm>
#include <limits>

#include <tapeless/ops/attention/added_keys.hpp>
#include <tapeless/ops/attention/attention_heads.hpp>
#include <tapeless/ops/attention/rotary.hpp>
#include <tapeless/ops/attention/scaled_dot_product_attention.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

/// What the layer is called with: keys and values are x, or a context, or two streams; masks may be absent.
struct attention_operands {
  value x, key, values, padding, mask;
};

template <name Name, attention_options Options>
struct attention_layer : detail::drawing_statement<(Options.dropout > 0)> {
  static constexpr text refusal() {
    const auto takes = [](std::string_view what) { return text() << "attention takes " << what; };
    if (Options.heads < 1) return takes("one head or more, but got ") << Options.heads;
    if (!detail::key_value_heads_fit(Options))
      return takes("a number of key_value_heads that divides its heads, but got ")
             << Options.key_value_heads << " for " << Options.heads << " heads";
    if (!(Options.rotary_base > 0))
      return takes("a rotary_base that is positive, but got ") << Options.rotary_base;
    if (Options.rotary_interleaved && !Options.rotary)
      return text() << "attention reads rotary_interleaved with rotary positions: it takes .rotary = true, "
                       "too";
    if (Options.enable_gqa)
      return text() << "attention shares heads by key_value_heads; enable_gqa is "
                       "scaled_dot_product_attention's";
    return detail::refused_attention("attention", Options);
  }

  static constexpr int arity = -1;
  static constexpr const char* a_context =
      ": it takes two [.., length, width] that differ in length only; a mask of numbers is "
      "[.., heads, queries, keys], with an axis more than x";

  static constexpr node_list build_all(graph& g, const node_list& operands) {
    const value x{&g, operands.ids[0]};
    attention_operands all{x, x, x, {}, {}};
    int streams = 1;
    for (int i = 1; i < operands.count; ++i) {
      const value v{&g, operands.ids[i]};
      const bool is_general = v.rank() == x.rank() + 1;
      if (streams == i && streams < 3 && v.type() != element::boolean && v.rank() == x.rank()) {
        if (streams == 1) all.key = v;
        all.values = v;
        ++streams;
      } else if (is_general ? all.mask.exists() : all.padding.exists()) {
        return node_list::only(v.fail(got("two masks of one kind, the second", v)
                                      << ": it takes a key padding mask [.., keys] and a mask [.., heads, "
                                         "queries, keys]"));
      } else if (is_general) {
        all.mask = v;
      } else if (v.type() != element::boolean) {
        if (i == 1) return node_list::only(x.fail(got("x", x, "a context", v) << a_context));
        return node_list::only(v.fail(got("a key padding mask", v) << ": it takes booleans [.., keys]"));
      } else {
        all.padding = v;
      }
    }
    return node_list::only(build(all, streams == 3));
  }

  // From here on what cached_attention is made of, too.
  static constexpr std::int64_t heads = Options.heads,
                                shared = Options.key_value_heads == 0 ? heads : Options.key_value_heads;
  static constexpr int head_axes = shared == heads ? 1 : 2;  // of queries, keys and values
  static constexpr rotary_options turns{.base = Options.rotary_base,
                                        .interleaved = Options.rotary_interleaved};
  static constexpr int most_axes = std::max(head_axes, turns.interleaved ? 2 : 1);  // beside those of x

  static constexpr std::int64_t last_extent(value x) { return x.get().shape[x.rank() - 1]; }

  static constexpr value build(const attention_operands& all, bool separate) {
    const value x = all.x, context = all.key, mask = all.padding;
    if (x.rank() < 2 || x.rank() + most_axes > max_rank || !is_floating(x.type()) ||
        !extent_table::is_literal(last_extent(x)))
      return x.fail(got("x", x) << ": it takes floating [.., length, width], whose width is an integer");
    if (last_extent(x) == 0 || last_extent(x) % heads != 0)
      return x.fail(got("x", x) << " for " << heads << " heads: its width must be a multiple of these");
    if (Options.rotary && last_extent(x) / heads % 2 != 0)
      return x.fail(got("x", x) << " for " << heads
                                << " heads: rotary positions take an even number of features for each");
    if (separate && !(fits(x, context, true) && fits(x, all.values, true) &&
                      context.get().shape[x.rank() - 2] == all.values.get().shape[x.rank() - 2]))
      return x.fail(
          got("keys", context, "values", all.values)
          << ": it takes [.., keys, width] and [.., keys, any], whose leading axes are those of x and "
             "whose widths are integers");
    if (!separate && !fits(x, context, false)) return x.fail(got("x", x, "a context", context) << a_context);
    if (mask.exists() && fits_mask(context, mask) && x.rank() == 3 && x.get().shape[0] == x.get().shape[1])
      return x.fail(
          got("x", x, "a mask", mask)
          << ", which may be one of [batch, keys] or of [queries, keys]: reshape it to [batch, 1, 1, "
             "keys] or to [1, 1, queries, keys]");
    if (mask.exists() && !fits_mask(context, mask))
      return x.fail(got(context.id == x.id ? "x" : "a context", context, "a key padding mask", mask)
                    << ": it takes booleans [.., keys] (true: may be attended to)");
    if (all.mask.exists() && !fits_scores(all))
      return x.fail(got(context.id == x.id ? "x" : "a context", context, "a mask", all.mask)
                    << ": it takes booleans (true: may be attended to) or numbers of the type of x that "
                       "broadcast to [.., heads, queries, keys], with as many axes");
    return project_back(attend(all), x);
  }

  // The heads' results: [.., heads, length, features of a head].
  static constexpr value attend(const attention_operands& operands) {
    const value x = operands.x, context = operands.key;
    const std::int64_t width = last_extent(x), rows = rows_of(x);
    if (last_extent(context) != width || last_extent(operands.values) != width)
      return attend_to_any(operands);
    const value weight = in_weight(x), bias = in_bias(x);
    value q, k, v;
    if (context.id != operands.values.id) {
      const std::int64_t half = (rows - width) / 2;
      q = projected(x, weight, bias, 0, width);
      k = projected(context, weight, bias, width, half);
      v = projected(operands.values, weight, bias, width + half, half);
      if (Options.rotary) {
        q = rotated(q);
        k = rotated(k);
      }
    } else if (x.id == context.id) {
      const value all = projected(x, weight, bias, 0, rows);
      const value turned = Options.rotary ? rotated(head_slice(all, 0, heads + shared)) : all;
      q = head_slice(turned, 0, heads);
      k = head_slice(turned, heads, shared);
      v = head_slice(all, heads + shared, shared);
    } else {
      const value both = projected(context, weight, bias, width, rows - width);
      q = projected(x, weight, bias, 0, width);
      k = head_slice(both, 0, shared);
      v = head_slice(both, shared, shared);
      if (Options.rotary) {
        q = rotated(q);
        k = rotated(k);
      }
    }
    return weighed(operands, q, k, v);
  }

  // The same with keys and values of other widths than x, which have weights of their own.
  static constexpr value attend_to_any(const attention_operands& all) {
    const value x = all.x;
    const std::int64_t width = last_extent(x), half = (rows_of(x) - width) / 2;
    const value bias = in_bias(x);
    const auto by = [&](const name* label, value from, std::int64_t begin, std::int64_t rows) {
      const std::int64_t in = last_extent(from);
      const value weight = make_parameter(*x.builder, label, x.type(), {2, {rows, in}},
                                          uniform(detail::square_root(6.0 / static_cast<double>(in + rows))));
      const value y =
          Options.bias ? linear(from, weight, slice(bias, 0, begin, 1, rows)) : linear(from, weight);
      return detail::split_heads(y, width / heads);
    };
    value q = by(&interned<Name + ".q_proj_weight">, x, 0, width);
    value k = by(&interned<Name + ".k_proj_weight">, all.key, width, half);
    const value v = by(&interned<Name + ".v_proj_weight">, all.values, width + half, half);
    if (Options.rotary) {
      q = rotated(q);
      k = rotated(k);
    }
    return weighed(all, q, k, v);
  }

  // softmax(q k^T + masks) v of [.., length, heads, features], with the keys that the options add.
  static constexpr value weighed(const attention_operands& all, value q, value k, value v) {
    const std::int64_t keys = k.get().shape[k.rank() - 3];
    constexpr int more = (Options.add_bias_kv ? 1 : 0) + (Options.add_zero_attn ? 1 : 0);
    if constexpr (Options.add_bias_kv) {
      const std::int64_t rows = (rows_of(all.x) - last_extent(all.x)) / 2;
      const auto learned = [&](const name* label) {
        return make_parameter(*k.builder, label, k.type(), {3, {1, 1, rows}},
                              normal(1 / detail::square_root(static_cast<double>(rows))));
      };
      k = detail::with_key(k, learned(&interned<Name + ".bias_k">));
      v = detail::with_key(v, learned(&interned<Name + ".bias_v">));
    }
    if constexpr (Options.add_zero_attn) {
      k = detail::with_key(k, {});
      v = detail::with_key(v, {});
    }
    value mask = all.mask;
    if (mask.exists() && head_axes == 2)
      mask = detail::grouped_heads(mask, mask.get().shape[mask.rank() - 3] == 1 ? 1 : shared);
    if (all.padding.exists()) {
      shape_list s = shape_of(all.padding);
      --s.rank;
      for (int i = 0; i < head_axes + 1; ++i) s.extents[s.rank++] = 1;  // for heads and queries
      s.extents[s.rank++] = keys;
      const value padding = reshape(all.padding, s);
      if (!mask.exists()) {
        mask = padding;
      } else if (mask.type() == element::boolean) {
        mask = mask && padding;
      } else {
        mask = where(padding, mask, -std::numeric_limits<double>::infinity());
      }
    }
    if (mask.exists() && more > 0) mask = detail::with_keys(mask, keys, more);
    return detail::attend(by_head(q), by_head(k), by_head(v), mask, Options, head_axes, more);
  }

  // The packed projections to queries, keys and values.
  static constexpr std::int64_t rows_of(value x) {
    return last_extent(x) + 2 * shared * (last_extent(x) / heads);
  }
  static constexpr value in_weight(value x) {
    const std::int64_t width = last_extent(x), rows = rows_of(x);
    return make_parameter(*x.builder, &interned<Name + ".in_proj_weight">, x.type(), {2, {rows, width}},
                          uniform(detail::square_root(6.0 / static_cast<double>(width + rows))));
  }
  static constexpr value in_bias(value x) {
    if (!Options.bias) return {};
    return make_parameter(*x.builder, &interned<Name + ".in_proj_bias">, x.type(), {1, {rows_of(x)}},
                          fill(0));
  }

  static constexpr value project_back(value y, value x) {
    graph& g = *x.builder;
    const std::int64_t width = last_extent(x);
    const value together = reshape(detail::length_first(y, head_axes), shape_of(x));
    const value weight =
        make_parameter(g, &interned<Name + ".out_proj.weight">, x.type(), {2, {width, width}},
                       uniform(1 / detail::square_root(static_cast<double>(width))));
    if (!Options.bias) return linear(together, weight);
    return linear(together, weight,
                  make_parameter(g, &interned<Name + ".out_proj.bias">, x.type(), {1, {width}}, fill(0)));
  }

  // x by some rows of the packed weight: [.., length, width] -> [.., length, heads, features of a head].
  static constexpr value projected(value x, value weight, value bias, std::int64_t begin, std::int64_t rows) {
    const value part = slice(weight, 0, begin, 1, rows);
    const value y = Options.bias ? linear(x, part, slice(bias, 0, begin, 1, rows)) : linear(x, part);
    return detail::split_heads(y, last_extent(x) / heads);
  }

  static constexpr value head_slice(value x, std::int64_t begin, std::int64_t count) {
    return slice(x, x.rank() - 2, begin, 1, count);
  }

  static constexpr value rotated(value x) { return detail::rotated(x, x.rank() - 3, turns); }

  static constexpr value by_head(value x) {
    return head_axes == 1 ? detail::heads_first(x, 1) : detail::grouped_heads_first(x, shared);
  }

  static constexpr bool fits(value x, value context, bool of_any_width) {
    shape_list a = shape_of(x);
    if (context.rank() != a.rank || context.type() != x.type()) return false;
    a.extents[a.rank - 2] = context.get().shape[a.rank - 2];
    if (of_any_width && extent_table::is_literal(last_extent(context)) && last_extent(context) > 0)
      a.extents[a.rank - 1] = last_extent(context);
    return a == shape_of(context);
  }

  // The mask broadcasts to the scores, and has as many axes.
  static constexpr bool fits_scores(const attention_operands& all) {
    if (all.mask.type() != element::boolean && all.mask.type() != all.x.type()) return false;
    shape_list scores = shape_of(all.x), fitted;
    if (scores.rank + head_axes >= max_rank) return false;
    scores.extents[scores.rank - 2] = heads;
    scores.extents[scores.rank - 1] = all.x.get().shape[all.x.rank() - 2];
    scores.extents[scores.rank++] = all.key.get().shape[all.x.rank() - 2];
    return broadcast(shape_of(all.mask), scores, fitted) && fitted == scores;
  }

  static constexpr bool fits_mask(value context, value mask) {
    shape_list keys = shape_of(context);
    --keys.rank;
    return mask.type() == element::boolean && shape_of(mask) == keys;
  }

  static constexpr text got(std::string_view what, value v, std::string_view other = {}, value w = {}) {
    text t;
    t << "attention<\"" << Name.view() << "\"> got " << what << " " << name_of(v.type());
    v.builder->describe_shape(t, v.get());
    if (!w.exists()) return t;
    t << " and " << other << " " << name_of(w.type());
    v.builder->describe_shape(t, w.get());
    return t;
  }
};

}  // namespace tapeless
