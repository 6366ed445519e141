#!/usr/bin/env python3
"""Decodes the official runtime's outputs for a picture by hand, and compares Ocellus' results with them.

    pip install ai-edge-litert==2.3.0 numpy pillow==12.0.0
    python3 by_hand.py embed MODEL.tflite PICTURE.jpg
    python3 by_hand.py segment MODEL.tflite PICTURE.jpg --values 0..1
    python3 by_hand.py pose MODEL.tflite PICTURE.jpg --form list --output 0 --roi 220,15,190,190
    python3 by_hand.py detect MODEL.tflite PICTURE.jpg --form mediapipe --strides 8,16,16,16

Pillow decodes and resizes the picture, LiteRT's reference kernels run the network, and the code below decodes its
outputs with NumPy; nothing is shared with the package. The script compares the input tensor and every number of the
result; the exit code is 1 if they differ. Pillow 13 resizes tall pictures in another order of steps, and so rounds
them otherwise.
"""
import argparse
import json
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from PIL import Image

# The reference kernels give no results for some models with 8-bit weights and float activations; XNNPACK does.
KERNELS = {"reference": OpResolverType.BUILTIN_REF, "xnnpack": OpResolverType.BUILTIN}
RANGES = {"0..1": (0, 255), "-1..1": (127.5, 127.5), "0..255": (0, 1)}


class Network:
    """A model in the official runtime."""

    def __init__(self, path, kernels):
        self.runtime = Interpreter(path, experimental_op_resolver_type=KERNELS[kernels])
        self.runtime.allocate_tensors()
        self.input = self.runtime.get_input_details()[0]
        self.height, self.width = self.input["shape"][1:3]

    def tensor(self, pixels, values):
        """Returns the input tensor for 8-bit pixels."""
        kind = self.input["dtype"]
        if self.input["shape"][3] == 1:
            pixels = np.array(Image.fromarray(pixels).convert("L"))[:, :, np.newaxis]
        if kind == np.uint8:
            return pixels[np.newaxis]
        if kind == np.int8:
            return (pixels.astype(np.int16) - 128).astype(np.int8)[np.newaxis]
        mean, deviation = RANGES[values]
        shown = (pixels.astype(np.float32) - np.float32(mean)) / np.float32(deviation)
        return shown.astype(np.float32)[np.newaxis]

    def outputs(self, tensor):
        """Returns the outputs as real numbers, in the order of the file."""
        self.runtime.set_tensor(self.input["index"], tensor)
        self.runtime.invoke()
        return [self.real(detail) for detail in self.runtime.get_output_details()]

    def real(self, detail):
        value = self.runtime.get_tensor(detail["index"])
        scale, zero = detail["quantization"]
        return value if scale == 0 else np.float32(scale) * (value.astype(np.int64) - zero).astype(np.float32)


