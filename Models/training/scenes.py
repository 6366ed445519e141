"""Composition: sprites put on backgrounds with light, shadow, clutter, occlusion, blur and noise.

Every picture has a generator of its own, seeded by (seed of the set, number of the picture), so
that a picture does not depend on which others were made, in which order or process.
"""

import dataclasses
import io

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

import backgrounds

NOBODY = -1
# From this alpha on a pixel belongs to what is put there.
OPAQUE = 110
# Of every thing at least this much can be seen; what is hidden more is not put there.
LEAST_VISIBLE = 0.7
# How long things are, in parts of the picture's shorter side; one that is alone may be longer.
SIZES = (0.2, 0.6)
LARGEST_ALONE = 0.95
MOST_PER_SCENE = 6


@dataclasses.dataclass
class Scene:
    """A picture and what is in it; boxes are (top, left, bottom, right) in pixels."""

    image: np.ndarray
    boxes: list = dataclasses.field(default_factory=list)
    things: list = dataclasses.field(default_factory=list)


class Canvas:
    """A picture in the making that knows who owns each of its pixels."""

    def __init__(self, picture):
        self.picture = picture
        self.owner = np.full(picture.shape[:2], NOBODY, np.int16)
        self.totals = np.zeros(0, int)
        self.visible = np.zeros(0, int)

    def window(self, patch, x, y):
        """Rows and columns of the picture that a patch there covers, and those of the patch."""
        height, width = self.owner.shape
        (top, bottom), (left, right) = (
            np.clip((start, start + extent), 0, limit)
            for start, extent, limit in ((y, patch.shape[0], height), (x, patch.shape[1], width))
        )
        return np.s_[top:bottom, left:right], np.s_[top - y : bottom - y, left - x : right - x]

    def fits(self, patch, x, y, is_thing):
        """Whether enough of the patch and of what it would cover can be seen."""
        here, there = self.window(patch, x, y)
        owners = self.owner[here]
        if min(owners.shape) < 2:
            return False
        mask = patch[..., 3] > OPAQUE
        if is_thing and np.count_nonzero(mask[there]) < 0.75 * np.count_nonzero(mask):
            return False
        hidden = self.counts(owners[mask[there]])
        return not np.any((self.visible - hidden < LEAST_VISIBLE * self.totals) & (hidden > 0))

    def counts(self, owners):
        return np.bincount(owners[owners >= 0], minlength=len(self.totals))

    def put(self, patch, x, y, is_thing=True, shadow=None):
        """Puts an RGBA patch there unless it would hide too much; answers whether it did."""
        if not self.fits(patch, x, y, is_thing):
            return False
        self.paste(patch, x, y, is_thing, shadow)
        return True

    def paste(self, patch, x, y, is_thing=True, shadow=None):
        if shadow is not None:
            self.darken(patch, x, y, shadow)
        here, there = self.window(patch, x, y)
        seen, region = patch[there], self.picture[here]
        mask = seen[..., 3] > OPAQUE
        alpha = seen[..., 3:].astype(np.float32) / 255
        region += alpha * (seen[..., :3] - region)
        self.visible = self.visible - self.counts(self.owner[here][mask])
        self.owner[here][mask] = len(self.totals) if is_thing else NOBODY
        if is_thing:
            self.totals = np.append(self.totals, np.count_nonzero(patch[..., 3] > OPAQUE))
            self.visible = np.append(self.visible, np.count_nonzero(mask))

    def darken(self, patch, x, y, shadow):
        dx, dy, radius, strength = shadow
        margin = int(3 * radius)
        alpha = Image.fromarray(np.pad(patch[..., 3], margin))
        alpha = np.asarray(alpha.filter(ImageFilter.BoxBlur(float(radius))), np.float32) / 255
        here, there = self.window(alpha, x + dx - margin, y + dy - margin)
        self.picture[here] *= 1 - strength * alpha[there][..., None]

    def box(self, index):
        rows = np.flatnonzero((self.owner == index).any(1))
        columns = np.flatnonzero((self.owner == index).any(0))
        return (rows[0], columns[0], rows[-1] + 1, columns[-1] + 1)


def coefficients(target, source):
    """The eight numbers of the perspective that takes points of `target` to `source`."""
    rows, right = [], []
    for (x, y), (u, v) in zip(target, source):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return np.linalg.solve(np.array(rows), np.array(right))


