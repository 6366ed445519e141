#!/usr/bin/env python3
"""Checks that `ocellus identify` names the runtime that computed an output, on models and runtimes of this machine.

    pip install ai-edge-litert==2.3.0 openvino
    python3 identify_runtimes.py OCELLUS MODELS…                .tflite files or folders of them
    python3 identify_runtimes.py OCELLUS MODELS… --count 10     models of each runtime (default: 10)

Every model is run on the same random inputs by LiteRT's reference kernels, its built-in kernels, its default delegate,
and OpenVINO. The name is right if it is that of the reference kernels ('exact') or of the default ('litert…') exactly
where the outputs have those bits, and no name otherwise. Outputs of the built-in kernels often have the bits of the
reference kernels, and then both names are right.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert.interpreter import OpResolverType

from litert_bits import differing, models, run_litert

RESOLVERS = {
    "reference kernels": OpResolverType.BUILTIN_REF,
    "built-in kernels": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    "default delegate": OpResolverType.AUTO,
}
# The greatest model that four runtimes take little time for.
MOST_BYTES = 8 << 20


def run_openvino(path, inputs):
    """Returns the outputs of OpenVINO; `None` where it does not take the model."""
    try:
        import openvino
        compiled = openvino.Core().compile_model(path, "CPU", {"INFERENCE_NUM_THREADS": 1})
        result = compiled([np.ascontiguousarray(value) for value in inputs])
        return [np.array(result[output]) for output in compiled.outputs]
    except (ImportError, RuntimeError):
        return None


def identify(program, path, inputs, outputs, folder):
    """Returns the names that `ocellus identify` gives."""
    command = [program, "identify", path, "--json"]
    for option, values in (("input", inputs), ("output", outputs)):
        for index, value in enumerate(values):
            file = os.path.join(folder, f"{option}{index}.npy")
            np.save(file, np.ascontiguousarray(value))
            command += [f"--{option}", f"{index}={file}"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if not result.stdout:
        raise RuntimeError(result.stderr.strip()[:200])
    return json.loads(result.stdout)["reproducing"]


def right_names(outputs, truth):
    """Returns the names that outputs deserve: of the runtimes that computed the same bits."""
    names = set()
    for runtime, name in (("reference kernels", "exact"), ("default delegate", "litert")):
        if differing(truth[runtime], outputs)[1] == 0:
            names.add(name)
    return names


def check(options, path):
    """Yields the runtimes of a model, what `identify` answered and whether that is right."""
    truth, inputs = {}, None
    for runtime, resolver in RESOLVERS.items():
        _, inputs, truth[runtime] = run_litert(path, options.seed, resolver)
    openvino = run_openvino(path, inputs)
    if openvino is not None and [value.shape for value in openvino] == [
            value.shape for value in truth["reference kernels"]]:
        truth["OpenVINO"] = openvino
    for runtime, outputs in truth.items():
        with tempfile.TemporaryDirectory() as folder:
            names = identify(options.program, path, inputs, outputs, folder)
        # 'fast' promises no other runtime's bits, and one processor's name is as good as another's.
        found = {name.partition("-")[0] for name in names} - {"fast"}
        yield runtime, names, found == right_names(outputs, truth)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the path of ocellus")
    parser.add_argument("models", nargs="+", help=".tflite files, or folders of them")
    parser.add_argument("--count", type=int, default=10, help="models of each runtime")
    parser.add_argument("--seed", type=int, default=1, help="of the random inputs")
    options = parser.parse_args()
    right, total = collections.Counter(), collections.Counter()
    for path in models(options.models):
        if min([total[name] for name in (*RESOLVERS, "OpenVINO")]) >= options.count:
            break
        if os.path.getsize(path) > MOST_BYTES:
            continue
        try:
            for runtime, names, is_right in check(options, path):
                total[runtime] += 1
                right[runtime] += is_right
                print(os.path.basename(path)[:48].ljust(48), runtime.ljust(18), "right" if is_right else "WRONG",
                      ", ".join(names) or "none", flush=True)
        except (RuntimeError, ValueError, KeyError) as error:
            print(os.path.basename(path)[:48].ljust(48), "not run:", str(error).splitlines()[0][:60], flush=True)
    for runtime in total:
        print(f"{runtime}: {right[runtime]} of {total[runtime]} right")
    sys.exit(0 if total and right == total else 1)


if __name__ == "__main__":
    main()
