"""The interpreter's signatures, state, threads and imports, on small models of Tests/Conformance."""

import ctypes
import gc
import os
import pathlib
import subprocess
import sys
import threading
import unittest
from typing import Any

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from interpreter_models import interpreter

import ocellus


class SignatureTest(unittest.TestCase):
    """Calls by name."""

    def test_list(self) -> None:
        """Names are in the order of their bytes."""
        made = interpreter("SIGNATURE/single", allocated=False)
        self.assertEqual(
            made.get_signature_list(),
            {"serving_default": {"inputs": ["left", "right"], "outputs": ["difference", "sum"]}},
        )

    def test_calls(self) -> None:
        """Every signature runs its own subgraph."""
        made = interpreter("SIGNATURE/two_subgraphs", allocated=False)
        absolute, product = (made.get_signature_runner(key) for key in ("absolute", "product"))
        value = np.array([[-1, 2, -3], [4, -5, 6]], np.float32)
        factor = np.array([[1, 2], [3, 4]], np.float32)
        np.testing.assert_array_equal(absolute(x=value)["y"], np.abs(value))
        self.assertEqual(product(u=factor, v=factor)["w"].shape, (2, 2))
        self.assertEqual(absolute.get_input_details()["x"]["shape"].tolist(), [2, 3])
        self.assertEqual(list(product.get_output_details()), ["w"])
        self.assertEqual(made.get_tensor(2, subgraph_index=1).shape, (2, 2))

    def test_wrong_calls(self) -> None:
        """What the model has no names for raises."""
        made = interpreter("SIGNATURE/two_subgraphs", allocated=False)
        for key, text in ((None, "model has 2 Signatures"), ("none", 'provided: "none"'), ("", "None signature_key")):
            with self.assertRaisesRegex(ValueError, text):
                made.get_signature_runner(key)
        runner = made.get_signature_runner("absolute")
        value = np.zeros((2, 3), np.float32)
        with self.assertRaisesRegex(ValueError, "expected 1 vs provided 0"):
            runner()
        with self.assertRaisesRegex(ValueError, r"Invalid Input name \(z\)"):
            runner(z=value)
        with self.assertRaises(AttributeError):
            runner(x=[1.0])

    def test_runner_outlives(self) -> None:
        """A runner keeps the interpreter."""
        runner = interpreter("SIGNATURE/two_subgraphs", allocated=False).get_signature_runner("absolute")
        gc.collect()
        np.testing.assert_array_equal(runner(x=-np.ones((2, 3), np.float32))["y"], np.ones((2, 3)))

    def test_subgraphs(self) -> None:
        """Subgraphs are told apart."""
        made = interpreter("SIGNATURE/two_subgraphs")
        self.assertEqual(made.num_subgraphs(), 2)
        self.assertEqual(len(made.get_tensor_details(1)), 3)
        for number in (-1, 2):
            with self.assertRaisesRegex(ValueError, "subgraph_index is out of range"):
                made.get_tensor_details(number)
        with self.assertRaisesRegex(ValueError, "Invalid subgraph index 2 exceeds max subgraph index 2"):
            made.get_tensor(0, 2)


class OperationTest(unittest.TestCase):
    """What operations there are."""

    def test_operations(self) -> None:
        """Names, tensors and types of every operation."""
        made = interpreter("MODEL/resize_many", allocated=False)
        try:
            operations = made._get_ops_details()
        except NotImplementedError as error:
            self.skipTest(str(error))
        self.assertEqual([each["index"] for each in operations], list(range(len(operations))))
        first = operations[0]
        self.assertEqual(made._get_op_details(0)["op_name"], first["op_name"])
        self.assertEqual(first["inputs"].dtype, np.int32)
        types = [each["dtype"] for each in made.get_tensor_details()]
        self.assertEqual(first["operand_types"], [types[index] for index in first["inputs"] if index != -1])
        self.assertEqual(first["result_types"], [types[index] for index in first["outputs"]])
        for index in (-1, len(operations)):
            with self.assertRaisesRegex(ValueError, "Invalid node index"):
                made._get_op_details(index)


