"""Conversions to and from the results of other packages, which need not be installed.

Their objects are read by the names of attributes, without an import; only `to_supervision` imports the package
whose object it creates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional, Tuple

import numpy as np

from .results import Detections

if TYPE_CHECKING:
    from numpy.typing import NDArray


def to_supervision(detections: Detections) -> Any:
    """See `Detections.to_supervision`."""
    try:
        from supervision import Detections as SupervisionDetections
    except ImportError as error:
        raise ImportError("to_supervision needs the package: pip install supervision") from error
    identities = detections.identities
    names = [
        str(number) if label is None else str(label)
        for number, label in zip(detections.classes, detections.labels)
    ]
    return SupervisionDetections(
        xyxy=detections.boxes.astype(np.float32),
        confidence=detections.scores.copy(),
        class_id=detections.classes.astype(int),
        tracker_id=None if identities is None else np.where(identities == 0, -1, identities),
        data={"class_name": np.array(names, dtype=np.str_)},
    )


def from_supervision(detections: Any) -> Detections:
    """See `Detections.from_supervision`."""
    boxes = np.asarray(_attribute(detections, "xyxy", "supervision.Detections"))
    scores = getattr(detections, "confidence", None)
    identities = getattr(detections, "tracker_id", None)
    return Detections(
        boxes,
        # Annotations by people have no scores and count as certain.
        np.ones(len(boxes), np.float32) if scores is None else scores,
        getattr(detections, "class_id", None),
        (getattr(detections, "data", None) or {}).get("class_name"),
        None if identities is None else np.maximum(np.asarray(identities), 0),
    )


def from_ultralytics(result: Any) -> Detections:
    """See `Detections.from_ultralytics`."""
    boxes = _attribute(result, "boxes", "a result of ultralytics")
    if boxes is None:
        raise ValueError("this result has no boxes: the model finds no objects")
    names = _name_table(getattr(result, "names", None))
    edges, scores, numbers = (
        _values(_attribute(boxes, name, "boxes of ultralytics")) for name in ("xyxy", "conf", "cls")
    )
    classes = numbers.astype(np.int64)
    identities = getattr(boxes, "id", None)
    shape = getattr(result, "orig_shape", None)
    return Detections(
        edges,
        scores,
        classes,
        [names.get(int(number)) for number in classes],
        None if identities is None else _values(identities).astype(np.int64),
        picture_size=None if shape is None else (int(shape[1]), int(shape[0])),
        names=names,
    )


def _attribute(object: Any, name: str, kind: str) -> Any:
    if not hasattr(object, name):
        raise TypeError(f"{type(object).__name__} is not {kind}: it has no {name!r}")
    return getattr(object, name)


def _name_table(names: Any) -> Dict[int, str]:
    """Returns names by number, from a dictionary or a list."""
    pairs = names.items() if hasattr(names, "items") else enumerate(names or ())
    return {int(number): str(name) for number, name in pairs}


def _values(values: Any) -> NDArray[Any]:
    """Returns the numbers of an array, or of a tensor on any device."""
    if hasattr(values, "detach"):
        values = values.detach()
    if hasattr(values, "cpu"):
        values = values.cpu()
    return np.asarray(values)


class HostArray(np.ndarray):
    """An array with the methods `cpu` and `numpy` of a tensor."""

    def cpu(self) -> HostArray:
        """Returns the object itself, which is in host memory."""
        return self

    def numpy(self) -> NDArray[Any]:
        """Returns the array as a plain NumPy array."""
        return self.view(np.ndarray)

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())


def _host(values: NDArray[Any]) -> HostArray:
    return values.view(HostArray)


class UltralyticsBoxes:
    """Boxes with the attributes that ultralytics has."""

    def __init__(self, detections: Detections) -> None:
        self._detections = detections

    @property
    def orig_shape(self) -> Tuple[int, int]:
        """Height and width of the picture."""
        if self._detections.picture_size is None:
            raise ValueError("these detections do not know how large their picture is")
        width, height = self._detections.picture_size
        return (height, width)

    @property
    def xyxy(self) -> HostArray:
        """Left, top, right, bottom, in pixels."""
        return _host(self._detections.boxes.astype(np.float32))

    @property
    def xywh(self) -> HostArray:
        """The centre's x and y, width and height, in pixels."""
        corners = self._detections.boxes.reshape(-1, 2, 2)
        parts = (corners.mean(axis=1), corners[:, 1] - corners[:, 0])
        return _host(np.concatenate(parts, axis=1).astype(np.float32))

    @property
    def xyxyn(self) -> HostArray:
        """Left, top, right, bottom, as fractions of the picture."""
        return _host(np.divide(self.xyxy, self._scale))

    @property
    def xywhn(self) -> HostArray:
        """The centre's x and y, width and height, as fractions of the picture."""
        return _host(np.divide(self.xywh, self._scale))

    @property
    def _scale(self) -> NDArray[np.float32]:
        height, width = self.orig_shape
        return np.array([width, height, width, height], np.float32)

    @property
    def conf(self) -> HostArray:
        """Scores."""
        return _host(self._detections.scores)

    @property
    def cls(self) -> HostArray:
        """Numbers of classes, as floats."""
        return _host(self._detections.classes.astype(np.float32))

    @property
    def id(self) -> Optional[HostArray]:
        """Identities, as floats; None if nothing is tracked, or the tracker is not sure of any object yet."""
        identities = self._detections.identities
        if identities is None or not identities.any():
            return None
        return _host(identities.astype(np.float32))

    @property
    def is_track(self) -> bool:
        """Whether there are identities."""
        return self.id is not None

    @property
    def data(self) -> HostArray:
        """A row for each box: its edges, its identity if objects are tracked, score and class."""
        columns = [self.xyxy, self.conf[:, None], self.cls[:, None]]
        if self.id is not None:
            columns.insert(1, self.id[:, None])
        return _host(np.concatenate(columns, axis=1))

    @property
    def shape(self) -> Tuple[int, ...]:
        """The shape of `data`."""
        return self.data.shape

    def __len__(self) -> int:
        return len(self._detections)

    def __getitem__(self, index: Any) -> UltralyticsBoxes:
        return UltralyticsBoxes(_several(self._detections, index))

    def __iter__(self) -> Iterator[UltralyticsBoxes]:
        for index in range(len(self)):
            yield self[index]

    def cpu(self) -> UltralyticsBoxes:
        """Returns the object itself, which is in host memory."""
        return self

    def numpy(self) -> UltralyticsBoxes:
        """Returns the object itself, which is in host memory."""
        return self


