"""Boxes (top, left, bottom, right): their coding, overlap, suppression, and how well found."""

import numpy as np

# The coder of SSD, which TFLite_Detection_PostProcess undoes.
SCALES = dict(y_scale=10.0, x_scale=10.0, h_scale=5.0, w_scale=5.0)


def decode(encodings, anchors, math=np):
    """Boxes of encodings [..., anchors, 4]; `math` is numpy or tensorflow."""
    y = encodings[..., 0] / SCALES["y_scale"] * anchors[:, 2] + anchors[:, 0]
    x = encodings[..., 1] / SCALES["x_scale"] * anchors[:, 3] + anchors[:, 1]
    height = math.exp(encodings[..., 2] / SCALES["h_scale"]) * anchors[:, 2]
    width = math.exp(encodings[..., 3] / SCALES["w_scale"]) * anchors[:, 3]
    return math.stack([y - height / 2, x - width / 2, y + height / 2, x + width / 2], -1)


def area(boxes):
    height, width = boxes[..., 2] - boxes[..., 0], boxes[..., 3] - boxes[..., 1]
    return np.maximum(height, 0) * np.maximum(width, 0)


def overlaps(first, second):
    """Intersection over union of every box of the first with every one of the second."""
    first, second = first[:, None], second[None]
    low = np.maximum(first[..., :2], second[..., :2])
    high = np.minimum(first[..., 2:], second[..., 2:])
    common = area(np.concatenate([low, high], -1))
    return common / np.maximum(area(first) + area(second) - common, 1e-9)


def matches(found, true, threshold=0.5):
    """For each found box (best first) whether it is the first to find some true box."""
    taken = np.zeros(len(true), bool)
    hits = np.zeros(len(found), bool)
    if len(found) == 0 or len(true) == 0:
        return hits
    overlap = overlaps(found, true)
    for index in range(len(found)):
        best = np.argmax(np.where(taken, -1, overlap[index]))
        if not taken[best] and overlap[index, best] >= threshold:
            hits[index] = taken[best] = True
    return hits


def average_precision(hits, scores, total):
    """The area under the precision that never falls with recall (all points)."""
    hits = hits[np.argsort(-scores, kind="stable")]
    true = np.cumsum(hits)
    recall = np.concatenate([[0], true / max(total, 1)])
    precision = np.concatenate([true / np.arange(1, len(hits) + 1), [0]])
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(recall) * precision[:-1]))


def mean_average_precision(found, true, categories):
    """`found`: per picture (boxes, categories, scores); `true`: per picture (boxes, categories)."""
    results = []
    for category in range(categories):
        hits, scores, total = [], [], 0
        for (boxes, classes, confidence), (true_boxes, true_classes) in zip(found, true):
            mine = classes == category
            wanted = true_boxes[true_classes == category]
            hits.append(matches(boxes[mine], wanted))
            scores.append(confidence[mine])
            total += len(wanted)
        results.append(average_precision(np.concatenate(hits), np.concatenate(scores), total))
    return results


def recall(found, true):
    """Which part of the true boxes is found by any answer, of whatever category and score."""
    hits = total = 0
    for (boxes, _, _), (true_boxes, _) in zip(found, true):
        hits += matches(boxes, true_boxes).sum()
        total += len(true_boxes)
    return float(hits / max(total, 1))
