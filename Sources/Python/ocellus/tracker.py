"""Tracking of objects from picture to picture."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from . import _vision
from ._handles import Closing

if TYPE_CHECKING:
    from .results import Detections


class Tracker(Closing):
    """Gives objects identities from picture to picture; it needs boxes and times, but no pictures.

        tracker = ocellus.Tracker()
        for frame, seconds in camera:
            found = tracker.update(detector.detect(frame), seconds)
            print(found.identities)

    Boxes may come from any source: `Detections(boxes, scores)`, `Detections.from_supervision(…)` or
    `Detections.from_ultralytics(…)`. A tracker follows one stream. Threads that share a tracker wait for each
    other, but must keep their pictures in order themselves.
    """

    def __init__(self) -> None:
        """Creates a tracker without any tracks."""
        self._turn = threading.Lock()
        self._handle = _vision.create_tracker()

    def update(self, detections: Detections, seconds: float) -> Detections:
        """Returns the objects with their identities, from 1 on; 0 for objects of which the tracker is not sure yet.

        Call it for pictures without objects, too: they tell the tracker that an object has gone.

        Args:
            detections: The detections in the next picture.
            seconds: The picture's time, from any origin; not before the previous one.

        Raises:
            ValueError: if the time is not finite or goes back; the tracker is then unchanged.
        """
        with self._turn, self._handle.borrowed() as pointer:
            return _vision.identified(pointer, detections, seconds)
