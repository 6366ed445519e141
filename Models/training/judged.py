"""Writes the pictures that no model learned from, with the truth as `ocellus evaluate` reads it.

    python judged.py --cache /tmp/scenes --to /tmp/judged
    ocellus evaluate Models/scenes-detector.tflite --annotations /tmp/judged/judge.json
    ocellus evaluate Models/scenes-labeler --annotations /tmp/judged/portraits
"""

import argparse
import json
import pathlib

from PIL import Image

import pictures
import things
from recipes import PORTRAITS, SCENES


def write_scenes(recipe, cache, folder, name):
    """Pictures in a folder, and beside it their objects in a file as COCO has it."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    scenes, cast = pictures.load(recipe, cache), things.load()
    images, annotations = [], []
    for number, image in enumerate(scenes.images):
        file = f"{name}-{number:04}.png"
        Image.fromarray(image).save(folder / "images" / file, compress_level=1)
        images.append({"id": number, "file_name": file, "width": recipe.side, "height": recipe.side})
        for box, thing in zip(scenes.boxes[number], scenes.things[number]):
            if thing < 0:
                continue
            top, left, bottom, right = (float(edge) * recipe.side for edge in box)
            annotations.append({
                "id": len(annotations) + 1, "image_id": number, "iscrowd": 0,
                "category_id": cast[thing].category, "bbox": [left, top, right - left, bottom - top],
            })
    categories = [{"id": n, "name": category} for n, category in enumerate(things.CATEGORIES)]
    truth = {"images": images, "annotations": annotations, "categories": categories}
    (folder / f"{name}.json").write_text(json.dumps(truth))


def write_portraits(recipe, cache, folder):
    """Pictures in a folder for each name."""
    portraits, cast = pictures.load(recipe, cache), things.load()
    for number, image in enumerate(portraits.images):
        place = folder / cast[portraits.things[number][0]].name
        place.mkdir(parents=True, exist_ok=True)
        Image.fromarray(image).save(place / f"{number:04}.png", compress_level=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="folder for pictures")
    parser.add_argument("--to", type=pathlib.Path, required=True, help="folder to be written")
    options = parser.parse_args()
    for name in ("judge", "unseen"):
        write_scenes(SCENES[name], options.cache, options.to, name)
    write_portraits(PORTRAITS["judge"], options.cache, options.to / "portraits")


if __name__ == "__main__":
    main()
