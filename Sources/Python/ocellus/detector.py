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

    What the input takes and what the outputs mean is found out from the model: SSD, EfficientDet, YOLO and many
    other families, with or without post-processing in the graph. `explain` says what was decided, and why.

    A detector is made once and used as long as the program runs. Several threads may use one: their calls wait
    for each other, without holding the GIL. Threads that are to work at the same time have a detector each, with
    `num_threads=1`. It is closed when it is collected, by `close`, or by `with`. A process made by `fork` makes
    its own: what another thread had under way at that moment stays under way there for ever.
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
            score_threshold: What scores less is left out, from 0 to 1; at 0, what scores nothing. Unless given, what
                the model's metadata says, or what is usual for its family.
            max_results: How many objects, the best ones, are reported; unless given, all.
            num_threads: The threads that share the work; unless given, one for each processor, at most four.
            labels: Names of classes in place of the model's own: a list, names by number, or the path of a file
                with a name a line.

        Raises:
            FileNotFoundError: where there is no such file.
            ValueError: where the model is not understood; the message says what would settle it.
        """
        self._model_path = os.fspath(model)
        self._labels = None if labels is None else class_names(labels)
        self._handle = _vision.create_detector(
            model, _vision.options(score_threshold, max_results, num_threads)
        )
        self._reader = _vision.ResultReader(self._labels)

    def detect(self, picture: Picture, *, colors: Colors = "rgb") -> Detections:
        """The objects in a picture, best first.

        Args:
            picture: A path, the bytes of a file, an array of `uint8` (height × width × 3), or an image of
                Pillow; `ocellus.read_picture` lists all.
            colors: `"bgr"` for arrays of OpenCV.

        Returns:
            `Detections`, whose boxes are in pixels of the picture.

        Raises:
            OSError: where a file cannot be read.
            ValueError: where it is no picture, or the detector is closed.
            RuntimeError: where the network cannot run.
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
        """The objects in one picture after the other, with identities.

            def camera():
                capture = cv2.VideoCapture(0)
                while (read := capture.read())[0]:
                    yield read[1], time.monotonic()

            for found in detector.track(camera(), colors="bgr"):
                print(found.identities, found.boxes)

        Args:
            frames: Pairs of a picture and its time in seconds, from any origin; with `fps` also pictures alone.
            fps: How many pictures follow each other in a second, for those without times.
            tracker: One that has seen the pictures before these; unless given, a new one.
            colors: As for `detect`.

        Yields:
            `Detections` for each picture, as soon as it is asked for.
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
        """How the model is read, and why: what `ocellus detect --explain --json` prints.

        `explanation` is a list of decisions in the order in which a picture meets them, each with `property`,
        `value` and `source`; `warnings` is what looks wrong but keeps nothing from working.
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
