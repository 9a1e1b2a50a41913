# SPDX-License-Identifier: BSL-1.0
"""Reads the event files that tests/train/loop/observers/tensorboard.cpp writes, by the official package.

    check.py EVENTS
"""
import sys
from pathlib import Path

from tensorboard.backend.event_processing import event_accumulator, event_file_loader

events = Path(sys.argv[1])


def scalars(run):
    reader = event_accumulator.EventAccumulator(str(events / run))
    reader.Reload()
    # simple values become tensors on the way in newer versions
    tags = reader.Tags()["scalars"] + reader.Tags()["tensors"]
    result = {}
    for tag in tags:
        if tag in reader.Tags()["scalars"]:
            result[tag] = [(e.step, e.value) for e in reader.Scalars(tag)]
        else:
            result[tag] = [(e.step, e.tensor_proto.float_val[0]) for e in reader.Tensors(tag)]
    return result


# Two epochs of ten steps; then a run that goes on after the first one, and takes the place of what came after it.
train, validation = scalars("train"), scalars("validation")
expected_train = {"loss": [(10, 0.5), (20, 0.125)], "accuracy": [(10, 0.75), (20, 0.875)],
                  "batch_loss": [(4, 0.25), (8, 0.25), (12, 0.0625), (16, 0.0625), (20, 0.0625)]}
assert train == expected_train, train
assert validation == {"loss": [(10, 1.5), (20, 1.0)]}, validation

files = sorted((events / "train").iterdir())
assert len(files) == 2 and all("tfevents" in f.name for f in files), files
records = [list(event_file_loader.RawEventFileLoader(str(f)).Load()) for f in files]
print(f"tensorboard reads {sum(map(len, records))} records of {len(files)} files, "
      f"{sum(map(len, expected_train.values())) + 2} scalars")
