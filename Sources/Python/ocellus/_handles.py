"""Ownership of the library's objects."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from types import TracebackType
from typing import Callable, Iterator, Optional, Type, TypeVar

_Self = TypeVar("_Self", bound="Closing")


class Handle:
    """A pointer to an object of the library, which is deleted after its last use.

    Calls release the GIL, so another thread may close the object during a call; it is then deleted after
    the last call.
    """

    def __init__(self, pointer: int, delete: Callable[[int], object], kind: str) -> None:
        self._pointer = pointer
        self._delete = delete
        self._kind = kind
        self._lock = threading.Lock()
        self._user_count = 0
        self._is_closed = False

    @contextmanager
    def borrowed(self) -> Iterator[int]:
        """Yields the pointer, which is valid until the block ends."""
        with self._lock:
            if self._is_closed:
                raise ValueError(f"the {self._kind} is closed")
            self._user_count += 1
        try:
            yield self._pointer
        finally:
            with self._lock:
                self._user_count -= 1
                is_last = self._is_closed and self._user_count == 0
            if is_last:
                self._delete(self._pointer)

    @property
    def is_closed(self) -> bool:
        """Whether the object was closed."""
        return self._is_closed

    def close(self) -> None:
        """Deletes the object, now or after the calls that use it; closing again does nothing."""
        with self._lock:
            is_unused = not self._is_closed and self._user_count == 0
            self._is_closed = True
        if is_unused:
            self._delete(self._pointer)

    def __del__(self) -> None:
        self.close()


class Closing:
    """The base of classes over a handle, which `close`, `with` or the garbage collector closes."""

    _handle: Handle

    def close(self) -> None:
        """Frees the library's object after the calls in progress. Results stay valid."""
        self._handle.close()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()
