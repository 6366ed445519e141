"""Writes one-operator models with sizes that networks have, for the operators that few networks use.

    operator_layers.py --out DIR [--seed N] [--only OP,OP]
    race_layers.py OCELLUS DIR

Races of whole models measure convolutions, activations and other operators of every network. This script
covers the rest: rounding and trigonometry, casts, integer arithmetic, comparisons, reductions, gathers,
copies, 16-bit activations and so on. The files are named OPERATOR-TYPE-NUMBER-SIZE.tflite, which
race_layers.py expects. Each seed gives other sizes and constants; the models of an operator do not depend
on --only.

LiteRT infers the shapes of the results, and runs each model once on the inputs of race_layers.py. Models
that it rejects are reported on the standard error output and left out.

Needs ai-edge-litert, numpy, one_layer.py and race_layers.py beside this file, and the folder of the package `confgen`
(the generator of the conformance cases) on PYTHONPATH.
"""

import argparse
import itertools
import pathlib

import numpy as np
from confgen.tflite import SAME, VALID, Q, schema

from one_layer import FAMILIES, dimensions, layers, write_models

# The shapes of activations in vision networks, then in transformers and similar networks.
IMAGES = [(1, 40, 40, 64), (1, 24, 24, 96), (1, 56, 56, 32)]
SHAPES = IMAGES + [(1, 128, 256), (4, 49, 192), (1, 14, 14, 336)]


# ---- One operand, element by element.

ELEMENTWISE_OPTIONS = {"LEAKY_RELU": {"alpha": 0.1}, "GELU": {"approximate": True}}


@layers("FLOOR CEIL ROUND SIN COS ELU SIGN LOG SQUARE ZEROS_LIKE RELU_N1_TO_1 RELU_0_TO_1 GELU", "f32")
@layers("ELU RELU_N1_TO_1 RELU_0_TO_1 GELU", "i8")
@layers("LEAKY_RELU RELU RELU6 ABS", "i16")
@layers("ABS NEG SIGN ZEROS_LIKE", "i32")
@layers("NEG", "i64")
@layers("LOGICAL_NOT", "bool")
def elementwise(layer):
    shape = layer.pick(SHAPES)
    # ABS keeps the scale of its input.
    quantization = layer.quantization if layer.operator == "ABS" else layer.other_quantization()
    layer.run([layer.input(shape)], [layer.output(quantization=quantization)],
              **ELEMENTWISE_OPTIONS.get(layer.operator, {}))
    return dimensions(shape)


@layers("LOGISTIC TANH", "i16")
def sigmoid(layer):
    """TensorFlow Lite prescribes the scales of 16-bit sigmoids."""
    shape = layer.pick(SHAPES)
    layer.run([layer.input(shape, quantization=Q(1 / 4096, 0))], [layer.output(quantization=Q(1 / 32768, 0))])
    return dimensions(shape)


CASTS = [("float32", "int32"), ("int32", "float32"), ("uint8", "float32"), ("float32", "uint8"), ("int64", "int32"),
         ("int32", "int64"), ("bool", "float32"), ("float32", "bool"), ("int64", "float32"), ("float32", "int8")]


@layers("CAST", "f32", variants=CASTS)
def cast(layer, source, target):
    shape = layer.pick(SHAPES)
    # Casts convert the stored numbers, so none of their tensors has a scale.
    x = layer.graph.input("x0", source, shape)
    layer.run([x], [layer.graph.output("y0", target)])
    return f"{source}-{target}-{dimensions(shape)}"


REQUANTIZED = [("int8", "int8"), ("uint8", "int8"), ("int8", "uint8"), ("int16", "int8"), ("int8", "int16"),
               ("int16", "int16"), ("float32", "int16")]


@layers("QUANTIZE", "i8", variants=REQUANTIZED)
def quantize(layer, source, target):
    shape = layer.pick(SHAPES)
    x = layer.input(shape, source, layer.other_quantization(source))
    layer.run([x], [layer.output(target, layer.other_quantization(target))])
    return f"{source}-{target}-{dimensions(shape)}"


