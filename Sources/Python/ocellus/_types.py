"""The types of tensors: their numbers in C and in files, and their NumPy types."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_TYPE = 0
STRING = 5
INT4 = 18
BFLOAT16 = 19
INT2 = 20
UINT4 = 21

# The numbers of TfLiteType, in the order of the file format's TensorType.
FILE_TYPES = (1, 10, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)

# Types that NumPy lacks are represented by types for their values or, for eight-bit floats, their bits.
_NUMPY_TYPES: Dict[int, Any] = {
    1: np.float32,
    2: np.int32,
    3: np.uint8,
    4: np.int64,
    STRING: np.bytes_,
    6: np.bool_,
    7: np.int16,
    8: np.complex64,
    9: np.int8,
    10: np.float16,
    11: np.float64,
    12: np.complex128,
    13: np.uint64,
    14: np.object_,
    15: np.object_,
    16: np.uint32,
    17: np.uint16,
    INT4: np.int8,
    INT2: np.int8,
    UINT4: np.uint8,
    22: np.int8,
    23: np.int8,
}

_OF_NUMPY = {
    "f4": 1,
    "i4": 2,
    "u1": 3,
    "i8": 4,
    "b1": 6,
    "i2": 7,
    "c8": 8,
    "i1": 9,
    "f2": 10,
    "f8": 11,
    "c16": 12,
    "u8": 13,
    "u4": 16,
    "u2": 17,
}
_OF_ML_DTYPES = {"bfloat16": BFLOAT16, "float8_e4m3fn": 22, "float8_e5m2": 23}

# The number of elements in a byte, for types with more than one.
_ELEMENTS_PER_BYTE = {INT4: 2, UINT4: 2, INT2: 4}
_PACKED_RANGES = {INT4: (-8, 7), UINT4: (0, 15), INT2: (-2, 1)}


def numpy_type(number: int) -> Optional[Any]:
    """Returns the NumPy type of a tensor type, or `None` if there is none.

    `bfloat16` is the type of ml_dtypes or, if that is not installed, `uint16` with the same bits.
    """
    if number == BFLOAT16:
        try:
            return importlib.import_module("ml_dtypes").bfloat16
        except ImportError:
            return np.uint16
    return _NUMPY_TYPES.get(number)


def of_numpy(dtype: np.dtype[Any]) -> int:
    """Returns the tensor type to which arrays of a NumPy type may be written."""
    if dtype.kind in "OSU":
        return STRING
    by_name = _OF_ML_DTYPES.get(dtype.name)
    return by_name or _OF_NUMPY.get(f"{dtype.kind}{dtype.itemsize}", NO_TYPE)


def carries_bits(dtype: np.dtype[Any], number: int) -> bool:
    """Whether arrays of a NumPy type hold the bits of a type that NumPy lacks."""
    if number == BFLOAT16:
        return dtype == numpy_type(number)
    return number in (22, 23) and dtype in (np.int8, np.uint8)


def has_no_values(number: int) -> bool:
    """Whether tensors of a type refer to objects of the interpreter, which no array can represent."""
    return number in (14, 15)


def is_packed(number: int) -> bool:
    """Whether several elements share a byte."""
    return number in _ELEMENTS_PER_BYTE


def unpacked(packed: NDArray[np.uint8], number: int, count: int) -> NDArray[Any]:
    """Returns the elements of a packed tensor, one per byte."""
    per_byte = _ELEMENTS_PER_BYTE[number]
    width = 8 // per_byte
    # Shifts elements to the top of their bytes, because shifting them down again extends their signs.
    shifts = np.arange(8 - width, -1, -width, dtype=np.uint8)
    bits = (packed[:, None] << shifts).astype(np.uint8).reshape(-1)[:count]
    signed = bits if number == UINT4 else bits.view(np.int8)
    elements: NDArray[Any] = signed >> signed.dtype.type(8 - width)
    return elements


def packed(values: NDArray[Any], number: int) -> NDArray[np.uint8]:
    """Packs elements with one per byte, several to a byte, the first in the lowest bits."""
    per_byte = _ELEMENTS_PER_BYTE[number]
    width = 8 // per_byte
    bits = np.zeros(-(-values.size // per_byte) * per_byte, np.uint8)
    bits[: values.size] = values.reshape(-1).view(np.uint8) & np.uint8((1 << width) - 1)
    shifts = np.arange(0, 8, width, dtype=np.uint8)
    parts: NDArray[np.uint8] = bits.reshape(-1, per_byte) << shifts
    return np.sum(parts, axis=1, dtype=np.uint8)


def packed_range(number: int) -> Tuple[int, int]:
    """Returns the smallest and the largest value of a packed type."""
    return _PACKED_RANGES[number]
