"""Profiles and audits of a model's runs.

Each function takes an interpreter with its inputs set, or the path or the bytes of a model, and returns the
dictionary that the command of the same name prints with `--json`. The functions are in `ocellus` itself, too.
"""

from __future__ import annotations

import json
import operator
import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _library, _native
from .interpreter import Interpreter

if TYPE_CHECKING:
    from typing import Sequence

    from numpy.typing import ArrayLike

    Model = Union[Interpreter, str, "os.PathLike[str]", bytes]
    """An interpreter whose tensors are allocated, a model's path, or its bytes."""
    Inputs = Union[ArrayLike, Sequence[ArrayLike], Mapping[Union[str, int], ArrayLike]]
    """An array for the only input, a list of arrays for all in the order of `get_input_details`, or a dictionary
    of arrays by the input's name or index."""

__all__ = ["audit", "profile", "receipt", "trace"]

_MOST_RUNS = 10_000


def profile(
    model: Model, inputs: Optional[Inputs] = None, *, runs: int = 50, num_threads: int = 1
) -> Dict[str, Any]:
    """Measures the time of each step of a run, and compares it with the machine's limits.

        steps = ocellus.profile("model.tflite", runs=100)["steps"]

    Args:
        model: An interpreter, or the path or bytes of a model. The interpreter is run, so its outputs change.
        inputs: An array for the only input, a list of arrays for all, or a dictionary by name or tensor index. Inputs
            take the shapes of their arrays. By default they keep their values: 0 in a new interpreter.
        runs: The number of runs, from 1 to 10000, with each step measured; as many others are measured as a whole.
        num_threads: The number of threads, if the function creates the interpreter.

    Returns:
        The fields of `ocellus profile --json`.

    Raises:
        RuntimeError: if the model cannot run, or the interpreter's tensors are not allocated.
    """
    count = operator.index(runs)
    if not 1 <= count <= _MOST_RUNS:
        raise ValueError(f"runs is from 1 to {_MOST_RUNS}, not {runs!r}")
    prepared = _prepared(model, inputs, num_threads)
    # This runs the program's interpreter, which may reallocate its outputs.
    prepared._ensure_safe()
    return _answer(prepared, "OcellusInterpreterProfile", count)


def audit(model: Model, inputs: Optional[Inputs] = None) -> Dict[str, Any]:
    """Compares the results of each layer in a run with those of the reference kernels.

    The arguments are those of `profile`. The interpreter is not changed: copies of it run, with variables in
    their initial state.

    Returns:
        The fields of `ocellus audit --json`: findings, layers, a receipt.
    """
    return _answer(_prepared(model, inputs), "OcellusInterpreterAudit")


def receipt(model: Model, inputs: Optional[Inputs] = None) -> Dict[str, Any]:
    """Returns digests of a run that others can check: of the model, of its inputs, and of all results.

    The arguments are those of `audit`. Written by `json.dump`, the receipt is a file for `ocellus receipt check`.

    Returns:
        The fields of `ocellus receipt`.
    """
    return _answer(_prepared(model, inputs), "OcellusInterpreterReceipt")


def trace(model: Model, inputs: Optional[Inputs] = None) -> Dict[str, Any]:
    """Returns statistics of every tensor in a run: minimum, maximum, mean, and the saturated share.

    The arguments are those of `audit`.

    Returns:
        The fields of `ocellus trace --json`.
    """
    return _answer(_prepared(model, inputs), "OcellusInterpreterTrace")


def _answer(interpreter: Interpreter, function: str, *arguments: int) -> Dict[str, Any]:
    native = interpreter._native
    with native.lock:
        _native.take_reports("")
        address = getattr(_library.engine(), function)(native.handle, *arguments)
        text = _library.owned_text(address)
    if text is None:
        _native.fail("The library does not say why it cannot do this.")
    answer: Dict[str, Any] = json.loads(text)
    return answer


def _prepared(model: Model, inputs: Optional[Inputs], num_threads: int = 1) -> Interpreter:
    """Returns an interpreter of a model with these inputs."""
    if isinstance(model, Interpreter):
        interpreter = model
    elif isinstance(model, (str, os.PathLike)):
        interpreter = Interpreter(model_path=os.fspath(model), num_threads=num_threads)
    elif isinstance(model, (bytes, bytearray)):
        interpreter = Interpreter(model_content=bytes(model), num_threads=num_threads)
    else:
        raise TypeError(
            f"a model is an Interpreter, a path, or the bytes of a file, not {type(model).__name__}"
        )
    arrays = [] if inputs is None else _by_index(interpreter.get_input_details(), inputs)
    is_resized = _resize(interpreter, arrays)
    if is_resized or interpreter is not model:
        interpreter.allocate_tensors()
    for index, array in arrays:
        interpreter.set_tensor(index, array)
    return interpreter


def _resize(interpreter: Interpreter, arrays: Iterable[Tuple[int, "np.ndarray[Any, Any]"]]) -> bool:
    """Gives inputs the shapes of their arrays, and returns whether a shape changed."""
    shapes = {detail["index"]: tuple(detail["shape"]) for detail in interpreter.get_input_details()}
    others = [(index, array) for index, array in arrays if array.shape != shapes[index]]
    for index, array in others:
        interpreter.resize_tensor_input(index, array.shape)
    return bool(others)


def _by_index(
    details: "Sequence[Mapping[str, Any]]", inputs: Inputs
) -> List[Tuple[int, "np.ndarray[Any, Any]"]]:
    """Returns pairs of a tensor's index and its array; Python numbers are converted to the input's type."""
    if isinstance(inputs, Mapping):
        pairs = [(_detail(details, key), value) for key, value in inputs.items()]
    else:
        arrays: List[Any] = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        if len(arrays) != len(details):
            raise ValueError(
                f"the model has {len(details)} inputs, not {len(arrays)}: "
                "give a list of as many arrays, or a dictionary"
            )
        pairs = list(zip(details, arrays))
    return [(detail["index"], _array(value, detail["dtype"])) for detail, value in pairs]


def _detail(details: "Sequence[Mapping[str, Any]]", key: Union[str, int]) -> "Mapping[str, Any]":
    for detail in details:
        if key in (detail["name"], detail["index"]):
            return detail
    names = ", ".join(f"{detail['name']!r} ({detail['index']})" for detail in details)
    raise ValueError(f"the model has no input {key!r}: it has {names}")


def _array(value: Any, kind: Any) -> "np.ndarray[Any, Any]":
    return value if isinstance(value, np.ndarray) else np.asarray(value, kind)
