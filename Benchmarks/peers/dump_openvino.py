#!/usr/bin/env python3
"""Dumps the tensors that OpenVINO computes for a model on the processor, for `ocellus diff --within-bounds`.

    pip install openvino==2026.4.1 ai-edge-litert==2.3.0
    python3 dump_openvino.py MODEL.tflite -o dump.npz              on random inputs
    python3 dump_openvino.py MODEL.tflite -o dump.npz --fused      what its own plan leaves visible
    ocellus diff MODEL.tflite dump.npz --within-bounds

Every node's result becomes an output of the model, so that nothing is fused across it. With --fused, only the model's
own outputs are, and everything between them may be fused. The options are
those of dump_litert.py; LiteRT only tells how tensors are numbered. Floats are computed in float32.
"""
import tempfile

import flatbuffers
import numpy as np
import openvino
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter

from dump_litert import array_name, dump_parser, given_inputs, value


def expose(path):
    """Returns the model in this file with the results of all nodes as its outputs."""
    with open(path, "rb") as file:
        model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(file.read(), 0))
    graph = model.subgraphs[0]
    results = [int(index) for node in graph.operators for index in node.outputs if index >= 0]
    graph.outputs = np.array(list(dict.fromkeys([*graph.outputs, *results])), np.int32)
    # Signatures name outputs of the old list.
    model.signatureDefs = None
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def read(core, path, keeps_fused):
    """Reads a model, whose nodes are all visible unless they may be fused."""
    if keeps_fused:
        return core.read_model(path)
    with tempfile.NamedTemporaryFile(suffix=".tflite") as file:
        file.write(expose(path))
        file.flush()
        return core.read_model(file.name)


def main():
    parser = dump_parser(__doc__)
    parser.add_argument("--fused", action="store_true", help="keep OpenVINO's fused nodes")
    arguments = parser.parse_args()

    runtime = Interpreter(arguments.model)
    details = {detail["name"]: detail for detail in runtime.get_tensor_details()}
    core = openvino.Core()
    model = read(core, arguments.model, arguments.fused)

    given = given_inputs(arguments)
    trace = np.load(arguments.trace) if arguments.trace else None
    generator = np.random.default_rng(arguments.seed)
    inputs = {detail["name"]: value(detail, position, given, trace, generator)
              for position, detail in enumerate(runtime.get_input_details())}
    if any(port.get_partial_shape().is_dynamic for port in model.inputs):
        model.reshape({port: list(inputs[name].shape) for port in model.inputs
                       for name in port.get_names() if name in inputs})
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    answers = compiled({port: inputs[next(name for name in port.get_names() if name in inputs)]
                        for port in compiled.inputs})
    arrays = {array_name(details[name]): array for name, array in inputs.items()}
    for port in compiled.outputs:
        for name in port.get_names() & details.keys():
            arrays[array_name(details[name])] = np.asarray(answers[port])
    np.savez(arguments.output, **arrays)
    print(f"{len(arrays)} tensors of {arguments.model} in {arguments.output}")


if __name__ == "__main__":
    main()
