"""Sample pictures and a clip that no model has learned from, with what is in them."""

import json

import numpy as np
from PIL import Image

import backgrounds
import scenes
import sprites
import things

SEED = 51
# Six scenes in a row, in which the committed detector finds all: see Models/README.md.
# Name, number of the scene, width and height of the upright picture, count of things, orientation.
PICTURES = [
    ("sunflower.jpg", 30, 640, 480, 5, 1),
    ("balloon.jpg", 31, 480, 640, 4, 6),
    ("cherries.jpg", 32, 512, 512, 6, 3),
    ("strawberry.jpg", 33, 640, 480, 3, 8),
    ("tower.png", 34, 256, 256, 4, 1),
    ("gloves.png", 35, 288, 216, 3, 1),
]
# How upright pixels are turned for the file that says it must be turned back.
STORED = {
    1: lambda image: image,
    3: lambda image: image.transpose(Image.Transpose.ROTATE_180),
    6: lambda image: image.transpose(Image.Transpose.ROTATE_90),
    8: lambda image: image.transpose(Image.Transpose.ROTATE_270),
}
ORIENTATION = 0x0112

CLIP_WIDTH, CLIP_HEIGHT, CLIP_RATE, CLIP_FRAMES = 160, 120, 15, 45


def studio():
    return scenes.Studio(
        sprites.cast(drawing_seed=SEED), backgrounds.collection(SEED, 40), SEED
    )


def described(thing, box):
    top, left, bottom, right = (int(edge) for edge in box)
    return {
        "category": things.CATEGORIES[thing.category],
        "name": thing.name,
        "box": {"left": left, "top": top, "right": right, "bottom": bottom},
    }


def write_picture(folder, place, name, number, width, height, count, orientation):
    scene = place.scene(number, width, height, count)
    image = STORED[orientation](Image.fromarray(scene.image))
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    options = {"quality": 88, "exif": exif} if name.endswith(".jpg") else {"optimize": True}
    image.save(folder / name, **options)
    objects = [described(thing, box) for thing, box in zip(scene.things, scene.boxes)]
    return {
        "file": name, "width": width, "height": height, "orientation": orientation,
        "objects": objects,
    }


class Mover:
    """A thing on its way across the clip."""

    def __init__(self, rng, identity, sprite, size, start, end, turn):
        self.identity, self.sprite = identity, sprite
        self.start, self.end = np.array(start, float), np.array(end, float)
        self.pose = scenes.Pose(size, 0, 1, rng.normal(0, 0.02, (4, 2)), False)
        self.turn = turn

    def patch(self, time):
        pose = scenes.Pose(
            self.pose.size, self.turn * np.sin(2 * np.pi * time), 1, self.pose.corners, False
        )
        return scenes.warped(self.sprite, pose)

    def corner(self, time, patch):
        middle = self.start + (self.end - self.start) * time
        return (int(round(m - extent / 2)) for m, extent in zip(middle, patch.shape[1::-1]))


def movers(rng, cast):
    """Five things: two whose ways cross, one that stays, one that leaves, one that comes later."""
    def sprite(name):
        return next(group[0] for group in cast.by_thing if group and group[0].thing.name == name)

    ways = [
        ("car", 44, (24, 92), (134, 90), 0.05),
        ("apple", 36, (136, 88), (30, 94), 0.3),
        ("house", 46, (80, 28), (80, 28), 0.0),
        ("butterfly", 34, (26, 30), (-40, 50), 0.25),
        ("teapot", 38, (200, 40), (128, 34), 0.1),
    ]
    return [Mover(rng, n, sprite(way[0]), *way[1:]) for n, way in enumerate(ways, 1)]


def frames(place):
    """Each frame and what can be seen in it, with the identities."""
    rng = np.random.default_rng([SEED, 1000])
    backdrop = place.backdrop(rng, CLIP_WIDTH, CLIP_HEIGHT) * 0.5 + 90
    actors = movers(rng, sprites.cast())
    for number in range(CLIP_FRAMES):
        time = number / (CLIP_FRAMES - 1)
        canvas = scenes.Canvas(backdrop.copy())
        for actor in actors:
            patch = actor.patch(time)
            canvas.paste(patch, *actor.corner(time, patch))
        grain = rng.standard_normal(backdrop.shape) * 2
        image = np.clip(canvas.picture + grain, 0, 255).astype(np.uint8)
        objects = [
            {"identity": actor.identity} | described(actor.sprite.thing, canvas.box(index))
            | {"visible": round(float(canvas.visible[index] / canvas.totals[index]), 2)}
            for index, actor in enumerate(actors)
            if canvas.visible[index] > 0.1 * canvas.totals[index]
        ]
        yield image, objects


def planes(image):
    """Y, Cb and Cr of BT.601 in video range; colour at half of the resolution."""
    red, green, blue = (image[..., part].astype(np.float64) for part in range(3))
    luma = 16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255
    first = 128 + (-37.797 * red - 74.203 * green + 112.0 * blue) / 255
    second = 128 + (112.0 * red - 93.786 * green - 18.214 * blue) / 255
    halves = [c.reshape(c.shape[0] // 2, 2, -1, 2).mean((1, 3)) for c in (first, second)]
    return b"".join(np.round(plane).astype(np.uint8).tobytes() for plane in (luma, *halves))


def write_clip(folder, place):
    header = f"YUV4MPEG2 W{CLIP_WIDTH} H{CLIP_HEIGHT} F{CLIP_RATE}:1 Ip A1:1 C420jpeg\n"
    seen = []
    with open(folder / "clip.y4m", "wb") as file:
        file.write(header.encode())
        for image, objects in frames(place):
            file.write(b"FRAME\n" + planes(image))
            seen.append(objects)
    return {
        "file": "clip.y4m", "width": CLIP_WIDTH, "height": CLIP_HEIGHT, "rate": CLIP_RATE,
        "frames": seen,
    }


def compact(value):
    """JSON with a line for each object, so that a change of one is a change of one line."""
    text = json.dumps(value, separators=(", ", ": "))
    return text.replace("[{", "[\n{").replace("}, {", "},\n{").replace("]}, {", "]},\n{") + "\n"


def write(folder):
    folder.mkdir(exist_ok=True)
    place = studio()
    pictures = [write_picture(folder, place, *picture) for picture in PICTURES]
    (folder / "truth.json").write_text(compact({"pictures": pictures}))
    (folder / "clip.truth.json").write_text(compact(write_clip(folder, place)))
