#!/usr/bin/env python3
"""Records the official runtime's results for a model as a case for `ocellus verify`.

    pip install ai-edge-litert==2.3.0
    python3 record.py MODEL.tflite                              one run on random inputs
    python3 record.py MODEL.tflite --run image=photo.npy        one run on an array of yours
    python3 record.py MODEL.tflite --run x=a.npy --run x=2x8    two runs; the input is resized to 2x8
    ocellus verify cases

Writes OUT/<model>/<case>.json and .bin in the format that the page "Conformance cases" describes. The results are
those of the reference kernels. If the runtime rejects a model, the case expects that error.

With --oracle DEFAULT, the results are those of LiteRT's default, which delegates nodes to XNNPACK, and every bit
counts: `ocellus verify --numerics litert cases` compares with them.

Integer results must be equal. The tolerance of a float output is the larger of 1e-5 of its largest value and twice the
difference between the runtime's own reference and default kernels, but at most 0.2 percent of its largest value: in
layers that quantize, a float that differs in the last bit can change a result by a whole step.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import struct
import sys

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType

KERNELS = {
    "BUILTIN_REF": OpResolverType.BUILTIN_REF,
    "BUILTIN": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    "DEFAULT": OpResolverType.AUTO,
}


class Entry:
    """The subgraph that a model's caller runs, and the names of its inputs and outputs."""

    def __init__(self, model, signature):
        with open(model, "rb") as file:
            root = schema.Model.GetRootAsModel(file.read(), 0)
        self.subgraph, names = 0, {}
        if signature is not None:
            definition = next((s for s in map(root.SignatureDefs, range(root.SignatureDefsLength()))
                               if s.SignatureKey().decode() == signature), None)
            if definition is None:
                sys.exit(f"{model} has no signature '{signature}'")
            self.subgraph = definition.SubgraphIndex()
            pairs = [definition.Inputs(i) for i in range(definition.InputsLength())]
            pairs += [definition.Outputs(i) for i in range(definition.OutputsLength())]
            names = {pair.TensorIndex(): pair.Name().decode() for pair in pairs}
        graph = root.Subgraphs(self.subgraph)
        self.inputs = [int(graph.Inputs(i)) for i in range(graph.InputsLength())]
        self.outputs = [int(graph.Outputs(i)) for i in range(graph.OutputsLength())]
        self.names = {index: names.get(index) or (graph.Tensors(index).Name() or b"").decode()
                      for index in self.inputs + self.outputs}

    def position(self, name):
        """Returns the input that a name or an index refers to."""
        for position, index in enumerate(self.inputs):
            if name in (self.names[index], str(position)):
                return position
        sys.exit(f"there is no input '{name}'; there are {[self.names[i] for i in self.inputs]}")


class Run:
    """The resized inputs of a run, and its input and output arrays."""

    def __init__(self):
        self.resizes, self.inputs, self.outputs = [], [], []


class Outcome:
    """The runs of a model; the last one has no outputs if the runtime rejected it."""

    def __init__(self):
        self.runs, self.expect, self.message = [], "ok", None


def execute(model, entry, plan, seed, kernels):
    """Runs a model to the end, or until the runtime rejects a step."""
    outcome = Outcome()
    stage = "load_error"
    try:
        interpreter = Interpreter(
            model_path=model, experimental_op_resolver_type=KERNELS[kernels], num_threads=1)
        for stage in steps(interpreter, entry, plan, np.random.default_rng(seed), outcome.runs):
            pass
    except (RuntimeError, ValueError) as error:
        outcome.expect, outcome.message = stage, str(error)
    return outcome


def steps(interpreter, entry, plan, random, runs):
    """Runs a model, and yields before each step the kind of error that it would be."""
    engine, subgraph = interpreter._interpreter, entry.subgraph

    def details(index):
        return interpreter._get_tensor_details(index, subgraph)

    for wishes in plan:
        run = Run()
        runs.append(run)
        yield "allocate_error"
        for position, index in enumerate(entry.inputs):
            wish = wishes.get(position)
            shape = list(getattr(wish, "shape", wish) or [])
            if wish is not None and shape != list(details(index)["shape"]):
                run.resizes.append([position, [int(extent) for extent in shape]])
                engine.ResizeInputTensor(index, np.array(shape, np.int32), False, subgraph)
        if len(runs) == 1 or run.resizes:
            engine.AllocateTensors(subgraph)
        yield "invoke_error"
        for position, index in enumerate(entry.inputs):
            wish = wishes.get(position)
            value = wish if isinstance(wish, np.ndarray) else noise(random, details(index))
            run.inputs.append(value)
            engine.SetTensor(index, value, subgraph)
        engine.Invoke(subgraph)
        run.outputs = [np.array(engine.GetTensor(index, subgraph)) for index in entry.outputs]


def noise(random, details):
    """Returns floats from -1 to 1; any values of small integers; 0 or 1 for wider integers, which are often indices."""
    shape, dtype = details["shape"], np.dtype(details["dtype"])
    if dtype.kind == "f":
        return random.uniform(-1, 1, shape).astype(dtype)
    if dtype.kind == "c":
        return (random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)).astype(dtype)
    if dtype.kind == "b" or dtype.kind in "iu" and dtype.itemsize >= 4:
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    sys.exit(f"input '{details['name']}' has the type {dtype}: give it an array")


def in_process_of_its_own(*arguments):
    """Calls `execute` in a child process, because kernels may crash."""
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(execute, *arguments).result()
        except concurrent.futures.process.BrokenProcessPool:
            return None


