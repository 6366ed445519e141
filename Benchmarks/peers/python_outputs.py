#!/usr/bin/env python3
"""Checks that the Python package computes what `ocellus run` does: `ocellus.Interpreter` on the same inputs.

    python3 python_outputs.py OCELLUS                 the small models of Tests/Conformance, with their inputs
    python3 python_outputs.py OCELLUS MODELS…         .tflite files or folders of them, with random inputs

Every model is run once by both. Outputs must have the same types, shapes and bits, and what one refuses the other must
refuse. The exit status is 1 if a model is different.
"""
import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Python"))

import ml_dtypes
import ocellus
from conformance_cases import cases
from ocellus import _strings

# They draw anew in every process.
RANDOM_OPERATORS = {"MULTINOMIAL", "RANDOM_STANDARD_NORMAL", "RANDOM_UNIFORM"}


def file_array(value):
    """Returns an array as `ocellus run` reads and writes it in .npy files, which have neither bfloat16 nor objects."""
    value = np.asarray(value)
    if value.dtype == ml_dtypes.bfloat16:
        return value.astype(np.float32)
    return value.astype(np.bytes_) if value.dtype == object else value


def write_input(value, folder, number):
    """Writes an input to a file, which it returns; strings as the tensor's bytes: .npy loses zeros at their ends."""
    value = np.asarray(value)
    if value.dtype == object:
        file = folder / f"input{number}.bin"
        file.write_bytes(_strings.encode(value.reshape(-1).tolist()))
    else:
        file = folder / f"input{number}.npy"
        np.save(file, file_array(value))
    return file


def run_program(program, model, inputs, signature, folder):
    """Returns the outputs of `ocellus run`, or the reason why there are none."""
    results = folder / "results"
    results.mkdir()
    command = [program, "run", model, "--output", results]
    if signature is not None:
        command += ["--signature", signature]
    for number, (key, value) in enumerate(inputs.items()):
        command += ["--input", f"{key}={write_input(value, folder, number)}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        return done.stderr.strip()
    files = {}
    for path in results.iterdir():
        number, _, name = path.stem.partition("-")
        # An interpreter lists a signature's outputs by name, as the official one does.
        files[int(number) if signature is None else name] = path
    return [np.load(files[key]) for key in sorted(files)]


def run_interpreter(model, inputs, signature):
    """Returns the interpreter's outputs, or the reason why there are none."""
    try:
        interpreter = ocellus.Interpreter(model)
        if signature is not None:
            results = interpreter.get_signature_runner(signature)(**inputs)
            return [file_array(results[name]) for name in interpreter.get_signature_list()[signature]["outputs"]]
        details = interpreter.get_input_details()
        for position, value in inputs.items():
            interpreter.resize_tensor_input(details[position]["index"], np.shape(value))
        interpreter.allocate_tensors()
        for position, value in inputs.items():
            interpreter.set_tensor(details[position]["index"], value)
        interpreter.invoke()
        return [file_array(interpreter.get_tensor(each["index"])) for each in interpreter.get_output_details()]
    except (ValueError, RuntimeError) as error:
        return str(error)


def is_random(model):
    """Returns whether a model draws numbers, so that every run has other results."""
    try:
        operations = ocellus.Interpreter(model)._get_ops_details()
    except ValueError:
        return False
    return any(each["op_name"] in RANDOM_OPERATORS for each in operations)


def difference(ours, theirs, compares_elements):
    """Returns how the interpreter's outputs differ from the program's; `None` if they do not."""
    if isinstance(ours, str) or isinstance(theirs, str):
        both = isinstance(ours, str) and isinstance(theirs, str)
        return None if both else f"the interpreter: {ours!r:.200}, ocellus run: {theirs!r:.200}"
    if len(ours) != len(theirs):
        return f"{len(ours)} outputs in the place of {len(theirs)}"
    for number, (one, other) in enumerate(zip(ours, theirs)):
        if one.shape != other.shape or one.dtype.kind != other.dtype.kind:
            return f"output {number} is {one.dtype}{one.shape} in the place of {other.dtype}{other.shape}"
        equal = one.tolist() == other.tolist() if one.dtype.kind == "S" else one.tobytes() == other.tobytes()
        if compares_elements and not equal:
            return f"output {number} has other elements"
    return None


def random_inputs(model):
    """Returns random inputs of a model by their positions: fractions, bytes, 0 or 1 for wider integers, short texts."""
    random = np.random.default_rng(1)
    inputs = {}
    try:
        details = ocellus.Interpreter(model).get_input_details()
    except ValueError:
        return inputs
    for position, each in enumerate(details):
        shape, dtype = tuple(each["shape"]), np.dtype(each["dtype"])
        if dtype.kind in "fc":
            inputs[position] = random.random(shape).astype(dtype)
        elif dtype.kind in "SO":
            inputs[position] = np.full(shape, b"some words", object)
        else:
            bounds = (0, 2) if dtype.itemsize > 2 or dtype == bool else (np.iinfo(dtype).min, np.iinfo(dtype).max + 1)
            inputs[position] = random.integers(*bounds, shape).astype(dtype)
    return inputs


def small_models(folder):
    """Yields names, files, inputs and signatures of the small models' first runs."""
    for case in cases():
        path = folder / "model.tflite"
        path.write_bytes(case.model)
        signature = case.signature(0)
        key = "index" if signature is None else "name"
        yield case.name, path, {each[key]: case.value(each) for each in case.inputs[0]}, signature


def larger_models(paths):
    """Yields the same of files and folders."""
    for path in map(pathlib.Path, paths):
        for file in sorted(path.glob("**/*.tflite")) if path.is_dir() else [path]:
            yield file.name, file, random_inputs(file), None


def main():
    """Compares all models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="OCELLUS")
    parser.add_argument("models", metavar="MODELS", nargs="*")
    arguments = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as top:
        models = larger_models(arguments.models) if arguments.models else small_models(pathlib.Path(top))
        for name, model, inputs, signature in models:
            with tempfile.TemporaryDirectory() as folder:
                theirs = run_program(arguments.program, model, inputs, signature, pathlib.Path(folder))
            ours = run_interpreter(model, inputs, signature)
            found = difference(ours, theirs, compares_elements=not is_random(model))
            if found:
                print(f"{name}: {found}")
            counts["different" if found else "refused by both" if isinstance(ours, str) else "equal"] += 1
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