@dataclasses.dataclass(frozen=True)
class Pose:
    """How a sprite is seen; `corners` are offsets of its corners in parts of its size."""

    size: float
    angle: float
    aspect: float
    corners: np.ndarray
    mirrored: bool

    @staticmethod
    def random(rng, size):
        steep = rng.uniform() < 0.12
        return Pose(
            size=size,
            angle=rng.uniform(-np.pi / 2, np.pi / 2) if steep else rng.normal(0, 0.22),
            aspect=np.exp(rng.normal(0, 0.12)),
            corners=rng.normal(0, 0.045, (4, 2)),
            mirrored=bool(rng.uniform() < 0.5),
        )


def warped(sprite, pose):
    """The sprite in that pose, RGBA as an array."""
    source = sprite.level(pose.size)
    width, height = source.size
    scale = pose.size / max(source.size)
    half = np.array([width * pose.aspect**0.5, height / pose.aspect**0.5]) * scale / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * half
    corners += pose.corners * pose.size
    cos, sin = np.cos(pose.angle), np.sin(pose.angle)
    corners = corners @ np.array([[cos, sin], [-sin, cos]])
    corners -= corners.min(0)
    extent = tuple(int(np.ceil(e)) + 1 for e in corners.max(0))
    ends = [(0, 0), (width, 0), (width, height), (0, height)]
    if pose.mirrored:
        ends = [ends[1], ends[0], ends[3], ends[2]]
    patch = source.transform(
        extent,
        Image.Transform.PERSPECTIVE,
        coefficients(corners, ends),
        Image.Resampling.BICUBIC,
    )
    return np.asarray(patch)


def recoloured(rng, patch):
    """The same thing under a little other light."""
    gain = np.exp(rng.normal(0, 0.12)) * np.exp(rng.normal(0, 0.04, 3))
    grey = patch[..., :3].mean(2, keepdims=True)
    faded = rng.uniform(0, 0.35)
    colour = ((1 - faded) * patch[..., :3] + faded * grey) * gain
    return np.concatenate([np.clip(colour, 0, 255).astype(np.uint8), patch[..., 3:]], 2)


