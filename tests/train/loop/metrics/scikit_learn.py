# SPDX-License-Identifier: BSL-1.0
"""Writes scikit_learn.hpp: what scikit-learn computes of scores, labels, predictions and targets.

    python3 scikit_learn.py > scikit_learn.hpp

Needs scikit-learn and NumPy. Standard errors are not scikit-learn's: those of precision, recall, F1 and R2 are
computed here from numerical derivatives (delta method), another way than the library's.
"""
import numpy as np
import sklearn
from sklearn import metrics as sk

rng = np.random.default_rng(17)
F32 = np.float32


def array(name, values, type_):
    def text(v):
        if type_ == "double":
            return "std::nan(\"\")" if np.isnan(v) else repr(float(v))
        return f"{float(v)!r}f" if type_ == "float" else str(int(v))

    values = np.asarray(values).ravel()
    body = ", ".join(text(v) for v in values)
    print(f"inline const std::vector<{type_}> {name}{{{body}}};")


def number(name, value):
    print(f"inline const double {name} = {float(value)!r};")


def delta_error(counts, statistic):
    """The standard error of a function of multinomial counts, by numerical derivatives."""
    counts = counts.astype(float)
    h, gradient = 1e-4, np.zeros_like(counts)
    for i in np.ndindex(counts.shape):
        up, down = counts.copy(), counts.copy()
        up[i] += h
        down[i] -= h
        gradient[i] = (statistic(up) - statistic(down)) / (2 * h)
    mean = (counts * gradient).sum()
    return np.sqrt((counts * gradient**2).sum() - mean**2 / counts.sum())


def average(of_class, occurs):
    return lambda n: np.mean([of_class(n, c) for c in range(len(n)) if occurs(c)])


def f1_of(n, c):
    total = n[c].sum() + n[:, c].sum()
    return 2 * n[c, c] / total if total else 0.0


def precision_of(n, c):
    return n[c, c] / n[:, c].sum() if n[:, c].sum() else 0.0


print("// SPDX-License-Identifier: BSL-1.0")
print(f"// What scikit-learn {sklearn.__version__} computes; written by scikit_learn.py.")
print("#pragma once\n\n#include <cmath>\n#include <cstdint>\n#include <vector>\n")
print("namespace scikit_learn {\n\n// clang-format off")

# Six classes, of which number 4 has no sample but predictions, and number 5 neither.
classes, rows = 6, 60
labels = rng.integers(0, 4, rows)
scores = (rng.normal(size=(rows, classes)) + 1.2 * np.eye(classes)[labels]).astype(F32)
scores[:, 5] = -9
predicted = scores.argmax(1)
n = sk.confusion_matrix(labels, predicted, labels=range(classes))
assert n[:, 4].sum() > 0 and n[4].sum() == 0 and n[:, 5].sum() == 0
array("scores", scores, "float")
array("labels", labels, "std::int32_t")
array("confusion", n, "double")
number("accuracy", sk.accuracy_score(labels, predicted))
for k in (2, 3):
    number(f"top_{k}_accuracy", sk.top_k_accuracy_score(labels, scores, k=k, labels=range(classes)))
for name, f in (("precision", sk.precision_score), ("recall", sk.recall_score), ("f1", sk.f1_score)):
    for how in ("macro", "micro"):
        number(f"{name}_{how}", f(labels, predicted, average=how, zero_division=0))
    array(f"{name}_per_class", f(labels, predicted, average=None, labels=range(classes), zero_division=0), "double")
occurs = lambda c: n[c].sum() + n[:, c].sum() > 0
number("f1_macro_error", delta_error(n, average(f1_of, occurs)))
number("f1_class_1_error", delta_error(n, lambda m: f1_of(m, 1)))
number("f1_micro_error", delta_error(n, lambda m: np.trace(m) / m.sum()))
number("precision_macro_error", delta_error(n, average(precision_of, occurs)))

