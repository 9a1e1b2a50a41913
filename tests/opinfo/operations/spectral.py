# SPDX-License-Identifier: BSL-1.0
"""ops/spectral: complex numbers are pairs along a last axis of 2. Transforms along several axes are one after the other."""

from spelling import NotExpressible, call, listed, literal, members, operation


def numbers(x):
    """Real numbers as complex ones."""
    return x if x.is_complex else call("complex", "", x, 0)


def norm_of(s, place):
    norm = s.given(place, "norm")
    return None if norm in (None, "backward") else f"tl::fft_norm::{norm}"


def along(name, x, n, axis, norm):
    return call(name, members("fft_options", n=n, axis=None if axis == -1 else axis, norm=norm), x)


def one_axis(name, takes_real):
    def spell(s):
        if takes_real and s.x.is_complex:
            raise NotExpressible("complex numbers")
        x = s.x if takes_real else numbers(s.x)
        return along(name, x, s.given(0, "n"), s.given(1, "dim", -1), norm_of(s, 2))

    return spell


for name in ("fft", "ifft", "irfft", "hfft"):
    operation(f"fft.{name}", of_complex=True)(one_axis(name, False))
for name in ("rfft", "ihfft"):
    operation(f"fft.{name}", of_complex=True)(one_axis(name, True))


def several_axes(first, others, real, last, planar):
    """The transform of real numbers goes first, or last; the others behind it or before it."""

    def spell(s):
        if real and s.x.is_complex:
            raise NotExpressible("complex numbers")
        sizes, dims = s.given(0, "s"), s.given(1, "dim", (-2, -1) if planar else None)
        dims = [dims] if isinstance(dims, int) else dims
        sizes = [sizes] if isinstance(sizes, int) else sizes
        if dims is None:
            dims = range(-len(sizes), 0) if sizes else range(s.x.rank)
        steps = [(sizes[i] if sizes else None, dim) for i, dim in enumerate(dims)]
        norm = norm_of(s, 2)
        x = s.x if real else numbers(s.x)
        kinds = [others] * (len(steps) - 1) + [first]  # the last axis is the one that is halved
        order = list(zip(kinds, steps))
        for kind, (n, dim) in order if last else reversed(order):
            x = along(kind, x, n, dim, norm)
        return x

    return spell


for suffix, planar in (("2", True), ("n", False)):
    operation(f"fft.fft{suffix}", of_complex=True)(several_axes("fft", "fft", False, False, planar))
    operation(f"fft.ifft{suffix}", of_complex=True)(several_axes("ifft", "ifft", False, False, planar))
    operation(f"fft.rfft{suffix}", of_complex=True)(several_axes("rfft", "fft", True, False, planar))
    operation(f"fft.irfft{suffix}", of_complex=True)(several_axes("irfft", "ifft", False, True, planar))
    operation(f"fft.hfft{suffix}", of_complex=True)(several_axes("hfft", "fft", False, True, planar))
    operation(f"fft.ihfft{suffix}", of_complex=True)(several_axes("ihfft", "ifft", True, False, planar))


def shift(name):
    def spell(s):
        dims = s.given(0, "dim")
        dims = range(s.x.rank) if dims is None else [dims] if isinstance(dims, int) else dims
        return call(name, listed(d - 1 if d < 0 and s.x.is_complex else d for d in dims), s.x)

    return spell


for name in ("fftshift", "ifftshift"):
    operation(f"fft.{name}", of_complex=True)(shift(name))


@operation("complex", of_complex=True)
def complex_numbers(s):
    return call("complex", "", s.x, s.args[0])


@operation("polar", of_complex=True)
def polar(s):
    return call("polar", "", s.x, s.args[0])


def part(name, of_real):
    def spell(s):
        return call(name, "", s.x) if s.x.is_complex else of_real(s.x)

    return spell


operation("real", of_complex=True)(part("real", lambda x: x))
operation("conj", "conj_physical", of_complex=True)(part("conj", lambda x: x))
operation("view_as_real", "view_as_complex", of_complex=True)(lambda s: s.x)
operation("imag", of_complex=True)(part("imag", lambda x: x))
operation("angle", of_complex=True)(part("angle", lambda x: call("angle", "", numbers(x))))


def options(s, onesided):
    mode = s.given(7, "pad_mode") or "reflect"
    length = s.kwargs.get("length")
    flag = lambda given, default: None if given in (None, default) else literal(given)
    return members(
        "stft_options",
        n_fft=s.given(0, "n_fft"),
        hop_length=s.given(1, "hop_length"),
        win_length=s.given(2, "win_length"),
        center=flag(s.kwargs.get("center"), True),
        pad_mode=None if mode == "reflect" else f"tl::padding_mode::{'zeros' if mode == 'constant' else mode}",
        normalized=flag(s.kwargs.get("normalized"), False),
        onesided=flag(onesided, True),
        length=length,
    )


def windowed(name, s, onesided):
    window = s.kwargs.get("window")
    if window is not None and window.is_complex:
        raise NotExpressible("complex windows")
    return call(name, options(s, onesided), s.x, *([] if window is None else [window]))


@operation("stft", of_complex=True)
def stft(s):
    if s.x.is_complex:
        raise NotExpressible("complex signals")
    return windowed("stft", s, s.kwargs.get("onesided"))


@operation("istft", of_complex=True)
def istft(s):
    if s.kwargs.get("return_complex"):
        raise NotExpressible("complex signals")
    onesided = s.kwargs.get("onesided")
    return windowed("istft", s, s.x.shape[-2] != s.kwargs["n_fft"] if onesided is None else onesided)
