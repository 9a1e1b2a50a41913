# SPDX-License-Identifier: BSL-1.0
"""The state_dict of PyTorch's layers as a file, and what the layers make of some inputs.

state_dicts.py write FOLDER       writes state-dict.safetensors and state-dict-values.safetensors
state_dicts.py check FOLDER FILE  reads FILE, which tapeless has saved, into the same layers: names and shapes are
                                  those of the state_dict, and the values those of state-dict-values
"""
import pathlib
import sys

import torch
from torch import nn

import stored


class RMSNorm(nn.Module):
    """As torch.nn.RMSNorm, which versions before 2.4 lack."""

    def __init__(self, width, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps) * self.weight


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 4)
        self.plain = nn.Linear(3, 2, bias=False)
        self.bilinear = nn.Bilinear(3, 4, 2)
        self.weight_norm = nn.utils.weight_norm(nn.Linear(3, 2))
        self.embedding = nn.Embedding(5, 3)
        self.conv1d = nn.Conv1d(4, 6, 3, padding=1, groups=2)
        self.conv2d = nn.Conv2d(4, 6, (3, 2), stride=2, padding=1)
        self.transposed = nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)
        self.batch_norm = nn.BatchNorm2d(4)
        self.group_norm = nn.GroupNorm(2, 4)
        self.instance_norm = nn.InstanceNorm2d(4, affine=True)
        self.layer_norm = nn.LayerNorm(3)
        self.layer_norm2 = nn.LayerNorm((6, 5))
        self.rms_norm = getattr(nn, 'RMSNorm', RMSNorm)(3, eps=1e-5)
        self.rnn = nn.RNN(3, 2, nonlinearity='relu')
        self.lstm = nn.LSTM(3, 2, num_layers=2, bidirectional=True)
        self.projected = nn.LSTM(3, 4, num_layers=2, bidirectional=True, proj_size=2)
        self.gru = nn.GRU(3, 2, num_layers=2)
        self.rnn_cell = nn.RNNCell(3, 2)
        self.lstm_cell = nn.LSTMCell(3, 2)
        self.gru_cell = nn.GRUCell(3, 2)
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)
        self.encoder = nn.TransformerEncoderLayer(4, 2, 8, dropout=0, batch_first=True, norm_first=True)
        self.conv3d = nn.Conv3d(2, 4, (2, 3, 2), padding=1, groups=2)
        self.transposed1d = nn.ConvTranspose1d(4, 6, 3, stride=2, groups=2)
        self.transposed3d = nn.ConvTranspose3d(2, 3, (2, 3, 2), stride=2)
        self.prelu = nn.PReLU(4)
        self.spectral_norm = nn.utils.spectral_norm(nn.Linear(3, 2))
        self.attends_to_others = nn.MultiheadAttention(4, 2, kdim=3, vdim=5, add_bias_kv=True, batch_first=True)
        self.features_norm = nn.BatchNorm1d(3)
        self.no_bias = nn.GRU(3, 2, bias=False, bidirectional=True)
        self.embedding_bag = nn.EmbeddingBag(5, 3, padding_idx=0)

    def forward(self, x, x4, index, signal, image, volume, sequence, rows, keys, values, h, c):
        outputs = {name: getattr(self, name)(x) for name in ('linear', 'plain', 'weight_norm', 'layer_norm', 'rms_norm')}
        outputs['bilinear'] = self.bilinear(x, x4)
        outputs['embedding'] = self.embedding(index)
        outputs['embedding_bag'] = self.embedding_bag(index)
        outputs['conv1d'] = self.conv1d(signal)
        for name in 'conv2d', 'transposed', 'batch_norm', 'group_norm', 'instance_norm', 'layer_norm2':
            outputs[name] = getattr(self, name)(image)
        outputs['rnn'] = self.rnn(sequence)[0]
        outputs['lstm'], (outputs['lstm_h'], outputs['lstm_c']) = self.lstm(sequence)
        states = (sequence[:4, :, :2].contiguous(), torch.cat([sequence, sequence], 2)[:4, :, :4].contiguous())
        outputs['projected'], (outputs['projected_h'], outputs['projected_c']) = self.projected(sequence, states)
        outputs['gru'], outputs['gru_h'] = self.gru(sequence)
        outputs['rnn_cell'] = self.rnn_cell(x, h)
        outputs['lstm_cell_h'], outputs['lstm_cell_c'] = self.lstm_cell(x, (h, c))
        outputs['gru_cell'] = self.gru_cell(x, h)
        outputs['attention'] = self.attention(rows, rows, rows, need_weights=False)[0]
        outputs['encoder'] = self.encoder(rows)
        outputs['conv3d'] = self.conv3d(volume)
        outputs['transposed1d'] = self.transposed1d(signal)
        outputs['transposed3d'] = self.transposed3d(volume)
        outputs['prelu'] = self.prelu(image)
        outputs['spectral_norm'] = self.spectral_norm(x)
        outputs['attends_to_others'] = self.attends_to_others(rows, keys, values, need_weights=False)[0]
        outputs['features_norm'] = self.features_norm(x)
        outputs['no_bias'] = self.no_bias(sequence)[0]
        return outputs


