#!/usr/bin/env python3
"""Computes a model with LiteRT, as `ocellus hunt --against` asks for it.

    pip install ai-edge-litert==2.3.0
    python3 run_litert.py MODEL.tflite INPUTS.npz RESULTS.npz [--kernels xnnpack|optimized|reference]

INPUTS.npz has the model's inputs, and RESULTS.npz gets its outputs, named as `ocellus trace` names tensors. The exit code
is 1 if LiteRT refuses the model. Only outputs are written: what lies between them may have been fused.
"""
import argparse
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter

from dump_litert import KERNELS, array_name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("inputs")
    parser.add_argument("results")
    parser.add_argument("--kernels", choices=KERNELS, default="xnnpack")
    arguments = parser.parse_args()
    inputs = np.load(arguments.inputs)
    try:
        runtime = Interpreter(arguments.model, experimental_op_resolver_type=KERNELS[arguments.kernels], num_threads=1)
        for detail in runtime.get_input_details():
            array = inputs[array_name(detail)]
            if list(detail["shape"]) != list(array.shape):
                runtime.resize_tensor_input(detail["index"], array.shape)
        runtime.allocate_tensors()
        for detail in runtime.get_input_details():
            runtime.set_tensor(detail["index"], inputs[array_name(detail)])
        runtime.invoke()
        results = {array_name(detail): runtime.get_tensor(detail["index"]) for detail in runtime.get_output_details()}
    except (RuntimeError, ValueError) as error:
        sys.exit(f"refused: {error}")
    np.savez(arguments.results, **results)


if __name__ == "__main__":
    main()
