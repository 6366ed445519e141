"""Identities from picture to picture."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from . import _vision
from ._handles import Closing

if TYPE_CHECKING:
    from .results import Detections


class Tracker(Closing):
    """Gives objects identities from picture to picture; it takes boxes and times, and needs no pictures.

        tracker = ocellus.Tracker()
        for frame, seconds in camera:
            found = tracker.update(detector.detect(frame), seconds)
            print(found.identities)

    Boxes may come from anywhere: `Detections(boxes, scores)`, `Detections.from_supervision(…)` or
    `Detections.from_ultralytics(…)`. A tracker follows one stream. Threads that share one take turns, so the
    order of their pictures is theirs to keep.
    """

    def __init__(self) -> None:
        """A tracker that has seen nothing yet."""
        self._turn = threading.Lock()
        self._handle = _vision.create_tracker()

    def update(self, detections: Detections, seconds: float) -> Detections:
        """The same objects with their identities, from 1 on; 0 for those of which the tracker is not sure yet.

        Pictures without objects belong to it too: it learns from them that an object has gone.

        Args:
            detections: What was found in the next picture.
            seconds: Its time, from any origin; equal to the time before, or later.

        Raises:
            ValueError: where times go back, or are none; the tracker is then as it was before.
        """
        with self._turn, self._handle.borrowed() as pointer:
            return _vision.identified(pointer, detections, seconds)
