# SPDX-License-Identifier: BSL-1.0
"""ops/loss"""

from spelling import NotExpressible, Spelled, Tensor, call, literal, members, operand, operation

REDUCTIONS = {"mean": None, "sum": "tl::reduction::sum", "none": "tl::reduction::none",
              "batchmean": "tl::reduction::batch_mean"}


def reduction(s):
    return REDUCTIONS[s.kwargs.get("reduction", "mean")]


def number(s, name):
    value = s.kwargs.get(name)
    return None if value is None else literal(value)


def flag(s, name):
    value = s.kwargs.get(name)
    return None if value is None else "true" if value else "false"


def elementwise(torch_name, name, **numbers):
    @operation(f"nn.functional.{torch_name}")
    def spell(s):
        s.only("reduction", "target", "size_average", *numbers)
        options = members("loss", reduce=reduction(s), **{ours: number(s, theirs) for theirs, ours in numbers.items()})
        return call(name, options, s.x, s.given(0, "target"))


elementwise("mse_loss", "mse_loss")
elementwise("l1_loss", "l1_loss")
elementwise("smooth_l1_loss", "smooth_l1_loss", beta="beta")
elementwise("huber_loss", "huber_loss", delta="delta")


@operation("nn.functional.kl_div")
def kl_div(s):
    return call("kl_div", members("loss", reduce=reduction(s), log_target=flag(s, "log_target")), s.x, s.args[0])


@operation("nn.functional.poisson_nll_loss")
def poisson_nll_loss(s):
    options = members("loss", reduce=reduction(s), eps=number(s, "eps"), log_input=flag(s, "log_input"), full=flag(s, "full"))
    return call("poisson_nll_loss", options, s.x, s.args[0])


def with_weights(name):
    def spell(s):
        s.only("reduction", "weight", "pos_weight", "target", "size_average", "reduce")
        weight, positive = s.given(1, "weight"), s.kwargs.get("pos_weight")
        more = [] if positive is None else [positive]
        more += [] if weight is None else [f"tl::element_weights({weight})"]
        return call(name, members("loss", reduce=reduction(s)), s.x, s.given(0, "target"), *more)

    return spell


operation("nn.functional.binary_cross_entropy")(with_weights("bce_loss"))
operation("nn.functional.binary_cross_entropy_with_logits")(with_weights("bce_with_logits_loss"))


def class_axis(s):
    """PyTorch's classes are axis 1, ours the last one by default."""
    return 1 if s.x.rank > 2 else None


def class_loss(name):
    def spell(s):
        smoothing = s.kwargs.get("label_smoothing")
        options = members("loss", reduce=reduction(s), label_smoothing=literal(smoothing) if smoothing else None,
                          ignore_index=number(s, "ignore_index"), axis=class_axis(s))
        weight = s.given(1, "weight")
        return call(name, options, s.x, s.given(0, "target"), *([] if weight is None else [weight]))

    return spell


operation("nn.functional.cross_entropy")(class_loss("cross_entropy"))
operation("nn.functional.nll_loss")(class_loss("nll_loss"))


@operation("nn.functional.multi_margin_loss")
def multi_margin_loss(s):
    weight = s.kwargs.get("weight")
    options = members("loss", reduce=reduction(s), margin=number(s, "margin"), power=number(s, "p"))
    return call("multi_margin_loss", options, s.x, s.args[0], *([] if weight is None else [weight]))


@operation("nn.functional.multilabel_soft_margin_loss")
def multilabel_soft_margin_loss(s):
    weight = s.kwargs.get("weight")
    options = members("loss", reduce=reduction(s))
    return call("multilabel_soft_margin_loss", options, s.x, s.args[0], *([] if weight is None else [weight]))


@operation("nn.functional.multilabel_margin_loss")
def multilabel_margin_loss(s):
    return call("multilabel_margin_loss", members("loss", reduce=reduction(s)), s.x, s.args[0])


@operation("nn.functional.margin_ranking_loss")
def margin_ranking_loss(s):
    return call("margin_ranking_loss", members("loss", reduce=reduction(s), margin=number(s, "margin")), s.x, *s.args)


@operation("nn.functional.gaussian_nll_loss")
def gaussian_nll_loss(s):
    options = members("loss", reduce=reduction(s), eps=number(s, "eps"), full=flag(s, "full"))
    targets, *rest = s.args
    if targets.shape != s.x.shape:  # losses do not broadcast by themselves: mostly that is a mistake
        targets = call("expand", ", ".join(map(str, s.x.shape)), targets)
    return call("gaussian_nll_loss", options, s.x, targets, *rest)


elementwise("soft_margin_loss", "soft_margin_loss")
elementwise("hinge_embedding_loss", "hinge_embedding_loss", margin="margin")


@operation("nn.functional.cosine_embedding_loss")
def cosine_embedding_loss(s):
    options = members("loss", reduce=reduction(s), margin=number(s, "margin"))
    return call("cosine_embedding_loss", options, s.x, *s.args)


@operation("nn.functional.triplet_margin_loss", "nn.functional.triplet_margin_with_distance_loss")
def triplet_margin_loss(s):
    if s.kwargs.get("distance_function") is not None:
        raise NotExpressible("a distance that is a function")
    options = members("loss", reduce=reduction(s), margin=number(s, "margin"), power=number(s, "p"), eps=number(s, "eps"),
                      swap=flag(s, "swap"))
    return call("triplet_margin_loss", options, s.x, *s.args)


@operation("nn.functional.cosine_similarity")
def cosine_similarity(s):
    axis, eps = s.given(1, "dim", 1), s.given(2, "eps", 1e-8)
    return call("cosine_similarity", f"{axis}, {literal(eps)}", s.x, s.args[0])


@operation("nn.functional.ctc_loss")
def ctc_loss(s):
    targets, input_lengths, target_lengths = (
        x if isinstance(x, Tensor) else s.tensor(list(x)) for x in s.args[:3])
    options = members("loss", reduce=reduction(s), blank=number(s, "blank"), zero_infinity=flag(s, "zero_infinity"))
    return Spelled(call("ctc_loss", options, s.x, targets, input_lengths, target_lengths),
                   convention="PyTorch's gradient takes the log-probabilities for log_softmax's, whose derivative it "
                   "contains; ours is the loss's own", apart=("gradients", "second"))


@operation("nn.functional.pairwise_distance")
def pairwise_distance(s):
    order, eps, keep = s.kwargs.get("p", 2.0), s.kwargs.get("eps", 1e-6), s.kwargs.get("keepdim")
    if keep:
        raise NotExpressible("keepdim")
    options = [] if order == 2 else [f"tl::order<{literal(order)}>"]
    return call("pairwise_distance", "" if eps == 1e-6 else literal(eps), s.x, s.args[0], options=options)


@operation("cdist")
def cdist(s):
    order = s.given(1, "p", 2.0)
    return call("cdist", "", s.x, s.args[0], options=[] if order == 2 else [f"tl::order<{literal(order)}>"])
