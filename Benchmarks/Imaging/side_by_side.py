"""Times Pillow and OpenCV (one thread) on what imaging-bench does, in turns with it.

    python3 Benchmarks/Imaging/side_by_side.py .build/release/imaging-bench

Prints milliseconds, the fastest of many calls, and how many times faster Ocellus is.
"""

import os
import subprocess
import sys
import tempfile
import time

import cv2
import numpy
from PIL import Image

SIZES = [(640, 360), (300, 300)]
PILLOW = {
    "nearest": Image.NEAREST,
    "box": Image.BOX,
    "bilinear": Image.BILINEAR,
    "bicubic": Image.BICUBIC,
    "lanczos": Image.LANCZOS,
}
OPENCV = {"nearest": cv2.INTER_NEAREST, "linear": cv2.INTER_LINEAR, "area": cv2.INTER_AREA}


def picture(width, height, channels):
    """The picture that imaging-bench computes too."""
    y, x, channel = numpy.mgrid[0:height, 0:width, 0:channels].astype(numpy.int64)
    return ((x * x * 7 + y * 13 + channel * 50 + x * y * 3) & 255).astype(numpy.uint8)


def fastest(call):
    best, calls, end = float("inf"), 0, time.perf_counter() + 0.6
    while time.perf_counter() < end or calls < 5:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
        calls += 1
    return best * 1e3


def photograph(path):
    """A file of twelve megapixels with about as much detail as a photograph has."""
    y, x = numpy.mgrid[0:3000, 0:4000].astype(numpy.float32)
    waves = [numpy.sin(x / a + numpy.cos(y / b) * 3) for a, b in ((37, 91), (11, 53), (71, 23))]
    noise = numpy.random.default_rng(1).normal(0, 6, (3000, 4000, 3))
    pixels = 128 + 50 * numpy.stack(waves, 2) + noise
    Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8)).save(path, quality=90)


def ocellus(program, *names):
    name = names[0]
    lines = subprocess.run([program, *names], capture_output=True, text=True, check=True).stdout
    return float(next(line for line in lines.splitlines() if line.startswith(name)).split()[-1])


def main(program):
    cv2.setNumThreads(1)
    photo = picture(1920, 1080, 3)
    pillow_photo = Image.fromarray(photo)
    frame = picture(1280, 1080, 1)[..., 0]
    contest = []
    for size in SIZES:
        for name, kernel in PILLOW.items():
            call = lambda size=size, kernel=kernel: pillow_photo.resize(size, kernel)
            contest.append((f"pil-{name} {size[0]}x{size[1]}", call))
        for name, kernel in OPENCV.items():
            call = lambda size=size, kernel=kernel: cv2.resize(photo, size, interpolation=kernel)
            contest.append((f"cv-{name} {size[0]}x{size[1]}", call))
    contest.append(("nv12 to rgb8", lambda: cv2.cvtColor(frame, cv2.COLOR_YUV2RGB_NV12)))
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "photo.jpg")
    photograph(path)
    print("| 1920x1080, ms | Ocellus | namesake | ratio |\n|---|---|---|---|")
    for name, call in contest:
        # In turns, so that what disturbs one of them disturbs the other.
        ours, theirs = [], []
        for _ in range(2):
            ours.append(ocellus(program, name))
            theirs.append(fastest(call))
        print(f"| {name} | {min(ours):.3f} | {min(theirs):.3f} | {min(theirs) / min(ours):.1f} |")
    call = lambda: numpy.asarray(Image.open(path).convert("RGB").resize((320, 320), Image.BILINEAR))
    ours, theirs = ocellus(program, "photo to tensor", path), fastest(call)
    print(f"| 12 megapixels of JPEG to 320x320 | {ours:.3f} | {theirs:.3f} | {theirs / ours:.1f} |")


main(sys.argv[1])
