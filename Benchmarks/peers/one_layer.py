"""Builds and writes models of one operator, as operator_layers.py describes them.

Needs ai-edge-litert, numpy, and the folder of the package `confgen` on PYTHONPATH.
"""

import collections
import itertools
import sys
import zlib

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from confgen.tflite import Model, Q

from race_layers import fill

ELEMENTS = {"i8": "int8", "u8": "uint8", "i16": "int16", "f32": "float32", "i32": "int32", "i64": "int64",
            "bool": "bool"}
QUANTIZED = ("int8", "uint8", "int16")


def dimensions(shape):
    return "x".join(map(str, shape))


class Layer:
    """A model of one operator under construction, and the random generator of its sizes and constants."""

    def __init__(self, operator, kind, number, seed):
        self.operator = operator
        self.element = ELEMENTS[kind]
        # The seed includes the name, so adding a family of layers changes no other.
        self.random = np.random.default_rng(zlib.crc32(f"{seed}/{operator}/{kind}/{number}".encode()))
        self.model = Model("one operator")
        self.graph = self.model.main
        self.quantization = self.other_quantization()

    def pick(self, options):
        return options[self.random.integers(len(options))]

    def flip(self):
        return bool(self.random.integers(2))

    def other_quantization(self, element=None):
        """Returns a scale and a zero point for operands that do not share the layer's; None for types without them."""
        element = element or self.element
        if element not in QUANTIZED:
            return None
        scale = np.exp(self.random.uniform(np.log(0.005), np.log(0.5)))
        if element == "int16":
            return Q(float(np.float32(scale / 256)), 0)
        return Q(float(np.float32(scale)), int(self.random.integers(-60, 61)) + (128 if element == "uint8" else 0))

    def values(self, shape):
        """Returns the contents of a constant."""
        if self.element == "float32":
            return self.normal(shape)
        if self.element in QUANTIZED:
            limits = np.iinfo(self.element)
            return self.random.integers(limits.min, limits.max, shape, dtype=self.element, endpoint=True)
        low, high = (0, 2) if self.element == "bool" else (-50, 50)
        return np.asarray(self.random.integers(low, high, shape)).astype(self.element)

    def normal(self, shape, deviation=1.0):
        return np.asarray(self.random.normal(0, deviation, shape), np.float32)

    def input(self, shape, element=None, quantization=None):
        """Adds an input, which the race fills; by default it has the layer's quantization."""
        element = element or self.element
        return self.graph.input(f"x{len(self.graph.inputs)}", element, shape, self._fitting(element, quantization))

    def output(self, element=None, quantization=None):
        """Adds a result, whose shape LiteRT infers; by default it has the layer's quantization."""
        element = element or self.element
        return self.graph.output(f"y{len(self.graph.outputs)}", element, None, self._fitting(element, quantization))

    def constant(self, values, quantization=None):
        return self.graph.const(values, q=self._fitting(values.dtype.name, quantization))

    def integers(self, numbers):
        """Adds a constant of axes, sizes or positions."""
        return self.graph.const(np.array(numbers, np.int32))

    def positions(self, limit, shape):
        """Adds a constant of random indices, because race_layers.py would feed 0 and 1, which may be invalid."""
        return self.integers(self.random.integers(0, limit, shape))

    def run(self, inputs, outputs, **options):
        self.graph.op(self.operator, inputs, outputs, **options)

    def _fitting(self, element, quantization):
        return quantization or self.quantization if element in QUANTIZED else None


# ---- Families: an operator, its types, the number of random layers of each, and the function that builds one.

Family = collections.namedtuple("Family", "operator kinds count build variant")
FAMILIES = []


def layers(operators, kinds, count=1, variants=((),)):
    """Registers a function that builds a layer from a variant's values and returns a description of its size."""
    def register(build):
        for operator, variant in itertools.product(operators.split(), variants):
            FAMILIES.append(Family(operator, kinds.split(), count, build, variant))
        return build
    return register


# ---- Writing.

def shape_results(model):
    """Declares the shapes that LiteRT infers, and fails if LiteRT does not run the model on a race's inputs.

    Uses the default kernels, which the race uses, too: the reference kernels lack CEIL, ROUND and ELU.
    """
    interpreter = Interpreter(model_content=model.serialize(), num_threads=1)
    interpreter.allocate_tensors()
    for result, detail in zip(model.main.outputs, interpreter.get_output_details()):
        result.shape = tuple(map(int, detail["shape"]))
    for index, detail in enumerate(interpreter.get_input_details()):
        interpreter.set_tensor(detail["index"], fill(index, detail["shape"], detail["dtype"]))
    interpreter.invoke()


def write_models(families, seed, folder):
    """Writes the models, and returns the number of models of each operator."""
    numbers, written = collections.Counter(), collections.Counter()
    for family in families:
        for kind in [kind for kind in family.kinds for _ in range(family.count)]:
            number = numbers[family.operator, kind]
            numbers[family.operator, kind] += 1
            layer = Layer(family.operator, kind, number, seed)
            name = f"{family.operator}-{kind}-{number:02}-{family.build(layer, *family.variant)}"
            try:
                shape_results(layer.model)
            except (RuntimeError, ValueError) as error:
                print(f"refused: {name}: {error}", file=sys.stderr)
                continue
            (folder / f"{name}.tflite").write_bytes(layer.model.serialize())
            written[family.operator] += 1
    return written
