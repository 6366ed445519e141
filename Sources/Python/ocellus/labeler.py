"""Classification of whole pictures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Optional, Union

from . import _vision
from ._handles import Closing
from .names import class_names
from .pictures import read_picture

if TYPE_CHECKING:
    from .names import ClassNames
    from .pictures import Colors, Picture
    from .results import Classifications


class Labeler(Closing):
    """Classifies pictures with a TensorFlow Lite model.

        import ocellus

        labeler = ocellus.Labeler("mobilenet.tflite", max_results=3)
        for score, class_id, label in labeler.label("photo.jpg"):
            print(label, score)

    For threads, closing and forks see `Detector`.
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
        """Reads a model; the arguments are those of `Detector`.

        If neither the model's metadata nor `score_threshold` has a threshold, the result has every class.
        """
        self._model_path = os.fspath(model)
        self._handle = _vision.create_labeler(
            model, _vision.options(score_threshold, max_results, num_threads)
        )
        self._reader = _vision.ResultReader(None if labels is None else class_names(labels))

    def label(self, picture: Picture, *, colors: Colors = "rgb") -> Classifications:
        """Returns the classes of a picture, best first.

        Args:
            picture: As for `Detector.detect`.
            colors: `"bgr"` for arrays of OpenCV.
        """
        pixels = read_picture(picture, colors=colors)
        with self._handle.borrowed() as pointer:
            return self._reader.classifications(pointer, pixels)

    @property
    def model_path(self) -> str:
        """The path as it was given."""
        return self._model_path

    def __repr__(self) -> str:
        state = ", closed" if self._handle.is_closed else ""
        return f"<ocellus.Labeler of {self._model_path!r}{state}>"
