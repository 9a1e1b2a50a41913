# SPDX-License-Identifier: BSL-1.0
"""What reads and writes by indices. The function case is in case.py."""
from case import case

case("gather.0", "tl::gather<0>(x, i)", "torch.gather(x, 0, i)", x="normal 256 1024", i="below:256 256 1024")
case("gather.1", "tl::gather<1>(x, i)", "torch.gather(x, 1, i)", x="normal 256 1024", i="below:1024 256 1024")
case("index_select.0", "tl::index_select<0>(x, i)", "torch.index_select(x, 0, i)", x="normal 256 1024",
     i="below:256 256")
case("index_select.1", "tl::index_select<1>(x, i)", "torch.index_select(x, 1, i)", x="normal 256 1024",
     i="below:1024 1024")
case("embedding", "tl::embedding(x, i)", "F.embedding(i, x)", x="normal 1000 256", i="below:1000 1024")
case("embedding8", "tl::embedding(x, i)", "F.embedding(i, x)", x="normal 1000 8", i="below:1000 8192")
case("one_hot", "tl::one_hot<100, float>(i)", "F.one_hot(i, 100).float()", i="below:100 2560")
case("scatter_add.0", "tl::scatter_add<0>(x, i, y)", "torch.scatter_add(x, 0, i, y)", x="normal 256 1024",
     i="below:256 256 1024", y="normal 256 1024")
case("scatter_add.1", "tl::scatter_add<1>(x, i, y)", "torch.scatter_add(x, 1, i, y)", x="normal 256 1024",
     i="below:1024 256 1024", y="normal 256 1024")
case("scatter.1", "tl::scatter<1>(x, i, y)", "torch.scatter(x, 1, i, y)", x="normal 256 1024",
     i="below:1024 256 1024", y="normal 256 1024", by="y", same=False)
case("scatter_reduce.amax", "tl::scatter_reduce<1, tl::reduce::amax>(x, i, y)",
     "torch.scatter_reduce(x, 1, i, y, 'amax')", x="positive 256 1024", i="below:1024 256 1024",
     y="positive 256 1024")
case("scatter_reduce.mean", "tl::scatter_reduce<1, tl::reduce::mean>(x, i, y)",
     "torch.scatter_reduce(x, 1, i, y, 'mean')", x="positive 256 1024", i="below:1024 256 1024",
     y="positive 256 1024")
case("scatter_reduce.sum", "tl::scatter_reduce<1, tl::reduce::sum>(x, i, y)",
     "torch.scatter_reduce(x, 1, i, y, 'sum')", x="positive 256 1024", i="below:1024 256 1024", y="positive 256 1024")
case("index_add.0", "tl::index_add<0>(x, i, y)", "torch.index_add(x, 0, i, y)", x="normal 256 1024",
     i="below:256 256", y="normal 256 1024")
case("index_add.1", "tl::index_add<1>(x, i, y)", "torch.index_add(x, 1, i, y)", x="normal 256 1024",
     i="below:1024 1024", y="normal 256 1024")
case("segment_sum", "tl::index_add<0>(x, i, y)", "torch.index_add(x, 0, i, y)", x="normal 100 8", i="below:100 32768",
     y="normal 32768 8")
case("index_copy.0", "tl::index_copy<0>(x, i, y)", "torch.index_copy(x, 0, i, y)", x="normal 256 1024",
     i="permutation 256", y="normal 256 1024")
case("masked_fill", "tl::masked_fill(x, y > 0.2_c, 0.5_c)", "x.masked_fill(y>0.2, 0.5)", x="normal 256 1024",
     y="normal 256 1024", by="x")
case("searchsorted", "tl::searchsorted(ss, x)", "torch.searchsorted(ss, x)", ss="sorted 1024", x="normal 262144",
     by="")
case("bincount", "tl::bincount<1000>(i)", "torch.bincount(i, minlength=1000)", i="below:1000 262144")
case("put", "tl::put(x, i, y, tl::adding)", "torch.Tensor.put(x, i, y, accumulate=True)", x="normal 256 1024",
     i="below:262144 65536", y="normal 65536")
case("unique", "tl::cast<float>(tl::unique<1000>(x).values)", "torch.unique(x, return_inverse=True)[0].float()",
     x="below:1000 65536")
case("embedding_bag", "tl::sum<1>(tl::embedding(x, i))", "F.embedding_bag(i, x, mode='sum')", x="normal 1000 64",
     i="below:1000 512 16")
case("scatter_reduce.prod", "tl::scatter_reduce<1, tl::reduce::prod>(x, i, y)",
     "torch.scatter_reduce(x, 1, i, y, 'prod')", x="positive 256 1024", i="below:1024 256 1024",
     y="positive 256 1024")
