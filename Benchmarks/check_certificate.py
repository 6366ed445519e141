#!/usr/bin/env python3
"""Checks a certificate of `ocellus prove` against its model.

This program shares nothing with ocellus: it reads the .tflite file by itself and computes again,
in NumPy, what can be computed without running kernels:

- that the certificate is about this model and names each of its nodes once;
- of nodes with weights, which sums inputs can lead to, that these fit 32 bits, and what every one
  of them has to become (the hash of ranges and steps in "sums");
- that each node's argument is one that covers its operator, types and operands, and that enough
  results were compared for it.

What it cannot check is that the kernels were really run: for that, run `ocellus prove` again.

    python3 check_certificate.py certificate.json model.tflite
"""

import argparse
import hashlib
import json
import struct
import sys

import numpy as np

UNARY = {
    "ABS", "CAST", "DEQUANTIZE", "ELU", "EXP", "GELU", "HARD_SWISH", "LEAKY_RELU", "LOG",
    "LOGISTIC", "NEG", "PRELU", "QUANTIZE", "RELU", "RELU6", "RELU_0_TO_1", "RELU_N1_TO_1",
    "RSQRT", "SQRT", "SQUARE", "TANH",
}
BINARY = {
    "ADD", "EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "MAXIMUM", "MINIMUM", "MUL",
    "NOT_EQUAL", "SQUARED_DIFFERENCE", "SUB",
}
MOVERS = {
    "BATCH_TO_SPACE_ND", "BROADCAST_TO", "CONCATENATION", "DEPTH_TO_SPACE", "EXPAND_DIMS",
    "GATHER", "MIRROR_PAD", "PACK", "PAD", "PADV2", "RESHAPE", "RESIZE_NEAREST_NEIGHBOR",
    "REVERSE_V2", "SLICE", "SPACE_TO_BATCH_ND", "SPACE_TO_DEPTH", "SPLIT", "SPLIT_V", "SQUEEZE",
    "STRIDED_SLICE", "TILE", "TRANSPOSE", "UNPACK",
}
AVERAGES = {"AVERAGE_POOL_2D", "MEAN", "SUM"}
SELECTIONS = {"MAX_POOL_2D", "REDUCE_MAX", "REDUCE_MIN"}
SHAPES = {"RANK", "SHAPE"}
# By operator: the axis of the weights' channels, the positions of operand and bias, and the field of
# the activation among the options.
WEIGHTED = {
    "CONV_2D": (0, 0, 2, 3), "DEPTHWISE_CONV_2D": (3, 0, 2, 4), "FULLY_CONNECTED": (0, 0, 2, 0),
    "TRANSPOSE_CONV": (0, 2, 3, 3),
}

# The numbers of these operators and types in schema.fbs.
OPERATORS = {
    0: "ADD", 1: "AVERAGE_POOL_2D", 2: "CONCATENATION", 3: "CONV_2D", 4: "DEPTHWISE_CONV_2D",
    5: "DEPTH_TO_SPACE", 6: "DEQUANTIZE", 9: "FULLY_CONNECTED", 14: "LOGISTIC", 17: "MAX_POOL_2D",
    18: "MUL", 19: "RELU", 20: "RELU_N1_TO_1", 21: "RELU6", 22: "RESHAPE", 25: "SOFTMAX",
    26: "SPACE_TO_DEPTH", 28: "TANH",
    34: "PAD", 36: "GATHER", 37: "BATCH_TO_SPACE_ND", 38: "SPACE_TO_BATCH_ND", 39: "TRANSPOSE",
    40: "MEAN", 41: "SUB", 43: "SQUEEZE", 45: "STRIDED_SLICE", 47: "EXP", 49: "SPLIT", 53: "CAST",
    54: "PRELU", 55: "MAXIMUM", 57: "MINIMUM", 58: "LESS", 59: "NEG", 60: "PADV2", 61: "GREATER",
    62: "GREATER_EQUAL", 63: "LESS_EQUAL", 65: "SLICE", 67: "TRANSPOSE_CONV", 69: "TILE",
    70: "EXPAND_DIMS", 71: "EQUAL", 72: "NOT_EQUAL", 73: "LOG", 74: "SUM", 75: "SQRT", 76: "RSQRT",
    77: "SHAPE", 82: "REDUCE_MAX", 83: "PACK", 88: "UNPACK", 89: "REDUCE_MIN", 92: "SQUARE", 97: "RESIZE_NEAREST_NEIGHBOR", 98: "LEAKY_RELU", 99: "SQUARED_DIFFERENCE",
    100: "MIRROR_PAD", 101: "ABS", 102: "SPLIT_V", 105: "REVERSE_V2", 110: "RANK", 111: "ELU",
    114: "QUANTIZE", 117: "HARD_SWISH", 130: "BROADCAST_TO", 150: "GELU", 152: "RELU_0_TO_1",
}
FLOAT32, FLOAT16, INT32, UINT8, INT16, INT8 = 0, 1, 2, 3, 7, 9


