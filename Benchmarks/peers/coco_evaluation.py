#!/usr/bin/env python3
"""Compares `ocellus evaluate` with pycocotools on random and awkward data sets: all figures must agree to 1e-6.

  coco_evaluation.py PROGRAM [--sets N] [--seed S]     compares (needs numpy and pycocotools from PyPI)
  coco_evaluation.py PROGRAM --print                   prints a small set and its figures for the unit tests
"""
import argparse, contextlib, io, json, random, subprocess, sys, tempfile
from pathlib import Path

import numpy
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

NAMES = ["map", "map_50", "map_75", "map_small", "map_medium", "map_large",
         "recall_1", "recall_10", "recall_100", "recall_small", "recall_medium", "recall_large"]


def box(draw, kind, width, height):
    """Returns a box of random size; integer sizes give overlaps that are exactly on a threshold."""
    if kind == "edges":  # areas of exactly 32 x 32 and 96 x 96
        w, h = draw.choice([(32, 32), (96, 96), (64, 16), (16, 64), (48, 192), (0, 20), (1, 1)])
    else:
        side = draw.choice([8, 24, 60, 150])
        w, h = draw.randint(1, side), draw.randint(1, side)
    x, y = draw.randint(-10, width - 10), draw.randint(-10, height - 10)
    if kind == "fractions":
        return [x + draw.random(), y + draw.random(), w + draw.random(), h + draw.random()]
    return [x, y, w, h]


def data_set(seed, kind):
    """Returns a data set and results with ties, crowds, empty pictures, wrong classes, and too many detections."""
    draw = random.Random(seed)
    width, height = 320, 240
    pictures = draw.randint(1, 12)
    classes = draw.sample(range(1, 40), draw.randint(1, 5))
    ids = draw.sample(range(1, 1000), pictures)
    truth, found = [], []
    for picture in ids:
        for _ in range(0 if draw.random() < 0.2 else draw.randint(0, 8)):
            area = box(draw, kind, width, height)
            if truth and truth[-1]["image_id"] == picture and draw.random() < 0.1:
                area = truth[-1]["bbox"]  # two objects in the same box
            truth.append({
                "id": len(truth) + 1, "image_id": picture, "category_id": draw.choice(classes), "bbox": area,
                "area": area[2] * area[3] * draw.choice([1, 1, 0.6]),
                "iscrowd": int(draw.random() < (0.4 if kind == "crowds" else 0.08))})
        for _ in range(150 if kind == "many" else draw.randint(0, 12)):
            found.append({"image_id": picture, "category_id": draw.choice(classes),
                          "bbox": box(draw, kind, width, height), "score": draw.random()})
    for row in truth:
        for _ in range(draw.choice([0, 1, 1, 1, 2, 3])):
            x, y, w, h = row["bbox"]
            if kind == "fractions":
                near = [value + draw.gauss(0, 2) for value in (x, y)] + [w * draw.uniform(0.8, 1.2), h * draw.uniform(0.8, 1.2)]
            else:  # a half, two thirds, shifted by a third, the whole
                near = draw.choice([[x, y, w, h], [x, y, w / 2, h], [x, y, w, h * 2 / 3], [x + w / 3, y, w, h],
                                    [x + draw.randint(-3, 3), y, w, h], [x, y, w * 0.75, h]])
            category = row["category_id"] if draw.random() < 0.9 else draw.choice(classes)
            found.append({"image_id": row["image_id"], "category_id": category, "bbox": near, "score": draw.random()})
    draw.shuffle(found)
    if kind == "ties":
        for row in found:
            row["score"] = round(row["score"], 1)
    if kind == "unknown":  # results with an undefined class
        found += [dict(row, category_id=99) for row in found[:3]]
    return ({"images": [{"id": n, "file_name": f"{n}.jpg", "width": width, "height": height} for n in ids],
             "annotations": truth, "categories": [{"id": n, "name": f"class {n}"} for n in classes]}, found)


def figures_of_pycocotools(folder, truth, found):
    """Returns the twelve figures, and precisions by threshold, recall and class; -1 where a class has no objects."""
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(str(folder / "truth.json"))
        evaluation = COCOeval(coco, coco.loadRes(str(folder / "found.json")), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return evaluation.stats, evaluation.eval["precision"][:, :, :, 0, 2]


def mean(values):
    values = values[values > -1]
    return values.mean() if values.size else -1


def differences(program, folder, truth, found):
    (folder / "truth.json").write_text(json.dumps(truth))
    (folder / "found.json").write_text(json.dumps(found))
    stats, precision = figures_of_pycocotools(folder, truth, found)
    run = subprocess.run(
        [program, "evaluate", folder / "found.json", "--annotations", folder / "truth.json", "--json"],
        capture_output=True, text=True)
    if run.returncode:
        yield f"exit code {run.returncode}: {run.stderr}"
        return
    ours = json.loads(run.stdout)
    number = lambda value: -1 if value is None else value
    for name, expected in zip(NAMES, stats):
        if abs(number(ours["measures"][name]) - expected) > 1e-6:
            yield f"{name}: {ours['measures'][name]}, and pycocotools {expected}"
    for index, row in enumerate(ours["classes"]):
        for name, expected in [("map", mean(precision[:, :, index])), ("map_50", mean(precision[0, :, index]))]:
            if abs(number(row[name]) - expected) > 1e-6:
                yield f"{row['label']}, {name}: {row[name]}, and pycocotools {expected}"
        if row["curve"] and numpy.abs(numpy.array(row["curve"]) - precision[0, :, index]).max() > 1e-6:
            yield f"{row['label']}: the curve differs"


def print_sample():
    truth, found = data_set(22, "ties")
    print("truth: picture, class, x, y, width, height, area, crowd")
    numbers = {n: i for i, n in enumerate(sorted(i["id"] for i in truth["images"]))}
    classes = {n: i for i, n in enumerate(sorted(c["id"] for c in truth["categories"]))}
    for row in truth["annotations"]:
        print([numbers[row["image_id"]], classes[row["category_id"]], *row["bbox"], row["area"], row["iscrowd"]])
    print("found: picture, class, x, y, width, height, score")
    for row in found:
        print([numbers[row["image_id"]], classes[row["category_id"]], *row["bbox"], row["score"]])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "truth.json").write_text(json.dumps(truth))
        (folder / "found.json").write_text(json.dumps(found))
        stats, precision = figures_of_pycocotools(folder, truth, found)
    print([float(value) for value in stats])
    print([[float(mean(precision[:, :, k])), float(mean(precision[0, :, k]))] for k in range(len(classes))])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--print", action="store_true")
    arguments = parser.parse_args()
    if arguments.print:
        return print_sample()
    kinds = ["whole", "fractions", "ties", "crowds", "edges", "many", "unknown"]
    wrong = compared = 0
    for index in range(arguments.sets):
        seed, kind = arguments.seed + index, kinds[index % len(kinds)]
        truth, found = data_set(seed, kind)
        if not found or all(row["category_id"] == 99 for row in found):
            continue  # pycocotools cannot read an empty list
        compared += 1
        with tempfile.TemporaryDirectory() as name:
            for difference in differences(arguments.program, Path(name), truth, found):
                print(f"seed {seed}, {kind}: {difference}")
                wrong += 1
    print(f"{compared} data sets compared with pycocotools, {wrong} differences")
    sys.exit(wrong > 0)


main()
