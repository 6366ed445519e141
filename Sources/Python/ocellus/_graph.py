"""A subgraph of a model: its tensors, and the calls that run it."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arguments, _types
from ._modelfile import SignatureRecord, SubgraphRecord, TensorRecord
from ._native import Native, fail
from ._tensor import NO_DATA, Tensor, converted

HELD = """There is at least 1 reference to internal data
      in the interpreter in the form of a numpy array or slice. Be sure to
      only hold the function returned from tensor() if you are using raw
      data access."""


class Calls(NamedTuple):
    """The functions of the library for one subgraph; statuses other than 0 are failures."""

    pointer: Callable[[int], Optional[int]]
    """The address of a tensor, if it can be told."""
    resize: Callable[[int, Any, int], int]
    """Gives an input, by its tensor's number, extents."""
    allocate: Callable[[], int]
    invoke: Callable[[], int]


def main_calls(native: Native, subgraph: SubgraphRecord) -> Calls:
    """The calls of the main subgraph."""
    library, handle = native.library, native.handle
    resize, allocate = library.TfLiteInterpreterResizeInputTensor, library.TfLiteInterpreterAllocateTensors
    pointer, invoke = library.TfLiteInterpreterGetTensor, library.TfLiteInterpreterInvoke
    return Calls(
        lambda index: pointer(handle, index),
        lambda index, extents, rank: resize(handle, subgraph.inputs.index(index), extents, rank),
        lambda: allocate(handle),
        lambda: invoke(handle),
    )


def signature_calls(native: Native, signatures: Mapping[str, SignatureRecord]) -> Calls:
    """The calls of a subgraph with a signature; the library shows only its inputs and outputs."""
    library = native.library
    inputs: Dict[int, Tuple[int, bytes]] = {}
    outputs: Dict[int, Tuple[int, bytes]] = {}
    runner = 0
    for key, signature in signatures.items():
        runner = native.runner(key.encode())
        inputs.update((index, (runner, name.encode())) for name, index in signature.inputs.items())
        outputs.update((index, (runner, name.encode())) for name, index in signature.outputs.items())

    def pointer(index: int) -> Optional[int]:
        address: Optional[int] = None
        if index in inputs:
            address = library.TfLiteSignatureRunnerGetInputTensor(*inputs[index])
        elif index in outputs:
            address = library.TfLiteSignatureRunnerGetOutputTensor(*outputs[index])
        return address

    # All runners of a subgraph share its state, so any of them will do.
    return Calls(
        pointer,
        lambda index, extents, rank: library.OcellusSignatureRunnerResizeInputTensor(*inputs[index], extents, rank),
        lambda: library.TfLiteSignatureRunnerAllocateTensors(runner),
        lambda: library.TfLiteSignatureRunnerInvoke(runner),
    )


