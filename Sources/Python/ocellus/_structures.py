"""Structures of the C interface that Python reads: tensors and the lists in them."""

from __future__ import annotations

import ctypes
from typing import Optional, Tuple

CONSTANT = 1
"""kTfLiteMmapRo: the memory of a tensor that is the model file's own, mapped read-only."""


DYNAMIC = 4
"""kTfLiteDynamic: the memory of a tensor that is from the heap and may grow, as that of strings."""


class _QuantizationParams(ctypes.Structure):
    _fields_ = [("scale", ctypes.c_float), ("zero_point", ctypes.c_int32)]


class _Quantization(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("params", ctypes.c_void_p)]


class TfLiteTensor(ctypes.Structure):
    """The structure TfLiteTensor of common.h."""

    _fields_ = [
        ("type", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("dims", ctypes.c_void_p),
        ("params", _QuantizationParams),
        ("allocation_type", ctypes.c_int),
        ("bytes", ctypes.c_size_t),
        ("allocation", ctypes.c_void_p),
        ("name", ctypes.c_void_p),
        ("delegate", ctypes.c_void_p),
        ("buffer_handle", ctypes.c_int),
        ("data_is_stale", ctypes.c_bool),
        ("is_variable", ctypes.c_bool),
        ("quantization", _Quantization),
        ("sparsity", ctypes.c_void_p),
        ("dims_signature", ctypes.c_void_p),
    ]


def integers(address: Optional[int]) -> Tuple[int, ...]:
    """Returns the elements of a TfLiteIntArray."""
    if not address:
        return ()
    count = ctypes.c_int.from_address(address).value
    return tuple((ctypes.c_int * count).from_address(address + ctypes.sizeof(ctypes.c_int)))