class Recording:
    """The two files of a case under construction."""

    def __init__(self):
        self.values = bytearray()

    def tensor(self, position, index, name, value):
        """Adds the bytes of a tensor and returns its description."""
        self.values.extend(bytes(-len(self.values) % 16))
        is_text = value.dtype.kind in "SUO"
        raw = text(value) if is_text else np.ascontiguousarray(value).tobytes()
        row = {"index": position, "tensor": index, "name": name,
               "dtype": "string" if is_text else str(value.dtype),
               "shape": list(value.shape), "offset": len(self.values), "bytes": len(raw)}
        self.values.extend(raw)
        return row


def text(value):
    """Packs strings as TensorFlow Lite does: their count, the offset of each and of the end, the bytes."""
    words = [word if isinstance(word, bytes) else str(word).encode() for word in value.reshape(-1)]
    offsets = np.cumsum([4 * (len(words) + 2)] + [len(word) for word in words])
    return struct.pack(f"<{len(words) + 2}i", len(words), *offsets) + b"".join(words)


def tolerance(value, other, oracle):
    """Returns the tolerance of a result, as described at the top of this file."""
    if value.dtype.kind not in "fc" or oracle == "DEFAULT":
        return {"kind": "exact"}
    finite = np.abs(value[np.isfinite(value)].astype(np.complex128))
    largest = float(finite.max()) if finite.size else 0.0
    spread = 0.0
    if other is not None and other.shape == value.shape:
        distance = np.abs(other.astype(np.complex128) - value)
        spread = float(np.nan_to_num(distance, nan=0, posinf=0).max(initial=0))
    return {"kind": "close", "atol": max(1e-5 * largest, min(2 * spread, 2e-3 * largest)), "rtol": 1e-5}


def describe(entry, outcome, others, recording, oracle):
    """Returns the JSON members of a case that describe its runs."""
    def tensors(indices, values):
        return [recording.tensor(position, index, entry.names[index], value)
                for position, (index, value) in enumerate(zip(indices, values))]

    resizes, inputs, outputs = [], [], []
    for run, other in zip(outcome.runs, others):
        resizes.append(run.resizes)
        inputs.append(tensors(entry.inputs, run.inputs))
        outputs.append(tensors(entry.outputs, run.outputs))
        for row, value, near in zip(outputs[-1], run.outputs, other.outputs or [None] * len(run.outputs)):
            row["tolerance"] = tolerance(value, near, oracle)
    if outcome.expect != "ok":
        outputs = []
    if len(inputs) == 1:
        return {"resize": resizes[0], "inputs": inputs[0], "outputs": outputs[0] if outputs else []}
    return {"resizes": resizes, "inputs": inputs, "outputs": outputs}


def record(model, entry, options):
    """Writes both files of a case."""
    plan = [wishes(run, entry) for run in options.run] or [{}] * options.runs
    recording = Recording()
    outcome, other = (in_process_of_its_own(model, entry, plan, options.seed, kernels)
                      for kernels in (options.oracle, "BUILTIN_REF" if options.oracle == "BUILTIN" else "BUILTIN"))
    if outcome is None:
        sys.exit("the official runtime crashed: there is nothing to record")
    if not outcome.runs:
        outcome.runs.append(Run())
    case = {"op": "MODEL", "case": options.case, "seed": options.seed, "notes": options.notes,
            "oracle": options.oracle, "invocations": len(outcome.runs), "tolerance": {"kind": "exact"},
            "expect": outcome.expect}
    if options.signature is not None:
        case["signature"] = options.signature
    if outcome.message is not None:
        case["message"] = outcome.message
    # The default kernels may crash, or reject models that the reference kernels run.
    others = other.runs if other and other.expect == "ok" else [Run()] * len(outcome.runs)
    case.update(describe(entry, outcome, others, recording, options.oracle))
    return case, recording.values


def wishes(items, entry):
    """Returns the requested inputs of a run: an array or a shape by position."""
    result = {}
    for item in items:
        name, _, value = item.rpartition("=")
        if value.endswith(".npy"):
            result[entry.position(name)] = np.load(value, allow_pickle=False)
        elif re.fullmatch(r"\d+(x\d+)*", value):
            result[entry.position(name)] = [int(extent) for extent in value.split("x")]
        else:
            sys.exit(f"'{item}' is neither NAME=FILE.npy nor NAME=1x2x3")
    return result


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--out", default="cases", help="the folder of the corpus (default: cases)")
    parser.add_argument("--case", help="the name of the case (default: seed and its number)")
    parser.add_argument("--seed", type=int, default=1, help="of the random inputs")
    parser.add_argument("--runs", type=int, default=1, help="runs on random inputs, one after the other")
    parser.add_argument("--run", nargs="*", action="append", default=[], metavar="INPUT=WHAT",
                        help="one run: arrays from .npy files, or shapes of random ones; other inputs are random")
    parser.add_argument("--signature", help="the signature to run, instead of the first subgraph")
    parser.add_argument("--oracle", choices=KERNELS, default="BUILTIN_REF", help="whose results count")
    parser.add_argument("--notes", default="", help="one line on what the case is for")
    parser.add_argument("--copy", action="store_true",
                        help="put a copy of the model beside the case, instead of naming where it is")
    options = parser.parse_args()
    options.case = options.case or f"seed{options.seed}"

    case, values = record(options.model, Entry(options.model, options.signature), options)
    folder = os.path.join(options.out, os.path.splitext(os.path.basename(options.model))[0])
    base = os.path.join(folder, options.case)
    os.makedirs(folder, exist_ok=True)
    if options.copy:
        shutil.copyfile(options.model, base + ".tflite")
    else:
        case["model"] = os.path.relpath(options.model, folder)
    with open(base + ".json", "w") as file:
        json.dump(case, file, indent=1)
    with open(base + ".bin", "wb") as file:
        file.write(values)
    print(f"{base}.json: {case['expect']}" + (f": {case['message']}" if "message" in case else ""))


if __name__ == "__main__":
    main()
