# SPDX-License-Identifier: BSL-1.0
"""report.py LINES FOLDER: turns the lines of JSON that check.sh collects into FOLDER/results.json and results.md."""
import collections
import json
import pathlib
import sys

TEST_PARTS = ['ops', 'kernels', 'laws', 'reference', 'api', 'speedrun', 'sanitizer', 'bench']
VARIANTS = ['eager', 'compile', 'graph', 'compile_graph']
AT_LEAST_COMPILE = {('small_mlp', 32): 3, ('mlp', 32): 3}  # steps per second over torch.compile's; otherwise 1
AT_LEAST_COPY = 0.9


def read(path):
    """The lines that are whole: a run that was cut short may have left half of one."""
    lines = []
    for text in pathlib.Path(path).read_text(errors='replace').splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict):
            lines.append(line)
    return lines


class Results:
    def __init__(self, lines):
        self.machine, self.versions, self.phases, self.tests, self.benchmarks = {}, {}, [], [], []
        for line in lines:
            if 'versions' in line:
                self.versions = line['versions']
            elif 'benchmark' in line:
                self.benchmarks.append(line)
            elif line.get('part') == 'machine':
                self.machine = {k: v for k, v in line.items() if k != 'part'}
            elif line.get('part') == 'phase':
                self.phases.append({k: v for k, v in line.items() if k != 'part'})
            elif line.get('part') in TEST_PARTS:
                self.tests.append(line)

    def seconds(self, name, size, variant, place=None):
        """Seconds of a step; the mean where it was measured more than once. None where it was not."""
        times = [b['seconds'] for b in self.benchmarks
                 if b['benchmark'] == name and b.get('size') == size and b['variant'] == variant
                 and (place is None or b.get('data') == place) and 'seconds' in b]
        return sum(times) / len(times) if times else None

    def cases(self):
        """(name, size, precision) of each comparison, in the order of the run."""
        found = {}
        for b in self.benchmarks:
            key = b['benchmark'], b.get('size')
            found[key] = found.get(key) or b.get('precision')
        return [(*key, precision) for key, precision in found.items()]

    def bytes_of(self, name, variant):
        return next((b['bytes'] for b in self.benchmarks
                     if b['benchmark'] == name and b['variant'] == variant and b.get('bytes')), None)

    def copy_bandwidth(self):
        copy = next((b for b in self.benchmarks if b['benchmark'] == 'copy' and 'seconds' in b), None)
        return copy['bytes'] / copy['seconds'] if copy else None


def table(header, rows):
    lines = ['| ' + ' | '.join(header) + ' |', '|' + '---|' * len(header)]
    return lines + ['| ' + ' | '.join(str(cell) for cell in row) + ' |' for row in rows] + ['']


def rate(seconds):
    if seconds is None:
        return '–'
    return f'{1 / seconds:,.0f}' if seconds < 0.01 else f'{1 / seconds:.2f}'


def ratio(ours, others):
    return '–' if ours is None or others is None else f'{others / ours:.2f}'


def escaped(text):
    return str(text).replace('|', '\\|')


def tests_of(results):
    if not results.tests:
        return []
    counts = collections.defaultdict(collections.Counter)
    for test in results.tests:
        counts[test['part']]['passed' if test['state'] == 'built' else test['state']] += 1
    rows = []
    for part in TEST_PARTS:
        if part in counts:
            good = counts[part].pop('passed', 0)
            rows.append([part, good, ', '.join(f'{n} {state}' for state, n in sorted(counts[part].items())) or 'none'])
    lines = ['## Programs', '',
             'One for each file of operations and of kernels, each two files of laws, each part of a file of reference values, '
             'and each complete program. "built" is what is run later, without others beside it.', '', *table(['part', 'good', 'others'], rows)]
    others = [t for t in results.tests if t['state'] not in ('passed', 'built')]
    if others:
        lines += table(['part', 'program', 'state', 'what it said'],
                       [[t['part'], t['name'], t['state'], escaped(t.get('detail', ''))] for t in others])
    return lines