class Refused(Exception):
    """The certificate does not hold."""


class Table:
    """A FlatBuffers table."""

    def __init__(self, data, position):
        self.data, self.position = data, position
        self.vtable = position - struct.unpack_from("<i", data, position)[0]

    def place(self, field):
        size = struct.unpack_from("<H", self.data, self.vtable)[0]
        entry = 4 + 2 * field
        if entry + 2 > size:
            return None
        offset = struct.unpack_from("<H", self.data, self.vtable + entry)[0]
        return self.position + offset if offset else None

    def scalar(self, field, form, default=0):
        place = self.place(field)
        return default if place is None else struct.unpack_from("<" + form, self.data, place)[0]

    def target(self, field):
        place = self.place(field)
        return None if place is None else place + struct.unpack_from("<I", self.data, place)[0]

    def table(self, field):
        target = self.target(field)
        return None if target is None else Table(self.data, target)

    def vector(self, field, kind):
        target = self.target(field)
        if target is None:
            return None
        count = struct.unpack_from("<I", self.data, target)[0]
        return np.frombuffer(self.data, kind, count, target + 4)

    def tables(self, field):
        target = self.target(field)
        if target is None:
            return []
        count = struct.unpack_from("<I", self.data, target)[0]
        places = [target + 4 + 4 * index for index in range(count)]
        return [Table(self.data, p + struct.unpack_from("<I", self.data, p)[0]) for p in places]

    def text(self, field):
        found = self.vector(field, np.uint8)
        return None if found is None else found.tobytes().decode("utf-8", "replace")


class Tensor:
    """A tensor of the file."""

    def __init__(self, table, buffers):
        shape = table.vector(0, "<i4")
        self.shape = [] if shape is None else [int(extent) for extent in shape]
        self.type = table.scalar(1, "b")
        buffer = buffers[table.scalar(2, "I")]
        self.data = buffer.vector(0, np.uint8)
        self.is_variable = bool(table.scalar(5, "B"))
        quantization = table.table(4)
        scales = quantization.vector(2, "<f4") if quantization else None
        zeros = quantization.vector(3, "<i8") if quantization else None
        self.scales = np.zeros(0, np.float32) if scales is None else scales
        self.zeros = np.zeros(0, np.int64) if zeros is None else zeros

    @property
    def count(self):
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def is_constant(self):
        return self.data is not None and len(self.data) > 0

    @property
    def zero(self):
        return int(self.zeros[0]) if len(self.zeros) else 0

    @property
    def limits(self):
        return (-128, 127) if self.type == INT8 else (0, 255)

    def numbers(self):
        kinds = {INT8: np.int8, UINT8: np.uint8, INT32: "<i4"}
        return self.data.view(kinds[self.type]).astype(np.int64)[: self.count]


