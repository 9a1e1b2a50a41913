# SPDX-License-Identifier: BSL-1.0
"""What keeps a shape, and reductions."""

from operations import elementwise, reduction

UNARY = [
    elementwise("tl::tanh({x})", "torch.tanh({x})"),
    elementwise("tl::sin({x})", "torch.sin({x})"),
    elementwise("tl::cos({x}) * {x}", "torch.cos({x}) * {x}"),
    elementwise("tl::atan({x})", "torch.atan({x})"),
    elementwise("tl::erf({x})", "torch.erf({x})"),
    elementwise("tl::sinc({x})", "torch.sinc({x})"),
    elementwise("tl::exp(-tl::square({x}))", "torch.exp(-{x} * {x})"),
    elementwise("tl::log1p(tl::square({x}))", "torch.log1p({x} * {x})"),
    elementwise("tl::sqrt(1_c + tl::square({x}))", "torch.sqrt(1 + {x} * {x})"),
    elementwise("tl::rsqrt(0.5_c + tl::square({x}))", "torch.rsqrt(0.5 + {x} * {x})"),
    elementwise("1_c / (2_c + tl::square({x}))", "1 / (2 + {x} * {x})"),
    elementwise("tl::pow(tl::tanh({x}), 3_c)", "torch.tanh({x}) ** 3"),
    elementwise("tl::sigmoid({x})", "torch.sigmoid({x})"),
    elementwise("tl::relu({x})", "torch.relu({x})"),
    elementwise("tl::leaky_relu({x})", "F.leaky_relu({x})"),
    elementwise("tl::elu({x})", "F.elu({x})"),
    elementwise("tl::gelu({x})", "F.gelu({x})"),
    elementwise("tl::silu({x})", "F.silu({x})"),
    elementwise("tl::softplus({x})", "F.softplus({x})"),
    elementwise("tl::abs({x})", "torch.abs({x})"),
    elementwise("tl::clamp({x}, -0.8125_c, 0.6875_c)", "torch.clamp({x}, -0.8125, 0.6875)"),
    elementwise("{x} * tl::floor({x} * 3_c + 0.1_c)", "{x} * torch.floor({x} * 3 + 0.1)"),
    elementwise("-{x}", "-{x}"),
    elementwise("0.5_c * {x} - 0.25_c", "0.5 * {x} - 0.25"),
    elementwise("tl::stop_gradient({x}) * tl::sin({x})", "{x}.detach() * torch.sin({x})"),
    elementwise("tl::checkpoint(tl::tanh({x} * {x}))", "torch.tanh({x} * {x})"),
]

ALONG = [
    elementwise("tl::softmax<{axis}>({x})", "torch.softmax({x}, {axis})"),
    elementwise("tl::log_softmax<{axis}>({x})", "torch.log_softmax({x}, {axis})"),
    elementwise("tl::cumsum<{axis}>({x}) * 0.25_c", "torch.cumsum({x}, {axis}) * 0.25"),
    elementwise("tl::cumprod<{axis}>(tl::tanh({x}) + 1_c)", "torch.cumprod(torch.tanh({x}) + 1, {axis})"),
    elementwise("tl::logcumsumexp<{axis}>({x})", "torch.logcumsumexp({x}, {axis})"),
    elementwise("tl::cummax<{axis}>({x}).values", "torch.cummax({x}, {axis}).values"),
    elementwise("tl::flip<{axis}>({x})", "torch.flip({x}, [{axis}])"),
    elementwise("tl::sort<{axis}>({x}).values", "torch.sort({x}, {axis}).values"),
    elementwise("{x} - tl::median<{axis}>({x}, tl::keep_dims)", "{x} - torch.median({x}, {axis}, True).values"),
    elementwise("tl::normalize<{axis}>({x} + 2_c)", "F.normalize({x} + 2, dim={axis})"),
    elementwise("{x} * tl::sin(tl::iota_like<{axis}>({x}))",
                "{x} * along(torch.sin(torch.arange({x}.shape[{axis}]).double()), {x}, {axis})"),
]

BINARY = [
    elementwise("{x} + {y}", "{x} + {y}"),
    elementwise("{y} - {x}", "{y} - {x}"),
    elementwise("{x} * tl::sin({y})", "{x} * torch.sin({y})"),
    elementwise("{x} / (1.5_c + tl::square({y}))", "{x} / (1.5 + {y} * {y})"),
    elementwise("{y} / (1.5_c + tl::square({x}))", "{y} / (1.5 + {x} * {x})"),
    elementwise("tl::max({x}, {y})", "torch.maximum({x}, {y})"),
    elementwise("tl::min({y}, {x})", "torch.minimum({y}, {x})"),
    elementwise("tl::where({x} > {y}, {x}, 0.5_c * {y})", "torch.where({x} > {y}, {x}, 0.5 * {y})"),
    elementwise("tl::masked_fill({x}, {y} > 0.21875_c, 0.5_c)", "{x}.masked_fill({y} > 0.21875, 0.5)"),
    elementwise("tl::hypot({x}, {y} + 2_c)", "torch.hypot({x}, {y} + 2)"),
    elementwise("tl::atan2({x}, 2_c + tl::abs({y}))", "torch.atan2({x}, 2 + torch.abs({y}))"),
    elementwise("tl::logaddexp({x}, {y})", "torch.logaddexp({x}, {y})"),
    elementwise("tl::pow(1_c + tl::square({x}), tl::tanh({y}))", "torch.pow(1 + {x} * {x}, torch.tanh({y}))"),
]

REDUCTIONS = [
    reduction("0.25_c * tl::sum<{axes}>({x}{keep})", "0.25 * torch.sum({x}, [{axes}], {kept})"),
    reduction("tl::mean<{axes}>({x}{keep})", "torch.mean({x}, [{axes}], {kept})"),
    reduction("tl::max<{axes}>({x}{keep})", "torch.amax({x}, [{axes}], {kept})"),
    reduction("tl::min<{axes}>({x}{keep})", "torch.amin({x}, [{axes}], {kept})"),
    reduction("tl::prod<{axis}>(tl::tanh({x}){keep})", "torch.prod(torch.tanh({x}), {axis}, {kept})"),
    reduction("tl::logsumexp<{axes}>({x}{keep})", "torch.logsumexp({x}, [{axes}], {kept})"),
    reduction("tl::var<{axes}>({x}, tl::correction<0>{keep})",
              "torch.var({x}, [{axes}], correction=0, keepdim={kept})"),
    reduction("tl::norm<{axes}>({x} + 2_c{keep})", "torch.linalg.vector_norm({x} + 2, dim=[{axes}], keepdim={kept})"),
]
