# SPDX-License-Identifier: BSL-1.0
"""Norms, losses and distances. The function case is in case.py."""
from case import case

case("layer_norm", "tl::layer_norm<1, 1e-5>(x, w, b)", "F.layer_norm(x, (1024, ), w, b)", x="normal 256 1024",
     w="normal 1024", b="normal 1024")
case("rms_norm", "tl::rms_norm<1e-5>(x, w)", "F.rms_norm(x, (1024, ), w, 1e-5)", x="normal 256 1024", w="normal 1024")
case("group_norm", "tl::group_norm<8>(x, w, b)", "F.group_norm(x, 8, w, b)", x="normal 32 64 28 28", w="normal 64",
     b="normal 64")
case("instance_norm", "tl::instance_norm(x, w, b)", "F.instance_norm(x, weight=w, bias=b)", x="normal 32 64 28 28",
     w="normal 64", b="normal 64")
case("local_response_norm", "tl::local_response_norm<5>(x)", "F.local_response_norm(x, 5)", x="normal 32 64 28 28")
case("layer_norm_channels", "tl::layer_norm<3>(x)", "F.layer_norm(x, (64, 28, 28))", x="normal 32 64 28 28")
case("cross_entropy", "tl::cross_entropy(x, y)", "F.cross_entropy(x, y)", x="normal 256 1024", y="below:1024 256")
case("cross_entropy_sm", "tl::cross_entropy<tl::loss{.label_smoothing = 0.1}>(x, y)",
     "F.cross_entropy(x, y, label_smoothing=0.1)", x="normal 256 1024", y="below:1024 256")
case("nll_loss", "tl::nll_loss(x, y)", "F.nll_loss(x, y)", x="normal 256 1024", y="below:1024 256")
case("mse_loss", "tl::mse_loss(x, y)", "F.mse_loss(x, y)", x="normal 256 1024", y="normal 256 1024", by="x")
case("l1_loss", "tl::l1_loss(x, y)", "F.l1_loss(x, y)", x="normal 256 1024", y="normal 256 1024", by="x")
case("smooth_l1_loss", "tl::smooth_l1_loss(x, y)", "F.smooth_l1_loss(x, y)", x="normal 256 1024", y="normal 256 1024",
     by="x")
case("huber_loss", "tl::huber_loss(x, y)", "F.huber_loss(x, y)", x="normal 256 1024", y="normal 256 1024", by="x")
case("soft_margin_loss", "tl::soft_margin_loss(x, y)", "F.soft_margin_loss(x, y)", x="normal 256 1024",
     y="normal 256 1024", by="x")
case("poisson_nll_loss", "tl::poisson_nll_loss(x, y)", "F.poisson_nll_loss(x, y)", x="normal 256 1024",
     y="normal 256 1024", by="x")
case("bce", "tl::bce_loss(x, y)", "F.binary_cross_entropy(x, y)", x="unit 256 1024", y="unit 256 1024", by="x")
case("bce_logits", "tl::bce_with_logits_loss(x, y)", "F.binary_cross_entropy_with_logits(x, y)", x="normal 256 1024",
     y="unit 256 1024", by="x")
case("kl_div", "tl::kl_div(x, y)", "F.kl_div(x, y, reduction='mean')", x="normal 256 1024", y="unit 256 1024", by="x")
case("cosine_similarity", "tl::cosine_similarity<1, 1e-8>(x, y)", "F.cosine_similarity(x, y, 1)", x="normal 256 1024",
     y="normal 256 1024")
case("multi_margin", "tl::multi_margin_loss(x, y)", "F.multi_margin_loss(x, y)", x="normal 256 1024",
     y="below:1024 256")
case("multilabel_soft", "tl::multilabel_soft_margin_loss(x, y)", "F.multilabel_soft_margin_loss(x, y)",
     x="normal 256 1024", y="unit 256 1024", by="x")
case("triplet", "tl::triplet_margin_loss(x, y, z)", "F.triplet_margin_loss(x, y, z)", x="normal 256 1024",
     y="normal 256 1024", z="normal 256 1024")
case("cdist", "tl::cdist(x, y)", "torch.cdist(x, y)", x="normal 256 64", y="normal 256 64")
case("cdist1", "tl::cdist(x, y, tl::order<1>)", "torch.cdist(x, y, p=1.0)", x="normal 256 64", y="normal 256 64")
case("pairwise_distance", "tl::pairwise_distance(x, y)", "F.pairwise_distance(x, y)", x="normal 256 1024",
     y="normal 256 1024")
case("ctc", "tl::ctc_loss(tl::log_softmax<-1>(x), tt, l, m)", "F.ctc_loss(torch.log_softmax(x, -1), tt, l, m)",
     x="normal 100 16 40", tt="between:1:40 16 20", l="equal:100 16", m="equal:20 16")
