#!/usr/bin/env python3
"""Makes the small models of Benchmarks/Results/found.md, and shows what is wrong with them.

    pip install ai-edge-litert==2.3.0 openvino==2026.4.1
    python3 found_models.py depthwise OUT.tflite      LiteRT 2.3.0 ends with a segmentation fault
    python3 found_models.py log_softmax OUT.tflite    OpenVINO 2026.4.1 normalises along another axis
    python3 found_models.py nearest OUT.tflite        OpenVINO 2026.4.1 takes the pixel to the left
    python3 found_models.py log OUT.tflite            LiteRT 2.3.0's delegate loses half of a logarithm's digits

Models are written; with --run they are computed as well, the first one in the process that it ends.
"""
import argparse

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema


class Model:
    """A model of float tensors under construction."""

    def __init__(self):
        self.model, self.graph = schema.ModelT(), schema.SubGraphT()
        self.model.version, self.model.buffers, self.model.operatorCodes = 3, [schema.BufferT()], []
        self.graph.tensors, self.graph.operators = [], []
        self.model.subgraphs = [self.graph]

    def sizes(self, numbers):
        """Returns a constant of 32-bit integers."""
        index = self.tensor([len(numbers)], 0)
        record = self.graph.tensors[index]
        record.type = schema.TensorType.INT32
        self.model.buffers[record.buffer].data = np.frombuffer(np.array(numbers, "<i4").tobytes(), np.uint8)
        return index

    def tensor(self, shape, constant=None):
        record = schema.TensorT()
        record.shape, record.name = shape, f"t{len(self.graph.tensors)}".encode()
        record.type, record.buffer = schema.TensorType.FLOAT32, 0
        if constant is not None:
            record.buffer = len(self.model.buffers)
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.full(shape, constant, np.float32).tobytes(), np.uint8)
            self.model.buffers.append(buffer)
        self.graph.tensors.append(record)
        return len(self.graph.tensors) - 1

    def operator(self, name, inputs, output, options=None):
        code = schema.OperatorCodeT()
        code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, name)
        code.version = 1
        self.model.operatorCodes.append(code)
        node = schema.OperatorT()
        node.opcodeIndex, node.inputs, node.outputs = len(self.model.operatorCodes) - 1, inputs, [output]
        if options is not None:
            node.builtinOptions = options
            node.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__.removesuffix("T"))
        self.graph.operators.append(node)
        return output

    def write(self, path, inputs, outputs):
        self.graph.inputs, self.graph.outputs = inputs, outputs
        builder = flatbuffers.Builder()
        builder.Finish(self.model.Pack(builder), b"TFL3")
        with open(path, "wb") as file:
            file.write(builder.Output())


def depthwise_options():
    options = schema.DepthwiseConv2DOptionsT()
    options.strideH = options.strideW = options.dilationHFactor = options.dilationWFactor = 1
    options.depthMultiplier = 1
    return options


def depthwise(path):
    """A depthwise convolution without a bias."""
    model = Model()
    x, weights, y = model.tensor([1, 1, 1, 1]), model.tensor([1, 1, 1, 1], 1), model.tensor([1, 1, 1, 1])
    model.operator("DEPTHWISE_CONV_2D", [x, weights], y, depthwise_options())
    model.write(path, [x], [y])
    return np.ones([1, 1, 1, 1], np.float32)


def log_softmax(path):
    """LOG_SOFTMAX of eight channels, behind a convolution of pictures of other extents."""
    model = Model()
    x, weights, bias = model.tensor([1, 8, 5, 8]), model.tensor([1, 1, 1, 8], 1), model.tensor([8], 0)
    middle, y = model.tensor([1, 8, 5, 8]), model.tensor([1, 8, 5, 8])
    model.operator("DEPTHWISE_CONV_2D", [x, weights, bias], middle, depthwise_options())
    model.operator("LOG_SOFTMAX", [middle], y, schema.LogSoftmaxOptionsT())
    model.write(path, [x], [y])
    return np.zeros([1, 8, 5, 8], np.float32)


def nearest(path):
    """The nearest pixels in a row of half the width, counted from the centres of pixels."""
    model = Model()
    x, size, y = model.tensor([1, 1, 8, 1]), model.sizes([1, 4]), model.tensor([1, 1, 4, 1])
    options = schema.ResizeNearestNeighborOptionsT()
    options.alignCorners, options.halfPixelCenters = False, True
    model.operator("RESIZE_NEAREST_NEIGHBOR", [x, size], y, options)
    model.model.operatorCodes[-1].version = 3
    model.write(path, [x], [y])
    return np.arange(8, dtype=np.float32).reshape(1, 1, 8, 1)


def log(path):
    """The logarithm of numbers just below 1."""
    model = Model()
    x, y = model.tensor([1, 64]), model.tensor([1, 64])
    model.operator("LOG", [x], y)
    model.write(path, [x], [y])
    return (1 - np.arange(1, 65, dtype=np.float32) * np.float32(2**-12)).reshape(1, 64)


MODELS = {"depthwise": depthwise, "log_softmax": log_softmax, "nearest": nearest, "log": log}


def run_litert(path, x):
    from ai_edge_litert.interpreter import Interpreter
    runtime = Interpreter(path)
    runtime.allocate_tensors()
    runtime.set_tensor(runtime.get_input_details()[0]["index"], x)
    runtime.invoke()
    return runtime.get_tensor(runtime.get_output_details()[0]["index"])


def run_openvino(path, x):
    import openvino
    compiled = openvino.Core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return np.asarray(next(iter(compiled([x]).values())))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=MODELS)
    parser.add_argument("path")
    parser.add_argument("--run", action="store_true")
    arguments = parser.parse_args()
    x = MODELS[arguments.name](arguments.path)
    if not arguments.run:
        return
    if arguments.name == "log_softmax":
        print("expected", -np.log(8), "OpenVINO", run_openvino(arguments.path, x).ravel()[0])
    if arguments.name == "nearest":
        print("expected", [1, 3, 5, 7], "OpenVINO", run_openvino(arguments.path, x).ravel())
    answer = run_litert(arguments.path, x)
    if arguments.name == "log":
        errors = np.abs(answer / np.log(x.astype(np.float64)) - 1)
        print("largest relative error of LiteRT", errors.max(), "at", x.ravel()[errors.argmax()])
    else:
        print("LiteRT", answer.ravel()[:4])


if __name__ == "__main__":
    main()
