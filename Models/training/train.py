"""The one command: renders, trains, converts, judges, and writes everything under Models/.

    python train.py --cache /tmp/scenes            (less than two hours on two cores)
    python train.py --cache /tmp/scenes --only export
"""

import argparse
import hashlib
import json
import pathlib
import time

import keras
import numpy as np
import tensorflow as tf

import detector
import export
import labeler
import learning
import metadata
import network
import pictures
import samples
import things
from recipes import DETECTOR_SIDE, LABELER_SIDE, PORTRAITS, SCENES

MODELS = pathlib.Path(__file__).resolve().parent.parent
CURVES = MODELS / "training" / "curves"
SEED = 1
# Pictures whose ranges the 8-bit models are measured with.
EXAMPLES = 300
DETECTOR_THRESHOLD = 0.4
LABELER_THRESHOLD = 0.3


def learn_labeler(cache):
    keras.utils.set_random_seed(SEED)
    model = labeler.trained(cache, CURVES / "labeler.csv")
    model.save_weights(cache / "labeler.weights.h5")


def learn_detector(cache):
    keras.utils.set_random_seed(SEED)
    model = detector.trained(cache, CURVES / "detector.csv", restored(network.labeler(), cache))
    model.save_weights(cache / "detector.weights.h5")


def restored(model, cache):
    model.load_weights(cache / f"{model.name.removeprefix('scenes_')}.weights.h5")
    return model


def interpreter(file):
    return tf.lite.Interpreter(str(file), num_threads=2)


def run(runner, image):
    """The outputs for one picture of bytes, in the order of the file."""
    runner.allocate_tensors()
    entry = runner.get_input_details()[0]
    if entry["dtype"] == np.float32:
        image = np.array(learning.normalized(image))
    runner.set_tensor(entry["index"], image[None])
    runner.invoke()
    return [runner.get_tensor(output["index"])[0] for output in runner.get_output_details()]


def detections(file, judge):
    runner = interpreter(file)
    for image in judge.images:
        places, categories, scores, count = run(runner, image)
        kept = slice(int(count))
        yield places[kept], categories[kept].astype(int), scores[kept]


def detector_figures(file, cache):
    seen, unseen = (pictures.load(SCENES[name], cache) for name in ("judge", "unseen"))
    result = detector.figures(detections(file, seen), seen)
    of_unseen = detector.figures(detections(file, unseen), unseen)
    result["recall of held-out glyphs"] = of_unseen["recall"]
    return result


def labeler_figures(file, cache):
    runner = interpreter(file)
    judge = pictures.load(PORTRAITS["judge"], cache)
    return {
        "top-1": labeler.top1(
            lambda images: np.stack([run(runner, image)[0] for image in images]), judge
        )
    }


def lines(names):
    return "".join(f"{name}\n" for name in names)


def export_detector(cache):
    """Both twins, with the same labels and metadata."""
    whole = export.detector(restored(network.detector()[0], cache))
    labels = lines(things.CATEGORIES)
    (MODELS / "scenes-detector.labels.txt").write_text(labels)
    examples = pictures.load(SCENES["learn"], cache).images[:EXAMPLES]
    for name, measured in (("scenes-detector", examples), ("scenes-detector-float", None)):
        description = "Finds things of six coarse categories in rendered scenes."
        tables = metadata.metadata(
            name, description, DETECTOR_SIDE,
            metadata.detector_outputs("labels.txt", DETECTOR_THRESHOLD),
        )
        file = metadata.packed(
            export.converted(whole, measured), description, tables, {"labels.txt": labels}
        )
        (MODELS / f"{name}.tflite").write_bytes(file)


def export_labeler(cache):
    """The labeler as an AutoML export: a folder of model, names and manifest."""
    whole = export.labeler(restored(network.labeler(), cache))
    labels = lines(thing.name for thing in things.load())
    description = "Names the thing that fills a rendered picture."
    tables = metadata.metadata(
        "scenes-labeler", description, LABELER_SIDE,
        metadata.labeler_outputs("labels.txt", LABELER_THRESHOLD),
    )
    examples = pictures.load(PORTRAITS["learn"], cache).images[:EXAMPLES]
    file = metadata.packed(
        export.converted(whole, examples, tf.uint8), description, tables, {"labels.txt": labels}
    )
    folder = MODELS / "scenes-labeler"
    folder.mkdir(exist_ok=True)
    (folder / "model.tflite").write_bytes(file)
    (folder / "dict.txt").write_text(labels)
    manifest = {
        "modelType": "IMAGE_LABELING", "modelFile": "model.tflite", "labelsFile": "dict.txt",
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def export_all(cache):
    export_labeler(cache)
    export_detector(cache)
    samples.write(MODELS / "samples")


def judge_all(cache):
    """Writes figures.json: what the model cards say."""
    judges = {
        "scenes-detector.tflite": detector_figures,
        "scenes-detector-float.tflite": detector_figures,
        "scenes-labeler/model.tflite": labeler_figures,
    }
    report = {}
    for name, figures in judges.items():
        data = (MODELS / name).read_bytes()
        report[name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        report[name] |= {k: round(v, 4) for k, v in figures(MODELS / name, cache).items()}
        print(name, report[name], flush=True)
    (MODELS / "figures.json").write_text(json.dumps(report, indent=2) + "\n")


STAGES = {
    "labeler": learn_labeler,
    "detector": learn_detector,
    "export": export_all,
    "judge": judge_all,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="folder for pictures")
    parser.add_argument("--only", choices=STAGES, action="append", help="these stages alone")
    options = parser.parse_args()
    CURVES.mkdir(exist_ok=True)
    for name, stage in STAGES.items():
        if not options.only or name in options.only:
            begin = time.time()
            stage(options.cache)
            print(f"{name}: {time.time() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
