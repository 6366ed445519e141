#!/usr/bin/env python3
"""Measures what other numerics cost a detector in quality, against --exact.

    Benchmarks/numerics_quality.py PROGRAM NUMERICS PICTURES MODEL...

The objects that --exact finds in the pictures of the folder PICTURES count as the truth. Printed for each model: the mean
average precision of the objects that NUMERICS finds (COCO's, over overlaps from 0.5 to 0.95; 1 if boxes and classes are
the same and scores have the same order), how many objects appear or vanish at the default threshold, the greatest
difference of a score and the least overlap among the others, and the ratio of signal to noise of the worst output for one
picture. Boxes count as the same object if they have the same class and overlap by a half.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile


def lines(program, model, pictures, *options):
    """Returns the report of each picture; those that cannot be read have none."""
    run = subprocess.run(
        [program, "detect", *pictures, "-m", model, "--jsonl", *options], capture_output=True, text=True
    )
    reports = [json.loads(line) for line in run.stdout.splitlines()]
    return {report["image"]: report["detections"] for report in reports if "detections" in report}


def name(detection):
    category = detection["categories"][0]
    return category["label"] or str(category["index"])


def overlap(first, second):
    a, b = first["box"], second["box"]
    width = min(a["right"], b["right"]) - max(a["left"], b["left"])
    height = min(a["bottom"], b["bottom"]) - max(a["top"], b["top"])
    if width <= 0 or height <= 0:
        return 0.0

    def area(box):
        return (box["right"] - box["left"]) * (box["bottom"] - box["top"])

    return width * height / (area(a) + area(b) - width * height)


def compare(truth, found):
    """Returns the numbers of objects that are in both, only in the truth, and only found, and the extremes."""
    both, vanished, appeared, score, least = 0, 0, 0, 0.0, 1.0
    for image, objects in truth.items():
        left = list(found.get(image, []))
        for known in objects:
            same = [other for other in left if name(other) == name(known) and overlap(other, known) >= 0.5]
            if not same:
                vanished += 1
                continue
            best = max(same, key=lambda other: overlap(other, known))
            left.remove(best)
            both += 1
            score = max(score, abs(best["score"] - known["score"]))
            least = min(least, overlap(best, known))
        appeared += len(left)
    return both, vanished, appeared, score, least


def average_precision(program, truth, found, folder):
    """Writes the truth as COCO has it, and lets the program judge."""
    names = sorted({name(one) for objects in truth.values() for one in objects})
    ids = {image: index + 1 for index, image in enumerate(truth)}
    annotations = []
    for image, objects in truth.items():
        for one in objects:
            box = one["box"]
            width, height = box["right"] - box["left"], box["bottom"] - box["top"]
            annotations.append({
                "id": len(annotations) + 1, "image_id": ids[image], "category_id": names.index(name(one)) + 1,
                "bbox": [box["left"], box["top"], width, height], "area": width * height, "iscrowd": 0,
            })
    results = [
        {
            "image_id": ids[image], "category_id": names.index(name(one)) + 1, "score": one["score"],
            "bbox": [
                one["box"]["left"], one["box"]["top"], one["box"]["right"] - one["box"]["left"],
                one["box"]["bottom"] - one["box"]["top"],
            ],
        }
        for image, objects in found.items() if image in ids for one in objects if name(one) in names
    ]
    (folder / "truth.json").write_text(json.dumps({
        "images": [{"id": index, "file_name": pathlib.Path(image).name} for image, index in ids.items()],
        "annotations": annotations,
        "categories": [{"id": index + 1, "name": known} for index, known in enumerate(names)],
    }))
    (folder / "found.json").write_text(json.dumps(results))
    run = subprocess.run(
        [program, "evaluate", folder / "found.json", "--annotations", folder / "truth.json", "--json"],
        capture_output=True, text=True,
    )
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def signal_to_noise(program, model, numerics, picture):
    """Returns the ratio of the worst output of the model, in decibels."""
    inspection = subprocess.run([program, "inspect", model, "--json"], capture_output=True, text=True, check=True)
    outputs = {output["name"] for output in json.loads(inspection.stdout)["outputs"]}
    run = subprocess.run(
        [program, "diff", f"{model}@exact", f"{model}@{numerics}", "--input", picture, "--json", "--all"],
        capture_output=True, text=True,
    )
    if not run.stdout:
        return math.nan
    differences = [node["difference"] for node in json.loads(run.stdout)["nodes"] if node["tensor"] in outputs]
    ratios = [one["sqnr_db"] for one in differences if one and one["sqnr_db"] is not None]
    return min(ratios, default=math.inf)


def main():
    program, numerics, pictures = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    pictures = sorted(str(path) for path in pictures.iterdir())
    print(f"{'model':44} {'mAP':>6} {'same':>5} {'gone':>5} {'new':>4} {'score':>7} {'IoU':>6} {'dB':>6}")
    for model in sys.argv[4:]:
        truth = lines(program, model, pictures, "--exact")
        found = lines(program, model, pictures, "--numerics", numerics)
        if not any(truth.values()):
            print(f"{pathlib.Path(model).name:44} finds nothing")
            continue
        with tempfile.TemporaryDirectory() as folder:
            report = average_precision(program, truth, found, pathlib.Path(folder))
        both, vanished, appeared, score, least = compare(truth, found)
        noise = signal_to_noise(program, model, numerics, pictures[0])
        print(
            f"{pathlib.Path(model).name:44} {report['measures']['map']:6.3f} {both:5} {vanished:5} {appeared:4}"
            f" {score:7.4f} {least:6.3f} {noise:6.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
