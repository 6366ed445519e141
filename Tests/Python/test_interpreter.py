"""The interpreter's loading, tensors and extents, on small models of Tests/Conformance."""

import gc
import os
import pathlib
import sys
import tempfile
import unittest
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from interpreter_models import interpreter, model

import ocellus
from ocellus.interpreter import DelegateError, OpResolverType


class LoadingTest(unittest.TestCase):
    """What models and arguments may be."""

    def test_paths(self) -> None:
        """A path may be text, bytes or a path object."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m\u00f6del.tflite")
            pathlib.Path(path).write_bytes(model("ABS/float32_long"))
            for form in (path, os.fsencode(path), pathlib.Path(path)):
                made = ocellus.Interpreter(form)
                self.assertEqual(made.get_input_details()[0]["name"], "x0")

    def test_numerics(self) -> None:
        """Rules for numbers have names; `exact` is what the resolver BUILTIN_REF selects."""
        content = model("LOGISTIC/float32_long")
        results = {}
        for numerics in ("fast", "exact", "bfloat16", "litert", "litert-2.3/avx2", None):
            resolver = OpResolverType.AUTO if numerics else OpResolverType.BUILTIN_REF
            made = ocellus.Interpreter(
                model_content=content, numerics=numerics, experimental_op_resolver_type=resolver
            )
            made.allocate_tensors()
            place = made.get_input_details()[0]
            numbers = np.linspace(-9, 9, num=np.prod(place["shape"]), dtype="f")
            made.set_tensor(place["index"], numbers.reshape(place["shape"]))
            made.invoke()
            results[numerics] = made.get_tensor(made.get_output_details()[0]["index"])
        np.testing.assert_array_equal(results["exact"], results[None])
        for result in results.values():
            np.testing.assert_allclose(result, results["exact"], rtol=1e-5)
        for wrong, error in (("accurate", ValueError), ("", ValueError), ("fast\0", ValueError), (1, TypeError)):
            with self.assertRaises(error):
                ocellus.Interpreter(model_content=content, numerics=wrong)  # type: ignore[arg-type]

    def test_file_that_is_gone(self) -> None:
        """A model stays mapped when its file is deleted."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.tflite")
            pathlib.Path(path).write_bytes(model("ABS/float32_long"))
            made = ocellus.Interpreter(path)
        made.allocate_tensors()
        made.invoke()

    def test_wrong_models(self) -> None:
        """What cannot be read raises, in the official words."""
        content = model("ABS/float32_long")
        for arguments, text in (
            ({}, "must be specified"),
            ({"model_path": "x", "model_content": b"x"}, "Can't both provide"),
            ({"model_content": b"short"}, "The model is not a valid Flatbuffer buffer"),
            ({"model_content": content[:100]}, "The model is not a valid Flatbuffer buffer"),
            ({"model_path": "there is none"}, "Could not open 'there is none'"),
            ({"model_path": "/"}, "Could not open '/'"),
            ({"model_path": "/dev/null"}, "Could not open '/dev/null'"),
            ({"model_path": "a\0b"}, "null byte"),
        ):
            with self.assertRaisesRegex(ValueError, text):
                ocellus.Interpreter(**arguments)  # type: ignore[arg-type]
        for wrong in ({"model_path": 5}, {"model_content": "text"}, {"model_content": bytearray(content)}):
            with self.assertRaises(TypeError):
                ocellus.Interpreter(**wrong)  # type: ignore[arg-type]

    def test_empty_file(self) -> None:
        """An empty file is no model."""
        with tempfile.NamedTemporaryFile() as file:
            with self.assertRaisesRegex(ValueError, "is empty"):
                ocellus.Interpreter(file.name)

    def test_arguments(self) -> None:
        """Other arguments are checked."""
        for arguments, error, text in (
            ({"num_threads": -1}, ValueError, "num_threads should >= 1"),
            ({"num_threads": 4.2}, ValueError, "type of num_threads should be int"),
            ({"num_threads": 1 << 40}, TypeError, "32-bit"),
            ({"experimental_op_resolver_type": "test"}, ValueError, "op resolver type: test"),
            ({"experimental_preserve_all_tensors": "yes"}, TypeError, "True or False"),
            ({"experimental_delegates": [object()]}, ValueError, "Failed to load delegate"),
        ):
            with self.assertRaisesRegex(error, text), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                interpreter("ABS/float32_long", **arguments)
        interpreter("ABS/float32_long", num_threads=1_000_000, experimental_delegates=[])
        with self.assertWarns(UserWarning):
            interpreter("ABS/float32_long", experimental_preserve_all_tensors=1)

    def test_preserving_warns(self) -> None:
        """Who keeps all tensors is told what it costs, as by the official package."""
        with self.assertWarnsRegex(UserWarning, "experimental_preserve_all_tensors"):
            interpreter("ABS/float32_long", experimental_preserve_all_tensors=True)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            interpreter(
                "ABS/float32_long",
                experimental_preserve_all_tensors=True,
                experimental_op_resolver_type=ocellus.OpResolverType.BUILTIN_REF,
            )

    def test_delegates(self) -> None:
        """Loading a delegate raises what programs expect that go on without."""
        for error in (ValueError, OSError, DelegateError):
            with self.assertRaisesRegex(error, "Failed to load delegate from libedgetpu.so.1"):
                ocellus.load_delegate("libedgetpu.so.1")

    def test_custom_operators(self) -> None:
        """Without operators of a program's own the class for them is the interpreter."""
        made = ocellus.InterpreterWithCustomOps(model_content=model("ABS/float32_long"))
        made.allocate_tensors()
        with self.assertRaisesRegex(ValueError, "Looking up symbol 'None such' failed"):
            ocellus.InterpreterWithCustomOps(["None such"], model_content=model("ABS/float32_long"))


