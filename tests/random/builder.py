# SPDX-License-Identifier: BSL-1.0
"""Random models: statements over values, each by an operation of the table, and a loss of what nothing uses."""

import dataclasses
import itertools
import math

from values import BATCH, NotDefined, Value, all_static, broadcast, is_static, size_of, smallest, written

EXTENTS = (1, 2, 3, 5, 7)
INPUTS = ((BATCH, 3, 5), (BATCH, 5), (BATCH,), (BATCH, 2, 5, 5), (BATCH, 3, 3, 5), (BATCH, 3, 7),
          (BATCH, 2, 2, 3, 3), (2, BATCH, 3), (5, 3), (7, 2), (BATCH, 3, 3))
LARGEST = 400  # elements of a value, with three samples


@dataclasses.dataclass
class Statement:
    """One line of both programs. `torch` is whole; `cpp` is what stands right of `auto NAMES =`."""
    results: list
    cpp: str
    torch: str

    def in_cpp(self):
        names = ", ".join(map(str, self.results))
        return f"auto {names if len(self.results) == 1 else f'[{names}]'} = {self.cpp};"


class Builder:
    """What an operation of the table draws its operands from. One that lacks operands raises NotDefined."""

    def __init__(self, random, element, twice, outer=None):
        self.random = random
        self.element = element
        self.twice = twice  # whether the loss is differentiated twice
        self.outer = outer  # of whose loop this is the body
        self.numbers = outer.numbers if outer else itertools.count(1)
        self.statements, self.values, self.used = [], [], set()
        self.inputs, self.parameters = [], []
        self.owned = []  # parameters of layers, of which programs have no variables
        self.reached = []  # results of such layers, which the loss must reach

    def name(self, first):
        return f"{first}{next(self.numbers)}"

    def body(self):
        """The builder of a loop's body, which sees nothing of what is outside."""
        return Builder(self.random, self.element, self.twice, self)

    # Operands

    def pick(self, *options):
        return self.random.choice(options)

    def chance(self, share):
        return self.random.random() < share

    def value(self, fits=lambda v: True, rank=range(5)):
        """A value; recent ones, and those that nothing uses, more often."""
        found = [v for v in self.values if v.rank in rank and fits(v)]
        if not found:
            raise NotDefined
        weights = [1 + 2 * i / len(found) + (v not in self.used) for i, v in enumerate(found)]
        chosen = self.random.choices(found, weights)[0]
        self.used.add(chosen)
        return chosen

    def like(self, v):
        return self.value(lambda u: u.shape == v.shape)

    def broadcast_to(self, v):
        """A value or a new parameter that broadcasts to the shape of v."""
        if self.chance(0.7):
            return self.value(lambda u: broadcast(u.shape, v.shape) == v.shape)
        shape = tuple(e if is_static(e) and self.chance(0.6) else 1 for e in v.shape)
        return self.parameter(shape[self.random.randint(0, v.rank):])

    def parameter(self, shape):
        if not all_static(shape):
            raise NotDefined
        # one of a loop's body is outside of it, too
        p = self.outer.parameter(shape) if self.outer else Value(self.name("p"), tuple(shape))
        self.statements.append(Statement([p], self.leaf("param", p), ""))
        self.parameters.append(p)
        self.used.add(p)
        return p

    def layer(self, shapes, states=()):
        """The name of a layer, and its own parameters of these {name: shape} in torch; states start above 0."""
        name = self.name("l")
        own = {word: Value(f"{name}_{word}", tuple(shape)) for word, shape in shapes.items()}
        for word in states:
            own[word] = dataclasses.replace(own[word], low=0.5, high=1.5, is_state=True)
        self.owned += own.values()
        return name, own

    def input(self, shape, below=0):
        x = Value(self.name("i" if below else "x"), tuple(shape), below)
        self.statements.append(Statement([x], self.leaf("input", x), ""))
        self.inputs.append(x)
        return x

    def leaf(self, kind, v):
        element = "std::int32_t" if v.below else self.element
        return f'tl::{kind}<"{v}", {element}{"".join(", " + written(e) for e in v.shape)}>'

    def indices(self, shape, below):
        """Indices of the shape, in both programs' words: an input, a pattern, or made of a value's numbers."""
        if not self.outer and all(e == BATCH or is_static(e) for e in shape) and self.chance(0.5):
            i = self.input(shape, below)
            return str(i), str(i)
        if shape and all_static(shape) and self.chance(0.3):
            extents = ", ".join(map(str, shape))
            return (f"tl::mod(tl::iota<std::int32_t, {extents}>() * 2_c + 1_c, {below}_c)",
                    f"((torch.arange({shape[-1]}) * 2 + 1) % {below}).expand({extents})")
        u = self.value(lambda u: u.shape == shape)
        return (f"tl::cast<std::int32_t>(tl::floor(tl::sigmoid({u}) * {below}_c * 0.999_c))",
                f"torch.floor(torch.sigmoid({u}) * {below} * 0.999).long()")

    def axis(self, v, fits=lambda e: True):
        axes = [i for i, e in enumerate(v.shape) if fits(e)]
        if not axes:
            raise NotDefined
        return self.random.choice(axes)

    def axes(self, v):
        return sorted(self.random.sample(range(v.rank), self.pick(1, 1, self.random.randint(1, v.rank))))

    # Statements

    def is_of_use(self, shape):
        return math.prod(size_of(shape, 3)) <= LARGEST and len(shape) <= 5 and all(smallest(e) >= 1 for e in shape)

    def lists(self):
        return self.statements, self.inputs, self.parameters, self.owned

    def apply(self, operation):
        """One more statement. What an operation drew before it found that it lacks something is undone."""
        before = [len(of) for of in self.lists()], set(self.used)
        try:
            shapes, cpp, torch = operation(self)
            shapes = shapes if isinstance(shapes, list) else [shapes]
            if not all(self.is_of_use(shape) for shape in shapes):
                raise NotDefined
        except NotDefined:
            counts, self.used = before
            for of, count in zip(self.lists(), counts):
                del of[count:]
            return False
        results = [Value(self.name("v"), tuple(s)) for s in shapes]
        if len(self.owned) > before[0][-1]:
            self.reached += results
        names = ", ".join(map(str, results))
        torch = torch.replace("{results}", names) if "{results}" in torch else f"{names} = {torch}"
        self.statements.append(Statement(results, cpp, torch))
        for leaf in self.inputs + self.parameters:
            if leaf not in self.values and not leaf.below:
                self.values.append(leaf)
        self.values += results
        return True

    def grow(self, table, count):
        """`count` more statements, each of a random group of operations, and there of a random one."""
        narrow = "16" in self.element
        groups = [[o for o in group if not (self.outer and o.outermost or self.twice and o.once or narrow and o.wide)]
                  for group in table]
        for _ in range(20 * count):
            count -= self.apply(self.random.choice(self.random.choice([g for g in groups if g])))
            if count == 0:
                break


