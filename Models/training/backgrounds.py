"""Procedural backgrounds: gradients, clouds, stripes, tiles, planks, blobs."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

SIDE = 512


def colours(rng, count):
    """Colours of one palette: near a common one, as walls, tables and meadows are."""
    base = rng.uniform(30, 235, 3)
    return np.clip(base + rng.normal(0, rng.uniform(10, 60), (count, 3)), 0, 255)


def noise(rng, cells):
    small = Image.fromarray(rng.uniform(0, 255, (cells, cells)).astype(np.uint8))
    return np.asarray(small.resize((SIDE, SIDE), Image.Resampling.BICUBIC), np.float32) / 255


def clouds(rng):
    cells = [int(c) for c in rng.choice([3, 5, 9, 17, 33, 65, 129], 3, replace=False)]
    weights = rng.dirichlet(np.ones(3))
    return sum(w * noise(rng, c) for w, c in zip(weights, cells))


def mixed(rng, amount):
    low, high = colours(rng, 2)
    return low + (high - low) * amount[..., None]


def gradient(rng):
    y, x = np.mgrid[0:1:SIDE * 1j, 0:1:SIDE * 1j]
    angle = rng.uniform(0, 2 * np.pi)
    amount = x * np.cos(angle) + y * np.sin(angle)
    return mixed(rng, (amount - amount.min()) / np.ptp(amount))


def waves(rng):
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    angle, period = rng.uniform(0, np.pi), rng.uniform(8, 80)
    bend = clouds(rng) * rng.uniform(0, 12)
    amount = np.sin((x * np.cos(angle) + y * np.sin(angle)) / period * 2 * np.pi + bend)
    if rng.uniform() < 0.4:
        amount = np.sign(amount)
    return mixed(rng, amount / 2 + 0.5)


def tiles(rng):
    side = int(rng.integers(20, 90))
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    joint = (x % side < 3) | (y % side < 3)
    shade = rng.uniform(0, 1, (SIDE // side + 1,) * 2)[y // side, x // side]
    if rng.uniform() < 0.3:
        shade = ((x // side + y // side) % 2).astype(np.float32)
    picture = mixed(rng, shade * rng.uniform(0.2, 1))
    picture[joint] = colours(rng, 1)[0]
    return picture


def planks(rng):
    width = int(rng.integers(24, 80))
    row = np.arange(SIDE) // width
    grain = noise(rng, 65)[:, :8].repeat(SIDE // 8, axis=1)
    shade = rng.uniform(0, 1, row.max() + 1)[row][:, None] * 0.6 + grain * 0.4
    picture = mixed(rng, shade)
    picture[np.arange(SIDE) % width < 2] *= 0.6
    return picture if rng.uniform() < 0.5 else picture.transpose(1, 0, 2)


def blobs(rng):
    palette = colours(rng, 12).astype(int)
    image = Image.new("RGB", (SIDE, SIDE), tuple(palette[0]))
    draw = ImageDraw.Draw(image)
    for index in range(int(rng.integers(10, 60))):
        x, y = rng.uniform(0, SIDE, 2)
        points = np.stack([x, y]) + rng.normal(0, rng.uniform(15, 90), (int(rng.integers(3, 7)), 2))
        draw.polygon([tuple(p) for p in points], tuple(palette[index % 12]))
    return np.asarray(image.filter(ImageFilter.GaussianBlur(float(rng.uniform(0, 10)))), np.float32)


KINDS = [gradient, waves, tiles, planks, blobs, lambda rng: mixed(rng, clouds(rng))]


def background(rng):
    """One texture of SIDE by SIDE pixels, RGB."""
    picture = KINDS[rng.integers(len(KINDS))](rng)
    if rng.uniform() < 0.5:
        picture = picture * (1 + rng.uniform(0.1, 0.5) * (clouds(rng)[..., None] - 0.5))
    return np.clip(picture, 0, 255).astype(np.uint8)


def collection(seed, count):
    return [background(np.random.default_rng([seed, index])) for index in range(count)]