class Graph:
    """A subgraph with its tensors; a subgraph without a signature has no calls, only descriptions of tensors."""

    def __init__(self, native: Native, record: SubgraphRecord, calls: Optional[Calls]) -> None:
        self._native = native
        self._lock = native.lock
        self._record = record
        self._calls = calls
        self._tensors: Dict[int, Tensor] = {}
        # Requested shapes that the library does not get, because it infers its own from the inputs.
        self._wishes: Dict[int, Tuple[int, ...]] = {}
        self._is_ready = False
        # After a failed allocation, tensors may point to freed memory.
        self._is_broken = False

    # ---- Tensors ----

    @property
    def tensor_count(self) -> int:
        """The number of the subgraph's tensors in the model."""
        return self._record.count

    def check(self, index: int) -> None:
        """Raises an error unless a tensor with this index exists."""
        if not 0 <= _arguments.integer(index, "tensor_index") < self._record.count:
            raise ValueError(f"Invalid tensor index {index} exceeds max tensor index {self._record.count}")

    def _shown(self, index: int) -> Optional[Tensor]:
        """Returns the library's tensor for its description, or `None` if the library does not show it."""
        tensor = self._tensors.get(index)
        if tensor is None:
            self.check(index)
            address = self._calls.pointer(index) if self._calls else None
            if not address:
                return None
            tensor = Tensor(self._native, index, address, self._record.tensor(index).is_sparse)
            self._tensors[index] = tensor
        return tensor

    def _accessible(self, index: int) -> Optional[Tensor]:
        """Returns the library's tensor for its memory, or `None` if it has no memory at the moment."""
        tensor = self._shown(index)
        if tensor is None or index in self._wishes:
            return None
        return None if self._is_broken and not tensor.is_constant else tensor

    def read(self, index: int) -> Any:
        """Returns a copy of a tensor's elements."""
        with self._lock:
            tensor = self._tensors.get(index)
            if tensor is None or self._is_broken or self._wishes:
                return self._readable(index).read()
            return tensor.read()

    def _readable(self, index: int) -> Any:
        tensor = self._accessible(index)
        if tensor is None and index not in self._wishes:
            constant = _Constant(self._record.tensor(index))
            if constant.elements is not None:
                return constant
        if tensor is None:
            raise ValueError(NO_DATA)
        if tensor.type == _types.STRING and not tensor.is_constant and not self._is_ready:
            raise ValueError(NO_DATA)
        return tensor

    def lend(self, index: int) -> Any:
        """Returns an array in a tensor's memory."""
        with self._lock:
            return self._readable(index).lend()

    def write(self, index: int, value: Any) -> None:
        """Copies elements to a tensor."""
        # Converts before it takes the lock, because the conversion may call the program.
        array = value if type(value) is np.ndarray else converted(value)
        with self._lock:
            tensor = self._tensors.get(index)
            if tensor is None or self._is_broken or self._wishes:
                tensor = self._accessible(index)
                if tensor is None:
                    raise ValueError("Cannot set tensor: Tensor is unallocated. Try calling allocate_tensors() first")
            tensor.write(value, array)

    # ---- Running ----

    def check_loans(self) -> None:
        """Raises an error if the program holds arrays in the interpreter's memory, which a call may move."""
        if self._native.loans:
            raise RuntimeError(HELD)

    def resize(self, index: int, extents: Sequence[int], strict: bool) -> None:
        """Changes a tensor's shape, from the next allocation on."""
        with self._lock:
            self.check_loans()
            if not 0 <= index < self._record.count:
                raise RuntimeError(f"There is no tensor {index}: the model has {self._record.count}.")
            now = self._shape(index)
            if strict:
                self._check_open(index, now, extents)
            if tuple(extents) != now or index in self._wishes:
                # A rejected shape invalidates the memory, too.
                self._is_ready = False
            if index in self._record.inputs:
                self._resize_input(index, extents)
            elif self._record.tensor(index).contents is not None:
                raise RuntimeError("Attempting to resize a fixed-size tensor.")
            elif tuple(extents) != now:
                if min(extents, default=0) < 0:
                    raise RuntimeError(f"Tensor {index} cannot have the shape {list(extents)}.")
                # Programs resize outputs, too, whose shapes are inferred anyway.
                self._wishes[index] = tuple(extents)

    def _resize_input(self, index: int, extents: Sequence[int]) -> None:
        assert self._calls is not None
        elements = (ctypes.c_int * len(extents))(*extents)
        if self._calls.resize(index, elements, len(extents)):
            fail(f"Tensor {index} cannot have the shape {list(extents)}.")

    def _check_open(self, index: int, now: Tuple[int, ...], extents: Sequence[int]) -> None:
        if len(extents) != len(now):
            raise RuntimeError(f"Attempting to resize tensor {index} of {len(now)} dimensions to {len(extents)}.")
        signature = self._record.tensor(index).shape_signature
        allowed = now if signature is None else signature.tolist()
        for axis, (wanted, extent) in enumerate(zip(extents, allowed)):
            if extent not in (-1, wanted):
                raise RuntimeError(
                    f"Attempting to resize dimension {axis} of tensor {index} with value {now[axis]} to {wanted}. "
                    "ResizeInputTensorStrict only allows mutating unknown dimensions identified by -1."
                )

    def allocate(self) -> None:
        """Allocates the tensors' memory."""
        with self._lock:
            self.check_loans()
            assert self._calls is not None
            self._is_broken = True
            if self._calls.allocate():
                self._is_ready = False
                fail("Tensors cannot be allocated.")
            self._is_broken = False
            self._is_ready = True
            self._wishes.clear()

    def invoke(self) -> None:
        """Runs the subgraph."""
        with self._lock:
            if self._native.loans:
                self.check_loans()
            if not self._is_ready:
                raise RuntimeError("Invoke called on model that is not ready.")
            if self._calls.invoke():  # type: ignore[union-attr]
                fail("The model cannot be run.")

    # ---- Details ----

    def _described(self, index: int) -> Union[Tensor, TensorRecord]:
        """Returns the description of a tensor's type and shape."""
        return self._shown(index) or self._record.tensor(index)

    def _shape(self, index: int) -> Tuple[int, ...]:
        if index in self._wishes:
            return self._wishes[index]
        return self._described(index).shape

    def details(self, index: int) -> Dict[str, Any]:
        """Returns the official package's details of a tensor."""
        with self._lock:
            self.check(index)
            record = self._record.tensor(index)
            shape = self._shape(index)
            dtype = _types.numpy_type(self._described(index).type)
            quantization = record.quantization
        if dtype is None:
            raise ValueError("Tensor with no type found.")
        signature = record.shape_signature
        extents = np.array(shape, np.int32)
        is_single = quantization.scales.size == 1 and quantization.scales.dtype == np.float32
        return {
            "name": record.name,
            "index": index,
            "shape": extents,
            "shape_signature": extents.copy() if signature is None else signature.astype(np.int32),
            "dtype": dtype,
            "quantization": (
                (float(quantization.scales[0]), int(quantization.zero_points[0])) if is_single else (0.0, 0)
            ),
            "quantization_parameters": {
                "scales": quantization.scales,
                "zero_points": quantization.zero_points,
                "quantized_dimension": quantization.dimension,
                "block_size": quantization.block_size,
            },
            "sparsity_parameters": record.sparsity,
        }


class _Constant:
    """A tensor that the library does not show, with its elements if it is a constant of the model."""

    def __init__(self, record: TensorRecord) -> None:
        contents, dtype = record.contents, _types.numpy_type(record.type)
        self.elements: Any = None
        if contents is None or dtype is None or record.type == _types.STRING:
            return
        if _types.is_packed(record.type):
            count = int(np.prod(record.shape))
            self.elements = _types.unpacked(contents, record.type, count).reshape(record.shape)
        elif record.is_sparse:
            self.elements = contents.view(dtype)
        else:
            self.elements = contents.view(dtype).reshape(record.shape)

    def read(self) -> Any:
        """Returns a copy of the elements."""
        return self.elements.copy()[()]

    def lend(self) -> Any:
        """Returns the elements themselves, in memory that never moves."""
        return self.elements[()]
