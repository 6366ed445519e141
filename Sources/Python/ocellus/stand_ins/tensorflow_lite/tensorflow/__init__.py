"""A stand-in for TensorFlow with `tf.lite.Interpreter` and related names."""

from typing import Any

from ocellus.in_place import missing_from_tensorflow

from tensorflow import lite as lite

# The TensorFlow release whose interpreter has this interface.
__version__ = "2.21.0"


def __getattr__(name: str) -> Any:
    raise AttributeError(missing_from_tensorflow(__name__, name))
