#!/usr/bin/env python3
"""Computes a model with OpenVINO on the processor, as `ocellus hunt --against` asks for it.

    pip install openvino==2026.4.1 ai-edge-litert==2.3.0
    python3 run_openvino.py MODEL.tflite INPUTS.npz RESULTS.npz

The arguments are those of run_litert.py. LiteRT only tells how tensors are numbered; it runs nothing. Floats are computed
in float32: OpenVINO would otherwise choose bfloat16 on some processors.
"""
import sys

import numpy as np
import openvino
from ai_edge_litert.interpreter import Interpreter

from dump_litert import array_name


def main():
    model_path, inputs_path, results_path = sys.argv[1:4]
    inputs = np.load(inputs_path)
    try:
        runtime = Interpreter(model_path)
        core = openvino.Core()
        model = core.read_model(model_path)
        compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        given = {detail["name"]: inputs[array_name(detail)] for detail in runtime.get_input_details()}
        answers = compiled({
            port: given[next(name for name in port.get_names() if name in given)] for port in compiled.inputs
        })
        results = {}
        for detail in runtime.get_output_details():
            port = next(port for port in compiled.outputs if detail["name"] in port.get_names())
            results[array_name(detail)] = np.asarray(answers[port])
    except (RuntimeError, ValueError, StopIteration) as error:
        sys.exit(f"refused: {error}")
    np.savez(results_path, **results)


if __name__ == "__main__":
    main()
