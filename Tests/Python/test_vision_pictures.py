"""Pictures of every form are the same pixels, and what is none is refused with a reason."""

import io
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

import ocellus

SAMPLES = Path(__file__).resolve().parents[2] / "Models" / "samples"


def noise(*shape):
    return np.random.default_rng(1).integers(0, 256, shape, np.uint8)


def ppm(pixels):
    """A picture's file without compression."""
    height, width, _ = pixels.shape
    return b"P6 %d %d 255\n" % (width, height) + pixels.tobytes()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


class PictureArrays(unittest.TestCase):
    def test_colour_arrays_are_taken_where_they_lie(self):
        pixels = noise(5, 7, 3)
        self.assertIs(ocellus.read_picture(pixels).base, pixels)
        self.assertTrue(np.shares_memory(ocellus.read_picture(pixels), pixels))
        part = noise(9, 12, 3)[2:7, 3:9]
        self.assertTrue(np.shares_memory(ocellus.read_picture(part), part))
        np.testing.assert_array_equal(ocellus.read_picture(part), part)

    def test_other_strides_are_rearranged(self):
        pixels = noise(8, 6, 3)
        views = [
            pixels[::-1],
            pixels[:, ::-1],
            pixels[::2, ::3],
            np.asfortranarray(pixels),
            noise(3, 8, 6).transpose(1, 2, 0),
            np.broadcast_to(pixels[0], (4, 6, 3)),
            pixels[:, :, ::-1],
        ]
        for view in views:
            read = ocellus.read_picture(view)
            np.testing.assert_array_equal(read, view)
            height, width, _ = view.shape
            self.assertEqual(read.strides[1:], (3, 1))
            self.assertGreaterEqual(read.strides[0], 3 * width)

    def test_gray_becomes_three_equal_channels(self):
        gray = noise(4, 5)
        for form in (gray, gray[:, :, None]):
            read = ocellus.read_picture(form)
            self.assertEqual(read.shape, (4, 5, 3))
            for channel in range(3):
                np.testing.assert_array_equal(read[:, :, channel], gray)

    def test_opacity_is_dropped(self):
        pixels = noise(4, 5, 4)
        np.testing.assert_array_equal(ocellus.read_picture(pixels), pixels[:, :, :3])
        swapped = ocellus.read_picture(pixels, colors="bgr")
        np.testing.assert_array_equal(swapped, pixels[:, :, [2, 1, 0]])

    def test_colours_of_opencv_are_turned_round(self):
        pixels = noise(4, 5, 3)
        np.testing.assert_array_equal(
            ocellus.read_picture(pixels, colors="bgr"), pixels[:, :, ::-1]
        )

    def test_anything_that_makes_an_array_is_a_picture(self):
        pixels = noise(4, 5, 3)

        class Tensor:
            def __array__(self, dtype=None, copy=None):
                return pixels

        np.testing.assert_array_equal(ocellus.read_picture(Tensor()), pixels)
        np.testing.assert_array_equal(ocellus.read_picture(memoryview(pixels)), pixels)

    def test_what_is_no_picture_is_refused_with_a_reason(self):
        cases = [
            (noise(4, 5, 3).astype(np.float32), "uint8"),
            (noise(4, 5, 3) > 3, "uint8"),
            (noise(4, 5, 3).astype(np.uint16), "uint8"),
            (noise(4, 5, 2), "height × width"),
            (noise(3, 8, 5), "transpose"),
            (noise(1, 8, 5, 3), "one by one"),
            (noise(7), "height × width"),
            (np.uint8(7), "single number"),
            (noise(0, 5, 3), "no pixels"),
            (noise(5, 0), "no pixels"),
            (np.broadcast_to(np.uint8(0), (1 << 20, 1 << 20, 3)), "limit"),
            (np.array([["a"]]), "uint8"),
        ]
        for picture, reason in cases:
            with self.assertRaisesRegex(ValueError, reason):
                ocellus.read_picture(picture)
        for picture in (None, 3, 2.5, object(), [[1, 2]], {}, lambda: 0):
            with self.assertRaisesRegex(TypeError, "a picture is"):
                ocellus.read_picture(picture)
        with self.assertRaisesRegex(ValueError, "colors"):
            ocellus.read_picture(noise(4, 5, 3), colors="gbr")


class PictureFiles(unittest.TestCase):
    def test_bytes_and_paths_are_decoded(self):
        pixels = noise(5, 7, 3)
        contents = ppm(pixels)
        for form in (contents, bytearray(contents), memoryview(contents), npy(pixels)):
            np.testing.assert_array_equal(ocellus.read_picture(form), pixels)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "picture.ppm")
            Path(path).write_bytes(contents)
            for form in (path, Path(path)):
                np.testing.assert_array_equal(ocellus.read_picture(form), pixels)

    def test_a_decoded_picture_is_the_programs(self):
        pixels = noise(5, 7, 3)
        first = ocellus.read_picture(ppm(pixels))
        first[:] = 0
        np.testing.assert_array_equal(ocellus.read_picture(ppm(pixels)), pixels)

    def test_opacity_is_dropped_in_files_as_in_arrays(self):
        pixels = noise(5, 7, 4)
        np.testing.assert_array_equal(ocellus.read_picture(npy(pixels)), pixels[:, :, :3])

    def test_damaged_files_are_refused(self):
        contents = (SAMPLES / "cherries.jpg").read_bytes()
        generator = np.random.default_rng(2)
        for form in (b"", b"nothing", contents[:20], ppm(noise(5, 7, 3))[:40]):
            with self.assertRaises(ValueError):
                ocellus.read_picture(form)
        for _ in range(40):
            damaged = np.frombuffer(contents[:3000], np.uint8).copy()
            damaged[generator.integers(0, len(damaged), 30)] = generator.integers(0, 256, 30)
            try:
                self.assertEqual(ocellus.read_picture(damaged.tobytes()).shape[2], 3)
            except ValueError as error:
                self.assertTrue(str(error))

    def test_files_that_cannot_be_read_say_so(self):
        with self.assertRaises(FileNotFoundError):
            ocellus.read_picture("there is no such.png")
        with self.assertRaises(IsADirectoryError):
            ocellus.read_picture(SAMPLES)
        with self.assertRaises(ValueError):
            ocellus.read_picture("a\0b.png")

    def test_images_of_pillow_are_what_they_look_like(self):
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("Pillow is not installed")
        pixels = noise(5, 7, 3)
        image = Image.fromarray(pixels)
        np.testing.assert_array_equal(ocellus.read_picture(image), pixels)
        # Images of Pillow know their colours.
        np.testing.assert_array_equal(ocellus.read_picture(image, colors="bgr"), pixels)
        for mode in ("1", "L", "P", "LA", "PA", "RGBA", "CMYK", "YCbCr", "HSV", "RGBX"):
            converted = image.convert("L").convert("PA") if mode == "PA" else image.convert(mode)
            np.testing.assert_array_equal(
                ocellus.read_picture(converted), np.asarray(converted.convert("RGB")), mode
            )
        for mode in ("I", "F", "I;16"):
            with self.assertRaisesRegex(ValueError, "mode"):
                ocellus.read_picture(image.convert("L").convert(mode))


if __name__ == "__main__":
    unittest.main()
