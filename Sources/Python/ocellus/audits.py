"""What a run of a model really computed, and where its time went.

Each function takes an interpreter whose inputs are set, or the path or the bytes of a model, and answers with the
dictionary that the command of the same name prints with `--json`. They are in `ocellus` itself too.
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
    """Where the time of a run goes, step by step, beside what the machine could do.

        steps = ocellus.profile("model.tflite", runs=100)["steps"]

    Args:
        model: An interpreter, or the path or bytes of a model. The interpreter is run, so its outputs change.
        inputs: An array for the only input, a list of arrays for all, or a dictionary by name or tensor index. Inputs
            take the shapes of their arrays. Unless given, they stay as they are: 0 in a new interpreter.
        runs: How often, from 1 to 10000: step by step, and as often as a whole.
        num_threads: The threads of an interpreter that is made for this.

    Returns:
        The fields of `ocellus profile --json`.

    Raises:
        RuntimeError: where the model cannot run, or the interpreter's tensors are not allocated.
    """
    count = operator.index(runs)
    if not 1 <= count <= _MOST_RUNS:
        raise ValueError(f"runs is from 1 to {_MOST_RUNS}, not {runs!r}")
    prepared = _prepared(model, inputs, num_threads)
    # It runs this very interpreter, which may give its outputs other memory.
    prepared._ensure_safe()
    return _answer(prepared, "OcellusInterpreterProfile", count)


def audit(model: Model, inputs: Optional[Inputs] = None) -> Dict[str, Any]:
    """What a run computes, layer by layer, and how far that is from what plain loops compute.

    The arguments are those of `profile`. An interpreter stays as it is: others like it run, with their
    variables as they are at first.

    Returns:
        The fields of `ocellus audit --json`: findings, layers, a receipt.
    """
    return _answer(_prepared(model, inputs), "OcellusInterpreterAudit")


def receipt(model: Model, inputs: Optional[Inputs] = None) -> Dict[str, Any]:
    """What a run computes, as digests that somebody else can check: of the model, of what it was shown, of results.

    The arguments are those of `audit`. Kept by `json.dump`, it is a file for `ocellus receipt check`.

    Returns:
        The fields of `ocellus receipt`.
    """
    return _answer(_prepared(model, inputs), "OcellusInterpreterReceipt")


def trace(model: Model, inputs: Optional[Inputs] = None) -> Dict[str, Any]:
    """Every tensor of a run in figures: minimum, maximum, mean, how much of it is saturated.

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
    """An interpreter of a model with these inputs."""
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
    """Gives inputs the shapes of their arrays; whether one had another."""
    shapes = {detail["index"]: tuple(detail["shape"]) for detail in interpreter.get_input_details()}
    others = [(index, array) for index, array in arrays if array.shape != shapes[index]]
    for index, array in others:
        interpreter.resize_tensor_input(index, array.shape)
    return bool(others)


def _by_index(
    details: "Sequence[Mapping[str, Any]]", inputs: Inputs
) -> List[Tuple[int, "np.ndarray[Any, Any]"]]:
    """Pairs of a tensor's index and its array, of the type that the input has where Python's numbers were given."""
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
