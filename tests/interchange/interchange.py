# SPDX-License-Identifier: BSL-1.0
"""Files of other libraries, to the program and back: interchange.py numpy|gguf|csv|torch PROGRAM FOLDER"""
import csv
import importlib.metadata
import os
import pathlib
import random
import subprocess
import sys

what, program, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)


def through_program(kind, path):
    back = path.with_name('back-' + path.name)
    subprocess.run([program, kind, path, back], check=True)
    return back


def check_numpy():
    import numpy as np
    rng = np.random.default_rng(1)
    # what the elements become
    types = {'f2': 'f2', 'f4': 'f4', 'f8': 'f8', 'i1': 'i1', 'i2': 'i2', 'i4': 'i4', 'i8': 'i8', 'u1': 'u1', 'u2': 'i4',
             'u4': 'u4', 'u8': 'i8', '?': '?'}
    arrays = {}
    for kind, becomes in types.items():
        for order in '<>':
            for shape in (), (0,), (7,), (3, 4), (2, 3, 4, 5), (300, 200):
                bits = rng.integers(0, 256, (int(np.prod(shape)), np.dtype(kind).itemsize), dtype='u1')
                if kind == 'u8':
                    bits[:, 7] &= 127  # fits into i8
                array = bits.view('<' + kind)[:, 0].reshape(shape) if kind != '?' else (bits % 2).astype('?').reshape(shape)
                array = array.astype(np.dtype(kind).newbyteorder(order))
                arrays[f'{kind.replace("?", "b")}{"le" if order == "<" else "be"}{len(arrays)}'] = array, becomes

    def same(back, array, becomes):
        expected = np.ascontiguousarray(array).astype('<' + becomes) if array.ndim else array.astype('<' + becomes)
        assert back.dtype == expected.dtype and back.shape == expected.shape, (back.dtype, back.shape, expected.dtype)
        assert back.tobytes() == expected.tobytes()  # NaN, too

    few = {name: a for i, (name, a) in enumerate(arrays.items()) if i % 5 == 0}
    for i, (name, (array, becomes)) in enumerate(few.items()):
        path = folder / f'{name}.npy'
        with path.open('wb') as file:
            written = np.asfortranarray(array) if i % 2 else array
            np.lib.format.write_array(file, written, version=[(1, 0), (2, 0), (3, 0)][i % 3])
        same(np.load(through_program('npy', path)), array, becomes)
    for save in np.savez, np.savez_compressed:
        path = folder / f'{save.__name__}.npz'
        save(path, **{name: np.asfortranarray(a) if i % 2 else a for i, (name, (a, _)) in enumerate(arrays.items())})
        back = np.load(through_program('npz', path))
        assert list(back.files) == list(arrays)
        for name, (array, becomes) in arrays.items():
            same(back[name], array, becomes)
    print(f'{len(few)} files and 2 archives of {len(arrays)} arrays of NumPy {np.__version__}, there and back')


