#!/usr/bin/env python3
"""Holds our C library against another one: the same calls on the same models must be answered alike.

    compare.py OURS THEIRS FOLDER_OF_MODELS [MODEL...]

Shapes, types, quantization, statuses and messages must be equal. Results are compared too: floats within
a ten-thousandth of the largest, bytes within 3 steps, because the official library's fast integer kernels
round otherwise than its reference kernels, whose bits ours are.
"""
import array
import json
import os
import subprocess
import sys
import tempfile

MODELS = """
MNISTnet_uint8_quant ad01_hybrid ad01_int8 automl_labeler_model ds_cnn_s_int16x8 dtln_model_quant_1
face_blendshapes face_detection_back face_detection_front_float face_detection_short_range face_yunet
fomo_face_detection frontend_sl_v1 hand_recrop keras_lstm_mnist_ptq keyword_scrambled_svdf
kws_ref_model_int8 mobilenet_v1_0.25_224_quant face_landmark
model_lite_age_q movie_review person_detect_uint8 pose_classifier_hybrid pretrainedResnet
pretrainedResnet_quant recommendation_rnn_i10o100 spokestack_encode ssd_slim_120x160x1_v1_int8
segm_full_v679_opt toy_kv_cache_multi_signature trained_lstm_mnist_float
unet_person_hybrid vww_96_float vww_96_int8 yolo_face_detect
""".split()

TYPES = {"1": "f", "2": "i", "3": "B", "4": "q", "6": "B", "7": "h", "9": "b"}


def observe(library, models, folder):
    """What a library says, in a process of its own."""
    observer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "observe.py")
    run = subprocess.run(
        [sys.executable, observer, library, *models, "--outputs", folder],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"{library} ended with {run.returncode}:\n{run.stderr[-2000:]}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def numbers(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return array.array(TYPES[name.rsplit(".", 1)[1]], file.read())


def differences(ours, theirs, name):
    """How the results of one output differ, in words; nothing where they agree."""
    a, b = numbers(ours, name), numbers(theirs, name)
    if len(a) != len(b):
        return f"{len(a)} numbers, not {len(b)}"
    largest = max((abs(x) for x in b if x == x), default=0)
    tolerance = 1e-4 * max(largest, 1e-2) if a.typecode == "f" else 3
    # The second run follows a reset; both are held to the same.
    wrong = sum(1 for x, y in zip(a, b) if (x == x) != (y == y) or abs(x - y) > tolerance)
    return f"{wrong} of {len(a)} numbers differ" if wrong else None


def main():
    ours, theirs, folder, *names = sys.argv[1:]
    models = [os.path.join(folder, f"{name}.tflite") for name in names or MODELS]
    problems = []
    with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
        answers = list(zip(observe(ours, models, a), observe(theirs, models, b)))
        for mine, other in answers:
            for key in sorted(set(mine) | set(other)):
                if mine.get(key) != other.get(key):
                    problems.append(
                        f"{mine['model']}, {mine['step']}: {key} is {mine.get(key)}, "
                        f"not {other.get(key)}")
        results = sorted(os.listdir(b))
        if results != sorted(os.listdir(a)):
            problems.append("not the same outputs")
        for name in results:
            difference = differences(a, b, name)
            if difference:
                problems.append(f"{name}: {difference}")
    print("\n".join(problems))
    print(f"{len(models)} models, {len(answers)} answers, {len(results)} results: "
          f"{len(problems)} differences")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
