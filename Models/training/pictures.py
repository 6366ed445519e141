"""Sets of pictures on disk, rendered once by all cores and read as they are needed."""

import dataclasses
import multiprocessing
import os
import pathlib

import numpy as np

import backgrounds
import scenes
import sprites

MOST_THINGS = 8
# How many pictures one worker makes at a time; has no influence on what they show.
SHARE = 50


@dataclasses.dataclass(frozen=True)
class Recipe:
    """What a set is made of. Sets of other seeds share no texture, drawing or picture."""

    name: str
    kind: str  # "scene" or "portrait"
    side: int
    count: int
    seed: int
    textures: int = 60
    held_out: bool = False

    def studio(self):
        return scenes.Studio(
            sprites.cast(self.held_out, drawing_seed=self.seed),
            backgrounds.collection(self.seed, self.textures),
            self.seed,
        )


@dataclasses.dataclass(frozen=True)
class Pictures:
    """Images (uint8), boxes in parts of the side (-1 where there is none), numbers of things."""

    images: np.ndarray
    boxes: np.ndarray
    things: np.ndarray


def arrays(recipe, folder, mode):
    shapes = {
        "images": (np.uint8, (recipe.count, recipe.side, recipe.side, 3)),
        "boxes": (np.float32, (recipe.count, MOST_THINGS, 4)),
        "things": (np.int16, (recipe.count, MOST_THINGS)),
    }
    return Pictures(
        **{
            part: np.memmap(folder / f"{recipe.name}.{part}", kind, mode, shape=shape)
            for part, (kind, shape) in shapes.items()
        }
    )


def start(recipe, folder):
    global worker
    worker = (recipe, recipe.studio(), arrays(recipe, folder, "r+"))


def render(first):
    recipe, studio, target = worker
    for index in range(first, min(first + SHARE, recipe.count)):
        scene = getattr(studio, recipe.kind)(index, recipe.side)
        target.images[index] = scene.image
        target.boxes[index] = -1
        target.things[index] = -1
        for place, (box, thing) in enumerate(zip(scene.boxes, scene.things)):
            target.boxes[index, place] = np.array(box) / recipe.side
            target.things[index, place] = thing.index


def load(recipe, folder):
    """The pictures of the recipe; renders them unless a finished set lies in the folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    finished = folder / f"{recipe.name}.recipe"
    if not finished.exists() or finished.read_text() != repr(recipe):
        finished.unlink(missing_ok=True)
        arrays(recipe, folder, "w+")
        with multiprocessing.get_context("fork").Pool(
            os.cpu_count(), start, (recipe, folder)
        ) as pool:
            for _ in pool.imap_unordered(render, range(0, recipe.count, SHARE)):
                pass
        finished.write_text(repr(recipe))
    return arrays(recipe, folder, "r")
