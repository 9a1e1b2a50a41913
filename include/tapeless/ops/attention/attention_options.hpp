// SPDX-License-Identifier: BSL-1.0
// Options of attention.
#pragma once

namespace tapeless {

/// Options of attention and of scaled_dot_product_attention, which reads `causal`, `scale`, `dropout`,
/// `enable_gqa`, `window` and `alibi`.
struct attention_options {
  int heads = 1;               ///< of width / heads features each
  bool causal = false;         ///< a query attends to the keys up to its own index
  bool bias = true;            ///< of the projections
  int key_value_heads = 0;     ///< heads of keys and values, each shared by so many queries'; 0: as `heads`
  bool rotary = false;         ///< queries and keys are turned by their positions
  double rotary_base = 10000;  ///< the longest wavelength is nearly 2 pi times this
  bool rotary_interleaved = false;  ///< pairs are a head's features 2i and 2i + 1, see rotary_options
  double scale = 0;                 ///< of the scores; 0: 1 / sqrt(features of a head)
  double dropout = 0;               ///< of the weights, in training
  bool enable_gqa = false;     ///< keys and values have fewer heads, each shared by neighbouring queries'
  int window = 0;              ///< a query attends to fewer than this many keys to either side; 0: to all
  bool alibi = false;          ///< scores fall with the distance, for each head at a slope of its own
  bool add_bias_kv = false;    ///< attention: a learned key and value more
  bool add_zero_attn = false;  ///< attention: a key and a value of zeros more
  friend constexpr bool operator==(const attention_options&, const attention_options&) = default;
};

namespace detail {

// A function of values, so that no compiler looks at a division by zero that is not made.
constexpr bool key_value_heads_fit(const attention_options& o) {
  return o.key_value_heads == 0 || (o.key_value_heads > 0 && o.heads % o.key_value_heads == 0);
}

}  // namespace detail

}  // namespace tapeless
