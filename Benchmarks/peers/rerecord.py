#!/usr/bin/env python3
"""Records what LiteRT's default computes for conformance cases on this processor, such as a phone's or an emulator's.

    pip install ai-edge-litert==2.3.0
    python3 rerecord.py CASES OUT                        every case of a corpus that was unpacked
    python3 rerecord.py CASES OUT --match float32        those whose path contains a text
    ocellus verify --numerics litert-2.3/neon OUT        whether this engine has the bits

Every case is copied to OUT with the same model and inputs, and with the results of LiteRT's default, of which every bit
counts. Cases that expect an error are left out, and so are those that the default refuses. For 64-bit Arm by emulation:

    debootstrap --foreign --arch=arm64 --variant=minbase --include=python3 trixie ROOT       and unpack its packages
    PYTHONPATH=SITE qemu-aarch64 -cpu max -L ROOT ROOT/usr/bin/python3 rerecord.py CASES OUT

where SITE has the unpacked wheels of ai-edge-litert, NumPy and what they need.
"""
import argparse
import json
import os
import shutil
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType


class Refused(Exception):
    """A case that cannot be recorded, with the reason."""


def array(row, values):
    """Returns the array of a tensor's row."""
    if row["dtype"] in ("string", "int4", "uint4", "int2", "bfloat16"):
        raise Refused(f"holds {row['dtype']}")
    raw = values[row["offset"]:row["offset"] + row["bytes"]]
    return np.frombuffer(raw, np.dtype(row["dtype"])).reshape(row["shape"])


def runs(case, member):
    """Returns a case's lists of tensors, one for each run."""
    return case[member] if case["invocations"] > 1 else [case[member]]


def results(case, model, values):
    """Runs a case, and yields its outputs run by run."""
    interpreter = Interpreter(model_path=model, experimental_op_resolver_type=OpResolverType.AUTO, num_threads=1)
    indices = [details["index"] for details in interpreter.get_input_details()]
    resizes = case.get("resizes") or [case.get("resize", [])] + [[]] * (case["invocations"] - 1)
    for number, (wishes, inputs) in enumerate(zip(resizes, runs(case, "inputs"))):
        for position, shape in wishes:
            interpreter.resize_tensor_input(indices[position], shape)
        if number == 0 or wishes:
            interpreter.allocate_tensors()
        for row in inputs:
            interpreter.set_tensor(indices[row["index"]], array(row, values))
        interpreter.invoke()
        yield [interpreter.get_tensor(details["index"]) for details in interpreter.get_output_details()]


def rerecord(base, target, model):
    """Writes the copy of a case."""
    with open(base + ".json") as file:
        case = json.load(file)
    with open(base + ".bin", "rb") as file:
        values = bytearray(file.read())
    if case["expect"] != "ok" or "signature" in case:
        raise Refused("expects an error, or has a signature")
    for rows, outputs in zip(runs(case, "outputs"), results(case, model, bytes(values))):
        for row, value in zip(rows, outputs):
            raw = np.ascontiguousarray(value).tobytes()
            if str(value.dtype) != row["dtype"] or len(raw) != row["bytes"]:
                raise Refused("has results of other types or shapes")
            values[row["offset"]:row["offset"] + row["bytes"]] = raw
            row["tolerance"] = {"kind": "exact"}
    case["oracle"], case["tolerance"] = "DEFAULT", {"kind": "exact"}
    case.pop("alternatives", None)
    case.pop("model", None)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(model, target + ".tflite")
    with open(target + ".bin", "wb") as file:
        file.write(values)
    with open(target + ".json", "w") as file:
        json.dump(case, file)


def in_child(function, *arguments):
    """Calls a function in a child process, because kernels may crash; returns why it failed, or nothing."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            function(*arguments)
            message = ""
        except (Refused, RuntimeError, ValueError, KeyError) as error:
            message = str(error).splitlines()[0] if str(error) else type(error).__name__
        os.write(writer, message.encode()[:2000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        message = file.read()
    return message if os.waitpid(child, 0)[1] == 0 else "crashed"


def models(folder):
    """Yields the path of each case without its ending, and that of its model."""
    for root, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if not name.endswith(".json"):
                continue
            base = os.path.join(root, name[:-5])
            with open(base + ".json") as file:
                model = json.load(file).get("model")
            yield base, os.path.join(root, model) if model else base + ".tflite"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", help="the folder of a corpus")
    parser.add_argument("out", help="the folder of the copy")
    parser.add_argument("--match", default="", help="only cases whose path contains this")
    options = parser.parse_args()
    recorded = 0
    for base, model in models(options.cases):
        path = os.path.relpath(base, options.cases)
        if options.match not in path:
            continue
        failure = in_child(rerecord, base, os.path.join(options.out, path), model)
        recorded += not failure
        if failure:
            print(f"{path}: {failure}", file=sys.stderr, flush=True)
    print(f"{recorded} cases")
    sys.exit(0 if recorded else 1)


if __name__ == "__main__":
    main()
