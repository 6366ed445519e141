"""Pictures of things on nothing: glyphs of the font and drawings, at several sizes."""

import dataclasses

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import shapes
import things

FONT = "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"
FONT_SIZE = 109  # the one size that the font's bitmaps have
DRAWINGS_PER_THING = 24


@dataclasses.dataclass(frozen=True)
class Sprite:
    """A thing cut to its edges, and the same at half sizes (for sharp small copies)."""

    thing: things.Thing
    levels: tuple

    def level(self, size):
        """The smallest copy that is not enlarged to be `size` pixels long."""
        return next((l for l in reversed(self.levels) if max(l.size) >= size), self.levels[0])


def pyramid(image):
    image = image.crop(image.getchannel("A").point(lambda a: 255 * (a > 24)).getbbox())
    levels = [image]
    while max(levels[-1].size) > 40:
        levels.append(levels[-1].reduce(2))
    return tuple(levels)


def glyph(font, character):
    image = Image.new("RGBA", (136, 128))
    ImageDraw.Draw(image).text((0, 0), character, font=font, embedded_color=True)
    return image


@dataclasses.dataclass(frozen=True)
class Cast:
    """The sprites a set of pictures may use: for every thing the list of its sprites."""

    by_thing: tuple

    @property
    def by_category(self):
        groups = [[] for _ in things.CATEGORIES]
        for sprites in self.by_thing:
            if sprites:
                groups[sprites[0].thing.category].append(sprites)
        return groups


def cast(held_out=False, drawing_seed=1):
    """Every thing's training glyphs and drawings, or only its held-out glyphs."""
    font = ImageFont.truetype(FONT, FONT_SIZE)
    by_thing = []
    for thing in things.load():
        images = [glyph(font, c) for c in (thing.held_out if held_out else thing.glyphs)]
        if thing.drawn and not held_out:
            rng = np.random.default_rng([drawing_seed, thing.index])
            images += [shapes.drawn(thing.name, rng) for _ in range(DRAWINGS_PER_THING)]
        by_thing.append([Sprite(thing, pyramid(image)) for image in images])
    return Cast(tuple(map(tuple, by_thing)))
