# SPDX-License-Identifier: BSL-1.0
"""check.sh on a machine without anything: compilers, programs and tools are scripts that pretend."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).parent

# What is compiled is a copy of its source's list of includes, and what is linked a script by that name.
NVCC = '''#!/bin/bash
[ "$1" = --version ] && echo 'release 13' && echo 'Build 13' && exit
while [ $# -gt 0 ]; do
  case $1 in
    -c) source=$2 ;;
    -o) target=$2 ;;
    -arch=*) [ "$1" = -arch=sm_90 ] || exit 1 ;;
  esac
  shift
done
case $target in *laws-points.o) echo 'error: it does not compile' && exit 1 ;; esac
if [ -n "${source:-}" ]; then cp "$source" "$target"; exit; fi
cat >"$target" <<'END'
#!/bin/bash
name=${0##*/}
case $name in
  ops-kinks) echo '1 of 7 assertions failed'; exit 1 ;;
  bench-*) name=${name#bench-} ;;
esac
if [ -e benchmarks/gpu/$name.cpp ]; then
  echo "{\\"benchmark\\": \\"$name\\", \\"size\\": 1, \\"variant\\": \\"tapeless\\", \\"seconds\\": 0.5, \\"bytes\\": 0}"
else
  echo "All tests passed: $name $*"
fi
END
chmod +x "$target"
'''
# It makes the generator of reference values, which writes its parts.
CXX = '''#!/bin/bash
[ "$1" = --version ] && echo 'a compiler' && exit
while [ $# -gt 0 ]; do
  case $1 in -o) target=$2 ;; esac
  shift
done
cat >"$target" <<'END'
#!/bin/bash
for ((i = 0; i < $2; ++i)); do echo "// $1" >$3_$i.cpp; done
END
chmod +x "$target"
'''
SANITIZER = '#!/bin/bash\necho "$*"\n[ "$2" != racecheck ]\n'
# Python itself, but without PyTorch.
PYTHON = '''#!/bin/bash
case "$*" in *pytorch.py*) echo "no PyTorch" >&2; exit 1 ;; esac
exec python3 "$@"
'''
DECODER = '''import pathlib, sys
pathlib.Path(sys.argv[1]).mkdir(parents=True)
'''


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in {'cuda/bin/nvcc': NVCC, 'bin/cxx': CXX, 'cuda/bin/compute-sanitizer': SANITIZER,
                           'bin/python': PYTHON, 'cuda/include/cccl/thrust': '', 'cuda/include/cublasLt.h': '',
                           'cuda/lib64/libcublasLt.so': '', 'cuda/include/nccl.h': '', 'cuda/lib64/libnccl.so': '', 'reference/ops-conv.safetensors': '',
                           'reference/second-order.safetensors': '', 'api/01_custom_loop.cpp': 'tl::cpu{}\n',
                           'data/cifar10/to_binary.py': DECODER, 'include/Eigen/Core': '',
                           'include/boost/hana.hpp': '', 'include/catch2/catch.hpp': ''}.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)

    def call(self, what, **settings):
        out = self.root / 'out'
        environment = dict(os.environ, CUDA_HOME=str(self.root / 'cuda'), CXX=str(self.root / 'bin/cxx'),
                           PYTHON=str(self.root / 'bin/python'), OUT=str(out), BUILD=str(self.root / 'build'),
                           TAPELESS_REFERENCE_DIR=str(self.root / 'reference'), JOBS='4', LINES='24', COLUMNS='80',
                           TAPELESS_API_DIR=str(self.root / 'api'), TAPELESS_DATA_DIR=str(self.root / 'data'),
                           TAPELESS_INCLUDE=str(self.root / 'include'), **settings)
        for name in ('ONLY', 'ARCH', 'COMPILE_ONLY', 'PREBUILT', 'PYTORCH_ARGUMENTS'):
            if name not in settings:
                environment.pop(name, None)
        self.done = subprocess.run([str(FOLDER / 'check.sh'), what], env=environment, capture_output=True, text=True)
        self.left = sorted(p.name for p in out.iterdir()) if out.exists() else []
        return json.loads((out / 'results.json').read_text()) if 'results.json' in self.left else None

    def states(self, results):
        return {(t['part'], t['name']): t['state'] for t in results['tests']}

    def test_tests_go_on_after_what_fails(self):
        results = self.call('tests')
        states = self.states(results)
        self.assertEqual(self.left, ['failures.log', 'lines.jsonl', 'results.json', 'results.md'])
        self.assertEqual(states['ops', 'kernels'], 'passed')
        self.assertEqual(states['ops', 'kinks'], 'failed')
        self.assertEqual(states['reference', 'second-order_1'], 'passed')
        self.assertEqual(states['api', '01_custom_loop'], 'passed')
        self.assertEqual(states['api', 'nccl'], 'passed')
        self.assertIn('1 of 7 assertions failed', (self.root / 'out/failures.log').read_text())
        self.assertEqual([p['name'] for p in results['phases']], ['tested'])

    def test_every_file_of_laws_is_in_one_program(self):
        self.call('tests')
        laws = list((FOLDER.parents[1] / 'tests/laws').rglob('*.cpp'))
        units = [p.read_text() for p in (self.root / 'build/units').glob('laws-*.cpp')]
        self.assertLessEqual(len(units), (len(laws) + 1) // 2)
        for law in laws:
            self.assertEqual(sum(f'/{law.name}"' in text for text in units), 1, law)

    def test_figures_of_our_own_need_no_pytorch(self):
        results = self.call('bench')
        self.assertEqual({b['benchmark'] for b in results['benchmarks']},
                         {'small_mlp', 'mlp', 'update', 'pointwise', 'transformer', 'cnn', 'transformer_768'})
        self.assertEqual([p['name'] for p in results['phases']], ['built', 'measured alone', 'compared, status 1'])
        self.assertIn('no PyTorch', (self.root / 'out/failures.log').read_text())

    def test_speedrun_decodes_trains_and_looks_for_races(self):
        states = self.states(self.call('speedrun'))
        self.assertEqual(states['speedrun', 'cifar10'], 'built')
        self.assertEqual(states['speedrun', '94'], 'passed')
        self.assertEqual(states['sanitizer', 'memcheck-ops-kernels-attention'], 'passed')
        self.assertEqual(states['sanitizer', 'racecheck-ops-kernels-float'], 'failed')
        self.assertIn('data/cifar10', (self.root / 'out/speedrun.log').read_text())

    def test_without_time_it_says_so(self):
        states = self.states(self.call('tests', LIMIT='-100'))
        self.assertTrue(states)
        self.assertLessEqual(set(states.values()),
                             {'passed', 'failed', 'does not compile', 'out of time', 'took too long'})

    def test_runs_what_another_machine_has_built(self):
        states = self.states(self.call('tests', COMPILE_ONLY='1'))
        self.assertEqual(states['api', '01_custom_loop'], 'built')
        (self.root / 'build').rename(self.root / 'elsewhere')
        (self.root / 'elsewhere/bin/ops-gather').unlink()
        (self.root / 'cuda/bin/nvcc').unlink()
        states = self.states(self.call('tests', PREBUILT=str(self.root / 'elsewhere/bin')))
        self.assertEqual(states['api', '01_custom_loop'], 'passed')
        self.assertEqual(states['reference', 'second-order_1'], 'passed')
        self.assertEqual(states['ops', 'kinks'], 'failed')
        self.assertEqual(states['ops', 'gather'], 'not built')

    def test_says_all_that_is_missing(self):
        (self.root / 'cuda/bin/nvcc').unlink()
        (self.root / 'include/catch2/catch.hpp').unlink()
        self.assertIsNone(self.call('tests'))
        self.assertNotEqual(self.done.returncode, 0)
        self.assertIn('there is no catch2/catch.hpp: vendor.sh brings it', self.done.stderr)

    def test_takes_no_other_word(self):
        self.call('everything')
        self.assertEqual((self.done.returncode, self.left), (2, []))


if __name__ == '__main__':
    unittest.main()
