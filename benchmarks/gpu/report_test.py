# SPDX-License-Identifier: BSL-1.0
"""The report on made-up lines."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

LINES = [
    {'part': 'machine', 'date': '2000-01-02T03:04:05Z', 'gpu': 'Made-up GPU', 'driver': '1.2'},
    {'part': 'laws', 'name': 'sums', 'state': 'passed', 'detail': 'All tests passed'},
    {'part': 'laws', 'name': 'products', 'state': 'failed', 'detail': 'a | b'},
    {'part': 'speedrun', 'name': 'cifar10', 'state': 'built'},
    {'part': 'speedrun', 'name': '94', 'state': 'failed', 'detail': '93.9 % only'},
    {'versions': {'torch': '9.9'}},
    {'benchmark': 'mlp', 'size': 32, 'precision': 'f32', 'variant': 'tapeless', 'data': 'host', 'seconds': 1e-5},
    {'benchmark': 'mlp', 'size': 32, 'variant': 'compile', 'data': 'host', 'seconds': 8e-5},
    {'benchmark': 'mlp', 'size': 32, 'variant': 'graph', 'data': 'host', 'seconds': 4e-5},
    {'benchmark': 'mlp', 'size': 32, 'variant': 'eager', 'data': 'host', 'error': 'no such thing'},
    {'benchmark': 'mlp', 'size': 32, 'precision': 'f32', 'variant': 'tapeless', 'data': 'host', 'seconds': 3e-5},
    {'benchmark': 'copy', 'size': 1000, 'variant': 'eager', 'data': 'device', 'seconds': 1e-6, 'bytes': 4_000_000},
    {'benchmark': 'update', 'size': 10, 'variant': 'tapeless', 'seconds': 1e-6, 'bytes': 2_000_000},
]


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        lines = pathlib.Path(folder.name) / 'lines'
        lines.write_text('\n'.join(json.dumps(line) for line in LINES) + '\nwhat is this\n{"benchmark": "half')
        program = pathlib.Path(__file__).with_name('report.py')
        subprocess.run([sys.executable, str(program), str(lines), folder.name], check=True)
        self.markdown = (pathlib.Path(folder.name) / 'results.md').read_text()
        self.left = sorted(p.name for p in pathlib.Path(folder.name).iterdir())
        self.json = json.loads((pathlib.Path(folder.name) / 'results.json').read_text())

    def test_names_machine_and_versions(self):
        self.assertIn('# Made-up GPU, 2000-01-02', self.markdown)
        self.assertIn('| PyTorch run: torch | 9.9 |', self.markdown)
        self.assertEqual(self.json['machine']['driver'], '1.2')

    def test_counts_programs_and_shows_those_that_failed(self):
        self.assertIn('| laws | 1 | 1 failed |', self.markdown)
        self.assertIn('| laws | products | failed | a \\| b |', self.markdown)
        self.assertIn('| speedrun | 1 | 1 failed |', self.markdown)
        self.assertIn('| speedrun | 94 | failed | 93.9 % only |', self.markdown)

    def test_leaves_no_halves_of_files(self):
        self.assertEqual(self.left, ['lines', 'results.json', 'results.md'])

    def test_compares_steps(self):
        self.assertIn('| mlp | 32 | f32 | 50,000 | – | 12,500 | 25,000 | – | 4.00 | 2.00 |', self.markdown)
        self.assertIn('| mlp, batch 32, on the host: steps by those of torch.compile | 3.00 | 4.00 | yes |', self.markdown)
        self.assertIn('| mlp | 32 | eager | host | no such thing |', self.markdown)

    def test_compares_bandwidths(self):
        self.assertIn('| update | tapeless | 2000 | 0.50 | 0.001 |', self.markdown)
        self.assertIn('| update: share of copy bandwidth | 0.90 | 0.50 | no |', self.markdown)

    def test_keeps_every_whole_line_of_the_benchmarks(self):
        self.assertEqual(len(self.json['benchmarks']), 7)


if __name__ == '__main__':
    unittest.main()
