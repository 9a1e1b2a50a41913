# SPDX-License-Identifier: BSL-1.0
"""The reference's chapters: which rooms of the library they show, and what each docstring there must have."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    group: str
    title: str
    text: str


@dataclass(frozen=True)
class Room:
    group: str
    title: str
    text: str
    part: str
    headers: tuple = ()  # those that users need; all where none is named

    def takes(self, d):
        return not self.headers or d.header.rsplit("/", 1)[-1].removesuffix(".hpp") in self.headers

    def names(self, declarations):
        """Of rules: a header's whole rules, not the transformations that they are made of."""
        return {d.name for d in declarations if d.header.startswith("optim/rules/") and d.kind == "function"
                and not d.name.startswith("scale_by_") and d.name not in ("implicit_decay", "schedule_free_step")}


PARTS = (
    Part("models", "Models", "What a model is written with, besides operations."),
    Part("operations", "Operations", "What a model computes. Each takes and returns expressions; examples are "
         "computed by a test, and shown with four digits."),
    Part("optimizers", "Optimizers", "Rules, what they are made of, and what stands around them."),
    Part("training", "Training", "Trainers, functions, loops, files and data."),
)

ROOMS = {
    "expr": Room("expr", "Inputs, parameters, outputs", "The leaves of a model, and its end.", "models", ("input", "param", "array_initializer", "outputs", "constant", "pack")),
    "ops/pointwise": Room("pointwise", "Pointwise", "Element by element; shapes broadcast as NumPy's.", "operations"),
    "ops/activation": Room("activation", "Activations", "Non-linear functions between layers.", "operations"),
    "ops/reduction": Room("reduction", "Reductions", "Over axes, which are template arguments; negative ones count "
                          "from the end.", "operations"),
    "ops/shape": Room("shape", "Shapes", "Views and joins: elements are moved, not changed.", "operations"),
    "ops/linalg": Room("linalg", "Products", "Matrix products, layers that are one, triangles.", "operations"),
    "ops/loss": Room("losses", "Losses", "Options are a template argument: "
                     "<code>mse_loss&lt;loss{.reduce = reduction::sum}&gt;(x, t)</code>.", "operations"),
    "ops/norm": Room("norm", "Normalization", "By means and variances.", "operations"),
    "ops/indexing": Room("indexing", "Indexing", "By integers that are computed or given.", "operations"),
    "ops/spatial": Room("spatial", "Convolutions and pools", "Images are [N, C, H, W], signals [N, C, L].", "operations"),
    "ops/spectral": Room("spectral", "Fourier transforms", "Complex numbers are pairs (real, imaginary) along a last axis of 2; "
                         "axes count without it.", "operations"),
    "ops/attention": Room("attention_room", "Attention", "Sequences are [.., length, width].", "operations"),
    "ops/recurrent": Room("recurrent_room", "Recurrent networks", "Sequences are [time, batch, features].", "operations"),
    "ops/control": Room("control", "Loops", "Blocks that are repeated, and loops that are compiled once.", "operations"),
    "ops/autodiff": Room("autodiff", "Derivatives", "Derivatives are expressions, of any order.", "operations"),
    "ops/random": Room("random", "Random numbers", "Drawn anew in each step, from the trainer's seed and a name.", "operations"),
    "ops/base": Room("base", "Stopping gradients", "A value without its derivative.", "operations", ("stop_gradient",)),
    "optim/rules": Room("rules", "Rules", "In each equation g is the gradient, p the parameter, t = 1, 2, ... the step.",
                        "optimizers"),
    "optim/transforms": Room("transforms", "Transformations", "Gradient to gradient; \\c chain makes a rule of them.",
                             "optimizers"),
    "optim/wrappers": Room("wrappers", "Around a rule", "What takes a whole rule, or works on some parameters only.",
                           "optimizers"),
    "optim/schedules": Room("schedules", "Schedules", "Hyperparameters as functions of the step t = 0, 1, ...",
                            "optimizers"),
    "optim/base": Room("rule_parts", "What rules are written with", "A transformation of your own, and hyperparameters.",
                       "optimizers", ("hyperparameter", "gradient_transform")),
    "optim/line_search": Room("line_search_room", "L-BFGS", "A rule with a trainer of its own.", "optimizers", ("lbfgs",)),
    "train/trainer": Room("trainers", "Trainers and functions", "What runs a model: with a rule, or without any training.", "training",
                          ("trainer", "function", "lbfgs_trainer", "averaged_weights", "search_report", "trainer_interface",
                           "trainer_position", "trainer_settings",
                           "hyperparameters", "model_parameters", "timing",
                           "weights", "copy_parameters", "snapshot", "kept_weights")),
    "train/cuda": Room("device", "Tensors on a GPU", "Data that stay there between steps.", "training"),
    "train/program": Room("results", "Results and parameters", "Views of what a run has computed, and of what it works on.", "training", ("result", "parameters", "memory_plan", "load_options")),
    "train/binding": Room("binding", "Values that go in and come out", "Tensors with their shapes.", "training",
                          ("binding", "tensor_view", "tensor_copy", "struct_binding")),
    "train/loop": Room("loop", "Loops over data", "fit and evaluate, metrics and callbacks.", "training",
                       ("fit", "evaluate", "fit_options", "fit_history", "fit_progress", "callback", "fit_state", "fit_loop", "interruption",
                        "measurement", "meter", "table")),
    "train/loop/metrics": Room("metrics", "Metrics", "What is measured as samples go by; their numbers stand in reports.", "training"),
    "train/loop/observers": Room("observers", "Observers", "Callbacks of fit that show how it goes, write it down, or end it.", "training"),
    "train/files": Room("files", "Files", "Weights and checkpoints.", "training",
                        ("save", "save_npz", "save_gguf", "save_onnx", "checkpoint_file", "fit_checkpoint", "save_best")),
    "io": Room("tensor_files", "Tensors in files", "NPY, NPZ, GGUF and safetensors without a model.", "training", ("npy", "npz", "gguf", "gguf_format", "safetensors", "tensor_file", "tensor_entry")),
    "data": Room("data", "Data sets", "Named columns over the same samples, and readers of files.", "training"),
    ".": Room("errors_room", "Errors at run time", "What calls throw.", "training", ("error",)),
    "train/bare": Room("bare_trainer", "The policy tl::bare", "Training without heap, operating system or library.", "training", ("bare_trainer", "bare_result")),
    "run/cpu": Room("cpu_policy", "The policy tl::cpu and its variants", "Where and how programs run.", "training", ("cpu", "straight_line_at", "cpu_by_tables")),
    "cluster": Room("cluster", "Several processes", "Processes that train one network together.", "training",
                    ("process_group", "mpi", "data_parallel", "data_parallel_trainer", "sharded_states", "nccl",
                     "nccl_data_parallel", "nccl_options")),
    "run/cuda": Room("cuda_policy", "The policy tl::cuda", "The same on a GPU.", "training", ("cuda",)),
}

# In the order in which they are read.
GUIDES = ("first_ten_minutes", "from_pytorch", "from_jax", "loops", "metrics_and_logs", "looking_inside", "several_losses", "own_parts", "files", "onnx", "sequences", "graphs", "derivatives", "threads_and_lifetimes", "exceptions", "numerics", "gpu", "cluster", "small_models", "bare_machines", "without_cmake", "large_code_bases")

# What each public operation of a room must say.
OPERATION = ("formula", "shapes", "torch", "jax", "gives")
NEEDS = {room: OPERATION for room in ROOMS if room.startswith("ops/")}
NEEDS["ops/autodiff"] = ("formula", "shapes", "torch", "jax")  # apply's example is a class: the guide has it
NEEDS["optim/rules"] = ("formula", "states", "paper", "torch", "optax")

# (header, name) of what users do not call; * for all of a header.
HIDDEN = {
    ("ops/shape/joined_pads.hpp", "*"),
}