@layers("DEQUANTIZE", "i16", variants=[("int16",), ("float16",)])
def dequantize(layer, source):
    shape = layer.pick(SHAPES)
    layer.run([layer.input(shape, source)], [layer.output("float32")])
    return f"{source}-{dimensions(shape)}"


@layers("FAKE_QUANT", "f32")
def fake_quant(layer):
    shape = layer.pick(SHAPES)
    layer.run([layer.input(shape)], [layer.output()], min=-3.0, max=3.0, numBits=8, narrowRange=False)
    return dimensions(shape)


@layers("BUCKETIZE", "f32")
def bucketize(layer):
    shape = layer.pick(SHAPES)
    layer.run([layer.input(shape)], [layer.output("int32")], boundaries=[-1.0, -0.5, 0.0, 0.5, 1.0])
    return dimensions(shape)


# ---- Two operands and more, element by element.

DIVISIONS = ("DIV", "FLOOR_DIV", "FLOOR_MOD")
FORMS = [("whole",), ("channels",), ("one",)]


def second_values(layer, shape):
    values = layer.values(shape)
    if layer.operator in DIVISIONS and layer.element == "float32":
        return np.abs(values) + np.float32(1)
    if layer.operator in DIVISIONS:
        return np.where(values == 0, 1, values).astype(values.dtype)
    if layer.operator == "POW" and layer.element == "int32":
        return np.abs(values) % 3
    return values


def operands(layer, form, quantization):
    """Adds an input and a second operand: another input of its shape, or a smaller constant."""
    shape = layer.pick(SHAPES)
    second = {"whole": shape, "channels": shape[-1:], "one": (1,)}[form]
    # The race feeds 0 and 1 to integers, and LiteRT rejects a division by 0.
    divides = layer.operator in DIVISIONS and layer.element != "float32"
    if form != "whole" or divides:
        other = layer.constant(second_values(layer, second), quantization)
    else:
        other = layer.input(second, quantization=quantization)
    return [layer.input(shape), other], f"{dimensions(shape)}-by-{dimensions(second)}"


@layers("ADD MUL SUB", "i32 i64", variants=FORMS)
@layers("DIV FLOOR_DIV POW", "f32 i32", variants=FORMS)
@layers("FLOOR_MOD", "f32 i32 i64", variants=FORMS)
@layers("SQUARED_DIFFERENCE", "f32 i8 i32", variants=FORMS)
@layers("BITWISE_XOR", "i32", variants=FORMS)
@layers("LOGICAL_AND LOGICAL_OR", "bool", variants=FORMS)
# LiteRT's ATAN2 does not broadcast.
@layers("ATAN2", "f32", variants=[("whole",)])
def arithmetic(layer, form):
    inputs, size = operands(layer, form, layer.other_quantization())
    layer.run(inputs, [layer.output(quantization=layer.other_quantization())])
    return size


@layers("MAXIMUM MINIMUM", "f32 i8 u8 i16 i32 i64", variants=FORMS)
def extremum(layer, form):
    inputs, size = operands(layer, form, layer.quantization)
    layer.run(inputs, [layer.output()])
    return size


@layers("EQUAL NOT_EQUAL LESS GREATER_EQUAL", "f32 i8 i32 i64", variants=FORMS)
def comparison(layer, form):
    inputs, size = operands(layer, form, layer.quantization)
    layer.run(inputs, [layer.output("bool")])
    return size


@layers("ADD_N", "f32 i32")
def sum_of_four(layer):
    shape = layer.pick(SHAPES)
    layer.run([layer.input(shape) for _ in range(4)], [layer.output()])
    return dimensions(shape)


@layers("SELECT_V2", "f32 i8 i32", count=3)
@layers("SELECT", "f32 i8 i32")
def select(layer):
    shape = layer.pick(SHAPES)
    # SELECT does not broadcast.
    other = layer.pick([shape, (1,), shape[-1:]]) if layer.operator == "SELECT_V2" else shape
    alternative = layer.input(other) if other == shape else layer.constant(layer.values(other))
    layer.run([layer.input(shape, "bool"), layer.input(shape), alternative], [layer.output()])
    return f"{dimensions(shape)}-{dimensions(other)}"