class TensorTest(unittest.TestCase):
    """Reading and writing tensors."""

    def test_round(self) -> None:
        """A run on what was set."""
        made = interpreter("ABS/float32_long")
        value = np.linspace(-1, 1, 312, dtype=np.float32).reshape(1, 8, 39)
        for form in (value, value[:, ::-1], np.asfortranarray(value), value.astype(">f4")):
            made.set_tensor(0, form)
            made.invoke()
            result = made.get_tensor(1)
            np.testing.assert_array_equal(result, np.abs(form))
            self.assertTrue(result.flags.owndata and result.flags.writeable)
        self.assertEqual(made.get_tensor(np.int64(1)).shape, (1, 8, 39))

    def test_wrong_values(self) -> None:
        """Values of other shapes and types are refused, in the official words."""
        made = interpreter("ABS/float32_long")
        right = np.zeros((1, 8, 39), np.float32)
        for value, text in (
            (right.astype(np.float64), "Got value of type FLOAT64 but expected type FLOAT32 for input 0, name: x0 "),
            (right[0], "Dimension mismatch. Got 2 but expected 3 for input 0."),
            (right[..., :-1], "Dimension mismatch. Got 38 but expected 39 for dimension 2 of input 0."),
            ("text", "Got value of type STRING"),
            (None, "Got value of type STRING"),
            ([[1], [1, 2]], ""),
        ):
            with self.assertRaisesRegex(ValueError, text):
                made.set_tensor(0, value)
        for index in ("0", 0.0, None, [0], 1 << 40):
            with self.assertRaises(TypeError):
                made.set_tensor(index, right)  # type: ignore[arg-type]
        for index in (-1, 2, 99):
            with self.assertRaisesRegex(ValueError, f"Invalid tensor index {index} exceeds max tensor index 2"):
                made.get_tensor(index)

    def test_order(self) -> None:
        """Without memory there is nothing to read, write or run."""
        made = interpreter("ABS/float32_long", allocated=False)
        with self.assertRaisesRegex(ValueError, r"Run allocate_tensors\(\) first"):
            made.get_tensor(0)
        with self.assertRaisesRegex(ValueError, r"Run allocate_tensors\(\) first"):
            made.tensor(0)()
        with self.assertRaisesRegex(ValueError, "Tensor is unallocated"):
            made.set_tensor(0, np.zeros((1, 8, 39), np.float32))
        with self.assertRaisesRegex(RuntimeError, "Invoke called on model that is not ready"):
            made.invoke()

    def test_scalars(self) -> None:
        """Tensors without dimensions come as scalars."""
        made = interpreter("COMPLEX_ABS/complex128_rank0")
        made.set_tensor(0, np.array(3 + 4j))
        made.invoke()
        self.assertEqual(made.get_tensor(1), 5)
        self.assertIsInstance(made.get_tensor(1), np.float64)

    def test_packed(self) -> None:
        """Elements of less than a byte come in bytes."""
        for name, least, greatest in (("int4", -8, 7), ("int2", -2, 1)):
            made = interpreter(f"CAST/{name}_to_float32")
            value = (np.arange(15) % (greatest - least + 1) + least).astype(np.int8).reshape(3, 5)
            made.set_tensor(0, value)
            np.testing.assert_array_equal(made.get_tensor(0), value)
            made.invoke()
            np.testing.assert_array_equal(made.get_tensor(1), value.astype(np.float32))
            with self.assertRaisesRegex(ValueError, f"must be between {least} and {greatest}"):
                made.set_tensor(0, value + np.int8(16))

    def test_strings(self) -> None:
        """Strings go in as text or bytes and come out as bytes."""
        made = interpreter("GATHER/string_matrix")
        details = made.get_input_details()
        index, shape = details[0]["index"], details[0]["shape"]
        self.assertIs(details[0]["dtype"], np.bytes_)
        made.set_tensor(index, np.full(shape, "h\u00e9"))
        self.assertEqual(set(made.get_tensor(index).ravel()), {"h\u00e9".encode()})
        made.set_tensor(index, np.full(shape, b"a\0b", object))
        self.assertEqual(set(made.get_tensor(index).ravel()), {b"a\0b"})
        for value in (np.full(shape, 5, object), np.full(shape, "a").tolist(), np.full(shape, "\ud800", object)):
            with self.assertRaises(ValueError):
                made.set_tensor(index, value)

    def test_constants(self) -> None:
        """Constants can be read and not written, whichever way."""
        made = interpreter("MODEL/resize_many")
        constant = made.get_tensor(2)
        with self.assertRaisesRegex(ValueError, "constant"):
            made.set_tensor(2, constant)
        view = made.tensor(2)()
        self.assertFalse(view.flags.writeable)
        with self.assertRaises(ValueError):
            view.flags.writeable = True


