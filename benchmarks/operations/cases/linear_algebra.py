# SPDX-License-Identifier: BSL-1.0
"""Products, factors and Fourier transforms. The function case is in case.py."""
from case import case

case("matmul", "tl::matmul(x, y)", "x@y", x="normal 256 256", y="normal 256 256")
case("matmul_tn", "tl::matmul(tl::transpose<0, 1>(x), y)", "x.t()@y", x="normal 256 256", y="normal 256 256")
case("matvec", "tl::matmul(x, y)", "x@y", x="normal 1024 1024", y="normal 1024")
case("matvec_t", "tl::matmul(y, x)", "y@x", x="normal 1024 1024", y="normal 1024")
case("bmm", "tl::matmul(x, y)", "x@y", x="normal 64 64 64", y="normal 64 64 64")
case("bmm_small", "tl::matmul(x, y)", "x@y", x="normal 4096 4 4", y="normal 4096 4 4")
case("bmm_8", "tl::matmul(x, y)", "x@y", x="normal 1024 8 8", y="normal 1024 8 8")
case("bmm_vec", "tl::matmul(x, y)", "x@y", x="normal 1024 16 16", y="normal 1024 16 1")
case("bmm_shared", "tl::matmul(x, y)", "x@y", x="normal 64 64 64", y="normal 64 64")
case("linear", "tl::linear(x, w, b)", "F.linear(x, w, b)", x="normal 256 512", w="normal 512 512", b="normal 512")
case("outer", "tl::outer(x, y)", "torch.outer(x, y)", x="normal 512", y="normal 512")
case("einsum_bad", 'tl::einsum<"abc,cd->bad">(x, y)', "torch.einsum('abc, cd->bad', x, y)", x="normal 64 64 64",
     y="normal 64 64")
case("einsum_odd", 'tl::einsum<"bhqd,bkhd->bqhk">(x, y)', "torch.einsum('bhqd, bkhd->bqhk', x, y)",
     x="normal 8 8 64 32", y="normal 8 64 8 32")
case("einsum_last", 'tl::einsum<"abc,abd->cd">(x, y)', "torch.einsum('abc, abd->cd', x, y)", x="normal 64 64 64",
     y="normal 64 64 64")
case("einsum_mid", 'tl::einsum<"abc,dbe->adce">(x, y)', "torch.einsum('abc, dbe->adce', x, y)", x="normal 16 64 16",
     y="normal 16 64 16")
case("einsum_3", 'tl::einsum<"ab,bc,cd->ad">(x, y, z)', "torch.einsum('ab, bc, cd->ad', x, y, z)", x="normal 256 256",
     y="normal 256 256", z="normal 256 256")
case("einsum_diagbatch", 'tl::einsum<"ij,ij->i">(x, y)', "torch.einsum('ij, ij->i', x, y)", x="normal 256 1024",
     y="normal 256 1024")
case("einsum_lastbatch", 'tl::einsum<"ijb,jkb->ikb">(x, y)', "torch.einsum('ijb, jkb->ikb', x, y)",
     x="normal 16 16 256", y="normal 16 16 256")
case("bilinear", "tl::bilinear(x, y, w)", "F.bilinear(x, y, w)", x="normal 128 64", y="normal 128 64",
     w="normal 32 64 64")
case("kron", "tl::kron(x, y)", "torch.kron(x, y)", x="normal 32 32", y="normal 16 16")
case("cross", "tl::cross(x, y)", "torch.linalg.cross(x, y)", x="normal 65536 3", y="normal 65536 3")
case("vecdot", "tl::vecdot(x, y)", "torch.linalg.vecdot(x, y)", x="normal 256 1024", y="normal 256 1024")
case("cov", "tl::cov(x)", "torch.cov(x)", x="normal 256 1024")
case("cholesky", "tl::cholesky(x)", "torch.linalg.cholesky(x)", x="definite 128 128")
case("cholesky_b", "tl::cholesky(x)", "torch.linalg.cholesky(x)", x="definite 256 16 16")
case("solve", "tl::solve(x, y)", "torch.linalg.solve(x, y)", x="definite 128 128", y="normal 128 16")
case("solve_b", "tl::solve(x, y)", "torch.linalg.solve(x, y)", x="definite 256 16 16", y="normal 256 16 4")
case("solve_triangular", "tl::solve_triangular(x, y)", "torch.linalg.solve_triangular(x.tril(), y, upper=False)",
     x="definite 128 128", y="normal 128 128")
case("inverse", "tl::inverse(x)", "torch.linalg.inv(x)", x="definite 128 128")
case("inverse_b", "tl::inverse(x)", "torch.linalg.inv(x)", x="definite 1024 4 4")
case("det_b", "tl::det(x)", "torch.linalg.det(x)", x="definite 256 16 16")
case("logdet", "tl::logdet(x)", "torch.logdet(x)", x="definite 128 128")
case("eigvalsh", "tl::eigvalsh(x)", "torch.linalg.eigvalsh(x)", x="definite 128 128")
case("eigh", "std::get<1>(tl::eigh(x))", "torch.linalg.eigh(x)[1]", x="definite 128 128", same=False)
case("eigh_b", "std::get<1>(tl::eigh(x))", "torch.linalg.eigh(x)[1]", x="definite 256 16 16", same=False)
case("svd", "std::get<0>(tl::svd(x))", "torch.linalg.svd(x, full_matrices=False)[0]", x="normal 128 64", by="")
case("svdvals", "tl::svdvals(x)", "torch.linalg.svdvals(x)", x="normal 128 64")
case("qr", "std::get<0>(tl::qr(x))", "torch.linalg.qr(x)[0]", x="normal 128 64")
case("pinv", "tl::pinv(x)", "torch.linalg.pinv(x)", x="normal 64 32")
case("matrix_exp", "tl::matrix_exp(x)", "torch.matrix_exp(x)", x="definite 64 64")
case("matrix_power", "tl::matrix_power<5>(x)", "torch.linalg.matrix_power(x, 5)", x="normal 64 64")
case("lstsq", "tl::lstsq(x, y)", "torch.linalg.lstsq(x, y).solution", x="normal 128 32", y="normal 128 4")
case("fft", "tl::fft(tl::complex(x, y))", "torch.view_as_real(torch.fft.fft(torch.complex(x, y)))",
     x="normal 256 1024", y="normal 256 1024")
case("rfft", "tl::rfft(x)", "torch.view_as_real(torch.fft.rfft(x))", x="normal 256 1024")
case("rfft1000", "tl::rfft(x)", "torch.view_as_real(torch.fft.rfft(x))", x="normal 256 1000")
case("rfft64", "tl::rfft(x)", "torch.view_as_real(torch.fft.rfft(x))", x="normal 4096 64")
case("rfft2", "tl::rfft2(x)", "torch.view_as_real(torch.fft.rfft2(x))", x="normal 64 64 64")
case("fft_0", "tl::fft<tl::fft_options{.axis = 0}>(tl::complex(x, y))",
     "torch.view_as_real(torch.fft.fft(torch.complex(x, y), dim=0))", x="normal 256 1024", y="normal 256 1024")
case("stft", "tl::stft<tl::stft_options{.n_fft = 256, .hop_length = 64}>(x)",
     "torch.view_as_real(torch.stft(x, 256, 64, window=torch.ones(256), return_complex=True))", x="normal 16 8192")
case("fftshift", "tl::fftshift<-1>(x)", "torch.fft.fftshift(x, -1)", x="normal 256 1024")
