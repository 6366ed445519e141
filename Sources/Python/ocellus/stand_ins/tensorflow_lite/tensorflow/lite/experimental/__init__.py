"""A stand-in for `tf.lite.experimental` with the names that belong to the interpreter."""

from typing import Any

from ocellus.in_place import missing_from_tensorflow

from tensorflow.lite.python.interpreter import OpResolverType as OpResolverType
from tensorflow.lite.python.interpreter import load_delegate as load_delegate


def __getattr__(name: str) -> Any:
    raise AttributeError(missing_from_tensorflow(__name__, name))