class Node:
    """An operator of the file."""

    def __init__(self, table, names, tensors):
        self.name = names[table.scalar(0, "I")]
        inputs = [] if table.vector(1, "<i4") is None else table.vector(1, "<i4")
        outputs = [] if table.vector(2, "<i4") is None else table.vector(2, "<i4")
        self.inputs = [tensors[i] if i >= 0 else None for i in inputs]
        self.outputs = [tensors[i] for i in outputs]
        self.options = table.table(4)
        indices = [int(i) for i in inputs if i >= 0 and not tensors[i].is_constant]
        self.operands = [tensors[i] for i in dict.fromkeys(indices)]


def read_model(data):
    """Returns the nodes of each subgraph."""
    root = Table(data, struct.unpack_from("<I", data, 0)[0])
    names = []
    for code in root.tables(1):
        number = max(code.scalar(3, "i"), code.scalar(0, "b"))
        names.append(code.text(1) if number == 32 else OPERATORS.get(number, f"number {number}"))
    buffers = root.tables(4)
    graphs = []
    for graph in root.tables(2):
        tensors = [Tensor(table, buffers) for table in graph.tables(0)]
        graphs.append([Node(table, names, tensors) for table in graph.tables(3)])
    return graphs


def activation(node):
    return node.options.scalar(WEIGHTED[node.name][3], "b") if node.options else 0


