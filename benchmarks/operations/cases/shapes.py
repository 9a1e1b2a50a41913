# SPDX-License-Identifier: BSL-1.0
"""What moves elements. The function case is in case.py."""
from case import case

case("transpose", "tl::transpose<0, 1>(x)", "x.t().contiguous()", x="normal 256 1024")
case("permute_102", "tl::permute<1, 0, 2>(x)", "x.permute(1, 0, 2).contiguous()", x="normal 64 64 64")
case("permute_210", "tl::permute<2, 1, 0>(x)", "x.permute(2, 1, 0).contiguous()", x="normal 64 64 64")
case("permute_021", "tl::permute<0, 2, 1>(x)", "x.permute(0, 2, 1).contiguous()", x="normal 64 64 64")
case("nhwc", "tl::permute<0, 2, 3, 1>(x)", "x.permute(0, 2, 3, 1).contiguous()", x="normal 32 64 28 28")
case("concat.0", "tl::concat<0>(x, y)", "torch.cat([x, y], 0)", x="normal 256 1024", y="normal 256 1024")
case("stack.0", "tl::stack<0>(x, y)", "torch.stack([x, y], 0)", x="normal 256 1024", y="normal 256 1024")
case("roll.0", "tl::roll<0, 3>(x)", "torch.roll(x, 3, 0)", x="normal 256 1024")
case("flip.0", "tl::flip<0>(x)", "torch.flip(x, [0])", x="normal 256 1024")
case("pad.0", "tl::pad<0, 2, 3>(x)", "F.pad(x, [0, 0, 2, 3])", x="normal 256 1024")
case("slice.0", "tl::slice<0, 3, 251>(x)", "x.narrow(0, 3, 248).contiguous()", x="normal 256 1024")
case("slice_step.0", "tl::slice<0, 1, 256, 2>(x)", "x[1::2].contiguous()", x="normal 256 1024")
case("repeat_interleave.0", "tl::repeat_interleave<0, 3>(x)", "x.repeat_interleave(3, 0)", x="normal 256 1024")
case("concat.1", "tl::concat<1>(x, y)", "torch.cat([x, y], 1)", x="normal 256 1024", y="normal 256 1024")
case("stack.1", "tl::stack<1>(x, y)", "torch.stack([x, y], 1)", x="normal 256 1024", y="normal 256 1024")
case("roll.1", "tl::roll<1, 3>(x)", "torch.roll(x, 3, 1)", x="normal 256 1024")
case("flip.1", "tl::flip<1>(x)", "torch.flip(x, [1])", x="normal 256 1024")
case("pad.1", "tl::pad<1, 2, 3>(x)", "F.pad(x, [2, 3])", x="normal 256 1024")
case("slice.1", "tl::slice<1, 3, 1019>(x)", "x.narrow(1, 3, 1016).contiguous()", x="normal 256 1024")
case("slice_step.1", "tl::slice<1, 1, 1024, 2>(x)", "x[:, 1::2].contiguous()", x="normal 256 1024")
case("repeat_interleave.1", "tl::repeat_interleave<1, 3>(x)", "x.repeat_interleave(3, 1)", x="normal 256 1024")
case("stack.2", "tl::stack<2>(x, y)", "torch.stack([x, y], 2)", x="normal 256 1024", y="normal 256 1024")
case("stack3", "tl::stack<-1>(x, y, z)", "torch.stack([x, y, z], -1)", x="normal 256 1024", y="normal 256 1024",
     z="normal 256 1024")
case("tile", "tl::tile<2, 2>(x)", "x.repeat(2, 2)", x="normal 256 1024")
case("slice_step3", "tl::slice<1, 0, 1024, 3>(x)", "x[:, 0::3].contiguous()", x="normal 256 1024")
case("tril", "tl::tril(x)", "torch.tril(x)", x="normal 512 512")
case("diagonal", "tl::diagonal(x)", "torch.diagonal(x, 0, -2, -1).contiguous()", x="normal 256 32 32")
case("rot90", "tl::rot90(x)", "torch.rot90(x).contiguous()", x="normal 256 1024")
case("pad_reflect", "tl::pad<-1, 2, 2, tl::padding_mode::reflect>(tl::pad<-2, 2, 2, tl::padding_mode::reflect>(x))",
     "F.pad(x, (2, 2, 2, 2), mode='reflect')", x="normal 32 64 28 28")
case("pixel_shuffle", "tl::pixel_shuffle<2>(x)", "F.pixel_shuffle(x, 2)", x="normal 32 64 28 28")
case("pixel_unshuffle", "tl::pixel_unshuffle<2>(x)", "F.pixel_unshuffle(x, 2)", x="normal 32 64 28 28")
case("channel_shuffle", "tl::channel_shuffle<4>(x)", "F.channel_shuffle(x, 4)", x="normal 32 64 28 28")
case("split_first", "std::get<0>(tl::split<1, 300, 724>(x))", "x.split([300, 724], 1)[0].contiguous()",
     x="normal 256 1024")
case("diag_embed", "tl::diag_embed(x)", "torch.diag_embed(x)", x="normal 256 32")
case("meshgrid_mul", "tl::unsqueeze<1>(a) * tl::unsqueeze<0>(b)", "a[:, None]*b[None]", a="normal 512",
     b="normal 512")
case("channels_concat", "tl::concat<1>(x, y)", "torch.cat([x, y], 1)", x="normal 32 32 28 28", y="normal 32 32 28 28")
