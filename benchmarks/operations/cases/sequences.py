# SPDX-License-Identifier: BSL-1.0
"""Attention and recurrent networks. The function case is in case.py."""
from case import case

case("attention", "tl::scaled_dot_product_attention(q, k, v)", "F.scaled_dot_product_attention(q, k, v)",
     q="normal 8 8 128 64", k="normal 8 8 128 64", v="normal 8 8 128 64")
case("attention_causal", "tl::scaled_dot_product_attention<tl::attention_options{.causal = true}>(q, k, v)",
     "F.scaled_dot_product_attention(q, k, v, is_causal=True)", q="normal 8 8 128 64", k="normal 8 8 128 64",
     v="normal 8 8 128 64")
case("attention_mask", "tl::scaled_dot_product_attention(q, k, v, m)", "F.scaled_dot_product_attention(q, k, v, m)",
     q="normal 8 8 128 64", k="normal 8 8 128 64", v="normal 8 8 128 64", m="normal 128 128", by="qkv")
case("attention_bmask", "tl::scaled_dot_product_attention(q, k, v, m > 0_c)",
     "F.scaled_dot_product_attention(q, k, v, m>0)", q="normal 8 8 128 64", k="normal 8 8 128 64",
     v="normal 8 8 128 64", m="normal 128 128", by="qkv")
case("attention_1", "tl::scaled_dot_product_attention(q, k, v)", "F.scaled_dot_product_attention(q, k, v)",
     q="normal 8 8 1 64", k="normal 8 8 512 64", v="normal 8 8 512 64")
case("attention_long", "tl::scaled_dot_product_attention<tl::attention_options{.causal = true}>(q, k, v)",
     "F.scaled_dot_product_attention(q, k, v, is_causal=True)", q="normal 1 4 1024 64", k="normal 1 4 1024 64",
     v="normal 1 4 1024 64")
case("rotary", "tl::rotary(x)", "rotary(x)", x="normal 8 8 128 64")
case("rnn", "std::get<0>(tl::rnn(x, h, w, u))",
     "torch.rnn_tanh(x, h[None], [w, u], False, 1, 0.0, False, False, False)[0]", x="normal 32 32 64",
     h="normal 32 64", w="small 64 64", u="small 64 64")
case("gru", "std::get<0>(tl::gru(x, h, w, u))",
     "torch.gru(x, h[None], [w, u], False, 1, 0.0, False, False, False)[0]", x="normal 32 32 64", h="normal 32 64",
     w="small 192 64", u="small 192 64")
case("lstm", "std::get<0>(tl::lstm(x, h, cc, w, u))",
     "torch.lstm(x, (h[None], cc[None]), [w, u], False, 1, 0.0, False, False, False)[0]", x="normal 32 32 64",
     h="normal 32 64", cc="normal 32 64", w="small 256 64", u="small 256 64")