class ViewTest(unittest.TestCase):
    """Arrays in the interpreter's memory."""

    def test_view(self) -> None:
        """A view is the tensor itself."""
        made = interpreter("ABS/float32_long")
        view = made.tensor(0)
        view()[...] = -2
        self.assertEqual(made.get_tensor(0).max(), -2)
        made.invoke()
        self.assertEqual(made.tensor(1)().min(), 2)

    def test_held_views(self) -> None:
        """As long as there is a view nothing moves."""
        made = interpreter("ABS/float32_long")
        self.assertTrue(made._safe_to_run())
        held = made.tensor(0)()[0, 1:3]
        self.assertFalse(made._safe_to_run())
        for call in (made.invoke, made.allocate_tensors, lambda: made.resize_tensor_input(0, [1, 2, 3])):
            with self.assertRaisesRegex(RuntimeError, "There is at least 1 reference to internal data"):
                call()
        del held
        self.assertTrue(made._safe_to_run())
        made.invoke()

    def test_views_that_outlive(self) -> None:
        """A view keeps the memory that it shows."""
        views = []
        for _ in range(100):
            made = interpreter("ABS/float32_long")
            view = made.tensor(0)()
            view[...] = 3
            views.append(view[0, :2])
            del made, view
            gc.collect()
        self.assertEqual({float(view.max()) for view in views}, {3.0})

    def test_copies_are_free(self) -> None:
        """Copies hold nothing."""
        made = interpreter("ABS/float32_long")
        copy = made.get_tensor(0)
        made.invoke()
        self.assertEqual(copy.shape, (1, 8, 39))


class ResizingTest(unittest.TestCase):
    """Other extents."""

    def test_resize(self) -> None:
        """Inputs take other extents, and results follow."""
        made = interpreter("ABS/float32_long")
        made.resize_tensor_input(0, np.array([2, 3]))
        self.assertEqual(made.get_input_details()[0]["shape"].tolist(), [2, 3])
        with self.assertRaises(ValueError):
            made.get_tensor(0)
        with self.assertRaisesRegex(RuntimeError, "not ready"):
            made.invoke()
        made.allocate_tensors()
        made.set_tensor(0, np.full((2, 3), -1, np.float32))
        made.invoke()
        self.assertEqual(made.get_tensor(1).tolist(), [[1, 1, 1], [1, 1, 1]])

    def test_outputs(self) -> None:
        """Who resizes an output too, as tutorials do, gets what the inputs make of it."""
        made = interpreter("ABS/float32_long")
        made.resize_tensor_input(0, [4])
        made.resize_tensor_input(1, [9])
        self.assertEqual(made.get_output_details()[0]["shape"].tolist(), [9])
        made.allocate_tensors()
        self.assertEqual(made.get_output_details()[0]["shape"].tolist(), [4])

    def test_wrong_extents(self) -> None:
        """What cannot be extents raises, and the interpreter goes on."""
        made = interpreter("ABS/float32_long")
        for extents, error in (
            ([-1, 2], RuntimeError),
            ([1 << 30, 1 << 30], RuntimeError),
            ([[1, 2]], ValueError),
            (5, ValueError),
            ("a", ValueError),
            # NumPy 1 takes it for a negative number.
            ([1 << 31], RuntimeError if np.__version__.startswith("1.") else OverflowError),
        ):
            with self.assertRaises(error):
                made.resize_tensor_input(0, extents)
                made.allocate_tensors()
        made.resize_tensor_input(0, [0, 2])
        made.allocate_tensors()
        made.invoke()
        self.assertEqual(made.get_tensor(1).shape, (0, 2))

    def test_failed_allocation(self) -> None:
        """Where tensors cannot be allocated, nothing reads memory that is gone."""
        made = interpreter("MODEL/err_resize_broadcast")
        made.invoke()
        made.resize_tensor_input(made.get_input_details()[0]["index"], [5, 5, 5])
        with self.assertRaises(RuntimeError):
            made.allocate_tensors()
        with self.assertRaisesRegex(ValueError, "Tensor data is null"):
            made.get_tensor(made.get_output_details()[0]["index"])
        with self.assertRaises(RuntimeError):
            made.invoke()

    def test_strict(self) -> None:
        """Strictly, only open extents change."""
        made = interpreter("ABS/float32_long")
        with self.assertRaisesRegex(RuntimeError, "ResizeInputTensorStrict only allows"):
            made.resize_tensor_input(0, [1, 8, 40], strict=True)
        made = interpreter("MODEL/dynamic_signature")
        details = made.get_input_details()[0]
        self.assertIn(-1, details["shape_signature"])
        extents = [3 if extent == -1 else extent for extent in details["shape_signature"]]
        made.resize_tensor_input(details["index"], extents, strict=True)
        made.allocate_tensors()


if __name__ == "__main__":
    unittest.main()