# ---- Reductions, and other operators along an axis.

AXES = [([1, 2],), ([3],), ([1],), ([1, 2, 3],)]


@layers("MEAN", "f32 i16 i32", variants=AXES)
@layers("SUM", "f32 i16 i32 i64", variants=AXES)
@layers("REDUCE_PROD", "f32 i32", variants=AXES)
@layers("REDUCE_MAX", "f32 i8 u8 i32", variants=AXES)
@layers("REDUCE_MIN", "f32 i8", variants=AXES)
@layers("REDUCE_ANY REDUCE_ALL", "bool", variants=AXES)
def reduction(layer, axes):
    shape = layer.pick(IMAGES)
    extreme = layer.operator in ("REDUCE_MAX", "REDUCE_MIN")
    result = layer.output(quantization=layer.quantization if extreme else layer.other_quantization())
    layer.run([layer.input(shape), layer.integers(axes)], [result], keepDims=layer.flip())
    return f"{dimensions(shape)}-over{'_'.join(map(str, axes))}"


@layers("ARG_MAX ARG_MIN", "f32 i8 i32", variants=list(itertools.product((-1, 1), ("int32", "int64"))))
def position_of_extremum(layer, axis, result):
    shape = layer.pick(IMAGES)
    layer.run([layer.input(shape), layer.integers(axis)], [layer.output(result)],
              outputType=getattr(schema.TensorType, result.upper()))
    return f"{dimensions(shape)}-{result}-ax{axis}"


@layers("TOPK_V2", "f32 i8 i32", count=3)
def top_k(layer):
    shape, count = layer.pick([((1, 1917), 100), ((1, 8400), 300), ((16, 1000), 5)])
    layer.run([layer.input(shape), layer.integers(count)], [layer.output(), layer.output("int32")])
    return f"{dimensions(shape)}-{count}"


@layers("CUMSUM", "f32 i32", count=3)
def cumulative_sum(layer):
    shape, axis = layer.pick([(1, 128, 256), (64, 512)]), layer.pick([-1, 0, 1])
    layer.run([layer.input(shape), layer.integers(axis)], [layer.output()], exclusive=False, reverse=False)
    return f"{dimensions(shape)}-ax{axis}"


@layers("WHERE", "bool")
def where(layer):
    shape = layer.pick([(1, 80, 80), (8400,)])
    layer.run([layer.input(shape)], [layer.output("int64")])
    return dimensions(shape)


@layers("LOG_SOFTMAX", "f32 i8", count=2)
def log_softmax(layer):
    shape = layer.pick([(1, 1000), (128, 91), (49, 29), (1, 31, 5000)])
    # TensorFlow Lite prescribes the scale of the results.
    layer.run([layer.input(shape, quantization=Q(0.1, 0))], [layer.output(quantization=Q(16 / 256, 127))])
    return dimensions(shape)


@layers("SOFTMAX", "i16", count=2)
def softmax(layer):
    shape = layer.pick([(1, 1000), (4, 49, 49), (1, 12, 64, 64)])
    # TensorFlow Lite prescribes the scale of the results.
    layer.run([layer.input(shape, quantization=Q(10 / 32768, 0))], [layer.output(quantization=Q(1 / 32768, 0))],
              beta=1.0)
    return dimensions(shape)


@layers("LOCAL_RESPONSE_NORMALIZATION", "f32", count=2)
def local_response_normalization(layer):
    shape = layer.pick([(1, 28, 28, 64), (1, 14, 14, 192)])
    layer.run([layer.input(shape)], [layer.output()],
              radius=layer.pick([2, 5]), bias=1.0, alpha=1e-4, beta=layer.pick([0.5, 0.75]))
    return dimensions(shape)


@layers("L2_NORMALIZATION", "f32 i8 u8", count=3)
def l2_normalization(layer):
    shape = layer.pick([(1, 128), (1, 512), (49, 64), (1, 20, 20, 256)])
    zero_point = 128 if layer.element == "uint8" else 0
    # TensorFlow Lite prescribes the scale of the results.
    layer.run([layer.input(shape, quantization=Q(0.05, zero_point))],
              [layer.output(quantization=Q(1 / 128, zero_point))])
    return dimensions(shape)


