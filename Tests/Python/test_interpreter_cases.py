"""Runs the small models of Tests/Conformance, and compares with what the official runtime computes."""

import pathlib
import sys
import unittest
from typing import Any, List, Optional

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import conformance_cases
from conformance_cases import Case

import ocellus

try:
    import ml_dtypes  # noqa: F401
except ImportError:
    ml_dtypes = None


def run(case: Case) -> List[List[Any]]:
    """The results of every run of a case, as the interpreter computes them."""
    interpreter = ocellus.Interpreter(
        model_content=case.model,
        experimental_op_resolver_type=ocellus.OpResolverType.BUILTIN_REF,
    )
    results = []
    for number in range(case.description["invocations"]):
        key = case.signature(number)
        if key is None:
            results.append(run_main(interpreter, case, number))
        else:
            results.append(run_signature(interpreter, case, number, key))
    return results


def run_main(interpreter: Any, case: Case, number: int) -> List[Any]:
    """Runs the main subgraph by its tensors' numbers."""
    inputs = interpreter.get_input_details()
    for position, extents in case.resizes(number):
        interpreter.resize_tensor_input(inputs[position]["index"], extents)
    if number == 0 or case.resizes(number):
        interpreter.allocate_tensors()
    for tensor in case.inputs[number]:
        interpreter.set_tensor(inputs[tensor["index"]]["index"], case.value(tensor))
    interpreter.invoke()
    outputs = interpreter.get_output_details()
    return [interpreter.get_tensor(outputs[each["index"]]["index"]) for each in case.outputs[number]]


def run_signature(interpreter: Any, case: Case, number: int, key: str) -> List[Any]:
    """Runs a signature by its names."""
    runner = interpreter.get_signature_runner(key)
    arguments = {tensor["name"]: case.value(tensor) for tensor in case.inputs[number]}
    results = runner(**arguments)
    return [results[each["name"]] for each in case.outputs[number]]


def difference(case: Case, got: Any, wanted: np.ndarray, tensor: Any) -> Optional[str]:
    """What is wrong with a result, if anything is."""
    got = np.asarray(got)
    if got.shape != wanted.shape:
        return f"the shape {got.shape} in the place of {wanted.shape}"
    if wanted.dtype == object:
        return None if got.tolist() == wanted.tolist() else "other strings"
    if got.dtype != wanted.dtype:
        return f"the type {got.dtype} in the place of {wanted.dtype}"
    defined = tensor.get("defined_bytes", wanted.nbytes) // max(wanted.itemsize, 1)
    got, wanted = got.reshape(-1)[:defined], wanted.reshape(-1)[:defined]
    tolerance = case.description["tolerance"]
    if tolerance["kind"] == "statistical":
        return None
    if tolerance["kind"] == "exact" or wanted.dtype.kind in "iub":
        equal = (got == wanted) | ((got != got) & (wanted != wanted))
        return None if equal.all() else f"{np.count_nonzero(~equal)} other elements"
    kind = np.complex128 if wanted.dtype.kind == "c" else np.float64
    close = np.isclose(got.astype(kind), wanted.astype(kind), tolerance["rtol"], tolerance["atol"], equal_nan=True)
    return None if close.all() else f"{np.count_nonzero(~close)} elements too far away"


class CasesTest(unittest.TestCase):
    """Every case ends as it should: with the results, or with an exception."""

    def assert_case(self, case: Case) -> None:
        """Runs a case and compares."""
        if case.expected != "ok":
            with self.assertRaises((ValueError, RuntimeError)):
                run(case)
            return
        for number, results in enumerate(run(case)):
            alternatives = case.description.get("alternatives", [])
            for position, (got, tensor) in enumerate(zip(results, case.outputs[number])):
                if tensor["dtype"] == "string" and not tensor["bytes"]:
                    # The official runtime has no strings there, where ours has those of the variable.
                    continue
                offsets = [None] + [each["outputs"][number][position] for each in alternatives]
                problems = [difference(case, got, case.value(tensor, offset), tensor) for offset in offsets]
                self.assertIn(None, problems, f"output {position} of run {number}: {problems[0]}")

    def test_cases(self) -> None:
        """All of them."""
        count = 0
        for case in conformance_cases.cases():
            types = {tensor["dtype"] for run in case.inputs + case.outputs for tensor in run}
            if "bfloat16" in types and ml_dtypes is None:
                continue
            count += 1
            with self.subTest(case.name):
                self.assert_case(case)
        self.assertGreater(count, 3600)


if __name__ == "__main__":
    unittest.main()
