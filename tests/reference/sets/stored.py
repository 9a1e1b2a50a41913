# SPDX-License-Identifier: BSL-1.0
"""Reads and writes safetensors files with nothing but Python's own library."""
import json
import math
import struct

CODES = {'F64': 'd', 'F32': 'f', 'I64': 'q', 'BOOL': '?', 'U8': 'B'}


def write(path, metadata, tensors):
    """metadata: texts by name. tensors: (element type, shape, flat numbers or bytes) by name."""
    order = sorted(tensors, key=lambda name: (-struct.calcsize(CODES[tensors[name][0]]), name))  # each is aligned
    header, data = {'__metadata__': metadata}, b''
    for name in order:
        kind, shape, numbers = tensors[name]
        raw = numbers if isinstance(numbers, bytes) else struct.pack(f'<{len(numbers)}{CODES[kind]}', *numbers)
        if len(raw) != math.prod(shape) * struct.calcsize(CODES[kind]):
            raise ValueError(f'{name}: {len(raw)} bytes for the shape {shape}')
        header[name] = {'dtype': kind, 'shape': list(shape), 'data_offsets': [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 8)
    path.write_bytes(struct.pack('<Q', len(text)) + text + data)


def read(path):
    """The metadata, and the tensors as (element type, shape, bytes) by name."""
    raw = path.read_bytes()
    begin = 8 + struct.unpack('<Q', raw[:8])[0]
    header = json.loads(raw[8:begin])
    metadata = header.pop('__metadata__', {})
    tensors = {}
    for name, entry in header.items():
        first, last = entry['data_offsets']
        tensors[name] = (entry['dtype'], entry['shape'], raw[begin + first:begin + last])
    return metadata, tensors


def as_float(x):
    """Rounded to float32."""
    return struct.unpack('<f', struct.pack('<f', x))[0]
