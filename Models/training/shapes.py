"""Things of our own: simple drawings whose colours and proportions vary with the generator."""

import colorsys

import numpy as np
from PIL import Image, ImageDraw

# Drawn four times as large as kept, for smooth edges.
SIDE = 128
OVERSAMPLING = 4


class Pen:
    """Draws in a unit square; knows one bright colour, one dark and one light one."""

    def __init__(self, rng):
        self.rng = rng
        self.image = Image.new("RGBA", (SIDE * OVERSAMPLING,) * 2)
        self.draw = ImageDraw.Draw(self.image)
        hue = rng.uniform()
        self.main = colour(hue, rng.uniform(0.5, 0.95), rng.uniform(0.6, 1))
        self.dark = colour(hue, rng.uniform(0.5, 0.9), rng.uniform(0.25, 0.5))
        self.light = colour(hue + rng.uniform(-0.1, 0.1), rng.uniform(0.1, 0.4), 0.97)
        self.other = colour(hue + rng.uniform(0.3, 0.7), rng.uniform(0.5, 0.9), 0.85)

    def between(self, low, high):
        return self.rng.uniform(low, high)

    def scaled(self, points):
        return [tuple(np.multiply(point, SIDE * OVERSAMPLING)) for point in points]

    def box(self, left, top, right, bottom, fill, radius=0.0):
        self.draw.rounded_rectangle(
            self.scaled([(left, top), (right, bottom)]), radius * SIDE * OVERSAMPLING, fill
        )

    def oval(self, left, top, right, bottom, fill):
        self.draw.ellipse(self.scaled([(left, top), (right, bottom)]), fill)

    def polygon(self, points, fill):
        self.draw.polygon(self.scaled(points), fill)

    def ring(self, left, top, right, bottom, colour, width):
        corners = self.scaled([(left, top), (right, bottom)])
        self.draw.ellipse(corners, outline=colour, width=int(width * SIDE * OVERSAMPLING))

    def line(self, points, fill, width):
        self.draw.line(
            self.scaled(points), fill, int(width * SIDE * OVERSAMPLING), joint="curve"
        )

    def finished(self):
        return self.image.resize((SIDE, SIDE), Image.Resampling.BOX)


def colour(hue, saturation, value):
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return (int(red * 255), int(green * 255), int(blue * 255), 255)


GREENS = [(46, 125, 50, 255), (67, 160, 71, 255), (85, 139, 47, 255), (27, 94, 32, 255)]


def green(pen):
    return GREENS[pen.rng.integers(len(GREENS))]


def mug(pen):
    left, top = pen.between(0.1, 0.2), pen.between(0.15, 0.3)
    right = pen.between(0.6, 0.72)
    pen.ring(right - 0.15, top + 0.12, 0.92, 0.75, pen.dark, pen.between(0.05, 0.09))
    pen.box(left, top, right, 0.92, pen.main, 0.06)
    pen.box(left, pen.between(0.45, 0.6), right, 0.7, pen.light)
    pen.oval(left, top - 0.07, right, top + 0.07, pen.dark)


def lamp(pen):
    inner, bottom = pen.between(0.2, 0.32), pen.between(0.4, 0.55)
    pen.box(0.47, bottom, 0.53, 0.9, pen.dark)
    pen.oval(0.28, 0.84, 0.72, 0.95, pen.dark)
    shade = [(inner + 0.1, 0.06), (0.9 - inner, 0.06), (0.92, bottom), (0.08, bottom)]
    pen.polygon(shade, pen.main)
    pen.box(0.09, bottom - 0.05, 0.91, bottom, pen.light)


def table(pen):
    top, leg = pen.between(0.25, 0.35), pen.between(0.05, 0.09)
    wood = colour(pen.between(0.05, 0.1), pen.between(0.4, 0.8), pen.between(0.4, 0.85))
    shade = tuple(int(part * 0.7) for part in wood[:3]) + (255,)
    pen.box(0.12, top, 0.12 + leg, 0.9, shade)
    pen.box(0.88 - leg, top, 0.88, 0.9, shade)
    pen.box(0.2, top, 0.8, top + 0.16, shade)
    pen.box(0.04, top - 0.08, 0.96, top + 0.04, wood, 0.02)


def vase(pen):
    neck, belly = pen.between(0.06, 0.13), pen.between(0.24, 0.34)
    pen.oval(0.5 - belly, 0.35, 0.5 + belly, 0.95, pen.main)
    pen.polygon(
        [(0.5 - neck, 0.12), (0.5 + neck, 0.12), (0.5 + neck * 1.4, 0.5), (0.5 - neck * 1.4, 0.5)],
        pen.main,
    )
    pen.box(0.42 - neck, 0.06, 0.58 + neck, 0.14, pen.dark, 0.03)
    pen.box(0.51 - belly, 0.6, 0.49 + belly, 0.68, pen.other)


def bottle(pen):
    half, shoulder = pen.between(0.14, 0.22), pen.between(0.34, 0.45)
    pen.box(0.5 - half, shoulder, 0.5 + half, 0.96, pen.main, 0.06)
    pen.polygon(
        [(0.44, 0.2), (0.56, 0.2), (0.5 + half, shoulder + 0.08), (0.5 - half, shoulder + 0.08)],
        pen.main,
    )
    pen.box(0.43, 0.04, 0.57, 0.14, pen.dark)
    pen.box(0.45, 0.14, 0.55, 0.24, pen.main)
    pen.box(0.5 - half, 0.56, 0.5 + half, 0.8, pen.light)


