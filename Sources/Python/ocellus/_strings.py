"""Tensors of strings: a count, the offsets of the strings and of their end, and the bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List, Tuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def encode(strings: Iterable[bytes]) -> bytes:
    """Returns the bytes of a tensor of strings."""
    parts = list(strings)
    first = 4 * (len(parts) + 2)
    ends = np.cumsum([first] + [len(part) for part in parts], dtype=np.int64)
    if ends[-1] > np.iinfo(np.int32).max:
        raise ValueError(f"Strings of {ends[-1]} bytes are more than a tensor can hold.")
    header = np.concatenate(([len(parts)], ends)).astype("<i4")
    return header.tobytes() + b"".join(parts)


def decode(contents: bytes) -> List[bytes]:
    """Returns the strings of a tensor; if its bytes are invalid, as many as can be read."""
    if len(contents) < 4:
        return []
    count = int(np.frombuffer(contents, "<i4", 1)[0])
    count = max(0, min(count, len(contents) // 4 - 2))
    offsets = np.frombuffer(contents, "<i4", count + 1, 4).tolist() if count else [0]
    return [contents[max(start, 0) : max(end, 0)] for start, end in zip(offsets, offsets[1:])]


def array(strings: List[bytes], shape: Tuple[int, ...]) -> NDArray[np.object_]:
    """Returns an array of `bytes` objects, with `None` for missing strings."""
    result = np.empty(shape, np.object_)
    flat = result.reshape(-1)
    for position, text in enumerate(strings[: flat.size]):
        flat[position] = text
    return result


def from_array(value: Any) -> List[bytes]:
    """Returns the elements of an array of text or bytes in order; text is encoded as UTF-8."""
    if not isinstance(value, np.ndarray):
        raise ValueError(f"Passed in value type is not a numpy array, got type {type(value).__name__}.")
    if value.ndim == 0 and value.dtype.kind == "S":
        # NumPy drops trailing zeros as padding, but a single string is often a binary message.
        return [value.tobytes()]
    return [_bytes(element) for element in value.reshape(-1).tolist()]


def _bytes(element: Any) -> bytes:
    if isinstance(element, str):
        try:
            return element.encode()
        except UnicodeEncodeError:
            raise ValueError("PyUnicode_AsUTF8AndSize() failed.") from None
    if isinstance(element, bytes):
        return bytes(element)
    raise ValueError(
        f"PyBytes_AsStringAndSize() failed. An element is neither text nor bytes but {type(element).__name__}."
    )