class View:
    """The region of a picture that the network sees, and its position in the network's input."""

    def __init__(self, picture, roi, fit, padding, network):
        left, top, width, height = roi or (0, 0, picture.width, picture.height)
        self.left, self.top, self.size = left, top, (width, height)
        self.whole = (picture.height, picture.width)
        self.shown = (network.width, network.height)
        self.corner = (0, 0)
        if fit == "letterbox":
            scale = min(network.width / width, network.height / height)
            self.shown = (round(width * scale), round(height * scale))
            self.corner = ((network.width - self.shown[0]) // 2, (network.height - self.shown[1]) // 2)
        part = picture.crop((left, top, left + width, top + height)).resize(self.shown, Image.BILINEAR)
        self.pixels = Image.new("RGB", (int(network.width), int(network.height)), (padding,) * 3)
        self.pixels.paste(part, self.corner)

    def place(self, x, y):
        """Returns the position in the picture of a point in pixels of the input."""
        return (self.left + (x - self.corner[0]) * self.size[0] / self.shown[0],
                self.top + (y - self.corner[1]) * self.size[1] / self.shown[1])


def sigmoid(x):
    return 1 / (1 + np.exp(-np.float64(x)))


def overlap(a, b):
    """Returns the intersection over union of two boxes of left, top, right and bottom."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    both = max(width, 0) * max(height, 0)
    area = lambda box: (box[2] - box[0]) * (box[3] - box[1])
    return both / max(area(a) + area(b) - both, 1e-12)


def kept(found, limit, blends=False, by_class=True):
    """Non-maximum suppression, which keeps the best box or the mean of the boxes that overlap it."""
    rest = sorted(found, key=lambda item: -item[1])
    results = []
    while rest:
        box, score, category = rest[0]
        same = lambda item: (item[2] == category or not by_class) and overlap(item[0], box) > limit
        group = [rest[0]] + [item for item in rest[1:] if same(item)]
        rest = [item for item in rest[1:] if not same(item)]
        if blends:
            weights = np.array([item[1] for item in group])
            box = (np.array([item[0] for item in group]) * weights[:, None]).sum(0) / weights.sum()
        results.append((np.asarray(box), score, category))
    return results


# Detectors: boxes in fractions of the input, scores and classes.


def yolo_columns(outputs, network, options):
    """Ultralytics' v8 and later: x, y, width, height in fractions or pixels, and the classes' scores."""
    rows = outputs[options.output][0].T
    if rows[:, :4].max() > 2:
        rows = rows / np.array([network.width, network.height] * 2 + [1] * (rows.shape[1] - 4))
    found = [((x - w / 2, y - h / 2, x + w / 2, y + h / 2), max(scores), int(np.argmax(scores)))
             for x, y, w, h, *scores in rows if max(scores) >= options.threshold]
    return kept(found, 0.45)


def finished_rows(outputs, network, options):
    """End-to-end networks: left, top, right, bottom in fractions, score, class."""
    rows = [row for row in outputs[options.output][0] if row[4] >= options.threshold]
    return [(row[:4], row[4], int(row[5])) for row in sorted(rows, key=lambda row: -row[4])]


def mediapipe(outputs, network, options):
    """Two anchors for each layer and cell; layers of the same stride are interleaved; distances are in pixels."""
    middles = []
    for stride in sorted(set(options.strides)):
        side = int(np.ceil(network.width / stride))
        for cell in range(side * side):
            middles += [((cell % side + 0.5) / side, (cell // side + 0.5) / side)] * (
                options.points or 2 * options.strides.count(stride))
    boxes, scores = sorted((output[0] for output in outputs), key=lambda output: -output.shape[-1])
    found = []
    for (x, y), box, score in zip(middles, boxes, sigmoid(scores[:, 0])):
        if score >= options.threshold:
            x, y = x + box[0] / network.width, y + box[1] / network.height
            w, h = box[2] / network.width, box[3] / network.height
            found.append(((x - w / 2, y - h / 2, x + w / 2, y + h / 2), score, 0))
    return kept(found, 0.3, blends=True)


def masked_faces(outputs, network, options):
    """AIZOO's detector of faces with and without masks: four anchor shapes on the cells of five layers."""
    sizes = [(0.04, 0.056), (0.08, 0.11), (0.16, 0.22), (0.32, 0.45), (0.64, 0.72)]
    anchors = []
    for side, (small, large) in zip((33, 17, 9, 5, 3), sizes):
        shapes = [(small, small), (large, large)]
        shapes += [(small * ratio**0.5, small / ratio**0.5) for ratio in (0.62, 0.42)]
        anchors += [((cell % side + 0.5) / side, (cell // side + 0.5) / side, *shape)
                    for cell in range(side * side) for shape in shapes]
    boxes, scores = outputs[0][0], outputs[1][0]
    found = []
    for (x, y, w, h), box, row in zip(anchors, boxes, scores):
        if row.max() >= options.threshold:
            x, y = x + box[0] * 0.1 * w, y + box[1] * 0.1 * h
            w, h = w * np.exp(box[2] * 0.2), h * np.exp(box[3] * 0.2)
            found.append(((x - w / 2, y - h / 2, x + w / 2, y + h / 2), row.max(), int(row.argmax())))
    return kept(found, 0.4, by_class=False)


def light_faces(outputs, network, options):
    """The "ultra light" detector: square anchors of a few sizes on the cells of four layers; class 0 is background."""
    anchors = []
    for layer, sizes in enumerate(((10, 16, 24), (32, 48), (64, 96), (128, 192, 256))):
        columns, rows = (int(np.ceil(side / (8 << layer))) for side in (network.width, network.height))
        anchors += [((column + 0.5) / columns, (row + 0.5) / rows, size / network.width, size / network.height)
                    for row in range(rows) for column in range(columns) for size in sizes]
    found = []
    for anchor, box, row in zip(np.minimum(anchors, 1), outputs[0][0], outputs[1][0]):
        if row[1] >= options.threshold:
            x, y = anchor[:2] + box[:2] * 0.1 * anchor[2:]
            w, h = anchor[2:] * np.exp(box[2:] * 0.2)
            found.append(((x - w / 2, y - h / 2, x + w / 2, y + h / 2), row[1], 0))
    return kept(found, 0.5)


def cells(network, stride):
    """The columns and rows of the cells of a stride, in the order of maps."""
    columns, rows = (int(np.ceil(side / stride)) for side in (network.width, network.height))
    return [(cell % columns, cell // columns) for cell in range(columns * rows)]


def yolo_rows(outputs, network, options):
    """YOLO v5: x, y, width, height, the probability of an object, and those of its class; --percent of both."""
    rows = outputs[options.output][0].astype(np.float64)
    rows[:, 4:] /= 100 if options.percent else 1
    if rows[:, :4].max() > 2:
        rows[:, :4] /= [network.width, network.height] * 2
    found = []
    for x, y, w, h, objectness, *classes in rows:
        score = objectness if options.objectness else objectness * max(classes)
        if score >= options.threshold:
            found.append(((x - w / 2, y - h / 2, x + w / 2, y + h / 2), score, int(np.argmax(classes))))
    return kept(found, 0.45)


def yolo_maps(outputs, network, options):
    """YOLO v3: for each cell and anchor, offsets, logarithms of sizes, an object's logit, and those of its classes."""
    maps = sorted((output for output in outputs if output.ndim == 4), key=lambda output: -output.shape[1])
    count = len(options.anchors) // 2 // len(maps)
    found = []
    for level, numbers in enumerate(maps):
        stride = network.width // numbers.shape[2]
        sizes = np.reshape(options.anchors, (-1, 2))[level * count:(level + 1) * count]
        for (column, row), cell in zip(cells(network, stride), numbers.reshape(-1, count, numbers.shape[3] // count)):
            for (width, height), (x, y, w, h, objectness, *classes) in zip(sizes, cell.astype(np.float64)):
                scores = sigmoid(objectness) * sigmoid(classes)
                x, y = (column + sigmoid(x)) * stride / network.width, (row + sigmoid(y)) * stride / network.height
                w, h = np.exp(w) * width / network.width, np.exp(h) * height / network.height
                found += [((x - w / 2, y - h / 2, x + w / 2, y + h / 2), scores[category], int(category))
                          for category in np.flatnonzero(scores >= options.threshold)]
    return kept(found, 0.45)


def yolo_heads(outputs, network, options):
    """YOLO v8 before its last layers: 16 bins for the distance of each edge in cells, and the logits of the classes."""
    found = []
    for numbers in (output[0] for output in outputs if output.ndim == 4):
        stride = network.width // numbers.shape[1]
        heads = numbers.reshape(-1, numbers.shape[2]).astype(np.float64)
        for (column, row), cell in zip(cells(network, stride), heads):
            score = sigmoid(cell[64:].max())
            if score >= options.threshold:
                bins = np.exp(cell[:64].reshape(4, 16) - cell[:64].max())
                left, top, right, bottom = (bins * np.arange(16)).sum(1) / bins.sum(1) * stride
                x, y = (column + 0.5) * stride, (row + 0.5) * stride
                found.append((np.array([x - left, y - top, x + right, y + bottom])
                              / ([network.width, network.height] * 2), score, int(cell[64:].argmax())))
    return kept(found, 0.45)


def face_maps(outputs, network, options):
    """Qualcomm's light face detector: where a face's logit is the highest around, distances of edges in cells."""
    heat, edges = (next(output[0] for output in outputs if output.shape[-1] == count) for count in (1, 4))
    rows, columns = heat.shape[:2]
    padded = np.pad(heat[:, :, 0], 1, constant_values=-np.inf)
    found = []
    for column, row in cells(network, network.width // columns):
        if padded[row:row + 3, column:column + 3].max() == heat[row, column, 0]:
            score, (left, top, right, bottom) = sigmoid(heat[row, column, 0]), edges[row, column].astype(np.float64)
            if score >= options.threshold:
                found.append(((((column - left) / columns), (row - top) / rows, (column + right) / columns,
                               (row + bottom) / rows), score, 0))
    return kept(found, 0.3)


def fastest_map(outputs, network, options):
    """FastestDet: for each cell the probability of an object, x, y, width and height, and those of its class."""
    numbers = outputs[options.output][0]
    rows, columns = numbers.shape[:2]
    found = []
    for (column, row), cell in zip(cells(network, network.width / columns), numbers.reshape(-1, numbers.shape[2])):
        objectness, x, y, w, h, *classes = cell.astype(np.float64)
        score = max(objectness, 0)**0.6 * max(max(classes), 0)**0.4
        if score >= options.threshold:
            x, y, w, h = (column + np.tanh(x)) / columns, (row + np.tanh(y)) / rows, sigmoid(w), sigmoid(h)
            found.append(((x - w / 2, y - h / 2, x + w / 2, y + h / 2), score, int(np.argmax(classes))))
    return kept(found, 0.45)


DETECTORS = {"yolo": yolo_columns, "yolo-rows": yolo_rows, "yolo-maps": yolo_maps, "yolo-heads": yolo_heads,
             "rows": finished_rows, "mediapipe": mediapipe, "masked-faces": masked_faces, "light-faces": light_faces,
             "face-maps": face_maps, "fastest": fastest_map}


def detect(outputs, network, view, options):
    found = []
    for box, score, category in DETECTORS[options.form](outputs, network, options):
        left, top = view.place(box[0] * network.width, box[1] * network.height)
        right, bottom = view.place(box[2] * network.width, box[3] * network.height)
        found.append([left, top, right, bottom, score, category])
    return np.array(found, dtype=np.float64).reshape(-1, 6)


def detected(record):
    return np.array([[*(item["box"][side] for side in ("left", "top", "right", "bottom")), item["score"],
                      item["categories"][0]["index"]] for item in record["detections"]]).reshape(-1, 6)


# Landmarks: x and y in pixels of the picture, and a score, if any.


def pose(outputs, network, view, options):
    numbers = outputs[options.output]
    if options.form == "rows":  # MoveNet: y, x and score in fractions.
        rows = numbers.reshape(-1, 3)
        points = [(x * network.width, y * network.height, score) for y, x, score in rows]
    elif options.form == "maps":  # The highest cell of each map.
        _, height, width, count = numbers.shape
        cells = [divmod(int(numbers[0, :, :, point].argmax()), width) for point in range(count)]
        points = [((column + 0.5) / width * network.width, (row + 0.5) / height * network.height,
                   numbers[0, row, column, point]) for point, (row, column) in enumerate(cells)]
    elif options.form == "offsets":  # PoseNet: the highest cell, and the joint's offset from it, y before x.
        _, height, width, count = numbers.shape
        offsets = next(output for output in outputs if output.shape[-1] == 2 * count)[0]
        cells = [divmod(int(numbers[0, :, :, point].argmax()), width) for point in range(count)]
        points = [(column / (width - 1) * network.width + offsets[row, column, count + point],
                   row / (height - 1) * network.height + offsets[row, column, point],
                   sigmoid(numbers[0, row, column, point])) for point, (row, column) in enumerate(cells)]
    else:  # MediaPipe: x, y and more for each point, in pixels of the input.
        points = [(x, y, np.nan) for x, y in numbers.reshape(-1, options.numbers)[:, :2]]
    return np.array([[*view.place(x, y), score] for x, y, score in points], dtype=np.float64)


def posed(record):
    subjects = record["subjects"]
    points = subjects[0]["points"] if subjects else []
    return np.array([[point["x"], point["y"], np.nan if point["score"] is None else point["score"]]
                     for point in points], dtype=np.float64).reshape(-1, 3)


# Segmentation: the class of every pixel of the picture.


def segment(outputs, network, view, options):
    maps = outputs[options.output]
    if np.issubdtype(maps.dtype, np.integer):
        classes = maps.reshape(maps.shape[-2:] if maps.shape[-1] > 1 else maps.shape[1:3])
    elif maps.shape[-1] == 1:
        classes = (maps[0, :, :, 0] >= (0.5 if maps.min() >= 0 and maps.max() <= 1 else 0)).astype(int)
    else:
        classes = maps[0].argmax(-1)
    rows, columns = classes.shape
    row = np.floor((np.arange(view.size[1]) + 0.5) * rows / view.size[1]).astype(int)
    column = np.floor((np.arange(view.size[0]) + 0.5) * columns / view.size[0]).astype(int)
    mask = np.zeros(view.whole, dtype=np.int64)
    mask[view.top:view.top + view.size[1], view.left:view.left + view.size[0]] = classes[row][:, column]
    return mask


def embed(outputs, network, view, options):
    return outputs[options.output].reshape(-1).astype(np.float64)


def ours(options, network, picture, folder):
    """Returns Ocellus' result and its input tensor."""
    # A decoded copy, because the commands decode large JPEG files at a fraction of their size.
    picture.save(f"{folder}/picture.png", icc_profile=None)  # pixels are compared as they are
    command = [options.ocellus, options.task, f"{folder}/picture.png", "-m", options.model, "--exact", "--json",
               "--dump-input", f"{folder}/input.npy"]
    if network.input["dtype"] == np.float32:
        command += ["--values", options.values]
    if options.task == "embed":
        command.remove("--exact")
    if options.task in ("detect", "pose"):
        command += ["--threshold", str(options.threshold)]
    if options.task == "segment":
        command += ["--mask", f"{folder}/mask.png"]
    if options.roi:
        command += ["--roi", ",".join(map(str, options.roi))]
    result = subprocess.run(command + options.option, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    sys.stderr.write(result.stderr)
    record = json.loads(result.stdout)["images"][0]
    shown = np.load(f"{folder}/input.npy")
    if options.task == "segment":
        return shown, np.array(Image.open(f"{folder}/mask.png")).astype(np.int64)
    if options.task == "embed":
        return shown, np.array(record["embedding"])
    return shown, detected(record) if options.task == "detect" else posed(record)


def main():
    numbers = lambda text: [int(part) for part in text.split(",")]
    decimals = lambda text: [float(part) for part in text.split(",")]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["detect", "segment", "pose", "embed"])
    parser.add_argument("model")
    parser.add_argument("picture")
    parser.add_argument("--form", choices=[*DETECTORS, "rows", "maps", "offsets", "list"], help="how outputs are read")
    parser.add_argument("--output", type=int, default=0, help="which output is read")
    parser.add_argument("--numbers", type=int, default=3, help="how many a point has in a list")
    parser.add_argument("--strides", type=numbers, default=[], help="of the layers of a MediaPipe detector")
    parser.add_argument("--points", type=int, help="how many anchors a cell has, where they are not two a layer")
    parser.add_argument("--anchors", type=decimals, help="of YOLO's maps: widths and heights, small first")
    parser.add_argument("--percent", action="store_true", help="the scores of YOLO's rows are percentages")
    parser.add_argument("--objectness", action="store_true", help="it is the score of YOLO's rows by itself")
    parser.add_argument("--values", choices=RANGES, default="0..1", help="what floats mean")
    parser.add_argument("--fit", choices=["stretch", "letterbox"], default="stretch")
    parser.add_argument("--padding", type=int, default=0, help="the gray around letterboxed pictures")
    parser.add_argument("--roi", type=numbers, help="the part of the picture: X,Y,W,H")
    parser.add_argument("--threshold", type=float, default=0.25)
    parser.add_argument("--within", type=float, default=1e-3, help="how far numbers may be apart")
    parser.add_argument("--kernels", choices=KERNELS, default="reference", help="the official runtime's")
    parser.add_argument("--ocellus", default=".build/release/ocellus")
    parser.add_argument("--option", action="append", default=[], help="one more argument for ocellus")
    options = parser.parse_args()

    network = Network(options.model, options.kernels)
    picture = Image.open(options.picture).convert("RGB")
    view = View(picture, options.roi, options.fit, options.padding, network)
    tensor = network.tensor(np.array(view.pixels), options.values)
    expected = {"detect": detect, "pose": pose, "segment": segment, "embed": embed}[options.task](
        network.outputs(tensor), network, view, options)
    with tempfile.TemporaryDirectory() as folder:
        shown, found = ours(options, network, picture, folder)
    # The conversion from bytes to floats may differ in the last bit only.
    isShownTheSame = shown.shape == tensor.shape and np.abs(shown.astype(np.float64) - tensor).max() < 1e-6
    isSame = expected.shape == found.shape and np.allclose(expected, found, 0, options.within, equal_nan=True)
    apart = np.nanmax(np.abs(expected - found)) if expected.shape == found.shape and expected.size else None
    print(f"{options.task} {options.model}: input {'the same' if isShownTheSame else 'DIFFERENT'}, "
          f"{expected.shape} by hand, {found.shape} found, at most {apart} apart: {'same' if isSame else 'DIFFERENT'}")
    if not isSame:
        print("by hand:", expected[:4], "found:", found[:4], sep="\n")
    sys.exit(0 if isSame and isShownTheSame else 1)


if __name__ == "__main__":
    main()
