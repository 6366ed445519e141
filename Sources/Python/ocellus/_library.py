"""Finds and loads the two shared libraries, and declares the types of their functions.

A library is loaded at its first use. A function is looked up at its first use, too, so an older library without it
serves programs that never call it.
"""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple

PATH_VARIABLE = "OCELLUS_LIBRARY_PATH"
"""The environment variable that names a folder with other libraries than the package's own."""

_ENGINE_FILE = "libocellus_c.so"
_VISION_FILE = "libocellus_vision_c.so"
# A wheel has both libraries in one file, without duplicates of their common code.
_FILE_WITH_BOTH = "libocellus.so"

_INT = ctypes.c_int32
_SIZE = ctypes.c_size_t
_TEXT = ctypes.c_char_p
# Handles, structures and buffers, for which Python passes integers, byte strings, arrays and references.
_POINTER = ctypes.c_void_p

ReportFunction = ctypes.CFUNCTYPE(None, _POINTER, _TEXT, _POINTER)
"""Takes user data, a format, and a `va_list` that only C can read."""

_Prototype = Tuple[Any, List[Any]]

# The functions of c_api.h, c_api_experimental.h and ocellus_c.h that the package calls.
_ENGINE: Dict[str, _Prototype] = {
    "TfLiteVersion": (_TEXT, []),
    "TfLiteTypeGetName": (_TEXT, [_INT]),
    "TfLiteModelCreateWithErrorReporter": (_POINTER, [_POINTER, _SIZE, ReportFunction, _POINTER]),
    "TfLiteModelDelete": (None, [_POINTER]),
    "TfLiteInterpreterOptionsCreate": (_POINTER, []),
    "TfLiteInterpreterOptionsDelete": (None, [_POINTER]),
    "TfLiteInterpreterOptionsSetNumThreads": (None, [_POINTER, _INT]),
    "TfLiteInterpreterOptionsSetErrorReporter": (None, [_POINTER, ReportFunction, _POINTER]),
    "TfLiteInterpreterCreate": (_POINTER, [_POINTER, _POINTER]),
    "TfLiteInterpreterDelete": (None, [_POINTER]),
    "TfLiteInterpreterGetTensor": (_POINTER, [_POINTER, _INT]),
    "TfLiteInterpreterResizeInputTensor": (_INT, [_POINTER, _INT, _POINTER, _INT]),
    "TfLiteInterpreterAllocateTensors": (_INT, [_POINTER]),
    "TfLiteInterpreterInvoke": (_INT, [_POINTER]),
    "TfLiteInterpreterResetVariableTensors": (_INT, [_POINTER]),
    "TfLiteInterpreterGetSignatureRunner": (_POINTER, [_POINTER, _TEXT]),
    "OcellusSignatureRunnerResizeInputTensor": (_INT, [_POINTER, _TEXT, _POINTER, _INT]),
    "TfLiteSignatureRunnerAllocateTensors": (_INT, [_POINTER]),
    "TfLiteSignatureRunnerInvoke": (_INT, [_POINTER]),
    "TfLiteSignatureRunnerGetInputTensor": (_POINTER, [_POINTER, _TEXT]),
    "TfLiteSignatureRunnerGetOutputTensor": (_POINTER, [_POINTER, _TEXT]),
    "TfLiteSignatureRunnerDelete": (None, [_POINTER]),
    "TfLiteTensorRealloc": (_INT, [_SIZE, _POINTER]),
    "OcellusInterpreterOptionsSetNumerics": (_INT, [_POINTER, _TEXT]),
    "OcellusInterpreterOptionsSetKeepsTensors": (None, [_POINTER, ctypes.c_bool]),
    "OcellusInterpreterGetInstructionSet": (_TEXT, [_POINTER]),
    # Text that the caller must free is returned as an address, because ctypes would drop the address of a string.
    "OcellusInterpreterNodes": (_POINTER, [_POINTER]),
    "OcellusInterpreterProfile": (_POINTER, [_POINTER, _INT]),
    "OcellusInterpreterAudit": (_POINTER, [_POINTER]),
    "OcellusInterpreterReceipt": (_POINTER, [_POINTER]),
    "OcellusInterpreterTrace": (_POINTER, [_POINTER]),
    "OcellusStringDelete": (None, [_POINTER]),
}

