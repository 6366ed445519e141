"""Runs the official package's own tests of its interpreter, unchanged, on `ocellus.Interpreter`.

    official_interpreter_tests.py LITERT

LITERT is a checkout of google-ai-edge/LiteRT. The tests need TensorFlow (pip install tensorflow-cpu) for their base
classes and for the converter that makes their models, and a C++ compiler for their delegate. Tests that need what ocellus does not have are expected to
fail, each with its reason; the exit status is 1 if another one fails, or if one of these passes.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.platform import resource_loader

import ocellus.interpreter

HEADERS = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "OcellusC" / "include"

_DELEGATES = "needs a delegate's library: ocellus loads none, and says so"
_REGISTERERS = "needs custom operators registered through the official runtime's C++ classes"

EXPECTED_FAILURES = {
    "InterpreterCustomOpsTest.testRegistererByName": _REGISTERERS,
    "InterpreterCustomOpsTest.testRegistererByFunc": _REGISTERERS,
    "InterpreterCustomOpsTest.testRegisterGenAIOpsFailure": _REGISTERERS,
    "InterpreterTest.testSparseTensorAccess": _REGISTERERS,
    "InterpreterTest.testCreationCounter": "counts interpreters for Google's statistics, which ocellus does not keep",
    "InterpreterDelegateTest.testDelegate": _DELEGATES,
    "InterpreterDelegateTest.testMultipleInterpreters": _DELEGATES,
    "InterpreterDelegateTest.testOptions": _DELEGATES,
}


def converted(graph_file: pathlib.Path, inputs: list[str], **options) -> bytes:
    """Converts a graph of the tests' data, as their build does."""
    graph = text_format.Parse(graph_file.read_text(), tf.compat.v1.GraphDef())
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tensors = tf.import_graph_def(
            graph, name="", return_elements=[f"{name}:0" for name in inputs + ["output"]])
        converter = tf.compat.v1.lite.TFLiteConverter.from_session(session, tensors[:-1], tensors[-1:])
        for name, value in options.items():
            setattr(converter, name, value)
        return converter.convert()


def two_signatures() -> bytes:
    """Returns a model that adds in one signature and multiplies in the other."""

    class Calculator(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([1], tf.float32)])
        def add(self, x):
            return x + 2.0

        @tf.function(input_signature=[tf.TensorSpec([1], tf.float32)])
        def multiply(self, x):
            return x * 3.0

    calculator = Calculator()
    with tempfile.TemporaryDirectory() as folder:
        signatures = {"add": calculator.add, "multiply": calculator.multiply}
        tf.saved_model.save(calculator, folder, signatures=signatures)
        converter = tf.lite.TFLiteConverter.from_saved_model(folder, signature_keys=["add", "multiply"])
        return converter.convert()


def make_models(checkout: pathlib.Path, data: pathlib.Path) -> None:
    """Makes the tests' models in a folder with the checkout's structure."""
    source = checkout / "tflite" / "python" / "testdata"
    folder = data / "python" / "testdata"
    folder.mkdir(parents=True)
    (data / "testdata").mkdir()
    shutil.copy(checkout / "tflite" / "testdata" / "sparse_tensor.bin", data / "testdata")
    shutil.copy(source / "pc_conv.bin", folder)
    command = ["c++", "-shared", "-fPIC", f"-I{HEADERS}", source / "test_delegate.cc", "-o", folder / "test_delegate.so"]
    subprocess.run(command, check=True)
    uint8 = tf.compat.v1.lite.constants.QUANTIZED_UINT8
    models = {
        "permute_float": converted(source / "permute.pbtxt", ["input"]),
        "permute_uint8": converted(
            source / "permute.pbtxt", ["input"], inference_type=uint8, quantized_input_stats={"input": (0.0, 1.0)},
            default_ranges_stats=(0, 255), experimental_new_quantizer=False, experimental_new_converter=True),
        "gather_string": converted(source / "gather.pbtxt", ["input", "indices"]),
        "gather_string_0d": converted(source / "gather_0d.pbtxt", ["input", "indices"]),
        "two_signatures": two_signatures(),
    }
    for name, content in models.items():
        (folder / f"{name}.tflite").write_bytes(content)


def module(name: str, **members) -> None:
    """Adds a module, and the packages that it lies in, to those that can be imported."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        path = ".".join(parts[:end])
        if path not in sys.modules:
            made = types.ModuleType(path)
            made.__path__ = []
            made.__spec__ = importlib.machinery.ModuleSpec(path, None, is_package=True)
            sys.modules[path] = made
            if end > 1:
                setattr(sys.modules[".".join(parts[: end - 1])], parts[end - 1], made)
    for key, value in members.items():
        setattr(sys.modules[name], key, value)


def install_modules(data: pathlib.Path) -> None:
    """Puts `ocellus.interpreter` where the tests import the official one."""
    from tensorflow.lite.python import lite
    from tensorflow.lite.python.metrics import metrics

    module("tflite.python", interpreter=ocellus.interpreter)
    sys.modules["tflite.python.interpreter"] = ocellus.interpreter
    module("tflite.python.lite", TFLiteConverterV2=lite.TFLiteConverterV2, Interpreter=ocellus.interpreter.Interpreter)
    module("tflite.python.metrics.metrics", TFLiteMetrics=metrics.TFLiteMetrics)
    module(
        "tflite.python.testdata._pywrap_test_registerer",
        TF_TestRegisterer=lambda address: None, get_num_test_registerer_calls=lambda: 0)
    resource_loader.get_path_to_datafile = lambda path: str((data / "python" / path).resolve())


def run(checkout: pathlib.Path) -> bool:
    """Runs the tests and prints what differs from what is expected; returns whether nothing does."""
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder)
        make_models(checkout, data)
        install_modules(data)
        spec = importlib.util.spec_from_file_location("interpreter_test", checkout / "tflite/python/interpreter_test.py")
        tests = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tests)
        result = unittest.TestResult()
        unittest.defaultTestLoader.loadTestsFromModule(tests).run(result)

    failures = {".".join(test.id().split(".")[-2:]): text for test, text in result.failures + result.errors}
    surprises = {name: text for name, text in failures.items() if name not in EXPECTED_FAILURES}
    for name, text in surprises.items():
        print(f"FAILED {name}\n{text}")
    for name, reason in EXPECTED_FAILURES.items():
        print(f"{'expected' if name in failures else 'PASSED THOUGH EXPECTED TO FAIL'}: {name}: {reason}")
    passed = result.testsRun - len(failures) - len(result.skipped)
    print(f"{passed} of {result.testsRun} passed, {len(result.skipped)} skipped themselves")
    return not surprises and set(EXPECTED_FAILURES) <= set(failures)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(0 if run(pathlib.Path(sys.argv[1])) else 1)
