"""The results for a picture, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .conversions import UltralyticsResults

    LabelColumn = Union[Sequence[Optional[str]], NDArray[np.object_], NDArray[np.str_]]
    Selection = Union[slice, "NDArray[Any]", "list[int]", "list[bool]"]


class Box(NamedTuple):
    """Four edges, in pixels from the upper left corner of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The distance between the left and the right edge."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The distance between the upper and the lower edge."""
        return self.bottom - self.top


class Detection(NamedTuple):
    """One object in a picture: an element of `Detections`."""

    box: Box
    score: float
    class_id: int
    """The number of its class; -1 where the model does not say."""
    label: Optional[str]
    """The name of its class; None where there is none."""
    identity: int
    """What a tracker takes it for, from 1 on; 0 until it is sure, or where nothing is tracked."""


class Detections:
    """The objects in a picture, best first, as parallel arrays.

    - `boxes`, N × 4 `float64`: left, top, right, bottom, in pixels of the picture;
    - `scores`, N `float32` from 0 to 1;
    - `classes`, N `int64`: numbers of classes, -1 if the model has none;
    - `labels`, N names of classes, None for classes without a name;
    - `identities`, N `int64` from a tracker, 0 until it is sure; None without a tracker;
    - `picture_size`, width and height of the picture; None if unknown.

    The arrays belong to the program: they do not change when the detector is used again or closed:

        for box, score, class_id, label, identity in found:
            print(label, score, box.left, box.top)

        sure = found[found.scores > 0.6]            # masks, slices and lists of indices select
        cats = found[found.labels == "cat"]
        best = found[0]                             # a single one is a Detection
    """

    __slots__ = ("boxes", "scores", "classes", "labels", "identities", "picture_size", "_names")

    boxes: NDArray[np.float64]
    scores: NDArray[np.float32]
    classes: NDArray[np.int64]
    labels: NDArray[np.object_]
    identities: Optional[NDArray[np.int64]]
    picture_size: Optional[Tuple[int, int]]

    def __init__(
        self,
        boxes: ArrayLike,
        scores: ArrayLike,
        classes: Optional[ArrayLike] = None,
        labels: Optional[LabelColumn] = None,
        identities: Optional[ArrayLike] = None,
        *,
        picture_size: Optional[Tuple[int, int]] = None,
        names: Optional[Dict[int, str]] = None,
    ) -> None:
        """Creates detections from other sources, for instance for a `Tracker`; omitted arguments are unknown."""
        self.scores = np.array(scores, np.float32).reshape(-1)
        count = len(self.scores)
        box_values = np.array(boxes, np.float64)
        if box_values.size != 4 * count:
            raise ValueError(f"{count} scores need {count} boxes of 4 numbers, not {box_values.shape}")
        self.boxes = box_values.reshape(count, 4)
        self.classes = _column("classes", classes, count, -1, np.int64)
        self.labels = _column("labels", labels, count, None, np.object_)
        self.identities = (
            None if identities is None else _column("identities", identities, count, 0, np.int64)
        )
        self.picture_size = picture_size
        self._names = dict(names or {})

    @property
    def names(self) -> Dict[int, str]:
        """The names of classes by their numbers: from the given labels and from the detections."""
        found = {
            int(number): str(label)
            for number, label in zip(self.classes, self.labels)
            if label is not None
        }
        return {**self._names, **found}

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[Detection]:
        for index in range(len(self)):
            yield self[index]

    @overload
    def __getitem__(self, index: int) -> Detection: ...
    @overload
    def __getitem__(self, index: Selection) -> Detections: ...
    def __getitem__(self, index: Union[int, Selection]) -> Union[Detection, Detections]:
        if isinstance(index, (int, np.integer)) and not isinstance(index, bool):
            return Detection(
                Box(*self.boxes[index].tolist()),
                float(self.scores[index]),
                int(self.classes[index]),
                self.labels[index],
                0 if self.identities is None else int(self.identities[index]),
            )
        if isinstance(index, list) and not index:
            index = slice(0)
        return Detections(
            self.boxes[index],
            self.scores[index],
            self.classes[index],
            self.labels[index],
            None if self.identities is None else self.identities[index],
            picture_size=self.picture_size,
            names=self._names,
        )

    def __repr__(self) -> str:
        lines = [f"<{len(self)} detections>"]
        for number, found in enumerate(self):
            if number == 10:
                lines.append(f"  and {len(self) - number} more")
                break
            name = found.label if found.label is not None else f"class {found.class_id}"
            identity = f"#{found.identity} " if found.identity else ""
            edges = ", ".join(f"{edge:.1f}" for edge in found.box)
            lines.append(f"  {identity}{name} {found.score:.3f} ({edges})")
        return "\n".join(lines)

    def with_identities(self, identities: ArrayLike) -> Detections:
        """Returns the objects with other identities, 0 for objects without one."""
        return Detections(
            self.boxes,
            self.scores,
            self.classes,
            self.labels,
            identities,
            picture_size=self.picture_size,
            names=self._names,
        )

    def to_supervision(self) -> Any:
        """Converts to `supervision.Detections`, which needs the package `supervision`.

        Labels become `data["class_name"]`, identities `tracker_id`, -1 for objects that have none yet.
        """
        from .conversions import to_supervision

        return to_supervision(self)

    @staticmethod
    def from_supervision(detections: Any) -> Detections:
        """Converts from `supervision.Detections` of other models, for instance for a `Tracker`."""
        from .conversions import from_supervision

        return from_supervision(detections)

    def to_ultralytics(self) -> UltralyticsResults:
        """Converts to an object like an ultralytics result, without the package ultralytics.

        It has `.boxes.xyxy`, `.boxes.conf`, `.boxes.cls`, `.boxes.id` and `.names`, with NumPy arrays instead of
        tensors; `.cpu()` and `.numpy()` exist and do nothing.
        """
        from .conversions import UltralyticsResults

        return UltralyticsResults(self)

    @staticmethod
    def from_ultralytics(result: Any) -> Detections:
        """Converts from an ultralytics result, an element of the list that `predict` or `track` returns."""
        from .conversions import from_ultralytics

        return from_ultralytics(result)


