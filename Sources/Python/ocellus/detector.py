"""Objects in pictures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, Optional, Tuple, Union

from . import _vision
from ._handles import Closing
from .names import class_names
from .pictures import read_picture
from .tracker import Tracker

if TYPE_CHECKING:
    from .names import ClassNames
    from .pictures import Colors, Picture
    from .results import Detections


class Detector(Closing):
    """Finds objects in pictures with a TensorFlow Lite model.

        import ocellus

        detector = ocellus.Detector("ssd.tflite", score_threshold=0.4)
        found = detector.detect("photo.jpg")
        for box, score, class_id, label, identity in found:
            print(f"{label}: {score:.2f} at {box.left:.0f}, {box.top:.0f}")
        print(found.boxes, found.scores, found.labels)     # the same as NumPy arrays

    The detector infers the input's format and the outputs' meaning from the model: SSD, EfficientDet, YOLO and
    many other families, with or without post-processing in the graph. `explain` lists the decisions and reasons.

    Create a detector once and use it as long as the program runs. Several threads may share one: their calls
    wait for each other, without holding the GIL. To work in parallel, give each thread a detector with
    `num_threads=1`. The garbage collector, `close` or `with` closes it. After a `fork`, the child must create its
    own detector, because a call of another thread during the fork never ends in the child.
    """

    def __init__(
        self,
        model: Union[str, "os.PathLike[str]"],
        *,
        score_threshold: Optional[float] = None,
        max_results: Optional[int] = None,
        num_threads: Optional[int] = None,
        labels: Optional[ClassNames] = None,
    ) -> None:
        """Reads a model.

        Args:
            model: The path of a model file, or of a folder that AutoML exported.
            score_threshold: The minimum score, from 0 to 1; 0 leaves out objects with score 0. By default the
                threshold of the model's metadata, or a usual one for its family.
            max_results: The maximum number of objects, best first; by default all.
            num_threads: The number of threads; by default one for each processor, at most four.
            labels: Names of classes instead of the model's own: a list, names by number, or the path of a file
                with one name per line.

        Raises:
            FileNotFoundError: if the file does not exist.
            ValueError: if the model is not understood; the message names the options that would help.
        """
        self._model_path = os.fspath(model)
        self._labels = None if labels is None else class_names(labels)
        self._handle = _vision.create_detector(
            model, _vision.options(score_threshold, max_results, num_threads)
        )
        self._reader = _vision.ResultReader(self._labels)

    def detect(self, picture: Picture, *, colors: Colors = "rgb") -> Detections:
        """Returns the objects in a picture, best first.

        Args:
            picture: A path, the bytes of a file, an array of `uint8` (height × width × 3), or an image of
                Pillow; `ocellus.read_picture` lists all.
            colors: `"bgr"` for arrays of OpenCV.

        Returns:
            `Detections`, whose boxes are in pixels of the picture.

        Raises:
            OSError: if a file cannot be read.
            ValueError: if it is not a picture, or the detector is closed.
            RuntimeError: if the network cannot run.
        """
        pixels = read_picture(picture, colors=colors)
        with self._handle.borrowed() as pointer:
            return self._reader.detections(pointer, pixels)

    def track(
        self,
        frames: Iterable[Union[Picture, Tuple[Picture, float]]],
        *,
        fps: Optional[float] = None,
        tracker: Optional[Tracker] = None,
        colors: Colors = "rgb",
    ) -> Iterator[Detections]:
        """Finds the objects in consecutive pictures, with identities.

            def camera():
                capture = cv2.VideoCapture(0)
                while (read := capture.read())[0]:
                    yield read[1], time.monotonic()

            for found in detector.track(camera(), colors="bgr"):
                print(found.identities, found.boxes)

        Args:
            frames: Pairs of a picture and its time in seconds, from any origin; with `fps`, pictures alone, too.
            fps: The number of pictures per second, for pictures without times.
            tracker: A tracker that has processed the earlier pictures; by default a new one.
            colors: As for `detect`.

        Yields:
            `Detections` for each picture, which is processed on demand.
        """
        if isinstance(frames, (str, bytes, bytearray, os.PathLike)):
            raise TypeError(
                "frames are pictures, one after the other: open a video with OpenCV or PyAV first"
            )
        if fps is not None and not 0 < fps < float("inf"):
            raise ValueError(f"fps is a number above 0, not {fps!r}")
        if tracker is None:
            tracker = Tracker()
        elif not isinstance(tracker, Tracker):
            raise TypeError(f"tracker is an ocellus.Tracker, not {type(tracker).__name__}")
        return self._tracked(iter(frames), fps, tracker, colors)

    def _tracked(
        self, frames: Iterator[Any], fps: Optional[float], tracker: Tracker, colors: Colors
    ) -> Iterator[Detections]:
        for index, frame in enumerate(frames):
            if isinstance(frame, tuple) and len(frame) == 2:
                picture, seconds = frame
            elif fps is not None:
                picture, seconds = frame, index / fps
            else:
                raise ValueError("pictures without times need fps, or come as pairs with their seconds")
            yield tracker.update(self.detect(picture, colors=colors), seconds)

    def explain(self) -> Dict[str, Any]:
        """Explains how the model is interpreted: returns the output of `ocellus detect --explain --json`.

        `explanation` is a list of decisions in the order of processing, each with `property`, `value` and
        `source`; `warnings` lists suspicious properties that are not errors.
        """
        with self._handle.borrowed() as pointer:
            explanation = _vision.explain(pointer)
        if self._labels is not None:
            entry = {"property": "labels", "value": str(len(self._labels)), "source": "options"}
            others = [each for each in explanation["explanation"] if each["property"] != "labels"]
            explanation["explanation"] = [*others, entry]
        return explanation

    @property
    def model_path(self) -> str:
        """The path as it was given."""
        return self._model_path

    def __repr__(self) -> str:
        state = ", closed" if self._handle.is_closed else ""
        return f"<ocellus.Detector of {self._model_path!r}{state}>"
