"""Conversion of a program's pictures to rows of red, green and blue bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, Literal, Protocol, Union

import numpy as np

from . import _vision

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Tensor(Protocol):
    """An object that NumPy converts to an array by a method."""

    def __array__(self, *arguments: Any, **options: Any) -> Any:
        """Returns the elements as an array."""


class Image(Protocol):
    """An object that NumPy converts to an array by a description of its memory, such as a Pillow image."""

    @property
    def __array_interface__(self) -> Any:
        """The address and the format of the elements."""


Picture = Union[
    str, "os.PathLike[str]", bytes, bytearray, memoryview, "NDArray[np.uint8]", Tensor, Image
]
"""What can be looked at: see `read_picture`."""

Colors = Literal["rgb", "bgr"]
"""The order of the channels of an array."""

# The limits of the file decoders, which apply to arrays, too.
_MAXIMUM_PIXELS = 1 << 28
_MAXIMUM_FILE_BYTES = 1 << 30
_FILE_PIECE = 1 << 20

# Pillow's modes whose arrays can be used directly, and those that Pillow converts without loss of range.
_PLAIN_MODES = ("RGB", "RGBA", "RGBX", "L")
_CONVERTED_MODES = ("1", "P", "PA", "LA", "La", "RGBa", "CMYK", "YCbCr", "HSV")


def read_picture(picture: Picture, *, colors: Colors = "rgb") -> NDArray[np.uint8]:
    """Returns the pixels of a picture: height × width × 3 bytes of red, green and blue.

    `Detector.detect` and `Labeler.label` use this function. A picture is

    - the path of a file, or the bytes of one: JPEG, PNG, BMP, PNM or NPY. Its EXIF orientation is applied;
    - an array of `uint8`: height × width × 3; height × width or height × width × 1 for gray; or
      height × width × 4, whose fourth channel, the opacity, is dropped and not blended with anything. Rows may have
      any strides;
    - an image of Pillow, which is optional. Its EXIF orientation is ignored: for photographs use
      `ImageOps.exif_transpose` first, or pass the path;
    - any other object whose `__array__` returns such an array.

    Arrays of OpenCV have the channels in reverse order: pass `colors="bgr"`. It has no effect on files and images of
    Pillow, which define their channels.

    If an array needs no conversion, the function returns it without a copy: copy it before you write to it.

    Raises:
        OSError: if a file cannot be read.
        ValueError: if bytes are not a picture, or an array has another shape or type.
        TypeError: if it is none of these.
    """
    if colors not in ("rgb", "bgr"):
        raise ValueError(f"colors is 'rgb' or 'bgr', not {colors!r}")
    if isinstance(picture, np.ndarray):
        return _with_three_channels(_array(picture), colors)
    if isinstance(picture, (str, os.PathLike)):
        return _vision.decode_picture(_file_contents(picture))
    if isinstance(picture, (bytes, bytearray)):
        return _vision.decode_picture(bytes(picture))
    if isinstance(picture, memoryview) and picture.ndim == 1:
        return _vision.decode_picture(picture.tobytes())
    if _is_pillow_image(picture):
        return _with_three_channels(_pillow_array(picture), "rgb")
    return _with_three_channels(_array(picture), colors)


def _file_contents(path: Union[str, "os.PathLike[str]"]) -> bytes:
    """Reads a file in segments, so an endless one is rejected before it fills the memory."""
    pieces: List[bytes] = []
    count = 0
    with open(path, "rb") as file:
        while piece := file.read(_FILE_PIECE):
            count += len(piece)
            if count > _MAXIMUM_FILE_BYTES:
                raise ValueError(f"{os.fspath(path)!r} has more than {_MAXIMUM_FILE_BYTES} bytes")
            pieces.append(piece)
    return b"".join(pieces)


def _is_pillow_image(picture: Any) -> bool:
    """Whether this is a Pillow image, without an import of Pillow."""
    return any(
        kind.__module__ == "PIL.Image" and kind.__name__ == "Image" for kind in type(picture).__mro__
    )


def _pillow_array(image: Any) -> NDArray[np.uint8]:
    if image.mode in _CONVERTED_MODES:
        image = image.convert("RGB")
    elif image.mode not in _PLAIN_MODES:
        raise ValueError(
            f"images of Pillow's mode {image.mode!r} have no common range: "
            "bring them to 0…255 and convert them to 'L' or 'RGB'"
        )
    return np.asarray(image)


def _array(picture: Any) -> NDArray[np.uint8]:
    if not hasattr(picture, "__array__") and not hasattr(picture, "__array_interface__"):
        if not isinstance(picture, memoryview):
            raise TypeError(
                "a picture is a path, the bytes of a file, an array of uint8, or an image of Pillow, "
                f"not {type(picture).__name__}"
            )
    array = np.asarray(picture)
    if array.dtype != np.uint8:
        raise ValueError(
            f"pictures are arrays of uint8 from 0 to 255, not {array.dtype}: "
            "of floats from 0 to 1 make (255 * picture).round().astype(numpy.uint8)"
        )
    return array


def _with_three_channels(array: NDArray[np.uint8], colors: str) -> NDArray[np.uint8]:
    _check_shape(array.shape)
    if array.ndim == 2 or array.shape[2] == 1:
        return np.repeat(array.reshape(array.shape[0], array.shape[1], 1), 3, axis=2)
    pixels = array[:, :, 2::-1] if colors == "bgr" else array[:, :, :3]
    return pixels if _has_whole_pixels(pixels) else np.ascontiguousarray(pixels)


def _check_shape(shape: "tuple[int, ...]") -> None:
    is_picture = len(shape) == 2 or len(shape) == 3 and shape[2] in (1, 3, 4)
    if not is_picture:
        hint = ""
        if len(shape) == 4:
            hint = ": look at the pictures of a batch one by one"
        elif len(shape) == 3 and shape[0] in (1, 3, 4):
            hint = ": bring the channels to the end with picture.transpose(1, 2, 0)"
        raise ValueError(
            "pictures are height × width, or height × width × 1, 3 or 4, "
            f"not {' × '.join(map(str, shape)) or 'a single number'}{hint}"
        )
    if 0 in shape:
        raise ValueError(f"the picture has no pixels: it is {shape[1]} wide and {shape[0]} high")
    if shape[0] * shape[1] > _MAXIMUM_PIXELS:
        raise ValueError(
            f"the picture is {shape[1]} × {shape[0]}; the limit is {_MAXIMUM_PIXELS} pixels"
        )


def _has_whole_pixels(array: NDArray[np.uint8]) -> bool:
    """Whether the library can read an array in place: rows from top to bottom, the bytes of each contiguous."""
    row, pixel, channel = array.strides
    width = array.shape[1]
    return channel == 1 and pixel == 3 and 3 * width <= row < 1 << 40
