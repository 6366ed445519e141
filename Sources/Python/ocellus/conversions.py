"""To and from the results of other packages, none of which has to be installed.

What comes from them is read by the names of its attributes, so that nothing is imported; only
`to_supervision` imports a package, the one whose object it makes.
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
        # What was annotated by people has no scores, and is certain.
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
    """Names by number, of a dictionary as of a list."""
    pairs = names.items() if hasattr(names, "items") else enumerate(names or ())
    return {int(number): str(name) for number, name in pairs}


def _values(values: Any) -> NDArray[Any]:
    """The numbers of an array, or of a tensor wherever it is."""
    if hasattr(values, "detach"):
        values = values.detach()
    if hasattr(values, "cpu"):
        values = values.cpu()
    return np.asarray(values)


class HostArray(np.ndarray):
    """An array that may be asked for its copy on the processor, as a tensor is: it is there already."""

    def cpu(self) -> HostArray:
        """Itself."""
        return self

    def numpy(self) -> NDArray[Any]:
        """Itself, as a plain array."""
        return self.view(np.ndarray)

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())


def _host(values: NDArray[Any]) -> HostArray:
    return values.view(HostArray)


class UltralyticsBoxes:
    """Boxes under the names that ultralytics has for them."""

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
        """The middle's x and y, width and height, in pixels."""
        corners = self._detections.boxes.reshape(-1, 2, 2)
        parts = (corners.mean(axis=1), corners[:, 1] - corners[:, 0])
        return _host(np.concatenate(parts, axis=1).astype(np.float32))

    @property
    def xyxyn(self) -> HostArray:
        """Left, top, right, bottom, as fractions of the picture."""
        return _host(np.divide(self.xyxy, self._scale))

    @property
    def xywhn(self) -> HostArray:
        """The middle's x and y, width and height, as fractions of the picture."""
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
        """Identities, as floats; None where nothing is tracked, or nothing is sure yet."""
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
        """A row for each box: its edges, its identity where there are any, score and class."""
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
        """Itself."""
        return self

    def numpy(self) -> UltralyticsBoxes:
        """Itself."""
        return self


class UltralyticsResults:
    """Detections in the form of an ultralytics result: `boxes`, `names`, `orig_shape`; no picture, no masks.

    As there, tracked objects are only those that have an identity, as soon as there are any.
    """

    probs = masks = keypoints = obb = None

    def __init__(self, detections: Detections) -> None:
        identities = detections.identities
        if identities is not None and identities.any():
            detections = detections[identities > 0]
        self._detections = detections
        self.boxes = UltralyticsBoxes(detections)
        # Programs look up every class here, also those without a name.
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
        """Itself."""
        return self

    def numpy(self) -> UltralyticsResults:
        """Itself."""
        return self


def _several(detections: Detections, index: Any) -> Detections:
    """A selection that stays one, where an index stands for a single box: ultralytics keeps the rows."""
    if isinstance(index, (int, np.integer)):
        count = len(detections)
        if not -count <= index < count:
            raise IndexError(f"there is no box {index}: there are {count}")
        return detections[[int(index)]]
    selected: Detections = detections[index]
    return selected
