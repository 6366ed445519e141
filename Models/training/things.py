"""The things in the scenes: names, coarse categories, and the glyphs that show them."""

import dataclasses
import pathlib

# In the order of the guides' categories; what fits none of them is unknown.
CATEGORIES = ["Fashion good", "Home good", "Food", "Place", "Plant", "Unknown"]


@dataclasses.dataclass(frozen=True)
class Thing:
    """One fine name. Held-out glyphs are in no picture that a model learns from."""

    index: int
    name: str
    category: int
    glyphs: str
    held_out: str
    drawn: bool


def categories():
    """The category of every thing, in the order of the table."""
    return [thing.category for thing in load()]


def load(path=pathlib.Path(__file__).with_name("things.tsv")):
    """Every thing of the table, in its order: that of the labeler's classes."""
    things = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, category, glyphs, held_out = (line.split("\t") + ["", ""])[:4]
        things.append(
            Thing(
                index=len(things),
                name=name,
                category=CATEGORIES.index(category),
                glyphs=glyphs.replace("@", ""),
                held_out=held_out,
                drawn="@" in glyphs,
            )
        )
    return things