# ---- Gathering and scattering.

@layers("GATHER", "f32 i8 i32", count=2)
def gather_rows(layer):
    shape = layer.pick([(5000, 64), (1000, 256), (33600, 4), (300, 91)])
    count = layer.pick([100, 512])
    layer.run([layer.input(shape), layer.positions(shape[0], count)], [layer.output()], axis=0)
    return f"{dimensions(shape)}-{count}"


@layers("GATHER", "f32 i8 i32")
def gather_elements(layer):
    """Gathers from the middle axis of three, one element at a time."""
    shape, count = (1, layer.pick([56, 80]), 96), 64
    layer.run([layer.input(shape), layer.positions(shape[-1], count)], [layer.output()], axis=2)
    return f"{dimensions(shape)}-last-{count}"


@layers("GATHER_ND", "f32 i8 i32")
def gather_pixels(layer):
    shape, count = (1, 64, 64, 32), 1000
    indices = layer.positions((1, 64, 64), (count, 3))
    layer.run([layer.input(shape), indices], [layer.output()])
    return f"{dimensions(shape)}-{count}"


@layers("GATHER_ND", "f32 i8 i32")
def gather_scalars(layer):
    shape, count = (64, 64, 8), 4000
    layer.run([layer.input(shape), layer.positions(shape, (count, 3))], [layer.output()])
    return f"{dimensions(shape)}-scalars{count}"


@layers("SCATTER_ND", "f32 i32")
def scatter_rows(layer):
    count, rows, width = 1000, 4000, 32
    layer.run([layer.positions(rows, (count, 1)), layer.input((count, width)), layer.integers([rows, width])],
              [layer.output()])
    return f"{count}x{width}-{rows}"


@layers("ONE_HOT", "f32 i32")
def one_hot(layer):
    count, depth = 400, 91
    on, off = (layer.constant(np.array(value, layer.element)) for value in (1, 0))
    layer.run([layer.input((count,), "int32"), layer.integers(depth), on, off], [layer.output()], axis=-1)
    return f"{count}-{depth}"


@layers("EMBEDDING_LOOKUP", "f32 i8", count=2)
def embedding_lookup(layer):
    table = (layer.pick([1000, 10000]), layer.pick([16, 64, 128]))
    count = layer.pick([1, 64, 256])
    # The rows are an input, because otherwise the whole layer would be constant. LiteRT ignores zero points here.
    scale = layer.quantization and Q(layer.quantization.scale, 0)
    layer.run([layer.input((count,), "int32"), layer.constant(layer.values(table), scale)],
              [layer.output("float32")])
    return f"{dimensions(table)}-{count}"


@layers("DYNAMIC_UPDATE_SLICE", "f32")
def dynamic_update_slice(layer):
    """Writes one position of an attention cache."""
    shape = (1, 12, 128, 64)
    layer.run([layer.input(shape), layer.input((1, 12, 1, 64)), layer.input((4,), "int32")], [layer.output()])
    return dimensions(shape)


# ---- Copies.

@layers("TILE", "f32 i8 i32 bool", count=2)
def tile(layer):
    shape, times = layer.pick([((1, 1, 1, 64), (1, 40, 40, 1)), ((1, 1, 32, 16), (1, 32, 1, 1)),
                               ((1, 20, 20, 24), (1, 1, 1, 4))])
    layer.run([layer.input(shape), layer.integers(times)], [layer.output()])
    return f"{dimensions(shape)}-{dimensions(times)}"


@layers("BROADCAST_TO", "f32 i8 i32", count=3)
def broadcast_to(layer):
    shape, target = layer.pick([((1, 1, 1, 64), (1, 40, 40, 64)), ((1, 40, 40, 1), (1, 40, 40, 64)),
                                ((64,), (256, 64))])
    layer.run([layer.input(shape), layer.integers(target)], [layer.output()])
    return f"{dimensions(shape)}-{dimensions(target)}"


