"""Audits of interpreters, paths and bytes, as dictionaries."""

import json
import unittest
from pathlib import Path

import numpy as np

import ocellus

MODELS = Path(__file__).resolve().parents[2] / "Models"
LABELER = MODELS / "scenes-labeler.tflite"
SHAPE = (1, 96, 96, 3)


def allocated(inputs=None):
    interpreter = ocellus.Interpreter(str(LABELER))
    interpreter.allocate_tensors()
    if inputs is not None:
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], inputs)
    return interpreter


def pixels():
    return np.random.default_rng(1).integers(0, 256, SHAPE, np.uint8)


class ProfileTests(unittest.TestCase):
    def test_steps_have_times(self):
        profile = ocellus.profile(LABELER, runs=5)
        # Runs that other work on the machine interrupted are left out.
        self.assertIn(profile["runs"], range(1, 6))
        self.assertEqual(profile["threads"], 1)
        self.assertTrue(all(step["ms"] >= 0 and step["operator"] for step in profile["steps"]))
        self.assertEqual(ocellus.profile(LABELER, runs=1, num_threads=2)["threads"], 2)

    def test_it_runs_the_interpreter_that_it_gets(self):
        interpreter, twin = allocated(), allocated(pixels())
        ocellus.profile(interpreter, pixels(), runs=1)
        twin.invoke()
        index = twin.get_output_details()[0]["index"]
        np.testing.assert_array_equal(interpreter.get_tensor(index), twin.get_tensor(index))

    def test_wrong_numbers_of_runs(self):
        for runs in (0, -1, 10_001, 1 << 70):
            with self.assertRaisesRegex(ValueError, "runs"):
                ocellus.profile(LABELER, runs=runs)
        for runs in (None, 2.5, "3"):
            with self.assertRaises(TypeError):
                ocellus.profile(LABELER, runs=runs)

    def test_arrays_in_the_memory_of_the_interpreter_forbid_it(self):
        interpreter = allocated()
        view = interpreter.tensor(interpreter.get_input_details()[0]["index"])()
        with self.assertRaisesRegex(RuntimeError, "reference"):
            ocellus.profile(interpreter, runs=1)
        del view
        ocellus.profile(interpreter, runs=1)


class InspectionTests(unittest.TestCase):
    def test_audits_compare_with_plain_loops(self):
        audit = ocellus.audit(LABELER, pixels())
        self.assertEqual(audit["schema"], "ocellus-audit")
        self.assertTrue(all(node["different"] == 0 for node in audit["nodes"]))
        self.assertTrue(audit["findings"][0]["text"])

    def test_receipts_are_of_model_and_inputs(self):
        first = ocellus.receipt(LABELER, pixels())
        self.assertEqual(first, ocellus.receipt(LABELER.read_bytes(), [pixels()]))
        self.assertEqual(first, ocellus.receipt(allocated(pixels())))
        other = ocellus.receipt(LABELER)
        self.assertEqual(first["model"], other["model"])
        self.assertNotEqual(first, other)
        self.assertIn(
            ocellus.audit(LABELER, pixels())["receipt"]["root"], json.dumps(first)
        )

    def test_traces_have_every_tensor(self):
        trace = ocellus.trace(LABELER, pixels())
        self.assertEqual(trace, json.loads(json.dumps(trace)))
        self.assertIn("minimum", json.dumps(trace))

    def test_an_interpreter_stays_as_it_is(self):
        interpreter = allocated(pixels())
        interpreter.invoke()
        details = interpreter.get_input_details() + interpreter.get_output_details()
        before = [interpreter.get_tensor(detail["index"]) for detail in details]
        for look in (ocellus.audit, ocellus.receipt, ocellus.trace):
            look(interpreter)
        after = [interpreter.get_tensor(detail["index"]) for detail in details]
        for one, other in zip(before, after):
            np.testing.assert_array_equal(one, other)

    def test_tensors_without_memory(self):
        interpreter = ocellus.Interpreter(str(LABELER))
        for look in (ocellus.profile, ocellus.audit, ocellus.receipt, ocellus.trace):
            with self.assertRaisesRegex(RuntimeError, "ready"):
                look(interpreter)


class InputTests(unittest.TestCase):
    def test_inputs_go_by_name_and_number(self):
        detail = allocated().get_input_details()[0]
        expected = ocellus.receipt(LABELER, pixels())
        for inputs in ({detail["name"]: pixels()}, {detail["index"]: pixels()}, (pixels(),)):
            self.assertEqual(ocellus.receipt(LABELER, inputs), expected)

    def test_wrong_inputs_and_models(self):
        for inputs in ([], [pixels(), pixels()], {"nothing": pixels()}, pixels().astype(float)):
            with self.assertRaises(ValueError):
                ocellus.audit(LABELER, inputs)
        with self.assertRaises((ValueError, RuntimeError)):
            ocellus.audit(LABELER, pixels()[0])
        for model in (None, 3, [], object()):
            with self.assertRaisesRegex(TypeError, "a model is"):
                ocellus.audit(model)
        for model in ("there is no such.tflite", b"", b"nothing", MODELS):
            with self.assertRaises(ValueError):
                ocellus.audit(model)


if __name__ == "__main__":
    unittest.main()
