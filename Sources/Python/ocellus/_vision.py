"""The calls of libocellus_vision_c.so, with arrays instead of pointers."""

from __future__ import annotations

import ctypes
import errno
import json
import math
import operator
import os
from typing import TYPE_CHECKING, Any, Dict, Optional, Union

import numpy as np

from . import _library
from ._handles import Handle
from .results import Classifications, Detections

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ERROR_BYTES = 4096
_LARGEST_INTEGER = (1 << 31) - 1
# More threads than any processor has; the library would start as many as requested.
_MOST_THREADS = 1024

# OcellusObject and OcellusLabel, field by field, as the compiler aligns them.
_OBJECT = np.dtype(
    [
        ("box", np.float64, 4),
        ("score", np.float32),
        ("category", np.int32),
        ("label", np.uintp),
        ("identity", np.int64),
    ],
    align=True,
)
_LABEL = np.dtype([("score", np.float32), ("category", np.int32), ("label", np.uintp)], align=True)


class _Options(ctypes.Structure):
    """The structures OcellusDetectorOptions and OcellusLabelerOptions, which are equal."""

    _fields_ = [
        ("score_threshold", ctypes.c_float),
        ("maximum_results", ctypes.c_int32),
        ("threads", ctypes.c_int32),
    ]


class _Error:
    """The buffer for the library's error message."""

    def __init__(self) -> None:
        self.buffer = ctypes.create_string_buffer(_ERROR_BYTES)

    def __str__(self) -> str:
        return self.buffer.value.decode("utf-8", "replace") or "the library does not say why"


def options(
    score_threshold: Optional[float], max_results: Optional[int], num_threads: Optional[int]
) -> _Options:
    """Returns the checked options of a detector or labeler; 0 means "not given" to the library."""
    threshold = 0.0
    if score_threshold is not None:
        threshold = float(score_threshold)
        if not 0 <= threshold <= 1:
            raise ValueError(f"score_threshold is from 0 to 1, not {score_threshold!r}")
        # 0 would mean "not given", so a threshold of 0 becomes the smallest positive one.
        threshold = max(threshold, 1e-37)
    return _Options(
        threshold,
        _count("max_results", max_results, _LARGEST_INTEGER),
        _count("num_threads", num_threads, _MOST_THREADS),
    )


def _count(name: str, value: Optional[int], most: int) -> int:
    if value is None:
        return 0
    number = operator.index(value)
    if not 1 <= number <= most:
        raise ValueError(f"{name} is from 1 to {most}, not {value!r}")
    return number


def create_detector(model: Union[str, "os.PathLike[str]"], options: _Options) -> Handle:
    """Returns an OcellusDetector of a model file or folder."""
    library = _library.vision()
    return _created(
        library.OcellusDetectorCreate, library.OcellusDetectorDelete, model, options, "detector"
    )


def create_labeler(model: Union[str, "os.PathLike[str]"], options: _Options) -> Handle:
    """Returns an OcellusLabeler of a model file or folder."""
    library = _library.vision()
    return _created(
        library.OcellusLabelerCreate, library.OcellusLabelerDelete, model, options, "labeler"
    )


def _created(
    create: Any, delete: Any, model: Union[str, "os.PathLike[str]"], options: _Options, kind: str
) -> Handle:
    path = os.fsencode(model)
    if b"\0" in path:
        raise ValueError(f"{model!r} is no path: there is a null byte in it")
    try:
        path.decode()
    except UnicodeDecodeError:
        raise ValueError(
            f"the library takes paths in UTF-8, and {model!r} is none: link the model under another name"
        ) from None
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, "there is no such model", os.fspath(model))
    error = _Error()
    pointer = create(path, ctypes.byref(options), error.buffer, _ERROR_BYTES)
    if not pointer:
        raise ValueError(str(error))
    return Handle(pointer, delete, kind)


def create_tracker() -> Handle:
    """Returns an OcellusTracker."""
    library = _library.vision()
    return Handle(library.OcellusTrackerCreate(), library.OcellusTrackerDelete, "tracker")


def explain(detector: int) -> Dict[str, Any]:
    """Returns the explanation of a detector."""
    library = _library.vision()
    text = library.OcellusDetectorExplain(detector)
    if not text:
        raise RuntimeError("the library has no explanation of this detector")
    try:
        explanation: Dict[str, Any] = json.loads(ctypes.string_at(text))
    finally:
        library.OcellusVisionFree(text)
    return explanation