def window(pen):
    glass = colour(pen.between(0.5, 0.6), pen.between(0.2, 0.5), pen.between(0.75, 1))
    frame = pen.light if pen.rng.uniform() < 0.5 else pen.dark
    pen.box(0.1, 0.08, 0.9, 0.88, frame, 0.02)
    panes = int(pen.rng.integers(2, 4))
    step = 0.74 / panes
    for column in range(panes):
        for row in range(2):
            left, top = 0.14 + column * step, 0.12 + row * 0.37
            pen.box(left, top, left + step - 0.04, top + 0.33, glass)
    pen.box(0.04, 0.86, 0.96, 0.95, frame)


def house(pen):
    eaves = pen.between(0.4, 0.5)
    pen.box(0.68, 0.1, 0.78, 0.4, pen.dark)
    pen.box(0.15, eaves, 0.85, 0.95, pen.light)
    pen.polygon([(0.04, eaves + 0.02), (0.5, 0.05), (0.96, eaves + 0.02)], pen.main)
    door = pen.between(0.25, 0.5)
    pen.box(door, 0.65, door + 0.16, 0.95, pen.dark)
    pen.box(door + 0.23, 0.6, door + 0.37, 0.74, pen.other)


def office_building(pen):
    left, top = pen.between(0.18, 0.28), pen.between(0.03, 0.15)
    wall = colour(pen.between(0, 1), pen.between(0.05, 0.3), pen.between(0.5, 0.8))
    pane = colour(pen.between(0.12, 0.6), pen.between(0.2, 0.6), 0.97)
    pen.box(left, top, 1 - left, 0.96, wall)
    columns, rows = int(pen.rng.integers(3, 5)), int(pen.rng.integers(5, 8))
    across, down = (1 - 2 * left) / columns, (0.8 - top) / rows
    for column in range(columns):
        for row in range(rows):
            x, y = left + (column + 0.2) * across, top + (row + 0.3) * down
            pen.box(x, y, x + across * 0.6, y + down * 0.6, pane)
    pen.box(0.44, 0.82, 0.56, 0.96, pen.dark)


def cactus(pen):
    skin, arm = green(pen), pen.between(0.09, 0.13)
    pen.line([(0.5, 0.62), (0.2, 0.62), (0.2, pen.between(0.3, 0.45))], skin, arm)
    pen.line([(0.5, 0.55), (0.8, 0.55), (0.8, pen.between(0.22, 0.4))], skin, arm)
    pen.box(0.39, 0.06, 0.61, 0.96, skin, 0.1)
    for x in (0.45, 0.5, 0.55):
        pen.line([(x, 0.12), (x, 0.94)], (230, 240, 200, 255), 0.008)


def tree(pen):
    crown = green(pen)
    pen.polygon([(0.44, 0.5), (0.56, 0.5), (0.6, 0.97), (0.4, 0.97)], (109, 76, 65, 255))
    for _ in range(9):
        x, y, radius = pen.between(0.28, 0.72), pen.between(0.22, 0.5), pen.between(0.14, 0.22)
        pen.oval(x - radius, y - radius, x + radius, y + radius, crown)
    shade = tuple(int(part * 0.8) for part in crown[:3]) + (255,)
    for _ in range(4):
        x, y = pen.between(0.35, 0.65), pen.between(0.25, 0.5)
        pen.oval(x - 0.06, y - 0.05, x + 0.06, y + 0.05, shade)


def pot_plant(pen):
    leaf = green(pen)
    for angle in np.linspace(-1.2, 1.2, int(pen.rng.integers(5, 8))):
        length = pen.between(0.42, 0.55)
        x, y = 0.5 + length * np.sin(angle), 0.62 - length * np.cos(angle)
        middle = ((0.5 + x) / 2, (0.62 + y) / 2)
        side = (0.07 * np.cos(angle), 0.07 * np.sin(angle))
        pen.polygon(
            [(0.5, 0.62), np.add(middle, side), (x, y), np.subtract(middle, side)], leaf
        )
    clay = colour(pen.between(0.02, 0.08), pen.between(0.5, 0.8), pen.between(0.6, 0.85))
    pen.polygon([(0.28, 0.64), (0.72, 0.64), (0.65, 0.97), (0.35, 0.97)], clay)
    pen.box(0.25, 0.58, 0.75, 0.68, clay, 0.02)


def ball(pen):
    pen.oval(0.08, 0.08, 0.92, 0.92, pen.main)
    if pen.rng.uniform() < 0.5:
        pen.box(0.09, 0.44, 0.91, 0.56, pen.light)
    else:
        pen.ring(0.3, 0.08, 0.7, 0.92, pen.light, 0.04)
    pen.oval(0.26, 0.2, 0.4, 0.32, (255, 255, 255, 255))


DRAWINGS = {
    "mug": mug,
    "lamp": lamp,
    "table": table,
    "vase": vase,
    "bottle": bottle,
    "window": window,
    "house": house,
    "office building": office_building,
    "cactus": cactus,
    "tree": tree,
    "pot plant": pot_plant,
    "ball": ball,
}


def drawn(name, rng):
    """A fresh drawing of the thing of that name, RGBA."""
    pen = Pen(rng)
    DRAWINGS[name](pen)
    return pen.finished()
