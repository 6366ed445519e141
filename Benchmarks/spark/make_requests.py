"""Writes requests for `ocellus worker` about small pictures, one in a hundred of them broken, in ten ways.

    python3 make_requests.py COUNT requests.jsonl

Request n always is the same. Its id says whether it is broken, and how: `17`, `199-cut`.
"""

import argparse
import base64
import io
import json
import random

from PIL import Image

SEED = 21
BROKEN_SHARE = 100
PNG_WIDTH = slice(16, 20)  # behind the signature, and the length and name of the first piece
PNG_CHECKSUM = slice(29, 33)


def picture(number, format="JPEG"):
    """The file of a small picture: soft patches of random colours."""
    chance = random.Random(f"{SEED} {number}")
    patches = Image.frombytes("RGB", (6, 6), chance.randbytes(6 * 6 * 3))
    size = (chance.randrange(80, 160), chance.randrange(80, 160))
    file = io.BytesIO()
    patches.resize(size, Image.BICUBIC).save(file, format)
    return file.getvalue()


def with_bytes(file, place, value):
    return file[: place.start] + value + file[place.stop :]


def encoded(file):
    return {"data": base64.b64encode(file).decode()}


# What becomes of a good PNG.
BREAKAGES = {
    "empty": lambda file: encoded(b""),
    "text": lambda file: encoded(b"This is no picture.\n"),
    "head": lambda file: encoded(file[:24]),
    "cut": lambda file: encoded(file[: len(file) // 2]),
    "checksum": lambda file: encoded(with_bytes(file, PNG_CHECKSUM, b"\0\0\0\0")),
    "giant": lambda file: encoded(with_bytes(file, PNG_WIDTH, b"\x7f\xff\xff\xff")),
    "flat": lambda file: encoded(with_bytes(file, PNG_WIDTH, b"\0\0\0\0")),
    "tiff": lambda file: encoded(b"II*\0" + file[4:]),
    "letters": lambda file: {"data": "!" + base64.b64encode(file).decode()},
    "missing": lambda file: {"path": "no/such/picture.png"},
}


def request(number):
    """What is asked under this number, counted from zero."""
    if (number + 1) % BROKEN_SHARE:
        return {"id": str(number), **encoded(picture(number))}
    names = list(BREAKAGES)
    name = names[number // BROKEN_SHARE % len(names)]
    return {"id": f"{number}-{name}", **BREAKAGES[name](picture(number, "PNG"))}


def write_requests(count, path):
    with open(path, "w") as file:
        for number in range(count):
            file.write(json.dumps(request(number)) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("path")
    arguments = parser.parse_args()
    write_requests(arguments.count, arguments.path)
