#!/usr/bin/env python3
"""Dumps every tensor that the official runtime computes for a model, for `ocellus diff`.

    pip install ai-edge-litert==2.3.0
    python3 dump_litert.py MODEL.tflite -o dump.npz                    on random inputs
    python3 dump_litert.py MODEL.tflite -o dump.npz --input image=photo.npy
    python3 dump_litert.py MODEL.tflite -o dump.npz --trace tensors.npz   on the inputs of a trace
    ocellus diff MODEL.tflite dump.npz

Writes the inputs and all results of the main subgraph's nodes, by the reference kernels unless --kernels selects
others. Arrays have the names of `ocellus trace`'s files: the tensor's index, a dash, and its name.
"""
import argparse
import re
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

KERNELS = {
    "reference": OpResolverType.BUILTIN_REF,
    "optimized": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    "xnnpack": OpResolverType.BUILTIN,
}


def array_name(detail):
    """Returns the name of a tensor's file in `ocellus trace`, without its extension."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", detail["name"][:120])
    return f"{detail['index']}-{plain}" if plain else str(detail["index"])


def given_inputs(arguments):
    """Returns the arrays by the name or the index of an input."""
    given = {}
    for number, text in enumerate(arguments.input):
        name, _, path = text.rpartition("=")
        given[name or str(number)] = np.load(path)
    return given


def value(detail, position, given, trace, generator):
    """Returns an input's value: from the command line, from a trace, or random numbers."""
    for name in (detail["name"], str(position)):
        if name in given:
            return given[name]
    if trace is not None and array_name(detail) in trace:
        return trace[array_name(detail)]
    kind = np.dtype(detail["dtype"])
    if kind.kind == "f":
        return generator.random(detail["shape"]).astype(kind)
    if kind.kind in "iu" and kind.itemsize < 4:
        limits = np.iinfo(kind)
        return generator.integers(limits.min, limits.max, detail["shape"], dtype=kind, endpoint=True)
    if kind.kind in "iub":
        return generator.integers(0, 2, detail["shape"]).astype(kind)
    sys.exit(f"give input '{detail['name']}': there are no random numbers of {kind}")


def dump_parser(description):
    """Returns a parser of what all programs that write a runtime's tensors take."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("-o", "--output", required=True, help="the .npz file to write")
    parser.add_argument("--input", action="append", default=[], metavar="[NAME=]FILE.npy")
    parser.add_argument("--trace", metavar="FILE.npz", help="take the inputs from a trace")
    parser.add_argument("--seed", type=int, default=1, help="the seed of random inputs")
    return parser


def main():
    parser = dump_parser(__doc__)
    parser.add_argument("--kernels", choices=KERNELS, default="reference")
    arguments = parser.parse_args()

    runtime = Interpreter(
        arguments.model, experimental_op_resolver_type=KERNELS[arguments.kernels],
        experimental_preserve_all_tensors=True, num_threads=1)
    given = given_inputs(arguments)
    trace = np.load(arguments.trace) if arguments.trace else None
    generator = np.random.default_rng(arguments.seed)
    values = [value(detail, position, given, trace, generator)
              for position, detail in enumerate(runtime.get_input_details())]
    for detail, array in zip(runtime.get_input_details(), values):
        if list(detail["shape"]) != list(array.shape):
            runtime.resize_tensor_input(detail["index"], array.shape)
    runtime.allocate_tensors()
    for detail, array in zip(runtime.get_input_details(), values):
        runtime.set_tensor(detail["index"], array)
    runtime.invoke()

    arrays = {}
    results = {index for node in runtime._get_ops_details() for index in node["outputs"]}
    kept = results | {detail["index"] for detail in runtime.get_input_details()}
    for detail in runtime.get_tensor_details():
        if detail["index"] not in kept:
            continue
        try:
            arrays[array_name(detail)] = runtime.get_tensor(detail["index"])
        except ValueError:
            pass  # Delegates' buffers and resources have no value.
    np.savez(arguments.output, **arrays)
    print(f"{len(arrays)} tensors of {arguments.model} in {arguments.output}")


if __name__ == "__main__":
    main()
