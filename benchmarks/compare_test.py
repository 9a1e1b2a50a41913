# SPDX-License-Identifier: BSL-1.0
"""What compare.py makes of measured times."""
import json
import unittest

import compare
from compare import Measured


class Readers(unittest.TestCase):
    def test_google_benchmark(self):
        entry = {"run_type": "iteration", "real_time": 250.0, "time_unit": "us", "loss": 0.5, "megabytes": 12.0}
        mean = {**entry, "run_type": "aggregate", "real_time": 1.0}
        found = compare.google_benchmark(json.dumps({"benchmarks": [entry, mean]}), "tapeless")
        self.assertEqual((found.times, found.loss, found.megabytes), ([250e-6], 0.5, 12.0))
        with self.assertRaisesRegex(ValueError, "tapeless has measured nothing"):
            compare.google_benchmark('{"benchmarks": []}', "tapeless")

    def test_framework(self):
        line = json.dumps({"seconds": [1.0, 3.0], "loss": None, "megabytes": 5.0})
        self.assertEqual(compare.framework("a warning\n" + line + "\n", "jax").median(), 2.0)
        with self.assertRaisesRegex(ValueError, "jax has measured nothing"):
            compare.framework("a warning\n", "jax")

    def test_a_row_is_selected_by_posix_rules(self):
        self.assertEqual(compare.filter_of("784-500-10/1"), "^784-500-10/1/")
        self.assertEqual(compare.filter_of("a.b(c)/1"), r"^a\.b\(c\)/1/")


class Report(unittest.TestCase):
    rows = {"net/1": {"operations": 1e9, "bytes": 0.0}, "update": {"operations": 0.0, "bytes": 2e9}}
    peak = {"operations": 1e11, "bytes": 1e10}

    def results(self, loss=2.0):
        return {"net/1": {"tapeless": Measured([0.02] * 4, 2.0, 10.0), "by hand": Measured([0.04] * 4, loss, 5.0),
                          "jax": Measured([0.08] * 4, 2.0001, 300.0),
                          "torch eager, unlocked": Measured([0.03] * 4, 2.0, 400.0)},
                "update": {"tapeless": Measured([0.25, 0.25, 0.25, 0.25], None, 1.0)}}

    def test_losses_are_compared(self):
        self.assertEqual(compare.complaints(self.results()), [])
        self.assertEqual(compare.complaints(self.results(2.1)), ["net/1: the loss of by hand is 2.1, tapeless has 2"])
        self.assertEqual(len(compare.complaints(self.results(float("nan")))), 1)

    def test_table(self):
        lines = compare.table(self.results(), self.rows, self.peak).splitlines()
        self.assertIn("| by hand | torch eager, unlocked | jax | tapeless |", lines[0])
        self.assertIn("| 20 ms ±0 %, 10 MB | 0.50 | 4.00 times as long | 1.50 times as long | 50 % |", lines[2])
        self.assertTrue(lines[3].startswith("| update |  |  |  | 250 ms ±0 %, 1 MB |  |  |  | 80 % |"), lines[3])

    def test_spread_is_of_the_middle_half(self):
        self.assertAlmostEqual(Measured([1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 9.0]).spread(), 0.0)
        self.assertAlmostEqual(Measured([1.0, 2.0, 3.0]).spread(), 1.0)

    def test_chart_has_a_bar_for_each_program(self):
        self.assertEqual(compare.chart(self.results()).count("<title>net/1, "), 4)

    def test_durations(self):
        self.assertEqual([compare.duration(t) for t in (2.5, 0.0312, 4e-6, 1.5e-8)], ["2.5 s", "31.2 ms", "4 us", "15 ns"])


if __name__ == "__main__":
    unittest.main()
