#!/usr/bin/env python3
"""Checks the bounds of `ocellus bound` against exact arithmetic (python-flint), on drawn nodes.

    pip install python-flint numpy ai-edge-litert==2.3.0
    python3 check_bounds.py OCELLUS [--nodes 5000] [--seed 1]

Draws models of many independent nodes, lets the program bound each, and checks some elements of every result:

* The exact result, computed with intervals of 200 bits and rounded to float32, is inside.
* For sums of products, γₙ·Σ|x·w| around the exact sum, as in Higham's book, is inside as well: with n terms, any order
  of float32 sums, fused or not, is nowhere else.
* Float32 sums in three orders, and from factors that are fused with sums, are inside.
* Products, sums and functions of one number are not much wider than these require: bounds are no mere excuses.

Nothing of the program's own arithmetic is used. Without python-flint the check is skipped.
"""
import argparse
import collections
import os
import subprocess
import sys
import tempfile

import numpy as np

try:
    import flint
    from flint import arb
except ImportError:
    print("skipped: python-flint is not installed")
    sys.exit(0)
import flatbuffers
from ai_edge_litert import schema_py_generated as schema

flint.ctx.prec = 200
U = arb(2) ** -24
TINY = arb(2) ** -126
FUNCTION_UNITS = 8
Node = collections.namedtuple("Node", "operator operands output options exact width")


def arb_of(number):
    """Returns a float as an exact ball."""
    mantissa, exponent = np.frexp(np.float64(number))
    return arb(int(mantissa * 2.0**53)) * arb(2) ** (int(exponent) - 53)


def gamma(count):
    return count * U / (1 - count * U)


def unit(number):
    """Returns a unit in the last place of float32 at a magnitude."""
    magnitude = abs(float(number.mid()))
    if magnitude < 2.0**-126:
        return TINY
    return arb(2) ** (int(np.floor(np.log2(magnitude))) - 23)


# ---- Oracles: each returns the exact value of an element, and by how much an engine may be off.


def product_sum(xs, ws, bias):
    """Returns the exact sum, the bound, and sums of float32 in several orders."""
    terms = [arb_of(x) * arb_of(w) for x, w in zip(xs, ws)]
    total = sum(terms, arb(0)) + (arb_of(bias) if bias is not None else 0)
    most = sum((abs(term) for term in terms), arb(0)) + (abs(arb_of(bias)) if bias is not None else 0)
    count = len(terms) + (bias is not None)
    return total, gamma(count) * most + 2 * count * TINY, orders(xs, ws, bias)


def orders(xs, ws, bias):
    """Adds float32 products from both ends, pairwise, and fused."""
    products = (xs.astype(np.float32) * ws.astype(np.float32)).tolist()
    start = np.float32(0 if bias is None else bias)
    sums = []
    for sequence in (products, products[::-1]):
        total = start
        for term in sequence:
            total = np.float32(total + np.float32(term))
        sums.append(total)
    sums.append(np.float32(np.add.reduce(np.array(products, np.float32)) + start))
    total = start
    for x, w in zip(xs, ws):
        # A product of floats is exact in float64, so that only the sum rounds.
        total = np.float32(np.float64(x) * np.float64(w) + np.float64(total))
    sums.append(total)
    return sums


def rounded(value, units):
    return value, units * unit(value), []


# ---- Drawing.


class Drawing:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def numbers(self, shape, low=-4.0, high=4.0):
        kind = self.random.integers(3)
        if kind == 0:
            return self.random.uniform(low, high, shape).astype(np.float32)
        if kind == 1:
            return (self.random.uniform(low, high, shape) * 2.0 ** self.random.integers(-12, 4, shape)).clip(
                low, high).astype(np.float32)
        # Large numbers of both signs, whose sums cancel.
        return np.rint(self.random.uniform(low, high, shape) * 1024).astype(np.float32) / np.float32(1024)

    def size(self, most):
        return int(self.random.integers(1, most + 1))

    def flip(self):
        return bool(self.random.integers(2))