def clutter(rng, side):
    """A scrap that is no thing: a stroke, a polygon or a frame, RGBA."""
    extent = int(rng.uniform(0.08, 0.5) * side) + 4
    image = Image.new("RGBA", (extent, extent))
    draw = ImageDraw.Draw(image)
    colour = tuple(int(c) for c in rng.uniform(0, 255, 3)) + (int(rng.uniform(90, 255)),)
    points = [tuple(p) for p in rng.uniform(0, extent, (int(rng.integers(3, 6)), 2))]
    kind = rng.integers(3)
    if kind == 0:
        draw.line(points[:3], colour, int(rng.integers(1, 1 + max(2, side // 50))))
    elif kind == 1:
        draw.polygon(points, colour)
    else:
        draw.polygon(points[:4], outline=colour, width=int(rng.integers(1, 4)))
    return np.asarray(image)


class Studio:
    """Makes the pictures of one set."""

    def __init__(self, cast, textures, seed):
        self.groups = cast.by_category
        self.textures = textures
        self.seed = seed

    def sprite(self, rng):
        """Categories alike often, in each the things, in each its sprites."""
        group = self.groups[rng.integers(len(self.groups))]
        sprites = group[rng.integers(len(group))]
        return sprites[rng.integers(len(sprites))]

    def backdrop(self, rng, width, height):
        texture = self.textures[rng.integers(len(self.textures))]
        part = rng.uniform(0.3, 1) * backgrounds.SIDE
        left, top = rng.uniform(0, backgrounds.SIDE - part, 2)
        cut = Image.fromarray(texture).resize(
            (width, height), Image.Resampling.BILINEAR, (left, top, left + part, top + part)
        )
        picture = np.array(cut, np.float32)
        return picture[:, ::-1].copy() if rng.uniform() < 0.5 else picture

    def shadow(self, rng, size):
        if rng.uniform() < 0.5:
            return None
        reach = 0.08 * size
        dx, dy = (int(v) for v in rng.uniform(-reach, reach, 2))
        return dx, dy, 1 + 0.05 * size * rng.uniform(), rng.uniform(0.2, 0.6)

    def scene(self, index, width=256, height=None, count=None):
        """The picture of that number, with some things anywhere in it."""
        rng = np.random.default_rng([self.seed, index])
        height = height or width
        side = min(width, height)
        canvas = Canvas(self.backdrop(rng, width, height))
        self.scatter(rng, canvas, side, int(rng.integers(0, 7)))
        scene = Scene(None)
        count = count or int(rng.integers(1, MOST_PER_SCENE + 1))
        smallest, largest = SIZES[0], LARGEST_ALONE if count == 1 else SIZES[1]
        for _ in range(count):
            sprite = self.sprite(rng)
            size = side * np.exp(rng.uniform(np.log(smallest), np.log(largest)))
            self.place(rng, canvas, scene, sprite, size)
        self.scatter(rng, canvas, side, int(rng.integers(0, 3)))
        return self.finished(rng, canvas, scene)

    def place(self, rng, canvas, scene, sprite, size):
        height, width = canvas.owner.shape
        patch = recoloured(rng, warped(sprite, Pose.random(rng, size)))
        shadow = self.shadow(rng, size)
        for _ in range(8):
            x = int(rng.uniform(-0.2 * size, width - 0.8 * size))
            y = int(rng.uniform(-0.2 * size, height - 0.8 * size))
            if canvas.put(patch, x, y, shadow=shadow):
                scene.things.append(sprite.thing)
                return

    def scatter(self, rng, canvas, side, count):
        height, width = canvas.owner.shape
        for _ in range(count):
            patch = clutter(rng, side)
            x, y = int(rng.uniform(-20, width)), int(rng.uniform(-20, height))
            canvas.put(patch, x, y, is_thing=False)

    def portrait(self, index, side=96):
        """The picture of that number with one thing that fills most of it: for the labeler."""
        rng = np.random.default_rng([self.seed, index])
        canvas = Canvas(self.backdrop(rng, side, side))
        self.scatter(rng, canvas, side, int(rng.integers(0, 5)))
        scene = Scene(None)
        if rng.uniform() < 0.4:
            # A neighbour that looks in from the edge, and is not what the picture shows.
            patch = warped(self.sprite(rng), Pose.random(rng, side * rng.uniform(0.3, 0.7)))
            angle = rng.uniform(0, 2 * np.pi)
            x = int(side * (0.5 + 0.6 * np.cos(angle)) - patch.shape[1] / 2)
            y = int(side * (0.5 + 0.6 * np.sin(angle)) - patch.shape[0] / 2)
            canvas.put(patch, x, y, is_thing=False)
        sprite = self.sprite(rng)
        size = side * rng.uniform(0.55, 0.98)
        patch = recoloured(rng, warped(sprite, Pose.random(rng, size)))
        slack = [max(0.06 * side, (side - extent) / 2) * 0.6 for extent in patch.shape[:2]]
        for _ in range(8):
            y, x = (
                int((side - extent) / 2 + rng.uniform(-room, room))
                for extent, room in zip(patch.shape[:2], slack)
            )
            if canvas.put(patch, x, y, shadow=self.shadow(rng, size)):
                scene.things.append(sprite.thing)
                break
        self.scatter(rng, canvas, side, int(rng.integers(0, 2)))
        return self.finished(rng, canvas, scene)

    def finished(self, rng, canvas, scene):
        """What the lens, the light and the file make of it."""
        scene.boxes = [canvas.box(index) for index in range(len(canvas.totals))]
        picture = canvas.picture
        height, width = canvas.owner.shape
        if rng.uniform() < 0.6:
            slope = rng.normal(0, 0.25, 2)
            y, x = np.linspace(-1, 1, height), np.linspace(-1, 1, width)
            picture *= (1 + slope[0] * y[:, None] + slope[1] * x[None])[..., None]
        picture *= np.exp(rng.normal(0, 0.12)) * np.exp(rng.normal(0, 0.05, 3))
        if rng.uniform() < 0.5:
            blurred = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
            blur = rng.uniform(0.2, 1.1) * min(width, height) / 256
            picture = np.asarray(blurred.filter(ImageFilter.GaussianBlur(float(blur))), np.float32)
        if rng.uniform() < 0.6:
            grain = rng.standard_normal(picture.shape, np.float32)
            picture = picture + grain * np.float32(rng.uniform(1, 12))
        picture = np.clip(picture, 0, 255).astype(np.uint8)
        if rng.uniform() < 0.3:
            file = io.BytesIO()
            Image.fromarray(picture).save(file, "JPEG", quality=int(rng.integers(40, 95)))
            picture = np.asarray(Image.open(file))
        scene.image = picture
        return scene
