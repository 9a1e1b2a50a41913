# SPDX-License-Identifier: BSL-1.0
"""Draws. The function case is in case.py."""
from case import case

case("uniform", 'tl::uniform<"e", float, 256, 1024>() + tl::cast<float>(x)', "torch.rand(256, 1024)", x="unit 1",
     by="", same=False)
case("normal", 'tl::normal<"e", float, 256, 1024>() + tl::cast<float>(x)', "torch.randn(256, 1024)", x="unit 1",
     by="", same=False)
case("randint", 'tl::randint<"e", std::int64_t, 256, 1024>(0_c, 10_c) + tl::cast<std::int64_t>(x)',
     "torch.randint(0, 10, (256, 1024))", x="unit 1", by="", same=False)
case("bernoulli", 'tl::bernoulli<"e">(x)', "torch.bernoulli(x)", x="unit 256 1024", by="", same=False)
case("categorical", 'tl::categorical<"e">(x)', "torch.multinomial(torch.softmax(x, -1), 1)", x="unit 256 1024", by="", same=False)