def convolution(draw):
    kernel, channels, outputs = draw.size(3), draw.size(8), draw.size(6)
    height, width = draw.size(5) + kernel, draw.size(5) + kernel
    stride, same = draw.size(2), draw.flip()
    depthwise = draw.flip()
    x = draw.numbers((1, height, width, channels))
    if depthwise:
        outputs = channels * draw.size(2)
    weights = draw.numbers((1, kernel, kernel, outputs) if depthwise else (outputs, kernel, kernel, channels), -2, 2)
    bias = draw.numbers((outputs,))
    sizes = [-(-extent // stride) if same else (extent - kernel) // stride + 1 for extent in (height, width)]
    before = [max((size - 1) * stride + kernel - extent, 0) // 2 if same else 0
              for size, extent in zip(sizes, (height, width))]

    def exact(place):
        _, y, column, channel = place
        xs, ws = [], []
        for i in range(kernel):
            for j in range(kernel):
                row, left = y * stride + i - before[0], column * stride + j - before[1]
                if not (0 <= row < height and 0 <= left < width):
                    continue
                if depthwise:
                    xs.append(x[0, row, left, channel // (outputs // channels)])
                    ws.append(weights[0, i, j, channel])
                else:
                    xs.extend(x[0, row, left])
                    ws.extend(weights[channel, i, j])
        return product_sum(np.array(xs), np.array(ws), bias[channel])

    table = schema.DepthwiseConv2DOptionsT() if depthwise else schema.Conv2DOptionsT()
    table.padding, table.strideH, table.strideW = (0 if same else 1), stride, stride
    table.dilationHFactor = table.dilationWFactor = 1
    if depthwise:
        table.depthMultiplier = outputs // channels
    name = "DEPTHWISE_CONV_2D" if depthwise else "CONV_2D"
    return Node(name, [x, weights, bias], (1, *sizes, outputs), table, exact, 1.1)


def fully_connected(draw):
    depth, rows, outputs = draw.size(300), draw.size(3), draw.size(9)
    x, weights = draw.numbers((rows, depth)), draw.numbers((outputs, depth), -2, 2)
    bias = draw.numbers((outputs,))
    return Node("FULLY_CONNECTED", [x, weights, bias], (rows, outputs), schema.FullyConnectedOptionsT(),
                lambda place: product_sum(x[place[0]], weights[place[1]], bias[place[1]]), 1.1)


def batch_product(draw):
    depth, rows, outputs, batches = draw.size(60), draw.size(4), draw.size(9), draw.size(3)
    table = schema.BatchMatMulOptionsT()
    table.adjX, table.adjY = False, draw.flip()
    a = draw.numbers((batches, rows, depth))
    b = draw.numbers((batches, outputs, depth) if table.adjY else (batches, depth, outputs))

    def exact(place):
        batch, row, column = place
        other = b[batch, column] if table.adjY else b[batch, :, column]
        return product_sum(a[batch, row], other, None)

    return Node("BATCH_MATMUL", [a, b], (batches, rows, outputs), table, exact, 1.1)


def binary(draw):
    name = ("ADD", "SUB", "MUL", "DIV", "SQUARED_DIFFERENCE", "MAXIMUM", "MINIMUM")[draw.random.integers(7)]
    shape = (draw.size(4), draw.size(9))
    a = draw.numbers(shape)
    b = draw.numbers(shape if draw.flip() else (shape[1],))
    if name == "DIV":
        b = np.where(np.abs(b) < 1e-3, np.float32(0.5), b)
    wide = np.broadcast_to(b, shape)
    tables = {"ADD": schema.AddOptionsT, "SUB": schema.SubOptionsT, "MUL": schema.MulOptionsT,
              "DIV": schema.DivOptionsT}

    def exact(place):
        x, y = arb_of(a[place]), arb_of(wide[place])
        if name in ("MAXIMUM", "MINIMUM"):
            return arb_of(max(a[place], wide[place]) if name == "MAXIMUM" else min(a[place], wide[place])), arb(0), []
        if name == "SQUARED_DIFFERENCE":
            value = (x - y) ** 2
            return value, 2 * U * value + unit(value), []
        value = {"ADD": x + y, "SUB": x - y, "MUL": x * y, "DIV": x / y}[name]
        return rounded(value, 2 if name == "DIV" else 1)

    return Node(name, [a, b], shape, tables[name]() if name in tables else None, exact, 4)


UNARY = {
    "ABS": (abs, 0), "NEG": (lambda x: -x, 0), "RELU": (lambda x: x if x > 0 else arb(0), 0),
    "SQRT": (lambda x: x.sqrt(), 0.5), "RSQRT": (lambda x: 1 / x.sqrt(), 2), "LOG": (lambda x: x.log(), FUNCTION_UNITS),
    "EXP": (lambda x: x.exp(), FUNCTION_UNITS), "TANH": (lambda x: x.tanh(), FUNCTION_UNITS),
    "LOGISTIC": (lambda x: 1 / (1 + (-x).exp()), FUNCTION_UNITS), "SQUARE": (lambda x: x * x, 0.5),
    "ELU": (lambda x: x if x > 0 else x.expm1(), 1),
    "HARD_SWISH": (lambda x: x * min(max(x + 3, arb(0)), arb(6)) / 6, 3),
    "GELU": (lambda x: x * (1 + (x / arb(2).sqrt()).erf()) / 2, 1),
}


def unary(draw):
    name = list(UNARY)[draw.random.integers(len(UNARY))]
    function, units = UNARY[name]
    shape = (draw.size(4), draw.size(9))
    positive = name in ("SQRT", "RSQRT", "LOG")
    x = draw.numbers(shape, 1e-6 if positive else -9.0, 9.0)
    table = schema.GeluOptionsT() if name == "GELU" else None
    return Node(name, [x], shape, table, lambda place: rounded(function(arb_of(x[place])), units),
                None if name in ("ELU", "HARD_SWISH", "GELU", "LOG", "LOGISTIC") else 10)


def mean(draw):
    shape = (draw.size(3), draw.size(5), draw.size(5), draw.size(4))
    x = draw.numbers(shape)
    name = ("MEAN", "SUM", "AVERAGE_POOL_2D", "REDUCE_MAX")[draw.random.integers(4)]
    if name == "AVERAGE_POOL_2D":
        table = schema.Pool2DOptionsT()
        table.padding, table.strideH, table.strideW = 1, 1, 1
        table.filterHeight, table.filterWidth = shape[1], shape[2]
        operands, output = [x], (shape[0], 1, 1, shape[3])
    else:
        table = schema.ReducerOptionsT()
        table.keepDims = True
        operands, output = [x, np.array([1, 2], np.int32)], (shape[0], 1, 1, shape[3])

    def exact(place):
        group = x[place[0], :, :, place[3]].ravel()
        if name == "REDUCE_MAX":
            return arb_of(group.max()), arb(0), []
        terms = [arb_of(number) for number in group]
        divisor = 1 if name == "SUM" else len(terms)
        total, most = sum(terms, arb(0)), sum((abs(term) for term in terms), arb(0))
        roundings = len(terms) - 1 + (0 if name == "SUM" else 1)
        sequential = np.float32(0)
        for number in group:
            sequential = np.float32(sequential + number)
        return total / divisor, gamma(roundings) * most / divisor, [np.float32(sequential / np.float32(divisor))]

    return Node(name, operands, output, table, exact, None)


def softmax(draw):
    shape = (draw.size(3), draw.size(40))
    x = draw.numbers(shape, -9.0, 9.0)
    name = ("SOFTMAX", "LOG_SOFTMAX", "L2_NORMALIZATION")[draw.random.integers(3)]
    table = {"SOFTMAX": schema.SoftmaxOptionsT, "LOG_SOFTMAX": schema.LogSoftmaxOptionsT,
             "L2_NORMALIZATION": schema.L2NormOptionsT}[name]()
    if name == "SOFTMAX":
        table.beta = 1.0

    def exact(place):
        row = [arb_of(number) for number in x[place[0]]]
        if name == "L2_NORMALIZATION":
            norm = sum((number * number for number in row), arb(0)).sqrt()
            return rounded(row[place[1]] / norm if norm > 1e-6 else arb(0), 2)
        total = sum((number.exp() for number in row), arb(0))
        if name == "LOG_SOFTMAX":
            return row[place[1]] - total.log(), 8 * U, []
        return rounded(row[place[1]].exp() / total, FUNCTION_UNITS)

    return Node(name, [x], shape, table, exact, None)


def resize(draw):
    shape = (1, draw.size(7), draw.size(7), draw.size(3))
    sizes = (draw.size(12), draw.size(12))
    x = draw.numbers(shape)
    table = schema.ResizeBilinearOptionsT()
    table.alignCorners = draw.flip()
    table.halfPixelCenters = not table.alignCorners and draw.flip()

    def places(index, extent, size):
        scale = (arb(extent - 1) / (size - 1) if table.alignCorners and size > 1 else arb(extent) / size)
        place = (index + arb(0.5)) * scale - arb(0.5) if table.halfPixelCenters else index * scale
        place = min(max(place, arb(0)), arb(extent - 1))
        first = min(int(float(place.mid()) + 1e-12), extent - 1)
        return first, min(first + 1, extent - 1), place - first

    def exact(place):
        _, y, column, channel = place
        top, bottom, down = places(y, shape[1], sizes[0])
        left, right, across = places(column, shape[2], sizes[1])
        corner = lambda i, j: arb_of(x[0, i, j, channel])
        upper = corner(top, left) * (1 - across) + corner(top, right) * across
        lower = corner(bottom, left) * (1 - across) + corner(bottom, right) * across
        return rounded(upper * (1 - down) + lower * down, 1)

    return Node("RESIZE_BILINEAR", [x, np.array(sizes, np.int32)], (1, *sizes, shape[3]), table, exact, None)


FAMILIES = [convolution, convolution, fully_connected, batch_product, binary, unary, unary, mean, softmax, resize]


# ---- Models.


def write_model(nodes, path):
    """Writes a model of nodes that have nothing to do with each other."""
    model = schema.ModelT()
    model.version = 3
    model.buffers = [schema.BufferT()]
    graph = schema.SubGraphT()
    graph.tensors, graph.operators, graph.inputs, graph.outputs = [], [], [], []
    codes = {}
    model.operatorCodes = []

    def tensor(shape, constant=None, integer=False):
        record = schema.TensorT()
        record.shape, record.name = list(shape), f"t{len(graph.tensors)}".encode()
        record.type = schema.TensorType.INT32 if integer else schema.TensorType.FLOAT32
        record.buffer = 0
        if constant is not None:
            record.buffer = len(model.buffers)
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(constant.tobytes(), np.uint8)
            model.buffers.append(buffer)
        graph.tensors.append(record)
        return len(graph.tensors) - 1

    inputs = {}
    for node in nodes:
        name = node.operator
        if name not in codes:
            codes[name] = len(codes)
            code = schema.OperatorCodeT()
            code.builtinCode = getattr(schema.BuiltinOperator, name)
            code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), 1
            model.operatorCodes.append(code)
        operation = schema.OperatorT()
        operation.opcodeIndex = codes[name]
        operation.inputs = []
        for position, operand in enumerate(node.operands):
            is_input = position == 0 or name == "BATCH_MATMUL"
            index = tensor(operand.shape, None if is_input else operand, operand.dtype == np.int32)
            if is_input:
                inputs[index] = operand
            operation.inputs.append(index)
        operation.outputs = [tensor(node.output)]
        if node.options is not None:
            operation.builtinOptions = node.options
            operation.builtinOptionsType = getattr(
                schema.BuiltinOptions, type(node.options).__name__.removesuffix("T"))
        graph.operators.append(operation)
        graph.outputs.append(operation.outputs[0])
    graph.inputs = list(inputs)
    model.subgraphs = [graph]
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    with open(path, "wb") as file:
        file.write(builder.Output())
    return inputs


def problems(node, low, high, draw, counts):
    """Yields what is wrong with the bounds of some elements."""
    places = list(np.ndindex(*node.output))
    for place in [places[i] for i in draw.random.choice(len(places), min(6, len(places)), replace=False)]:
        exact, margin, sums = node.exact(place)
        a, b = float(low[place]), float(high[place])
        counts["elements"] += 1
        # Ends are floats inside of the real interval, so that they may be a unit short of it, or two next to a
        # power of two.
        slack = 2 * unit(exact) * (1 if float(margin.mid()) > 0 else 0)
        if not (arb_of(a) - slack <= exact - margin and exact + margin <= arb_of(b) + slack):
            yield f"{place}: {exact.str(12)} ± {margin.str(3)} is not inside of {a!r}…{b!r}"
        nearest = np.float32(float(exact.mid()))
        if not a <= nearest <= b:
            yield f"{place}: the exact result {nearest!r} is outside of {a!r}…{b!r}"
        for number in sums:
            if not a <= number <= b:
                yield f"{place}: the sum {number!r} is outside of {a!r}…{b!r}"
        if node.width and arb_of(b) - arb_of(a) > (2 * margin + 2 * unit(exact)) * arb(node.width) + 8 * TINY:
            yield f"{place}: {a!r}…{b!r} is wider than necessary for {exact.str(12)} ± {margin.str(3)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-model", type=int, default=100)
    arguments = parser.parse_args()
    draw = Drawing(arguments.seed)
    counts = collections.Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        while counts["nodes"] < arguments.nodes:
            nodes = [FAMILIES[draw.random.integers(len(FAMILIES))](draw)
                     for _ in range(min(arguments.per_model, arguments.nodes - counts["nodes"]))]
            model, bounds = os.path.join(folder, "drawn.tflite"), os.path.join(folder, "bounds.npz")
            inputs = write_model(nodes, model)
            command = [arguments.program, "bound", model, "-o", bounds, "--force"]
            for position, (index, array) in enumerate(inputs.items()):
                path = os.path.join(folder, f"{position}.npy")
                np.save(path, array)
                command += ["--input", f"{position}={path}"]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode != 0:
                sys.exit(f"{run.stderr}{run.stdout[-2000:]}")
            arrays = np.load(bounds)
            names = {int(name.split("-")[0]): name.rsplit(".", 1)[0] for name in arrays.files}
            first = 0
            for node in nodes:
                index = first + len(node.operands)
                first = index + 1
                counts["nodes"] += 1
                counts[node.operator] += 1
                if index not in names:
                    print(f"{node.operator} {node.output} is not bounded")
                    wrong += 1
                    continue
                low, high = (arrays[f"{names[index]}.{end}"] for end in ("low", "high"))
                for problem in problems(node, low, high, draw, counts):
                    print(f"{node.operator} {[operand.shape for operand in node.operands]} {problem}")
                    wrong += 1
    kinds = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if name.isupper())
    print(f"{counts['nodes']} nodes, {counts['elements']} elements checked, {wrong} problems: {kinds}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