# A picture's bytes, width, height and row stride; results and their capacity.
_PICTURE_AND_RESULTS = [_POINTER, _INT, _INT, _SIZE, _POINTER, _INT]
_ERROR = [_POINTER, _SIZE]

# ocellus_vision.h.
_VISION: Dict[str, _Prototype] = {
    "OcellusDetectorCreate": (_POINTER, [_TEXT, _POINTER, *_ERROR]),
    "OcellusDetectorDelete": (None, [_POINTER]),
    "OcellusDetectorDetect": (_INT, [_POINTER, *_PICTURE_AND_RESULTS, *_ERROR]),
    "OcellusDetectorExplain": (_POINTER, [_POINTER]),
    "OcellusTrackerCreate": (_POINTER, []),
    "OcellusTrackerDelete": (None, [_POINTER]),
    "OcellusTrackerUpdate": (_INT, [_POINTER, _POINTER, _INT, ctypes.c_double, *_ERROR]),
    "OcellusLabelerCreate": (_POINTER, [_TEXT, _POINTER, *_ERROR]),
    "OcellusLabelerDelete": (None, [_POINTER]),
    "OcellusLabelerLabel": (_INT, [_POINTER, *_PICTURE_AND_RESULTS, *_ERROR]),
    "OcellusPictureDecode": (_INT, [_POINTER, _SIZE, _POINTER, *_ERROR]),
    "OcellusVisionFree": (None, [_POINTER]),
}


class Library:
    """A loaded library, with its functions as attributes.

    Calls release the GIL.
    """

    def __init__(self, file_name: str, prototypes: Dict[str, _Prototype]) -> None:
        self._functions, self._place = _load(file_name)
        self._prototypes = prototypes

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        prototype = self._prototypes[name]
        try:
            function: Callable[..., Any] = getattr(self._functions, name)
        except AttributeError:
            function = self._missing(name)
        else:
            function.restype, function.argtypes = prototype  # type: ignore[attr-defined]
        # Further uses find the attribute without this method.
        setattr(self, name, function)
        return function

    def _missing(self, name: str) -> Callable[..., NoReturn]:
        def refuse(*_: Any) -> NoReturn:
            raise NotImplementedError(f"{self._place} is older than this package and has no {name}: update it")

        return refuse


def _load(file_name: str) -> Tuple[ctypes.CDLL, str]:
    """Returns a library and its source: the folder that the environment names, the package, or the system."""
    folders = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")]
    named = os.environ.get(PATH_VARIABLE)
    if named:
        folders.insert(0, named)
    failures = []
    names = [file_name] + [_FILE_WITH_BOTH] * (file_name in (_ENGINE_FILE, _VISION_FILE))
    for path in [os.path.join(folder, name) for folder in folders for name in names] + [file_name]:
        try:
            return ctypes.CDLL(path), path
        except OSError as error:
            failures.append(str(error))
    raise ImportError(
        f"ocellus needs {file_name}, which cannot be loaded: {'; '.join(failures)}. "
        f"Set {PATH_VARIABLE} to the folder that has it, or install a wheel for this processor."
    )


_loaded: Dict[str, Library] = {}
_loading = threading.Lock()


def _library(file_name: str, prototypes: Dict[str, _Prototype]) -> Library:
    library = _loaded.get(file_name)
    if library is None:
        with _loading:
            library = _loaded.get(file_name) or Library(file_name, prototypes)
            _loaded[file_name] = library
    return library


def engine() -> Library:
    """Returns libocellus_c.so: models, interpreters and tensors."""
    return _library(_ENGINE_FILE, _ENGINE)


def vision() -> Library:
    """Returns libocellus_vision_c.so: detectors, trackers, labelers and pictures."""
    return _library(_VISION_FILE, _VISION)


def owned_text(address: Optional[int]) -> Optional[str]:
    """Returns the engine's text and frees it; `None` if there is none."""
    if not address:
        return None
    try:
        return ctypes.string_at(address).decode("utf-8", "replace")
    finally:
        engine().OcellusStringDelete(address)