class _Picture(ctypes.Structure):
    """The structure OcellusPicture."""

    _fields_ = [
        ("rgb", ctypes.c_void_p),
        ("width", ctypes.c_int32),
        ("height", ctypes.c_int32),
    ]


def decode_picture(contents: bytes) -> NDArray[np.uint8]:
    """Returns the pixels of a picture's file, in Python's memory."""
    library = _library.vision()
    picture, error = _Picture(), _Error()
    if library.OcellusPictureDecode(
        contents, len(contents), ctypes.byref(picture), error.buffer, _ERROR_BYTES
    ):
        raise ValueError(str(error))
    try:
        pixels = np.empty((picture.height, picture.width, 3), np.uint8)
        ctypes.memmove(pixels.ctypes.data, picture.rgb, pixels.nbytes)
    finally:
        library.OcellusVisionFree(picture.rgb)
    return pixels


class ResultReader:
    """Converts the results of a detector or labeler to arrays, with its own class names or the program's."""

    def __init__(self, names: Optional[Dict[int, str]]) -> None:
        self._names = names
        # Names keep their addresses while the detector lives, so each is read once.
        self._names_read: Dict[int, Optional[str]] = {0: None}
        self._capacity = 128

    def detections(self, detector: int, pixels: NDArray[np.uint8]) -> Detections:
        """Returns the results of a detector."""
        found = self._results(_library.vision().OcellusDetectorDetect, _OBJECT, detector, pixels)
        return Detections(
            found["box"],
            found["score"],
            found["category"],
            self._labels(found),
            picture_size=(pixels.shape[1], pixels.shape[0]),
            names=self._names,
        )

    def classifications(self, labeler: int, pixels: NDArray[np.uint8]) -> Classifications:
        """Returns the results of a labeler."""
        found = self._results(_library.vision().OcellusLabelerLabel, _LABEL, labeler, pixels)
        return Classifications(found["score"], found["category"], self._labels(found))

    def _results(
        self, function: Any, kind: np.dtype[Any], viewer: int, pixels: NDArray[np.uint8]
    ) -> NDArray[Any]:
        """Calls a function, again with a larger buffer if it was too small; later calls keep that size."""
        while True:
            capacity = self._capacity
            results, error = np.zeros(capacity, kind), _Error()
            height, width = pixels.shape[:2]
            count = function(
                viewer,
                pixels.ctypes.data,
                width,
                height,
                pixels.strides[0],
                results.ctypes.data,
                capacity,
                error.buffer,
                _ERROR_BYTES,
            )
            if count < 0:
                raise RuntimeError(str(error))
            if count <= capacity:
                return results[:count]
            self._capacity = count

    def _labels(self, found: NDArray[Any]) -> NDArray[np.object_]:
        labels = np.empty(len(found), np.object_)
        if self._names is not None:
            labels[:] = [self._names.get(number) for number in found["category"].tolist()]
        else:
            labels[:] = [self._name(address) for address in found["label"].tolist()]
        return labels

    def _name(self, address: int) -> Optional[str]:
        if address not in self._names_read:
            self._names_read[address] = ctypes.string_at(address).decode("utf-8", "replace")
        return self._names_read[address]


def identified(tracker: int, detections: Detections, seconds: float) -> Detections:
    """Returns the detections of the next picture with the tracker's identities."""
    if not isinstance(detections, Detections):
        raise TypeError(
            f"a tracker takes Detections, not {type(detections).__name__}: make them of boxes and scores"
        )
    time = float(seconds)
    if not math.isfinite(time):
        raise ValueError(f"{seconds!r} is no time")
    objects = np.zeros(len(detections), _OBJECT)
    objects["box"], objects["score"] = detections.boxes, detections.scores
    # The tracker compares classes; -1 means that there is none.
    objects["category"] = np.clip(detections.classes, -1, _LARGEST_INTEGER)
    error = _Error()
    address = objects.ctypes.data if len(objects) else None
    if _library.vision().OcellusTrackerUpdate(
        tracker, address, len(objects), time, error.buffer, _ERROR_BYTES
    ):
        raise ValueError(str(error))
    return detections.with_identities(objects["identity"])
