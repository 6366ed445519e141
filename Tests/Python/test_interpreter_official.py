"""Compares details with those of the official package, where it is installed (ai-edge-litert 2.3.0)."""

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
    # Before the official package, which has a type for bfloat16 then.
    import ml_dtypes  # noqa: F401
    from ai_edge_litert import interpreter as official
except ImportError:
    official = None

# A checkout may have larger models beside it.
_ZOO = pathlib.Path(__file__).resolve().parents[3] / "shared" / "zoo"


def difference(ours: Any, theirs: Any, place: str = "") -> Optional[str]:
    """Where two answers differ: in a key, a type or a value."""
    if type(ours) is not type(theirs):
        return f"{place}: {type(ours)} in the place of {type(theirs)}"
    if isinstance(ours, dict):
        if set(ours) != set(theirs):
            return f"{place}: the keys {sorted(ours)} in the place of {sorted(theirs)}"
        pairs = [(ours[key], theirs[key], f"{place}.{key}") for key in ours]
    elif isinstance(ours, (list, tuple)):
        if len(ours) != len(theirs):
            return f"{place}: {len(ours)} in the place of {len(theirs)}"
        pairs = [(*pair, f"{place}[{index}]") for index, pair in enumerate(zip(ours, theirs))]
    elif isinstance(ours, np.ndarray):
        equal = ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
        return None if equal else f"{place}: {ours!r} in the place of {theirs!r}"
    else:
        return None if ours == theirs else f"{place}: {ours!r} in the place of {theirs!r}"
    return next(filter(None, (difference(*pair) for pair in pairs)), None)


def description(interpreter: Any) -> Any:
    """All that an interpreter tells of a model."""
    return {
        "inputs": interpreter.get_input_details(),
        "outputs": interpreter.get_output_details(),
        "signatures": interpreter.get_signature_list(),
        "names": interpreter._get_full_signature_list(),
        "tensors": [interpreter.get_tensor_details(number) for number in range(interpreter.num_subgraphs())],
    }


def lasting(details: List[Any]) -> List[Any]:
    """Details without what kernels of the official package change: names, and signatures of strings."""
    kept = []
    for each in details:
        dropped = {"name", "shape_signature"} if each["dtype"] is np.bytes_ else {"name"}
        kept.append({key: value for key, value in each.items() if key not in dropped})
    return kept


@unittest.skipIf(official is None, "ai-edge-litert, the official package, is not installed")
class OfficialTest(unittest.TestCase):
    """Every key of every detail, its type and its value."""

    def assert_equal(self, ours: Any, theirs: Any) -> None:
        """Whether two answers are equal."""
        self.assertIsNone(difference(ours, theirs))

    def test_details_of_cases(self) -> None:
        """What models of Tests/Conformance say before they run, and their inputs and outputs behind it."""
        for case in conformance_cases.cases():
            if case.expected != "load_error" and not case.name.startswith("MODEL/err"):
                with self.subTest(case.name):
                    self.check(case)

    def check(self, case: Case) -> None:
        """Compares what is told of a model."""
        kind = "BUILTIN_REF" if case.description["oracle"] == "BUILTIN_REF" else "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
        ours = ocellus.Interpreter(model_content=case.model)
        theirs = official.Interpreter(
            model_content=case.model, experimental_op_resolver_type=official.OpResolverType[kind]
        )
        self.assert_equal(description(ours), description(theirs))
        if case.expected != "ok" or "signature" in case.description:
            return
        for interpreter in (ours, theirs):
            details = interpreter.get_input_details()
            for position, extents in case.resizes(0):
                interpreter.resize_tensor_input(details[position]["index"], extents)
            interpreter.allocate_tensors()
            for tensor in case.inputs[0]:
                if tensor["dtype"] != "int2":
                    interpreter.set_tensor(details[tensor["index"]]["index"], case.value(tensor))
            interpreter.invoke()
        self.assert_equal(ours.get_input_details(), theirs.get_input_details())
        self.assert_equal(lasting(ours.get_output_details()), lasting(theirs.get_output_details()))

    @unittest.skipUnless(_ZOO.is_dir(), f"there are no models in {_ZOO}")
    def test_details_of_the_zoo(self) -> None:
        """What larger models say before they run."""
        for path in sorted(_ZOO.glob("**/*.tflite")):
            if path.parent.name == "invalid":
                # Ours refuses some damaged models at once that the official one refuses to run.
                continue
            with self.subTest(path.name):
                try:
                    theirs = official.Interpreter(path)
                except ValueError:
                    continue
                self.assert_equal(description(ocellus.Interpreter(path)), description(theirs))


if __name__ == "__main__":
    unittest.main()
