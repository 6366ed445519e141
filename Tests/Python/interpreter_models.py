"""Interpreters of small models of Tests/Conformance."""

import functools
from typing import Any, Dict

import conformance_cases

import ocellus


@functools.lru_cache(maxsize=None)
def _models() -> Dict[str, bytes]:
    return {case.name: case.model for case in conformance_cases.cases()}


def model(name: str) -> bytes:
    """The bytes of a model."""
    return _models()[name]


def interpreter(name: str, allocated: bool = True, **arguments: Any) -> ocellus.Interpreter:
    """An interpreter of a model."""
    made = ocellus.Interpreter(model_content=model(name), **arguments)
    if allocated:
        made.allocate_tensors()
    return made