@layers("REVERSE_V2", "f32 i8 i32", count=3)
def reverse(layer):
    shape, axis = layer.pick(IMAGES), layer.pick([1, 2, 3])
    layer.run([layer.input(shape), layer.integers([axis])], [layer.output()])
    return f"{dimensions(shape)}-ax{axis}"


@layers("MIRROR_PAD", "f32 i8")
def mirror_pad(layer):
    shape = layer.pick(IMAGES)
    mode = layer.pick([schema.MirrorPadMode.REFLECT, schema.MirrorPadMode.SYMMETRIC])
    layer.run([layer.input(shape), layer.integers([[0, 0], [2, 2], [3, 3], [0, 0]])], [layer.output()], mode=mode)
    return dimensions(shape)


@layers("PADV2", "f32 i8 i32")
def pad_with_value(layer):
    shape = layer.pick(IMAGES)
    widths = layer.integers([[0, 0], [1, 1], [1, 1], [0, 0]])
    layer.run([layer.input(shape), widths, layer.constant(layer.values(()))], [layer.output()])
    return dimensions(shape)


@layers("SPACE_TO_BATCH_ND", "f32 i8")
def space_to_batch(layer):
    shape = (1, layer.pick([32, 40]), 40, 48)
    layer.run([layer.input(shape), layer.integers([2, 2]), layer.integers([[2, 2], [2, 2]])], [layer.output()])
    return dimensions(shape)


@layers("BATCH_TO_SPACE_ND", "f32 i8")
def batch_to_space(layer):
    shape = (4, layer.pick([16, 20]), 20, 48)
    layer.run([layer.input(shape), layer.integers([2, 2]), layer.integers([[1, 1], [1, 1]])], [layer.output()])
    return dimensions(shape)


@layers("PACK", "f32 i8 i32", count=3)
def pack(layer):
    shape, count = layer.pick([(1, 40, 64), (1, 2100, 4), (128,)]), layer.pick([2, 4, 8])
    axis = layer.pick([0, len(shape)])
    layer.run([layer.input(shape) for _ in range(count)], [layer.output()], valuesCount=count, axis=axis)
    return f"{dimensions(shape)}-{count}x-ax{axis}"


@layers("UNPACK", "f32 i8 i32", count=3)
def unpack(layer):
    shape = layer.pick([(3, 40, 64), (1, 40, 64, 4), (1, 128, 40)])
    axis = layer.pick([0, len(shape) - 1])
    layer.run([layer.input(shape)], [layer.output() for _ in range(shape[axis])], num=shape[axis], axis=axis)
    return f"{dimensions(shape)}-ax{axis}"


@layers("SPLIT", "f32 i8", count=2)
def split(layer):
    shape, count = layer.pick([(1, 40, 40, 64), (1, 8400, 4), (1, 128, 384)]), layer.pick([2, 4])
    layer.run([layer.integers(len(shape) - 1), layer.input(shape)], [layer.output() for _ in range(count)],
              numSplits=count)
    return f"{dimensions(shape)}-{count}"


