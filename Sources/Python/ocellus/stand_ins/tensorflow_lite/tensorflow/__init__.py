"""Stands in for TensorFlow, of which it has `tf.lite.Interpreter` and what belongs to that."""

from typing import Any

from ocellus.in_place import missing_from_tensorflow

from tensorflow import lite as lite

# The release that has the interpreter with this interface.
__version__ = "2.21.0"


def __getattr__(name: str) -> Any:
    raise AttributeError(missing_from_tensorflow(__name__, name))