class UltralyticsResults:
    """Detections in the form of an ultralytics result: `boxes`, `names`, `orig_shape`; no picture, no masks.

    As in ultralytics, once any object has an identity, only the objects with one are included.
    """

    probs = masks = keypoints = obb = None

    def __init__(self, detections: Detections) -> None:
        identities = detections.identities
        if identities is not None and identities.any():
            detections = detections[identities > 0]
        self._detections = detections
        self.boxes = UltralyticsBoxes(detections)
        # Programs look up every class here, including classes without a name.
        unnamed = {int(number): str(number) for number in detections.classes}
        self.names = {**unnamed, **detections.names}

    @property
    def orig_shape(self) -> Tuple[int, int]:
        """Height and width of the picture."""
        return self.boxes.orig_shape

    def __len__(self) -> int:
        return len(self._detections)

    def __getitem__(self, index: Any) -> UltralyticsResults:
        return UltralyticsResults(_several(self._detections, index))

    def __iter__(self) -> Iterator[UltralyticsResults]:
        for index in range(len(self)):
            yield self[index]

    def cpu(self) -> UltralyticsResults:
        """Returns the object itself, which is in host memory."""
        return self

    def numpy(self) -> UltralyticsResults:
        """Returns the object itself, which is in host memory."""
        return self


def _several(detections: Detections, index: Any) -> Detections:
    """Returns a selection, for a single index, too, because ultralytics keeps the rows."""
    if isinstance(index, (int, np.integer)):
        count = len(detections)
        if not -count <= index < count:
            raise IndexError(f"there is no box {index}: there are {count}")
        return detections[[int(index)]]
    selected: Detections = detections[index]
    return selected