def steps_of(results, place):
    rows = []
    for name, size, precision in results.cases():
        if name in ('copy', 'update', 'pointwise'):
            continue
        ours = results.seconds(name, size, 'tapeless', place)
        theirs = {v: results.seconds(name, size, v, place) for v in VARIANTS}
        best = min((t for t in theirs.values() if t is not None), default=None)
        rows.append([name, size, precision or '–', rate(ours), *(rate(theirs[v]) for v in VARIANTS),
                     ratio(ours, theirs['compile']), ratio(ours, best)])
    header = ['model', 'batch', 'precision', 'tapeless', 'eager', 'compile', 'graph', 'compile + graph',
              'ours by compile', 'ours by the best']
    return table(header, rows) if rows else ['None.', '']


def arrays_of(results):
    copy = results.copy_bandwidth()
    rows = []
    if copy is not None:
        rows.append(['copy', 'PyTorch', f'{copy * 1e-9:.0f}', '1.00', '–'])
    for name in ('update', 'pointwise'):
        for found, size, _ in results.cases():
            if found != name:
                continue
            for variant in ['tapeless', *VARIANTS]:
                time, moved = results.seconds(name, size, variant), results.bytes_of(name, variant)
                if time is not None and moved:
                    share = '–' if copy is None else f'{moved / time / copy:.2f}'
                    rows.append([name, variant, f'{moved / time * 1e-9:.0f}', share, f'{time * 1e3:.3f}'])
    return table(['what', 'by', 'GB/s', 'share of copy', 'ms'], rows) if rows else ['None.', '']


def aims_of(results):
    rows = []

    def add(what, want, have):
        rows.append([what, f'{want:.2f}', '–' if have is None else f'{have:.2f}',
                     '–' if have is None else 'yes' if have >= want else 'no'])

    for name, size, _ in results.cases():
        if name in ('update', 'pointwise'):
            ours, copy = results.seconds(name, size, 'tapeless'), results.copy_bandwidth()
            moved = results.bytes_of(name, 'tapeless')
            add(f'{name}: share of copy bandwidth', AT_LEAST_COPY,
                moved / ours / copy if ours and copy and moved else None)
        elif name != 'copy':
            for place in ('host', 'device'):
                ours, compiled = (results.seconds(name, size, v, place) for v in ('tapeless', 'compile'))
                add(f'{name}, batch {size}, on the {place}: steps by those of torch.compile',
                    AT_LEAST_COMPILE.get((name, size), 1), compiled / ours if ours and compiled else None)
    return table(['aim', 'at least', 'measured', 'reached'], rows) if rows else ['None measured.', '']


def markdown(results):
    about = {**results.machine, **{f'PyTorch run: {k}': v for k, v in results.versions.items()}}
    lines = [f"# {results.machine.get('gpu') or 'No GPU'}, {results.machine.get('date', 'no date')[:10]}", '',
             *table(['', ''], [[k.replace('_', ' '), escaped(v)] for k, v in about.items()]), *tests_of(results)]
    if results.benchmarks:
        lines += ['## Training steps per second, each batch copied from the host', '',
                  'Medians of blocks of steps; ours before and after PyTorch, and the mean of both. The batch lies in '
                  'pinned memory for PyTorch, in ordinary memory for us.', '', *steps_of(results, 'host'),
                  '## The same, with the batches on the device already', '', *steps_of(results, 'device'),
                  '## Arrays of 100 million floats', '',
                  'GB/s count the bytes that have to move: for our update eight arrays, as it starts the gradients '
                  'again at zero, for PyTorch\'s seven.', '', *arrays_of(results), '## Aims', '', *aims_of(results)]
        failed = [b for b in results.benchmarks if 'error' in b]
        if failed:
            lines += ['## Measurements that failed', '',
                      *table(['model', 'batch', 'variant', 'data', 'what it said'],
                             [[b['benchmark'], b.get('size', '–'), b['variant'], b.get('data', '–'),
                               escaped(b['error'])] for b in failed])]
    if results.phases:
        lines += ['Seconds after the start: ' + '; '.join(f"{p['name']} {p['seconds']}" for p in results.phases) + '.']
    return '\n'.join(lines) + '\n'


def write(path, text):
    """All of it or what was there before, whenever the run is cut short."""
    new = path.with_name(path.name + '.new')
    new.write_text(text)
    new.replace(path)


def main():
    lines, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    results = Results(read(lines))
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / 'results.json', json.dumps(vars(results), indent=1) + '\n')
    write(folder / 'results.md', markdown(results))


if __name__ == '__main__':
    main()
