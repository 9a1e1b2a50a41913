# SPDX-License-Identifier: BSL-1.0
"""ops/attention"""

from spelling import NotExpressible, call, literal, members, operation


@operation("nn.functional.scaled_dot_product_attention")
def scaled_dot_product_attention(s):
    if s.kwargs.get("dropout_p"):
        raise NotExpressible("dropout, whose numbers are others")
    options = members("attention_options", causal="true" if s.kwargs.get("is_causal") else None,
                      scale=None if s.kwargs.get("scale") is None else literal(s.kwargs["scale"]))
    mask = s.given(2, "attn_mask")
    return call("scaled_dot_product_attention", options, s.x, *s.args[:2], *([] if mask is None else [mask]))