SHAPES = {'x': (2, 3), 'x4': (2, 4), 'signal': (2, 4, 7), 'image': (2, 4, 6, 5), 'sequence': (5, 2, 3),
          'rows': (2, 5, 4), 'h': (2, 2), 'c': (2, 2), 'volume': (1, 2, 3, 3, 4), 'keys': (2, 6, 3),
          'values': (2, 6, 5)}


def tensors_of(tensors):
    kinds = {torch.float32: 'F32', torch.int64: 'I64'}
    return {name: (kinds[t.dtype], tuple(t.shape), t.detach().reshape(-1).tolist()) for name, t in tensors.items()}


def read(path):
    tensors = {}
    for name, (kind, shape, raw) in stored.read(path)[1].items():
        kinds = {'F32': torch.float32, 'I64': torch.int64}
        tensors[name] = torch.frombuffer(bytearray(raw), dtype=kinds[kind]).reshape(shape)
    return tensors


def write(folder):
    torch.manual_seed(1)
    net = Layers()
    for name, parameter in net.named_parameters():
        if 'norm' in name and parameter.dim() < 3:
            nn.init.uniform_(parameter, 0.5, 1.5)
    inputs = {name: torch.randn(shape) for name, shape in SHAPES.items()}
    inputs['index'] = torch.tensor([[0, 4, 2], [3, 3, 1]])
    with torch.no_grad():
        net.train()
        net.batch_norm(2 * inputs['image'] + 1)  # running statistics
        net.features_norm(2 * inputs['x'] + 1)
        for _ in range(9):
            net.spectral_norm(inputs['x'])  # singular vectors
        net.eval()
        outputs = net(**inputs)
    about = {'_about': f'by state_dicts.py with PyTorch {torch.__version__}'}
    stored.write(folder / 'state-dict.safetensors', about, tensors_of(net.state_dict()))
    values = {**{'in.' + k: v for k, v in inputs.items()}, **{'out.' + k: v for k, v in outputs.items()}}
    stored.write(folder / 'state-dict-values.safetensors', about, tensors_of(values))


def check(folder, path):
    net = Layers().eval()
    net.load_state_dict(read(path))  # strict, but for num_batches_tracked, which old files lack
    values = read(folder / 'state-dict-values.safetensors')
    with torch.no_grad():
        outputs = net(**{name[3:]: value for name, value in values.items() if name.startswith('in.')})
    for name, output in outputs.items():
        worst = (output - values['out.' + name]).abs().max().item()
        if not worst < 1e-5:
            raise SystemExit(f'{name} differs by {worst}')
    print(f'{len(outputs)} results of PyTorch {torch.__version__} with the weights of {path} are the same')


if __name__ == '__main__':
    place = pathlib.Path(sys.argv[2])
    if sys.argv[1] == 'write':
        write(place)
    else:
        check(place, pathlib.Path(sys.argv[3]))