def check_gguf():
    import numpy as np
    import gguf
    for alignment in 32, 64:
        path = folder / f'aligned{alignment}.gguf'
        writer = gguf.GGUFWriter(path, 'tapeless')
        if alignment != 32:
            writer.add_custom_alignment(alignment)
        for kind in 'uint8 int8 uint16 int16 uint32 int32 uint64 int64'.split():
            unsigned = kind.startswith('u')
            bits = int(kind.lstrip('uint'))
            value = 2 ** bits - 1 if unsigned else -2 ** (bits - 1)
            getattr(writer, 'add_' + kind)('n.' + kind, value)
        writer.add_float32('n.float32', 0.1)
        writer.add_float64('n.float64', 0.1)
        writer.add_bool('n.bool', True)
        writer.add_string('n.string', 'grüß')
        writer.add_array('l.int', [1, -2, 3])
        writer.add_array('l.float', [0.5, 2.5])
        writer.add_array('l.bool', [True, False])
        writer.add_array('l.string', ['', 'two', 'grüß'])
        rng = np.random.default_rng(1)
        tensors = {'f4': rng.normal(size=(3, 5)).astype('f4'), 'f2': rng.normal(size=(2, 3, 4)).astype('f2'),
                   'f8': rng.normal(size=(7,)), 'i4': rng.integers(-9, 9, (2, 1, 1, 3), dtype='i4'),
                   'i8': rng.integers(-9, 9, (1,), dtype='i8')}
        for name, tensor in tensors.items():
            writer.add_tensor(name, tensor)
        half = rng.integers(0, 1 << 15, (4, 6), dtype='u2')
        writer.add_tensor('bf16', half.view('u1'), raw_shape=(4, 12), raw_dtype=gguf.GGMLQuantizationType.BF16)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        there, back = gguf.GGUFReader(path), gguf.GGUFReader(through_program('gguf', path))
        names = [t.name for t in there.tensors]
        assert names == [t.name for t in back.tensors] == [*tensors, 'bf16'], names
        for a, b in zip(there.tensors, back.tensors):
            assert a.tensor_type == b.tensor_type and list(a.shape) == list(b.shape), (a.name, a.shape, b.shape)
            assert a.data.tobytes() == b.data.tobytes(), a.name
            if a.name in tensors:
                assert b.data.tobytes() == tensors[a.name].tobytes() and b.data.shape == tensors[a.name].shape, a.name

        def fields(reader):
            return {f.name: (f.types, f.contents()) for f in reader.fields.values()
                    if not f.name.startswith('GGUF.') and f.name != 'general.alignment'}
        assert fields(there) == fields(back), (fields(there), fields(back))
    print(f'{len(fields(back))} values and {len(back.tensors)} tensors, twice, there and back')

    writer = gguf.GGUFWriter(folder / 'quantized.gguf', 'tapeless')
    blocks = {}
    for name in 'Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS'.split():
        kind = gguf.GGMLQuantizationType[name]
        blocks[name] = rng.integers(0, 256, (5, 3 * gguf.GGML_QUANT_SIZES[kind][1]), dtype='u1')
        writer.add_tensor(name, blocks[name], raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    back = {t.name: t.data for t in gguf.GGUFReader(through_program('gguf', folder / 'quantized.gguf')).tensors}
    assert list(back) == list(blocks), list(back)
    for name in blocks:
        with np.errstate(all='ignore'):  # some scales are infinite or NaN
            expected = gguf.quants.dequantize(blocks[name], gguf.GGMLQuantizationType[name])
        assert back[name].dtype == np.float32 and back[name].shape == expected.shape, (name, back[name].shape)
        assert np.array_equal(back[name], expected, equal_nan=True), name
    print(f'{len(blocks)} formats of blocks, as gguf {importlib.metadata.version("gguf")} has them')


def check_csv():
    random.seed(1)
    for number, (separator, end, quoting) in enumerate(
            [(',', '\r\n', csv.QUOTE_MINIMAL), (',', '\n', csv.QUOTE_ALL), (',', '\r\n', csv.QUOTE_NONNUMERIC)]):
        texts = [''.join(random.choice('ab,;"\n\r \tü\'') for _ in range(random.randrange(9))) for _ in range(20000)]
        path = folder / f'{number}.csv'
        with path.open('w', newline='', encoding='utf-8-sig' if number else 'utf-8') as file:
            writer = csv.writer(file, delimiter=separator, lineterminator=end, quoting=quoting)
            writer.writerow(['number', 'text', 'more'])
            writer.writerows([i, text, text[::-1]] for i, text in enumerate(texts))
        encoded = [text.encode() for text in texts]
        expected = b''.join(b'%d:%s' % (len(text), text) for text in encoded)
        assert through_program('csv', path).read_bytes() == expected
    print('60000 records of Python\'s csv')


def check_torch():
    import torch  # noqa: F401
    script = pathlib.Path(__file__).parent.parent / 'reference/sets/state_dicts.py'
    saved = folder / 'saved.safetensors'
    subprocess.run([sys.executable, '-B', script, 'write', folder], check=True)
    environment = {**os.environ, 'TAPELESS_OWN_REFERENCE': str(folder), 'TAPELESS_SAVED_STATE_DICT': str(saved)}
    subprocess.run([program], env=environment, check=True)
    subprocess.run([sys.executable, '-B', script, 'check', folder, saved], check=True)


{'numpy': check_numpy, 'gguf': check_gguf, 'csv': check_csv, 'torch': check_torch}[what]()
