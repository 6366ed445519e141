"""Detection, tracking and classification in pictures.

All names of this module are in `ocellus` itself, too: `ocellus.Detector`.
"""

from __future__ import annotations

from .detector import Detector
from .labeler import Labeler
from .pictures import read_picture
from .results import Box, Classification, Classifications, Detection, Detections
from .tracker import Tracker

__all__ = [
    "Box",
    "Classification",
    "Classifications",
    "Detection",
    "Detections",
    "Detector",
    "Labeler",
    "Tracker",
    "read_picture",
]
