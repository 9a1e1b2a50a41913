#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the reference files that are part of this repository from a whole set of them.

  tests/reference/sets/small_set.py FROM tests/reference/data

Leaves out the cases of more than MOST bytes, and names them under "_left_out" in the file's metadata, so that the
tests say so. The training run is not taken from there, since its images are MNIST's: another_set.py makes a
smaller one of random images.
"""
import json
import pathlib
import sys

import another_set
import stored

MOST = 30_000


def small(metadata, tensors):
    """Both without the large cases."""
    sizes = dict.fromkeys((name for name in metadata if not name.startswith('_')), 0)
    for name, (_, _, raw) in tensors.items():
        sizes[name.split('.')[0]] += len(raw)
    large = sorted(name for name, size in sizes.items() if size > MOST)
    metadata = {name: text for name, text in metadata.items() if name not in large}
    if large:
        metadata['_left_out'] = json.dumps(large)
    return metadata, {name: tensor for name, tensor in tensors.items() if name.split('.')[0] not in large}


def main():
    source, target = (pathlib.Path(argument) for argument in sys.argv[1:3])
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob('*.safetensors')):
        if not path.name.startswith('train-'):
            stored.write(target / path.name, *small(*stored.read(path)))
    another_set.training(target)


if __name__ == '__main__':
    main()