@layers("SLICE", "f32 i8 i32", count=2)
def slice_of_image(layer):
    """Slices an image without its border and with half of its channels."""
    shape = layer.pick(IMAGES)
    _, height, width, channels = shape
    first = layer.pick([0, channels // 2])
    layer.run([layer.input(shape), layer.integers([0, 1, 1, first]),
               layer.integers([1, height - 2, width - 1, channels // 2])], [layer.output()])
    return dimensions(shape)


@layers("TRANSPOSE", "i16 i32 i64 bool", count=2)
def transpose(layer):
    shape, order = layer.pick([((1, 40, 40, 64), (0, 3, 1, 2)), ((1, 64, 40, 40), (0, 2, 3, 1)),
                               ((8, 128, 64), (0, 2, 1)), ((1, 12, 64, 32), (0, 2, 1, 3)),
                               ((32, 64, 48), (2, 0, 1))])
    layer.run([layer.input(shape), layer.integers(order)], [layer.output()])
    return f"{dimensions(shape)}-{''.join(map(str, order))}"


@layers("CONCATENATION", "u8 i16 i32 i64", count=2)
def concatenation(layer):
    shape = layer.pick([(1, 40, 40, 32), (1, 20, 20, 128), (1, 2100, 4)])
    axis = layer.pick([1, len(shape) - 1])
    # Only unsigned operands may have different scales.
    own = layer.element == "uint8" and layer.flip()
    inputs = [layer.input(shape, quantization=layer.other_quantization() if own else None) for _ in range(3)]
    layer.run(inputs, [layer.output()], axis=axis)
    return f"{dimensions(shape)}-ax{axis}"


# ---- Windows, matrix multiplications and transforms.

@layers("L2_POOL_2D", "f32")
@layers("AVERAGE_POOL_2D MAX_POOL_2D", "i16")
def pool(layer):
    shape, side = layer.pick(IMAGES), layer.pick([2, 3])
    layer.run([layer.input(shape)], [layer.output()], padding=layer.pick([SAME, VALID]),
              strideH=2, strideW=2, filterHeight=side, filterWidth=side)
    return dimensions(shape)


@layers("RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR", "u8 i16")
def resize(layer):
    shape = layer.pick(IMAGES)
    # Bilinear with and without aligned corners, nearest with and without half-pixel centers.
    option = "alignCorners" if layer.operator == "RESIZE_BILINEAR" else "halfPixelCenters"
    options = {"alignCorners": False, "halfPixelCenters": False, option: layer.flip()}
    layer.run([layer.input(shape), layer.integers([2 * shape[1], 2 * shape[2]])], [layer.output()], **options)
    return dimensions(shape)


UNDILATED = {"dilationDFactor": 1, "dilationHFactor": 1, "dilationWFactor": 1}


@layers("CONV_3D", "f32")
def convolution_3d(layer):
    shape = (1, 8, 24, 24, 8)
    weights = layer.constant(layer.normal((3, 3, 3, 8, 16), 0.2))
    layer.run([layer.input(shape), weights, layer.constant(layer.normal((16,)))], [layer.output()],
              padding=SAME, strideD=1, strideH=1, strideW=1, **UNDILATED)
    return dimensions(shape)


@layers("CONV_3D_TRANSPOSE", "f32")
def transposed_convolution_3d(layer):
    shape = (1, 4, 12, 12, 8)
    weights = layer.constant(layer.normal((3, 3, 3, 16, 8), 0.2))
    layer.run([layer.integers([1, 8, 24, 24, 16]), weights, layer.input(shape)], [layer.output()],
              padding=SAME, strideD=2, strideH=2, strideW=2, **UNDILATED)
    return dimensions(shape)


@layers("BATCH_MATMUL", "f32 i8 i16", count=4)
def batch_matmul(layer):
    """Multiplies as in attention: queries by keys, and probabilities by values."""
    rows, columns, depth, heads = layer.pick([(64, 64, 32, 4), (49, 49, 64, 8), (1, 128, 64, 12), (197, 197, 64, 3)])
    transposed = layer.flip()
    second = (heads, columns, depth) if transposed else (heads, depth, columns)
    layer.run([layer.input((heads, rows, depth)), layer.input(second, quantization=layer.other_quantization())],
              [layer.output(quantization=layer.other_quantization())],
              adjX=False, adjY=transposed, asymmetricQuantizeInputs=False)
    return f"{heads}x{rows}x{depth}x{columns}{'t' if transposed else ''}"


@layers("BATCH_MATMUL", "f32 i16", count=2)
def batch_matmul_by_bytes(layer):
    """Multiplies by a constant int8 matrix, as converters write projections."""
    rows, depth, columns = layer.pick([(64, 128, 512), (197, 192, 192), (800, 128, 128), (1, 256, 640)])
    weights = byte_weights(layer, (depth, columns))
    layer.run([layer.input((1, rows, depth)), weights], [layer.output(quantization=layer.other_quantization())],
              adjX=False, adjY=False, asymmetricQuantizeInputs=layer.flip())
    return f"{rows}x{depth}x{columns}-bytes"


# ---- Recurrent operators, with float and int8 weights.

def byte_weights(layer, shape):
    quantization = Q(float(np.float32(layer.random.uniform(0.002, 0.01))), 0)
    return layer.graph.const(layer.random.integers(-127, 128, shape).astype(np.int8), q=quantization)


def recurrent_weights(layer, are_bytes, shape):
    return byte_weights(layer, shape) if are_bytes else layer.constant(layer.normal(shape, 0.2))


@layers("UNIDIRECTIONAL_SEQUENCE_LSTM", "f32", count=2, variants=[(False,), (True,)])
def sequence_lstm(layer, are_bytes):
    steps, inputs, cells = layer.pick([(49, 40, 128), (28, 28, 20), (100, 64, 256), (16, 128, 64)])
    gates = [recurrent_weights(layer, are_bytes, (cells, depth)) for depth in 4 * [inputs] + 4 * [cells]]
    biases = [layer.constant(layer.normal((cells,), 0.2)) for _ in range(4)]
    states = [layer.graph.variable(name, "float32", (1, cells)) for name in ("outputs", "cells")]
    layer.run([layer.input((1, steps, inputs))] + gates + 3 * [None] + biases + 2 * [None] + states + 4 * [None],
              [layer.output()], fusedActivationFunction=4, cellClip=10.0, projClip=0.0, timeMajor=False,
              asymmetricQuantizeInputs=False)
    return f"{steps}x{inputs}x{cells}{'-bytes' if are_bytes else ''}"


@layers("UNIDIRECTIONAL_SEQUENCE_RNN", "f32", variants=[(False,), (True,)])
def sequence_rnn(layer, are_bytes):
    steps, inputs, units = layer.pick([(49, 40, 128), (28, 28, 64), (100, 64, 256)])
    layer.run([layer.input((1, steps, inputs)), recurrent_weights(layer, are_bytes, (units, inputs)),
               recurrent_weights(layer, are_bytes, (units, units)), layer.constant(layer.normal((units,), 0.2)),
               layer.graph.variable("hidden", "float32", (1, units))],
              [layer.output()], fusedActivationFunction=4, timeMajor=False, asymmetricQuantizeInputs=False)
    return f"{steps}x{inputs}x{units}{'-bytes' if are_bytes else ''}"


@layers("SVDF", "f32", variants=[(False,), (True,)])
def singular_values(layer, are_bytes):
    inputs, units, memory = layer.pick([(40, 256, 8), (128, 128, 16), (16, 40, 10)])
    layer.run([layer.input((1, inputs)), recurrent_weights(layer, are_bytes, (units, inputs)),
               recurrent_weights(layer, are_bytes, (units, memory)), layer.constant(layer.normal((units,), 0.2)),
               layer.graph.variable("memory", "float32", (1, units * memory))],
              [layer.output()], rank=1, fusedActivationFunction=1, asymmetricQuantizeInputs=False)
    return f"{inputs}x{units}x{memory}{'-bytes' if are_bytes else ''}"


@layers("SUM MEAN REDUCE_MAX", "f32 i8")
def reduce_apart(layer):
    """Reduces over axes that are not adjacent, as group normalization does."""
    shape = layer.pick([(1, 28, 28, 8, 16), (1, 40, 40, 4, 16), (4, 14, 14, 32, 4)])
    layer.run([layer.input(shape), layer.integers((1, 2, 4))], [layer.output()], keepDims=True)
    return dimensions(shape) + "-apart"


@layers("RFFT2D", "f32", count=3)
def fourier_transform(layer):
    """Transforms frames of sound: LiteRT transforms planes, here of one row, with sides that are powers of two."""
    shape = layer.pick([(49, 1, 512), (100, 1, 256), (1, 1, 1024)])
    layer.run([layer.input(shape), layer.integers(shape[1:])], [layer.output("complex64")])
    return dimensions(shape)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--only", default="", metavar="OP,OP")
    arguments = parser.parse_args()
    operators = {family.operator for family in FAMILIES}
    wanted = set(filter(None, arguments.only.split(","))) or operators
    if wanted - operators:
        parser.error(f"no layers of {', '.join(sorted(wanted - operators))}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    families = [family for family in FAMILIES if family.operator in wanted]
    written = write_models(families, arguments.seed, arguments.out)
    print(f"{sum(written.values())} models of {len(written)} operators in {arguments.out}")


if __name__ == "__main__":
    main()
