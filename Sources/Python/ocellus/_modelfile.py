"""The parts of a model file's tensors and signatures that the C interface does not show.

The library has checked the file before this module reads it. If the file was changed in between, invalid data
raises a `ValueError`.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _types

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Array = NDArray[Any]


class _Table:
    """A table of a FlatBuffer, whose fields are identified by their numbers."""

    def __init__(self, data: Any, position: int) -> None:
        self._data = data
        self._position = position

    def _read(self, code: str, position: int) -> Any:
        try:
            return struct.unpack_from(code, self._data, position)[0]
        except struct.error:
            raise ValueError("The model has changed since it was loaded.") from None

    def _field(self, number: int) -> int:
        """Returns the position of a field, or 0 if it is absent."""
        entries = self._position - self._read("<i", self._position)
        if 4 + 2 * number + 2 > self._read("<H", entries):
            return 0
        offset = self._read("<H", entries + 4 + 2 * number)
        return self._position + offset if offset else 0

    def _target(self, number: int) -> int:
        field = self._field(number)
        return field + self._read("<I", field) if field else 0

    def number(self, number: int, code: str = "<i", default: int = 0) -> int:
        """Returns a number; its type is a code of `struct`."""
        field = self._field(number)
        return self._read(code, field) if field else default

    def table(self, number: int) -> Optional["_Table"]:
        """Returns a table inside this one."""
        target = self._target(number)
        return _Table(self._data, target) if target else None

    def tables(self, number: int) -> List["_Table"]:
        """Returns the elements of a list of tables."""
        offsets = self.numbers(number, "<u4")
        start = self._target(number) + 4
        if offsets is None:
            return []
        return [_Table(self._data, start + 4 * place + offset) for place, offset in enumerate(offsets.tolist())]

    def numbers(self, number: int, dtype: str = "<i4") -> Optional[_Array]:
        """Returns a list of numbers without copying it, or `None` if it is absent."""
        target = self._target(number)
        if not target:
            return None
        return self.array(dtype, target + 4, self._read("<I", target))

    def array(self, dtype: str, position: int, count: int) -> _Array:
        """Returns numbers anywhere in the file."""
        try:
            return np.frombuffer(self._data, dtype, count, position) if count else np.empty(0, dtype)
        except ValueError:
            raise ValueError("The model has changed since it was loaded.") from None

    def text(self, number: int) -> str:
        """Returns a text up to its first zero byte, as C reads it."""
        contents = self.numbers(number, "u1")
        if contents is None:
            return ""
        return contents.tobytes().split(b"\0", 1)[0].decode("utf-8", "replace")


class Quantization(NamedTuple):
    """The quantization of a tensor: the mapping of its integers to real numbers."""

    scales: _Array
    zero_points: _Array
    dimension: int = 0
    block_size: int = 0


class TensorRecord:
    """A tensor as the file describes it."""

    def __init__(self, subgraph: "SubgraphRecord", table: _Table) -> None:
        self._subgraph = subgraph
        self._table = table
        number = table.number(1, "<b")
        known = 0 <= number < len(_types.FILE_TYPES)
        self.type = _types.FILE_TYPES[number] if known else _types.NO_TYPE
        self.name = table.text(3)
        shape = table.numbers(0)
        self.shape = tuple(shape.tolist()) if shape is not None else ()

    @property
    def shape_signature(self) -> Optional[_Array]:
        """The shape with -1 for dynamic extents; `None` if the file does not have it."""
        signature = self._table.numbers(7)
        return signature if signature is not None and signature.size else None

    @property
    def contents(self) -> Optional[_Array]:
        """The bytes of a constant; `None` for other tensors."""
        buffer = self._table.number(2, "<I")
        return self._subgraph.model.buffer(buffer)

    @property
    def quantization(self) -> Quantization:
        """The scales and zero points, empty for tensors of real numbers."""
        none = Quantization(np.empty(0, np.float32), np.empty(0, np.int32))
        table = self._table.table(4)
        if table is None:
            return none
        if table.number(4, "<B") == 2:
            blocks = table.table(5)
            return self._blockwise(table, blocks) if blocks is not None else none
        scales, zero_points = table.numbers(2, "<f4"), table.numbers(3, "<i8")
        if scales is None or not scales.size or zero_points is None:
            return none
        return Quantization(scales.astype(np.float32), zero_points.astype(np.int32), table.number(6))

    def _blockwise(self, table: _Table, blocks: _Table) -> Quantization:
        """Returns the scales and zero points of blocks, which are in other tensors."""
        scales = self._subgraph.constant(blocks.number(0), "<f2")
        zero_points = self._subgraph.constant(blocks.number(1), "<i4")
        return Quantization(
            scales.astype(np.float16),
            zero_points.astype(np.int32),
            table.number(6),
            blocks.number(2),
        )

    @property
    def is_sparse(self) -> bool:
        """Whether only some elements of the constant are stored."""
        return self._table.table(6) is not None

    @property
    def sparsity(self) -> Dict[str, Any]:
        """The storage format of a sparse constant; empty for other tensors."""
        table = self._table.table(6)
        if table is None:
            return {}
        order, blocks = table.numbers(0), table.numbers(1)
        result: Dict[str, Any] = {
            "traversal_order": _integers(order),
            "dim_metadata": [_dimension(each) for each in table.tables(2)],
        }
        if blocks is not None:
            result["block_map"] = _integers(blocks)
        return result


def _integers(values: Optional[_Array]) -> _Array:
    return np.empty(0, np.int32) if values is None else values.astype(np.int32)


def _dimension(table: _Table) -> Dict[str, Any]:
    if table.number(0, "<b") == 0:
        return {"format": 0, "dense_size": table.number(1)}
    return {
        "format": 1,
        "array_segments": _index_list(table, 2),
        "array_indices": _index_list(table, 4),
    }


def _index_list(table: _Table, number: int) -> _Array:
    """Returns a list of integers, which has one of three widths."""
    dtype = {1: "<i4", 2: "<u2", 3: "u1"}.get(table.number(number, "<B"), "<i4")
    values = table.table(number + 1)
    return _integers(values.numbers(0, dtype) if values is not None else None)


class SubgraphRecord:
    """A subgraph as the file describes it; tensors are read on demand."""

    def __init__(self, model: "ModelRecord", table: _Table) -> None:
        self.model = model
        self._tables = table.tables(0)
        self._records: Dict[int, TensorRecord] = {}
        self.inputs: List[int] = _integers(table.numbers(1)).tolist()
        self.outputs: List[int] = _integers(table.numbers(2)).tolist()
        self.count = len(self._tables)

    def tensor(self, index: int) -> TensorRecord:
        """Returns a tensor by its index, which must be valid."""
        record = self._records.get(index)
        if record is None:
            record = self._records[index] = TensorRecord(self, self._tables[index])
        return record

    def constant(self, index: int, dtype: str) -> _Array:
        """Returns the elements of a constant; none if the index is invalid or the tensor is not constant."""
        contents = self.tensor(index).contents if 0 <= index < self.count else None
        if contents is None:
            return np.empty(0, dtype)
        size = np.dtype(dtype).itemsize
        return contents[: contents.size // size * size].view(dtype)


class SignatureRecord(NamedTuple):
    """A signature: a subgraph with names for its inputs and outputs, sorted by their bytes."""

    subgraph: int
    inputs: Dict[str, int]
    outputs: Dict[str, int]


class ModelRecord:
    """A model file."""

    def __init__(self, data: Any) -> None:
        self._root = _Table(data, struct.unpack_from("<I", data)[0])
        self._buffers: Optional[List[_Table]] = None
        self.subgraphs = [SubgraphRecord(self, table) for table in self._root.tables(2)]
        self.signatures = {
            table.text(2): SignatureRecord(
                table.number(4, "<I"), _tensor_map(table.tables(0)), _tensor_map(table.tables(1))
            )
            for table in self._root.tables(7)
        }

    def buffer(self, number: int) -> Optional[_Array]:
        """Returns the bytes of a buffer, from its table or after the FlatBuffer; `None` if it has none."""
        if self._buffers is None:
            self._buffers = self._root.tables(4)
        if not 0 < number < len(self._buffers):
            return None
        table = self._buffers[number]
        offset, size = table.number(1, "<Q"), table.number(2, "<Q")
        contents = table.numbers(0, "u1")
        if contents is None and offset > 1:
            contents = table.array("u1", offset, size)
        return contents if contents is not None and contents.size else None


def _tensor_map(tables: List[_Table]) -> Dict[str, int]:
    pairs: List[Tuple[str, int]] = [(table.text(0), table.number(1, "<I")) for table in tables]
    return dict(sorted(pairs, key=lambda pair: pair[0].encode()))
