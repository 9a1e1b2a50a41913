#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs ONNX files by onnxruntime and compares what comes out with what the library computed.

Usage: check.py FOLDER...

Beside each NAME.onnx stands NAME.safetensors with the inputs, "in.x", and the outputs that are expected,
"out.y". Every file must pass ONNX's own checker and its shape inference.
"""

import json
import pathlib
import struct
import sys

import numpy
import onnx
import onnxruntime

# Why a model may be refused: what it says has no words in ONNX.
REASONS = ("random numbers", "ONNX has no operator for ")
TOLERANCE = 1e-6  # of the largest element, or of 1
TYPES = {"F32": "f4", "F64": "f8", "F16": "f2", "BOOL": "?"}
TYPES |= {"I8": "i1", "I16": "i2", "I32": "i4", "I64": "i8", "U8": "u1", "U32": "u4"}


def read_safetensors(path):
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    tensors = {}
    for name, t in json.loads(data[8 : 8 + size]).items():
        begin, end = t["data_offsets"]
        elements = numpy.frombuffer(data[8 + size + begin : 8 + size + end], TYPES[t["dtype"]])
        tensors[name] = elements.reshape(t["shape"])
    return tensors


def difference(found, expected):
    """How far two tensors are apart, as a part of the largest element, or of 1."""
    if found.shape != expected.shape or found.dtype != expected.dtype:
        raise ValueError(f"{found.dtype}{list(found.shape)} instead of {expected.dtype}{list(expected.shape)}")
    if expected.size == 0 or not numpy.issubdtype(expected.dtype, numpy.floating):
        return 0.0 if numpy.array_equal(found, expected) else numpy.inf
    a, b = found.astype("f8"), expected.astype("f8")
    same = (a == b) | (numpy.isnan(a) & numpy.isnan(b))
    with numpy.errstate(invalid="ignore"):  # infinity - infinity
        apart = numpy.where(same, 0.0, numpy.abs(a - b))
    largest = max([1.0, *numpy.abs(b[numpy.isfinite(b)]).ravel()])
    return float(numpy.max(apart)) / largest if not numpy.isnan(apart).any() else numpy.inf


def check(path):
    """The largest difference of a model's outputs."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    tensors = read_safetensors(path.with_suffix(".safetensors"))
    needed = {i.name for i in session.get_inputs()}
    given = {name[3:]: t for name, t in tensors.items() if name.startswith("in.") and name[3:] in needed}
    expected = {name[4:]: t for name, t in tensors.items() if name.startswith("out.")}
    outputs = [o.name for o in session.get_outputs()]
    if sorted(outputs) != sorted(expected):
        raise ValueError(f"outputs {outputs} instead of {sorted(expected)}")
    found = session.run(outputs, given)
    return max(difference(f, expected[name]) for name, f in zip(outputs, found))


def main(folders):
    count, wrong, most = 0, [], 0.0
    for path in sorted(p for folder in folders for p in pathlib.Path(folder).rglob("*.onnx")):
        count += 1
        try:
            apart = check(path)
            most = max(most, apart)
            if not apart <= TOLERANCE:
                wrong.append(f"{path.stem}: apart by {apart:.2g}")
        except Exception as e:  # whatever a checker or the runtime throws is this file's fault
            wrong.append(f"{path.stem}: {type(e).__name__}: {str(e)[:600]}")
    refused = sorted(p for folder in folders for p in pathlib.Path(folder).rglob("*.refused"))
    wrong += [f"{p.stem} is refused: {p.read_text()}" for p in refused if not any(r in p.read_text() for r in REASONS)]
    print(f"{count} models, the outputs are apart by at most {most:.2g}; {len(refused)} have what ONNX has not")
    for line in wrong:
        print(f"wrong: {line}")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
