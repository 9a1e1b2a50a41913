# SPDX-License-Identifier: BSL-1.0
"""What the frameworks' steps share: a row's first parameters and inputs, and how a step is measured."""

import json
import pathlib
import resource
import time

import numpy

FIRST_STEPS = 10  # before the loss that all programs must agree on
TYPES = {"F32": numpy.float32, "I32": numpy.int32}


def read(folder, row, kind):
    """The tensors of FOLDER/ROW.KIND.safetensors, by name."""
    data = (pathlib.Path(folder) / f"{row.replace('/', '_')}.{kind}.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    tensors = {}
    for name, tensor in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = tensor["data_offsets"]
            values = numpy.frombuffer(data[8 + size + begin:8 + size + end], TYPES[tensor["dtype"]])
            tensors[name] = values.reshape(tensor["shape"]).copy()
    return tensors


def measure(row, program, step, seconds):
    """Prints, as a line of JSON, the seconds of a step in blocks of about a tenth of the time that is given.
    step() waits for its end and returns its loss, or None where it computes none."""
    loss = None
    for _ in range(FIRST_STEPS):
        loss = step()
    begin = time.perf_counter()
    step()
    calls = max(1, int(seconds / 10 / max(time.perf_counter() - begin, 1e-9)))
    blocks = []
    end = time.perf_counter() + seconds
    while not blocks or time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(calls):
            step()
        blocks.append((time.perf_counter() - begin) / calls)
    print(json.dumps({"row": row, "program": program, "seconds": blocks,
                      "loss": None if loss is None else float(loss),
                      "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}), flush=True)