# Four of the classes: logits, and probabilities with many ties.
logits = scores[:, :4].astype(float)
p = np.exp(logits - logits.max(1, keepdims=True))
p /= p.sum(1, keepdims=True)
array("logits", logits, "float")
number("auroc_ovr", sk.roc_auc_score(labels, p, multi_class="ovr", average="macro"))
number("log_loss", sk.log_loss(labels, p, labels=range(4)))
rounded = np.round(p, 1).astype(F32)
array("probabilities", rounded, "float")
array("auroc_per_class", [sk.roc_auc_score(labels == c, rounded[:, c]) for c in range(4)], "double")
binary = (labels >= 2).astype(int)
single = np.round(rng.normal(size=rows) + binary, 1).astype(F32)
array("binary", binary, "std::int32_t")
array("single", single, "float")
number("auroc", sk.roc_auc_score(binary, single))
number("binary_accuracy", sk.accuracy_score(binary, single > 0))
number("binary_f1", sk.f1_score(binary, single > 0.5))

# Regression with one and with three columns, and with a large mean.
target = rng.normal(size=(rows, 3)) * [1, 5, 0.1] + [0, 3, 1000]
output = (target + rng.normal(size=(rows, 3)) * [0.3, 4, 0.02]).astype(F32)
target = target.astype(F32)
array("target", target, "float")
array("output", output, "float")
t, y = target.astype(float), output.astype(float)
number("mean_absolute_error", sk.mean_absolute_error(t, y))
number("mean_squared_error", sk.mean_squared_error(t, y))
number("mean_squared_error_error", ((t - y) ** 2).mean(1).std(ddof=1) / np.sqrt(rows))
number("r2", sk.r2_score(t, y))
array("r2_per_column", sk.r2_score(t, y, multioutput="raw_values"), "double")


def r2_error(t, y):
    """Weights of samples stand for counts."""
    def r2(w):
        mean = (w * t).sum() / w.sum()
        return 1 - (w * (y - t) ** 2).sum() / (w * (t - mean) ** 2).sum()
    return delta_error(np.ones(len(t)), r2)


array("r2_errors", [r2_error(t[:, j], y[:, j]) for j in range(3)], "double")

# The same with sample_weight, some of which are 0. The standard errors are sqrt(sum w^2 g^2), where g is how a
# number changes with the weight of a sample.
weights = np.round(rng.gamma(2, 1, rows), 2).astype(F32)
weights[::7] = 0
array("weights", weights, "float")
w = weights.astype(float)


def sandwich_error(statistic):
    gradient, h = np.zeros(rows), 1e-4
    for i in range(rows):
        up, down = w.copy(), w.copy()
        up[i] += h
        down[i] -= h
        gradient[i] = (statistic(up) - statistic(down)) / (2 * h)
    return np.sqrt((w**2 * gradient**2).sum())


def with_error(name, statistic):
    number(f"weighted_{name}", statistic(w))
    number(f"weighted_{name}_error", sandwich_error(statistic))


with_error("accuracy", lambda v: sk.accuracy_score(labels, predicted, sample_weight=v))
with_error("top_2_accuracy",
           lambda v: sk.top_k_accuracy_score(labels, scores, k=2, labels=range(classes), sample_weight=v))
array("weighted_confusion", sk.confusion_matrix(labels, predicted, labels=range(classes), sample_weight=w), "double")
for name, f in (("precision", sk.precision_score), ("recall", sk.recall_score), ("f1", sk.f1_score)):
    for how in ("macro", "micro"):
        with_error(f"{name}_{how}", lambda v: f(labels, predicted, average=how, zero_division=0, sample_weight=v))
    array(f"weighted_{name}_per_class",
          f(labels, predicted, average=None, labels=range(classes), zero_division=0, sample_weight=w), "double")
number("weighted_auroc", sk.roc_auc_score(binary, single, sample_weight=w))
array("weighted_auroc_per_class",
      [sk.roc_auc_score(labels == c, rounded[:, c], sample_weight=w) for c in range(4)], "double")
number("weighted_log_loss", sk.log_loss(labels, p, labels=range(4), sample_weight=w))
number("weighted_mean_absolute_error", sk.mean_absolute_error(t, y, sample_weight=w))
number("weighted_mean_squared_error", sk.mean_squared_error(t, y, sample_weight=w))
number("weighted_r2", sk.r2_score(t, y, sample_weight=w))
array("weighted_r2_errors",
      [sandwich_error(lambda v: sk.r2_score(t[:, j], y[:, j], sample_weight=v)) for j in range(3)], "double")
print("\n// clang-format on\n}  // namespace scikit_learn")
