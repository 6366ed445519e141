#!/usr/bin/env python3
"""Counts on how many models `ocellus run --numerics litert` has the bits of LiteRT's default.

    pip install ai-edge-litert==2.3.0
    python3 litert_bits.py OCELLUS MODELS…                      .tflite files or folders of them
    python3 litert_bits.py OCELLUS MODELS… --numerics exact     another way to compute, for comparison

Every model is run once on the same random inputs by both. A line per model says how many elements of its outputs
differ and whether LiteRT delegated nodes; the last lines count models by the types of their weights.
"""
import argparse
import collections
import os
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from record import noise


def kind(interpreter):
    """Returns the numbers that a model computes with: int8, uint8, hybrid, float16 or float32."""
    types = collections.Counter(np.dtype(tensor["dtype"]).name for tensor in interpreter.get_tensor_details())
    activations = {np.dtype(tensor["dtype"]).name for tensor in
                   interpreter.get_input_details() + interpreter.get_output_details()}
    if types["float16"]:
        return "float16"
    for name in ("int8", "uint8", "int16"):
        if types[name] and types[name] >= types["float32"]:
            return name
    return "hybrid" if types["int8"] and "float32" in activations else "float32"


def run_litert(path, seed, resolver=OpResolverType.AUTO):
    """Returns LiteRT's interpreter after a run, its inputs and its outputs."""
    interpreter = Interpreter(model_path=path, experimental_op_resolver_type=resolver, num_threads=1)
    interpreter.allocate_tensors()
    random = np.random.default_rng(seed)
    inputs = []
    for details in interpreter.get_input_details():
        inputs.append(noise(random, details))
        interpreter.set_tensor(details["index"], inputs[-1])
    interpreter.invoke()
    outputs = [interpreter.get_tensor(details["index"]) for details in interpreter.get_output_details()]
    return interpreter, inputs, outputs


def run_ocellus(program, path, inputs, numerics, folder):
    """Returns the outputs of `ocellus run`."""
    command = [program, "run", path, "--numerics", numerics, "--output", folder, "--force"]
    for index, value in enumerate(inputs):
        file = os.path.join(folder, f"input{index}.npy")
        np.save(file, np.ascontiguousarray(value))
        command += ["--input", f"{index}={file}"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if result.returncode:
        raise RuntimeError(result.stderr.strip()[:200])
    names = [name for name in os.listdir(folder) if name[0].isdigit()]
    return [np.load(os.path.join(folder, name)) for name in sorted(names, key=lambda name: int(name.split("-")[0]))]


def differing(first, second):
    """Returns the number of elements of two lists of arrays, and of those that differ; all NaNs count as equal."""
    count, different = 0, 0
    for a, b in zip(first, second):
        count += a.size
        if a.shape != b.shape or a.dtype != b.dtype:
            different += a.size
            continue
        words = f"V{a.dtype.itemsize}"
        differs = np.ascontiguousarray(a).view(words) != np.ascontiguousarray(b).view(words)
        if a.dtype.kind == "f":
            differs &= ~(np.isnan(a) & np.isnan(b))
        different += int(differs.sum())
    return count, different


def models(paths):
    """Returns the models among files and folders."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for name in sorted(os.listdir(path)):
            if name.endswith(".tflite"):
                yield os.path.join(path, name)


def compare(options, path):
    """Runs one model in both ways; prints a line, and returns its kind and whether the bits are the same."""
    name = os.path.basename(path)[:56].ljust(56)
    try:
        interpreter, inputs, expected = run_litert(path, options.seed)
        model_kind = kind(interpreter)
    except (RuntimeError, ValueError) as error:
        print(name, "LiteRT:", str(error).splitlines()[0][:80], flush=True)
        return None
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = run_ocellus(options.program, path, inputs, options.numerics, folder)
    except (RuntimeError, subprocess.TimeoutExpired, ValueError) as error:
        print(name, model_kind.ljust(8), "ocellus:", str(error)[:80], flush=True)
        return model_kind, False
    count, different = differing(expected, found)
    print(name, model_kind.ljust(8), f"{different} of {count} differ", flush=True)
    return model_kind, different == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the path of ocellus")
    parser.add_argument("models", nargs="+", help=".tflite files, or folders of them")
    parser.add_argument("--numerics", default="litert", help="how ocellus computes (default: litert)")
    parser.add_argument("--seed", type=int, default=1, help="of the random inputs")
    options = parser.parse_args()
    same, total = collections.Counter(), collections.Counter()
    for path in models(options.models):
        outcome = compare(options, path)
        if outcome is None:
            continue
        total[outcome[0]] += 1
        same[outcome[0]] += outcome[1]
    for name in sorted(total):
        print(f"{name}: {same[name]} of {total[name]} models to the bit")
    print(f"all: {sum(same.values())} of {sum(total.values())}")
    sys.exit(0 if total else 1)


if __name__ == "__main__":
    main()