def fixed_point(factor):
    """Returns factors as 31-bit fractions and powers of two."""
    significand, exponent = np.frexp(factor)
    fraction = np.floor(significand * 2.0**31 + 0.5).astype(np.int64)
    carried = fraction == 1 << 31
    fraction = np.where(carried, fraction // 2, fraction)
    exponent = exponent + carried
    vanishes = (exponent < -31) | (factor == 0)
    return np.where(vanishes, 0, fraction), np.where(vanishes, 0, exponent).astype(np.int64)


class Scaling:
    """The requantization of a node's sums, channel by channel."""

    def __init__(self, node, channels):
        source, weights, target = node.inputs[WEIGHTED[node.name][1]], node.inputs[1], node.outputs[0]
        self.is_double = node.name == "FULLY_CONNECTED"
        if source.type == UINT8 and not self.is_double:
            product = (source.scales[0] * weights.scales).astype(np.float32).astype(np.float64)
        else:
            product = np.float64(source.scales[0]) * weights.scales.astype(np.float64)
        self.factor = np.broadcast_to(product / np.float64(target.scales[0]), channels)
        self.fraction, self.exponent = fixed_point(self.factor)
        self.zero = target.zero
        low, high = target.limits
        number = activation(node)
        step = target.scales[0]

        def quantized(real):
            steps = float(np.float32(real) / step)
            return int(np.copysign(np.floor(abs(steps) + 0.5), steps)) + target.zero

        if number in (1, 3):
            low = max(low, quantized(0))
        if number == 2:
            low, high = max(low, quantized(-1)), min(high, quantized(1))
        if number == 3:
            high = min(high, quantized(6))
        if number not in (0, 1, 2, 3) or low > high:
            raise Refused("has an activation that is not a clamp")
        self.low, self.high = low, high

    def __call__(self, sums, channel):
        if self.is_double:
            real = sums * self.factor[channel]
            whole = np.trunc(real)
            # Exact: the fraction of a double below 2^52 is one, too.
            scaled = (whole + np.where(np.abs(real - whole) >= 0.5, np.sign(real), 0)).astype(np.int64)
        else:
            exponent = self.exponent[channel]
            product = (sums << np.maximum(exponent, 0)) * self.fraction[channel]
            nudged = product + np.where(product >= 0, 1 << 30, 1 - (1 << 30))
            high = np.sign(nudged) * (np.abs(nudged) >> 31)
            right = np.maximum(-exponent, 0)
            half = np.where(right > 0, np.int64(1) << np.maximum(right - 1, 0), 0)
            scaled = np.sign(high) * ((np.abs(high) + half) >> right)
        return np.clip(scaled + self.zero, self.low, self.high)


def sum_facts(node):
    """Returns what a certificate has to state about a node's sums."""
    axis, position, bias_position, _ = WEIGHTED[node.name]
    source, weights, target = node.inputs[position], node.inputs[1], node.outputs[0]
    if not {source.type, weights.type, target.type} <= {INT8, UINT8} or not weights.is_constant:
        raise Refused("is said to have 8-bit sums, and has not")
    matrix = weights.numbers().reshape(weights.shape) - weights.zero
    matrix = np.moveaxis(matrix, axis, 0).reshape(weights.shape[axis], -1)
    channels = len(matrix)
    low, high = source.limits[0] - source.zero, source.limits[1] - source.zero
    has_bias = len(node.inputs) > bias_position and node.inputs[bias_position] is not None
    bias = node.inputs[bias_position].numbers() if has_bias else 0
    least = np.minimum(matrix * low, matrix * high).sum(axis=1) + bias
    greatest = np.maximum(matrix * low, matrix * high).sum(axis=1) + bias
    if least.min() < -(2**31) or greatest.max() >= 2**31:
        raise Refused("has sums that do not fit 32 bits")
    scaling = Scaling(node, channels)
    steps = all_steps(scaling, least, greatest)
    digest = hashlib.sha256()
    for channel in range(channels):
        words = [int(least[channel]), int(greatest[channel]), len(steps[channel])]
        words += [number for step in steps[channel] for number in step]
        digest.update(np.array(words, "<i8").tobytes())
    return {
        "channels": channels, "count": int((greatest - least + 1).sum()),
        "least": int(least.min()), "greatest": int(greatest.max()), "sha256": digest.hexdigest(),
    }


def all_steps(scaling, least, greatest):
    """Returns, for each channel, the first sum of each result, found for all results at once."""
    channels = np.arange(len(least))
    first, last = scaling(least, channels), scaling(greatest, channels)
    counts = last - first
    channel = np.repeat(channels, counts)
    rank = np.arange(len(channel)) - np.repeat(np.cumsum(counts) - counts, counts)
    wanted = first[channel] + rank + 1
    below, above = least[channel].copy(), greatest[channel].copy()
    while len(below) and (above - below).max() > 1:
        middle = below + (above - below) // 2
        reaches = scaling(middle, channel) >= wanted
        above = np.where(reaches, middle, above)
        below = np.where(reaches, below, middle)
    found = scaling(above, channel)
    steps = [[(int(least[c]), int(first[c]))] for c in channels]
    for c, place, result in zip(channel, above, found):
        # A result that no sum has shares its place with the next one.
        if steps[c][-1] != (int(place), int(result)):
            steps[c].append((int(place), int(result)))
    return steps


def product(a, b):
    """Returns products of fractions of 31 bits, rounded to nearest."""
    exact = int(a) * int(b)
    nudged = exact + (1 << 30 if exact >= 0 else 1 - (1 << 30))
    return nudged >> 31 if nudged >= 0 else -(-nudged >> 31)


def halved(number, times):
    """Returns a number divided by a power of two, rounded to nearest, halves away from zero."""
    magnitude = (abs(number) + (1 << times >> 1)) >> times
    return -magnitude if number < 0 else magnitude


def exponential(x):
    """Returns exp(x) in units of 2^-31, for x <= 0 in units of 2^-26, as gemmlowp documents it."""
    if x == 0:
        return 2**31 - 1
    fraction = x % 2**24 - 2**24
    centred = (fraction << 5) + 2**28
    square = product(centred, centred)
    cube, fourth = product(square, centred), product(square, square)
    higher = halved(product(halved(fourth, 2) + cube, 715827883) + square, 1)
    result = min(1895147668 + product(1895147668, centred + higher), 2**31 - 1)
    # exp(-1/4), exp(-1/2), ... exp(-16).
    factors = [1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242]
    for bit, factor in enumerate(factors):
        if (fraction - x) >> (24 + bit) & 1:
            result = product(result, factor)
    return result


def exponentials(node):
    """Returns the exponentials of a softmax, by an element's distance from the greatest one."""
    beta = np.float64(node.options.scalar(0, "f") if node.options else 0)
    real = min(beta * np.float64(node.inputs[0].scales[0]) * 2.0**26, 2.0**31 - 1)
    if real <= 1:
        raise Refused("has an unusual scale")
    multiplier, exponent = (int(number) for number in fixed_point(real))
    farthest = int(31 * 2.0**26 / 2.0**exponent)
    return [exponential(product(-distance << exponent, multiplier)) if distance <= farthest else 0
            for distance in range(256)]


def softmax_facts(node):
    """Returns what a certificate has to state about a softmax, and how many results it needs."""
    source, length = node.inputs[0], node.inputs[0].shape[-1]
    if source.type not in (INT8, UINT8) or node.outputs[0].type != source.type:
        raise Refused("is not a softmax of bytes")
    table = exponentials(node)
    summands = [halved(number, 12) for number in table]
    if summands[0] != 1 << 19 or 1 not in summands or summands[255] or summands != sorted(summands)[::-1]:
        raise Refused("has exponentials that do not add up to every sum")
    least, greatest = summands[0], length * summands[0]
    # Each exponential occurs in the rows with at least its sum and that of the greatest element.
    pairs = sum(max(greatest - least - summand + 1, 0)
                for number, summand in zip(table[1:], summands[1:]) if number)
    words = np.array([least, greatest, *table], "<i8").tobytes()
    return {"channels": 1, "count": greatest - least + 1, "least": least, "greatest": greatest,
            "sha256": hashlib.sha256(words).hexdigest()}, pairs


def groups(node):
    """Returns the number of elements that a result combines, and of lanes that share nothing."""
    shape = node.operands[0].shape
    if node.name.endswith("_POOL_2D"):
        if len(shape) != 4 or node.options is None:
            raise Refused("does not pool images")
        width, height = node.options.scalar(3, "i"), node.options.scalar(4, "i")
        return min(height, shape[1]) * min(width, shape[2]), shape[3]
    if len(node.inputs) != 2 or node.inputs[1] is None or not node.inputs[1].is_constant:
        raise Refused("has no constant axes")
    axes = {int(axis) % len(shape) for axis in node.inputs[1].numbers()}
    size = int(np.prod([shape[axis] for axis in axes], dtype=np.int64))
    return size, node.operands[0].count // size


def grouped_results(node, argument):
    """Returns how many results have to be compared of a node that combines groups of bytes."""
    operands = node.operands
    if len(operands) != 1 or operands[0].type not in (INT8, UINT8):
        raise Refused("does not combine bytes")
    size, lanes = groups(node)
    results = sum(tensor.count for tensor in node.outputs)
    if argument == "every_sum":
        return results * -(-(255 * size + 1) // lanes)
    # For every place, 255 values stand out by one, and from the farthest value.
    return results * size * 2 * -(-255 // lanes)


def check_argument(node, proof):
    """Checks that a proved node's argument covers it."""
    argument, compared = proof["argument"], proof["comparisons"]
    results = sum(tensor.count for tensor in node.outputs)
    operands = node.operands
    widths = {INT8: 8, UINT8: 8, INT16: 16, FLOAT16: 16}
    bits = [widths.get(tensor.type) for tensor in operands]
    if argument == "every_sum" and node.name in WEIGHTED:
        facts = sum_facts(node)
        if proof["sums"] != facts:
            raise Refused(f"has the sums {facts}, and not {proof['sums']}")
        least = facts["count"]
    elif argument == "every_sum" and node.name == "SOFTMAX":
        facts, least = softmax_facts(node)
        if proof["sums"] != facts:
            raise Refused(f"has the sums {facts}, and not {proof['sums']}")
    elif proof["sums"] is not None:
        raise Refused("has no sums of its own")
    elif argument == "every_sum" and node.name in AVERAGES:
        least = grouped_results(node, argument)
    elif argument == "every_selection" and node.name in SELECTIONS:
        least = grouped_results(node, argument)
    elif argument == "shape_only" and node.name in SHAPES:
        least = results
    elif argument == "every_float" and node.name == "QUANTIZE":
        if [tensor.type for tensor in operands] != [FLOAT32] or node.outputs[0].type not in (INT8, UINT8):
            raise Refused("does not convert floats to bytes")
        # All but the NaNs: two signs, each up to infinity.
        least = 2 * (0x7F800000 + 1)
    elif argument == "every_pair" and node.name == "SOFTMAX":
        if bits != [8] or operands[0].shape[-1] != 2:
            raise Refused("does not have rows of two bytes")
        least = 2 << 16
    elif argument == "every_value" and (node.name in UNARY or node.name in BINARY):
        if len(operands) != 1 or None in bits:
            raise Refused("does not have one operand of few values")
        least = results << bits[0]
    elif argument == "every_pair" and node.name in BINARY:
        if bits != [8, 8]:
            raise Refused("does not have two operands of bytes")
        least = 1 << 16
    elif argument == "every_place" and node.name in MOVERS:
        least = results
        if operands and None not in bits:
            least = results * (1 << max(bits))
    else:
        raise Refused(f"is proved by '{argument}', which does not cover it")
    if compared < least:
        raise Refused(f"compared {compared} results, and needs {least}")


def check(certificate, data):
    """Raises `Refused` unless the certificate holds for the model."""
    if certificate.get("schema") != "ocellus-certificate" or certificate.get("schema_version") != 1:
        raise Refused("this is no certificate of a version that is known")
    model, proofs = certificate["model"], certificate["nodes"]
    if model != {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}:
        raise Refused("it is about another model")
    bound = [certificate["program_version"], certificate["instruction_set"], model, proofs]
    text = json.dumps(bound, ensure_ascii=False)
    if hashlib.sha256(text.encode()).hexdigest() != certificate["sha256"]:
        raise Refused("its contents are not those of its SHA-256")
    graphs = read_model(data)
    places = [(graph, node) for graph, nodes in enumerate(graphs) for node in range(len(nodes))]
    if [(proof["subgraph"], proof["node"]) for proof in proofs] != places:
        raise Refused("its nodes are not those of the model")
    for outcome in ("proved", "refuted", "not_proved"):
        if certificate[outcome] != sum(proof["outcome"] == outcome for proof in proofs):
            raise Refused(f"it has another number of nodes that are {outcome}")
    for proof in proofs:
        node = graphs[proof["subgraph"]][proof["node"]]
        try:
            known = not node.name.startswith("number ")
            if known and proof["operator"] != node.name:
                raise Refused(f"is {node.name}, and not {proof['operator']}")
            if proof["outcome"] == "proved":
                check_argument(node, proof)
            elif proof["argument"] is not None or not proof["reason"]:
                raise Refused("is not proved, and says no reason")
        except Refused as problem:
            raise Refused(f"node {proof['subgraph']}.{proof['node']} {problem}") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("certificate", help="what `ocellus prove -o` wrote")
    parser.add_argument("model", help="the .tflite file")
    arguments = parser.parse_args()
    with open(arguments.certificate, encoding="utf-8") as file:
        certificate = json.load(file)
    with open(arguments.model, "rb") as file:
        data = file.read()
    try:
        check(certificate, data)
    except (Refused, KeyError, TypeError) as problem:
        print(f"refused: {problem}", file=sys.stderr)
        return 1
    proved = certificate["proved"]
    print(f"the certificate holds: {proved} of {len(certificate['nodes'])} nodes are proved")
    return 0


if __name__ == "__main__":
    sys.exit(main())