@dataclasses.dataclass
class Model:
    """A whole program: `cpp` and `torch` lines, whose last makes `loss`."""
    seed: int
    element: str
    twice: bool
    statements: list
    inputs: list
    parameters: list
    owned: list
    outputs: list

    @property
    def leaves(self):
        """What gradients are compared of."""
        return [x for x in self.inputs if not x.below] + self.parameters

    @property
    def leaf_of_second(self):
        """What the second derivative is of, where there is one."""
        return self.leaves[self.seed % len(self.leaves)]


def random_model(random, seed, table, losses, size):
    """A model of about `size` statements."""
    element = random.choices(["double", "float", "tl::f16", "tl::bf16"], [10, 4, 1, 1])[0]
    builder = Builder(random, element, element in ("double", "float") and random.random() < 0.3)
    builder.values.append(builder.input(random.choice([s for s in INPUTS if BATCH in s])))
    builder.values += [builder.input(random.choice(INPUTS)) for _ in range(random.randint(0, 2))]
    builder.values.append(builder.parameter([random.choice(EXTENTS) for _ in range(random.randint(0, 3))]))
    builder.used.clear()
    builder.grow(table, size)

    leaves = builder.inputs + builder.parameters
    made = [v for v in builder.values if v not in leaves]
    terms = [random.choice(losses)(builder, v) for v in made if v not in builder.used]
    leaves = builder.inputs + builder.parameters  # with those of the losses
    for v in leaves + builder.reached:  # so that the loss reaches each
        if v.below:
            terms.append((f"0.0625_c * tl::mean(tl::cast<{builder.element}>({v}))", f"0.0625 * {v}.double().mean()"))
        else:
            terms.append((f"0.0625_c * tl::sum(tl::square({v}))", f"0.0625 * torch.sum({v} * {v})"))
    loss = Value("loss", ())
    builder.statements.append(Statement([loss], " + ".join(cpp for cpp, _ in terms),
                                        "loss = " + " + ".join(torch for _, torch in terms)))
    return Model(seed, builder.element, builder.twice, builder.statements, builder.inputs, builder.parameters,
                 builder.owned, made[-3:])
