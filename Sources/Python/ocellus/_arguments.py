"""Arguments as the official package takes them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Tuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def integer(value: Any, name: str) -> int:
    """Returns a number that fits into a C `int`, from any integer-like value; a `float` is rejected."""
    if type(value) is not int:
        value = _converted(value, name)
    if not -(1 << 31) <= value < 1 << 31:
        raise TypeError(f"incompatible function arguments: {name} is not a 32-bit integer: {value}")
    return int(value)


def _converted(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        # As in the official package, integral floats of NumPy are accepted, but not those of Python.
        if isinstance(value, np.generic) and not isinstance(value, (float, np.flexible)):
            return int(value)
        raise TypeError(f"incompatible function arguments: {name} is an integer, not {value!r}") from None


def boolean(value: Any, name: str) -> bool:
    """Returns a truth value, from anything but text and containers."""
    if value is None or isinstance(value, (bool, int, float, np.generic)):
        return bool(value)
    raise TypeError(f"incompatible function arguments: {name} is True or False, not {value!r}")


def text(value: Any, name: str) -> str:
    """Returns a text without null characters."""
    if not isinstance(value, str):
        raise TypeError(f"incompatible function arguments: {name} is a text, not {value!r}")
    if "\0" in value:
        raise ValueError(f"{name} contains a null character: {value!r}")
    return value


def extents(value: Any) -> NDArray[np.int32]:
    """Returns a shape as an array of any number of dimensions."""
    return np.array(value, dtype=np.int32)


def shape(extents: NDArray[np.int32]) -> Tuple[int, ...]:
    """Returns a shape as a tuple."""
    if extents.ndim != 1:
        raise ValueError(f"Shape should be 1D instead of {extents.ndim}.")
    return tuple(extents.tolist())
