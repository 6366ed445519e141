"""Reading and writing the tensors of an interpreter."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, List, NoReturn, Optional, Tuple

import numpy as np

from . import _strings, _structures, _types
from ._native import Native

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Array = NDArray[Any]


NO_DATA = (
    "Tensor data is null. Run allocate_tensors() first. Intermediate results are kept only by interpreters"
    " that were created with experimental_preserve_all_tensors=True."
)


class Tensor:
    """A TfLiteTensor, whose structure stays at its address while the interpreter lives.

    The data that it points to moves in an allocation, and in a run that determines shapes. So every call compares
    the structure with its last contents, which is faster than creating an array.
    """

    def __init__(self, native: Native, index: int, address: int, is_sparse: bool) -> None:
        self.index = index
        self._native = native
        self._address = address
        self._is_sparse = is_sparse
        self._structure = _structures.TfLiteTensor.from_address(address)
        # Reading a memory view is several times as fast as reading a structure.
        self._structure_memory = memoryview(self._structure)
        self._seen = b""
        self._rank: Any = None
        self._seen_rank = 0
        self._extents_memory: Any = None
        self._seen_extents = b""
        self._view: Optional[_Array] = None
        # The shape and type of arrays that can be copied directly, and whether reads can be direct copies.
        self._plain_shape: Optional[Tuple[int, ...]] = None
        self._plain_type: Any = None
        self._is_plain = False

    # ---- Description ----

    @property
    def type(self) -> int:
        """The number of the tensor's type."""
        number: int = self._structure.type
        return number

    @property
    def shape(self) -> Tuple[int, ...]:
        """The current shape."""
        return _structures.integers(self._structure.dims)

    @property
    def is_constant(self) -> bool:
        """Whether the bytes belong to the model."""
        return bool(self._structure.allocation_type == _structures.CONSTANT)

    @property
    def _has_data(self) -> bool:
        return bool(self._structure.data) or not self._structure.bytes

    def _type_name(self, number: int) -> str:
        name: bytes = self._native.library.TfLiteTypeGetName(number)
        return name.decode()

    # ---- Memory ----

    def _current(self) -> Optional[_Array]:
        """Returns an array in the tensor's memory for internal use only; `None` if it has no memory."""
        if (
            self._structure_memory.tobytes() == self._seen
            and self._rank.value == self._seen_rank
            and self._extents_memory.tobytes() == self._seen_extents
        ):
            return self._view
        return self._look()

    def _look(self) -> Optional[_Array]:
        """Reads the tensor's current address and shape."""
        structure = self._structure
        view = self._view = self._array(None)
        self._is_plain = view is not None and view.ndim > 0 and not _types.is_packed(self.type)
        is_written_plainly = self._is_plain and not self.is_constant
        self._plain_shape = view.shape if view is not None and is_written_plainly else None
        self._plain_type = view.dtype if view is not None else None
        if structure.dims:
            self._rank = ctypes.c_int.from_address(structure.dims)
            self._seen_rank = self._rank.value
            extents = (ctypes.c_int * self._seen_rank).from_address(structure.dims + ctypes.sizeof(ctypes.c_int))
            self._extents_memory = memoryview(extents)
            self._seen_extents = self._extents_memory.tobytes()
            self._seen = self._structure_memory.tobytes()
        return view

    def _array(self, buffer: Any) -> Optional[_Array]:
        """Returns an array of the tensor's elements, or of its bytes if elements are packed."""
        structure = self._structure
        number, byte_count = structure.type, structure.bytes
        shape: Tuple[int, ...]
        dtype = _types.numpy_type(number)
        if dtype is None or number == _types.STRING or _types.has_no_values(number):
            return None
        if byte_count and not structure.data:
            return None
        if _types.is_packed(number):
            dtype, shape = np.uint8, (byte_count,)
        elif self._is_sparse:
            shape = (byte_count // np.dtype(dtype).itemsize,)
        else:
            shape = self.shape
        if math.prod(shape) * np.dtype(dtype).itemsize > byte_count:
            return None
        if not byte_count:
            return np.empty(shape, dtype)
        if buffer is None:
            buffer = (ctypes.c_ubyte * byte_count).from_address(structure.data)
        if self.is_constant:
            # A mapped file is read-only, and NumPy must not be able to make the array writable.
            return np.frombuffer(memoryview(buffer).toreadonly(), dtype).reshape(shape)
        array: _Array = np.ndarray(shape, dtype, buffer=buffer)
        return array

    # ---- Reading ----

    def read(self) -> Any:
        """Returns a copy of the elements."""
        view = self._current()
        if self._is_plain:
            return view.copy()  # type: ignore[union-attr]
        number = self.type
        if number == _types.STRING:
            return _strings.array(_strings.decode(self._bytes()), self.shape)
        self._check_values()
        if view is None:
            raise ValueError(NO_DATA)
        if _types.is_packed(number):
            return self._unpacked(view)[()]
        # As in the official package, a tensor without dimensions is returned as a scalar.
        return view[()]

    def _unpacked(self, packed: _Array) -> _Array:
        shape = self.shape
        count = packed.size * 8 if self._is_sparse else math.prod(shape)
        elements = _types.unpacked(packed, self.type, count)
        return elements if self._is_sparse else elements.reshape(shape)

    def _check_values(self) -> None:
        if _types.numpy_type(self.type) is None or _types.has_no_values(self.type):
            raise ValueError(
                f"Unknown tensor type. Tensors of {self._type_name(self.type)} have no values that NumPy could show."
            )

    def _bytes(self) -> bytes:
        return ctypes.string_at(self._structure.data, self._structure.bytes) if self._structure.data else b""

    def lend(self) -> Any:
        """Returns an array in the tensor's memory to the program, as a loan that blocks the interpreter."""
        self._check_values()
        number = self.type
        if number == _types.STRING or _types.is_packed(number):
            raise ValueError(
                f"Tensors of {self._type_name(number)} have no elements that NumPy could point at. Use get_tensor()."
            )
        if not self._has_data:
            raise ValueError(NO_DATA)
        structure = self._structure
        buffer = self._native.lent(structure.data, structure.bytes) if structure.bytes else None
        array = self._array(buffer)
        if array is None:
            raise ValueError(NO_DATA)
        return array[()] if array.ndim == 0 else array

    # ---- Writing ----

    def write(self, value: Any, array: _Array) -> None:
        """Copies elements to the tensor: `value` is the program's object, `array` the same or its conversion."""
        view = self._current()
        if array.shape == self._plain_shape and array.dtype == self._plain_type:
            view[...] = array  # type: ignore[index]
            return
        number = self.type
        self._check_type(array.dtype)
        self._check_shape(array)
        if self.is_constant:
            self._refuse_constant()
        if number == _types.STRING:
            self._write_strings(_strings.from_array(value))
        elif view is None:
            raise ValueError("Cannot set tensor: Tensor is unallocated. Try calling allocate_tensors() first")
        elif _types.is_packed(number):
            view[...] = self._packed(array)
        elif array.itemsize == 1:
            # Eight-bit floats are passed as signed or unsigned integers, of which the bits are copied.
            view.view(np.uint8)[...] = array.view(np.uint8)
        else:
            view[...] = array

    def _refuse_constant(self) -> NoReturn:
        raise ValueError(f"Cannot set tensor: tensor {self.index} is a constant of the model.")

    def _check_type(self, dtype: np.dtype[Any]) -> None:
        number, given = self.type, _types.of_numpy(dtype)
        if _types.is_packed(number):
            carrier = np.dtype(_types.numpy_type(number))
            if dtype != carrier:
                raise ValueError(
                    f"Cannot set tensor: Expected a numpy array of {carrier} for {self._type_name(number)} input "
                    f"{self.index}, name: {self._label}, but got {self._type_name(given)}"
                )
        elif given != number and not _types.carries_bits(dtype, number):
            raise ValueError(
                f"Cannot set tensor: Got value of type {self._type_name(given)} but expected type "
                f"{self._type_name(number)} for input {self.index}, name: {self._label} "
            )

    @property
    def _label(self) -> str:
        name = self._structure.name
        return ctypes.string_at(name).decode("utf-8", "replace") if name else ""

    def _check_shape(self, array: _Array) -> None:
        shape = self.shape
        if _types.is_packed(self.type):
            # As in the official package, the number of elements must fit, but not the shape.
            if array.size != math.prod(shape):
                raise ValueError(
                    f"Cannot set tensor: Numpy array for {self._type_name(self.type)} input {self.index}, name: "
                    f"{self._label}, has {array.size} bytes, but expected {math.prod(shape)} bytes for "
                    f"{math.prod(shape)} elements"
                )
            return
        if array.ndim != len(shape):
            raise ValueError(
                f"Cannot set tensor: Dimension mismatch. Got {array.ndim} but expected {len(shape)} for input "
                f"{self.index}."
            )
        for axis, (got, wanted) in enumerate(zip(array.shape, shape)):
            if got != wanted:
                raise ValueError(
                    f"Cannot set tensor: Dimension mismatch. Got {got} but expected {wanted} for dimension {axis} "
                    f"of input {self.index}."
                )

    def _packed(self, array: _Array) -> _Array:
        low, high = _types.packed_range(self.type)
        if array.size and (array.min() < low or array.max() > high):
            raise ValueError(
                f"Cannot set tensor: Values for {self._type_name(self.type)} input must be between {low} and {high}."
            )
        return _types.packed(np.ascontiguousarray(array), self.type)

    def _write_strings(self, strings: List[bytes]) -> None:
        structure, contents = self._structure, _strings.encode(strings)
        if structure.allocation_type != _structures.DYNAMIC:
            raise ValueError(f"Cannot set tensor: the memory of tensor {self.index} cannot grow.")
        if self._native.library.TfLiteTensorRealloc(len(contents), self._address):
            raise MemoryError(f"There is no memory for strings of {len(contents)} bytes.")
        ctypes.memmove(structure.data, contents, len(contents))


def converted(value: Any) -> _Array:
    """Converts a program's value to an array; an error of NumPy becomes a `ValueError`."""
    try:
        return np.asarray(value)
    except Exception as error:
        raise ValueError(f"Failed to convert value into readable tensor. {error}") from error
