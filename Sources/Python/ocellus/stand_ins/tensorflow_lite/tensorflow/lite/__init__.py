"""A stand-in for `tf.lite` with the interpreter."""

from typing import Any

from ocellus.in_place import missing_from_tensorflow

from tensorflow.lite import experimental as experimental
from tensorflow.lite.python.interpreter import Interpreter as Interpreter


def __getattr__(name: str) -> Any:
    raise AttributeError(missing_from_tensorflow(__name__, name))