class Classification(NamedTuple):
    """One class of a picture: an element of `Classifications`."""

    score: float
    class_id: int
    """The number of the class."""
    label: Optional[str]
    """The name of the class; None where there is none."""


class Classifications:
    """The classes of a picture, best first, as parallel arrays.

    - `scores`, N `float32` from 0 to 1;
    - `classes`, N `int64`: numbers of classes;
    - `labels`, N names of classes, None for classes without a name.
    """

    __slots__ = ("scores", "classes", "labels")

    scores: NDArray[np.float32]
    classes: NDArray[np.int64]
    labels: NDArray[np.object_]

    def __init__(self, scores: ArrayLike, classes: ArrayLike, labels: Optional[LabelColumn] = None) -> None:
        self.scores = np.array(scores, np.float32).reshape(-1)
        self.classes = _column("classes", classes, len(self.scores), -1, np.int64)
        self.labels = _column("labels", labels, len(self.scores), None, np.object_)

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[Classification]:
        for index in range(len(self)):
            yield self[index]

    @overload
    def __getitem__(self, index: int) -> Classification: ...
    @overload
    def __getitem__(self, index: Selection) -> Classifications: ...
    def __getitem__(self, index: Union[int, Selection]) -> Union[Classification, Classifications]:
        if isinstance(index, (int, np.integer)) and not isinstance(index, bool):
            return Classification(
                float(self.scores[index]), int(self.classes[index]), self.labels[index]
            )
        if isinstance(index, list) and not index:
            index = slice(0)
        return Classifications(self.scores[index], self.classes[index], self.labels[index])

    def __repr__(self) -> str:
        lines = [f"<{len(self)} classifications>"]
        for number, found in enumerate(self):
            if number == 10:
                lines.append(f"  and {len(self) - number} more")
                break
            name = found.label if found.label is not None else f"class {found.class_id}"
            lines.append(f"  {name} {found.score:.3f}")
        return "\n".join(lines)


def _column(name: str, values: Any, count: int, missing: Any, kind: Any) -> NDArray[Any]:
    """Returns a copy of a column of `count` values, or `missing` for all if it was omitted."""
    if values is None:
        return np.full(count, missing, kind)
    column = np.array(values, kind).reshape(-1)
    if len(column) != count:
        raise ValueError(f"{count} scores need {count} {name}, not {len(column)}")
    return column