class RandomTest(unittest.TestCase):
    """Calls in any order."""

    def test_random_calls(self) -> None:
        """Whatever a program calls, it goes on."""
        script = pathlib.Path(__file__).resolve().parent / "random_calls.py"
        run = subprocess.run([sys.executable, str(script), "4000", "1"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("4018 calls", run.stdout)


class VariableTest(unittest.TestCase):
    """State from run to run."""

    def test_reset(self) -> None:
        """Resetting begins anew."""
        made = interpreter("VAR_HANDLE/accumulate_float32")
        details = made.get_input_details()[0]
        made.set_tensor(details["index"], np.ones(details["shape"], details["dtype"]))
        output = made.get_output_details()[0]["index"]

        def results() -> Any:
            made.invoke()
            return made.get_tensor(output)

        first, second = results(), results()
        self.assertFalse(np.array_equal(first, second))
        self.assertIsNone(made.reset_all_variables())  # type: ignore[func-returns-value]
        np.testing.assert_array_equal(results(), first)


class ThreadTest(unittest.TestCase):
    """Several threads and processes."""

    def test_shared_interpreter(self) -> None:
        """Threads that share an interpreter wait for each other."""
        made = interpreter("ABS/float32_long")
        failures = []

        def work(number: int) -> None:
            for step in range(200):
                try:
                    if (number + step) % 3 == 0:
                        made.resize_tensor_input(0, [1 + step % 5, 7])
                    made.allocate_tensors()
                    shape = made.get_input_details()[0]["shape"]
                    made.set_tensor(0, np.zeros(shape, np.float32))
                    made.invoke()
                    made.get_tensor(1)
                except (ValueError, RuntimeError):
                    # Another thread has asked for other extents in between.
                    continue
                except Exception as error:
                    failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_fork(self) -> None:
        """A process that forks behind a run goes on on both sides."""
        made = interpreter("ABS/float32_long", num_threads=2)
        made.invoke()
        child = os.fork()
        if child == 0:
            made.invoke()
            os._exit(int(made.get_tensor(1).sum() != 0))
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_writing_value_calls_back(self) -> None:
        """A value that changes the interpreter while it becomes an array does no harm."""
        made = interpreter("ABS/float32_long")

        class Meddling:
            def __array__(self, *_: Any, **__: Any) -> Any:
                made.resize_tensor_input(0, [4, 4])
                made.allocate_tensors()
                return np.zeros((1, 8, 39), np.float32)

        with self.assertRaisesRegex(ValueError, "Dimension mismatch"):
            made.set_tensor(0, Meddling())


class ImportTest(unittest.TestCase):
    """What `import ocellus` brings."""

    def test_import_is_light(self) -> None:
        """It loads neither the library nor NumPy."""
        program = "import sys, ocellus; assert 'numpy' not in sys.modules and 'ctypes' not in sys.modules"
        subprocess.run([sys.executable, "-c", program], check=True)

    def test_missing_library(self) -> None:
        """Where there is no library the exception says where it was looked for."""
        program = (
            "from ocellus import _library\n"
            "try: _library._library('libnothing.so', {})\n"
            "except ImportError as error: print(error)"
        )
        run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        self.assertIn("OCELLUS_LIBRARY_PATH", run.stdout)
        self.assertIn("libnothing.so", run.stdout)

    def test_missing_function(self) -> None:
        """A function that an older library lacks says so when it is called."""
        from ocellus import _library

        library = _library.Library("libocellus_c.so", {"TfLiteNothing": (ctypes.c_int, [])})
        with self.assertRaisesRegex(NotImplementedError, "has no TfLiteNothing"):
            library.TfLiteNothing()

    def test_names(self) -> None:
        """Every public name is there."""
        for name in ocellus.__all__:
            self.assertIsNotNone(getattr(ocellus, name))
        with self.assertRaises(AttributeError):
            ocellus.nothing


if __name__ == "__main__":
    unittest.main()
