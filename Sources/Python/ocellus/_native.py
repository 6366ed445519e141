"""An interpreter of the library, with the objects that must live as long as it does."""

from __future__ import annotations

import ctypes
import mmap
import os
import stat
import threading
from typing import Any, Dict, List, NoReturn, Optional, Union

import numpy as np

from . import _library

_INVALID_MODEL = "The model is not a valid Flatbuffer buffer"
_EMPTY_MODEL = "The model allocation is null/empty"
_MOST_THREADS = 1024


class _Reports(threading.local):
    """The library's error messages in calls of this thread."""

    def __init__(self) -> None:
        self.messages: List[str] = []


_reports = _Reports()


def _collect(_: Optional[int], message: Optional[bytes], __: Optional[int]) -> None:
    # The library passes complete texts without arguments, in which only percent signs are doubled.
    text = (message or b"").decode("utf-8", "replace").replace("%%", "%")
    _reports.messages.append(text)


# One callback for all interpreters, so the library never calls one that was collected.
_report = _library.ReportFunction(_collect)


def take_reports(otherwise: str) -> str:
    """Returns the library's messages since the last call, or `otherwise` if there are none."""
    text = "".join(_reports.messages)
    _reports.messages.clear()
    return text or otherwise


def fail(otherwise: str) -> NoReturn:
    """Raises an error with the library's messages."""
    raise RuntimeError(take_reports(otherwise))


def mapped_file(path: Union[str, bytes]) -> mmap.mmap:
    """Returns the bytes of a model file, which stay mapped."""
    name = os.fsdecode(path)
    if "\0" in name:
        raise ValueError(f"Could not open {name!r}.{_EMPTY_MODEL}: there is a null byte in it")
    try:
        # Opening a pipe by mistake must not block the program.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise ValueError(f"Could not open '{name}'.{_EMPTY_MODEL}: it is not a file")
            return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ValueError(f"Could not open '{name}'.{_EMPTY_MODEL}: {error.strerror}") from None
    except ValueError as error:
        if "empty file" in str(error):
            raise ValueError(f"'{name}' is empty.{_EMPTY_MODEL}") from None
        raise


class Loan:
    """Records, while it lives, that a program holds an array in an interpreter's memory."""

    def __init__(self, native: "Native") -> None:
        self._native = native
        native.loans[id(self)] = None

    def __del__(self) -> None:
        self._native.loans.pop(id(self), None)


class Native:
    """A TfLiteInterpreter and its model, which are deleted with the last reference to this object.

    Arrays in the interpreter's memory hold a reference, so they may outlive the `Interpreter` object. One
    call at a time may use the handle, and it holds the lock.
    """

    handle: Optional[int] = None
    _model: Optional[int] = None

    def __init__(self, content: Union[bytes, mmap.mmap], threads: int, numerics: str, keeps: bool) -> None:
        self.library = _library.engine()
        # A reentrant lock: threads wait for each other, but a finalizer in the same thread does not deadlock.
        self.lock = threading.RLock()
        self.loans: Dict[int, None] = {}
        self.content = content
        self._runners: List[int] = []
        memory = np.frombuffer(content, np.uint8)
        # Keeps the mapping open while the library uses it.
        self._memory = memory
        _reports.messages.clear()
        self._model = self.library.TfLiteModelCreateWithErrorReporter(memory.ctypes.data, memory.size, _report, None)
        if not self._model:
            raise ValueError(take_reports(_INVALID_MODEL))
        self.handle = self._created(threads, numerics, keeps)
        if not self.handle:
            raise ValueError(take_reports("No interpreter of the model can be made."))

    def _created(self, threads: int, numerics: str, keeps: bool) -> Optional[int]:
        library = self.library
        options = library.TfLiteInterpreterOptionsCreate()
        try:
            library.TfLiteInterpreterOptionsSetErrorReporter(options, _report, None)
            library.TfLiteInterpreterOptionsSetNumThreads(options, min(threads, _MOST_THREADS))
            if library.OcellusInterpreterOptionsSetNumerics(options, numerics.encode()):
                raise ValueError(f"There are no numerics {numerics!r}; there are fast, exact, bfloat16 and litert.")
            if keeps:
                library.OcellusInterpreterOptionsSetKeepsTensors(options, True)
            handle: Optional[int] = library.TfLiteInterpreterCreate(self._model, options)
            return handle
        finally:
            library.TfLiteInterpreterOptionsDelete(options)

    def runner(self, key: bytes) -> int:
        """Returns a TfLiteSignatureRunner, which lives as long as the interpreter."""
        runner: Optional[int] = self.library.TfLiteInterpreterGetSignatureRunner(self.handle, key)
        if not runner:
            raise ValueError(take_reports("No matching signature."))
        self._runners.append(runner)
        return runner

    def lent(self, address: int, byte_count: int) -> Any:
        """Returns a buffer in the interpreter's memory that keeps the interpreter alive and counts as a loan."""
        buffer: Any = (ctypes.c_ubyte * byte_count).from_address(address)
        buffer._loan = Loan(self)
        return buffer

    def __del__(self) -> None:
        for runner in getattr(self, "_runners", ()):
            self.library.TfLiteSignatureRunnerDelete(runner)
        if self.handle:
            self.library.TfLiteInterpreterDelete(self.handle)
        if self._model:
            self.library.TfLiteModelDelete(self._model)
