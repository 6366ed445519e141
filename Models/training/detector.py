"""Training of the detector: which anchors answer for which thing, the loss, the loop."""

import numpy as np
import tensorflow as tf

import boxes as coding
import learning
import network
import pictures
import things
from recipes import SCENES

ANCHORS = network.anchors()
# What the loss sees of an encoding that went astray; its exponential must not overflow.
FARTHEST = 12.0
# How much of a thing must be in the picture that is cut from another.
LEAST_IN_FRAME = 0.6
CATEGORY_OF = np.array(things.categories())


def assigned(true_boxes):
    """For each anchor the number of its thing [batch, anchors], -1 for none.

    A thing belongs to the anchors of about its size near its middle: within one and a half cells,
    on every level whose anchor is less than twice as long or short. The nearest thing wins.
    """
    present = true_boxes[..., 2] > 0
    center = (true_boxes[..., :2] + true_boxes[..., 2:]) / 2
    extent = tf.maximum(true_boxes[..., 2:] - true_boxes[..., :2], 1e-3)
    octaves = tf.math.log(tf.sqrt(extent[..., 0] * extent[..., 1]))[:, None] / np.log(2.0)
    # Things longer than the longest anchor, or shorter than the shortest, are theirs.
    octaves = tf.clip_by_value(octaves, np.log2(ANCHORS[:, 2].min()), np.log2(ANCHORS[:, 2].max()))
    octaves = tf.abs(octaves - np.log2(ANCHORS[:, 2])[None, :, None])
    cell = ANCHORS[:, 2] / network.ANCHOR_STRIDES
    away = tf.abs(ANCHORS[None, :, None, :2] - center[:, None]) / cell[None, :, None, None]
    away = tf.reduce_max(away, -1)
    inside = tf.reduce_all(
        tf.abs(ANCHORS[None, :, None, :2] - center[:, None]) < extent[:, None] / 2, -1
    )
    # The cell of the middle answers even where a thin thing leaves no room for others.
    near = ((away < 1.5) & inside) | (away <= 0.5)
    mine = near & (octaves < 0.8) & present[:, None]
    cost = tf.where(mine, away + octaves, 1e9)
    return tf.where(tf.reduce_any(mine, -1), tf.argmin(cost, -1, tf.int32), -1)


def generalized_overlap(first, second):
    """Intersection over union, and the same less what the hull wastes."""
    low = tf.maximum(first[..., :2], second[..., :2])
    high = tf.minimum(first[..., 2:], second[..., 2:])
    common = tf.reduce_prod(tf.maximum(high - low, 0), -1)
    both = sum(tf.reduce_prod(b[..., 2:] - b[..., :2], -1) for b in (first, second)) - common
    low = tf.minimum(first[..., :2], second[..., :2])
    high = tf.maximum(first[..., 2:], second[..., 2:])
    hull = tf.reduce_prod(high - low, -1)
    overlap = common / (both + 1e-7)
    return overlap, overlap - (hull - both) / (hull + 1e-7)


def loss(learner, batch):
    """The loss of what the network says of a batch.

    Boxes learn by generalized overlap; whether there is a thing, by a focal loss whose aim is
    the overlap (the best box shall have the best score); names by plain entropy, as in the
    labeler, and once more by that of their categories.
    """
    images, true_boxes, numbers = batch
    encodings, objects, features = learner(learning.normalized(images))
    encodings = tf.clip_by_value(encodings, -FARTHEST, FARTHEST)
    owner = assigned(true_boxes)
    is_mine = owner >= 0
    mine = tf.cast(is_mine, tf.float32)
    count = tf.maximum(tf.reduce_sum(mine), 1)
    own_box = tf.gather(true_boxes, tf.maximum(owner, 0), batch_dims=1)
    overlap, generalized = generalized_overlap(coding.decode(encodings, ANCHORS, tf), own_box)
    quality = tf.stop_gradient(tf.maximum(overlap, 0)) * mine
    entropy = tf.nn.sigmoid_cross_entropy_with_logits(quality, objects)
    own_name = tf.gather(numbers, tf.maximum(owner, 0), batch_dims=1)[is_mine]
    likely = tf.nn.log_softmax(learner.names(features[is_mine]))
    alike = tf.gather(tf.constant(CATEGORY_OF[:, None] == CATEGORY_OF[None]), own_name)
    of_category = tf.reduce_logsumexp(tf.where(alike, likely, -1e4), -1)
    of_name = tf.gather(likely, own_name, batch_dims=1)
    parts = {
        "scoring": tf.reduce_sum(entropy * tf.square(tf.sigmoid(objects) - quality)) / count,
        "sorting": -tf.reduce_sum(of_category) / count,
        "naming": -tf.reduce_sum(of_name) / count,
        "placing": tf.reduce_sum((1 - generalized) * mine) / count,
    }
    weights = {"scoring": 2.0, "sorting": 0.5, "naming": 1.0, "placing": 1.5}
    return {"loss": sum(weights[name] * part for name, part in parts.items())} | parts


def mirrored(rng, images, places):
    """Half of the pictures the other way round."""
    chosen = rng.uniform(size=len(images)) < 0.5
    images[chosen] = images[chosen, :, ::-1]
    present = chosen[:, None] & (places[..., 2] > 0)
    swapped = np.stack([places[..., 0], 1 - places[..., 3], places[..., 2], 1 - places[..., 1]], -1)
    places[present] = swapped[present]


def framed(rng, images, places):
    """Half of the pictures nearer or farther, in other proportions, on grey where there is none."""
    chosen = np.flatnonzero(rng.uniform(size=len(images)) < 0.5)
    zoom, aspect = np.exp(rng.uniform(-0.3, 0.3, (2, len(chosen), 1)))
    extent = zoom * np.concatenate([aspect, 1 / aspect], 1) ** 0.5
    first = -rng.uniform(size=extent.shape) * (extent - 1)
    images[chosen] = tf.image.crop_and_resize(
        images,
        np.concatenate([first, first + extent], 1),
        chosen,
        images.shape[1:3],
        extrapolation_value=rng.uniform(0, 255),
    )
    before = places[chosen]
    moved = before.reshape(len(chosen), -1, 2, 2) - first[:, None, None]
    moved = (moved / extent[:, None, None]).reshape(before.shape)
    cut = np.clip(moved, 0, 1)
    # A thing of which little is left is none; nor were those that there never were.
    kept = (before[..., 2] > 0) & (coding.area(cut) > LEAST_IN_FRAME * coding.area(moved))
    places[chosen] = np.where(kept[..., None], cut, -1)


def feed(learn, size, steps, seed):
    for numbers, rng in learning.batches(len(learn.images), size, steps, seed):
        images, places = learn.images[numbers], learn.boxes[numbers]
        mirrored(rng, images, places)
        framed(rng, images, places)
        yield images, places, learn.things[numbers].astype(np.int32)


def truth(judge):
    """Boxes and categories of every picture of a set."""
    for boxes, numbers in zip(judge.boxes, judge.things):
        yield np.array(boxes[numbers >= 0]), CATEGORY_OF[numbers[numbers >= 0]]


def figures(answers, judge):
    """The qualities that the model card names."""
    answers, true = list(answers), list(truth(judge))
    precisions = coding.mean_average_precision(answers, true, len(things.CATEGORIES))
    return {
        "mAP@0.5": float(np.mean(precisions)),
        "recall": coding.recall(answers, true),
    } | dict(zip(things.CATEGORIES, precisions))


def trained(cache, curve, labeler, steps=12500, size=32, rate=3e-3, seed=31):
    """The network, trained, in the same words every time; it begins with the labeler's trunk."""
    learn = pictures.load(SCENES["learn"], cache)
    model, learner = network.detector()
    network.trunk_of(model).set_weights(network.trunk_of(labeler).get_weights())
    learning.train(
        model,
        feed(learn, size, steps, seed),
        lambda batch: loss(learner, batch),
        learning.trapezoid(steps, rate),
        curve,
    )
    learning.settle(model, (images for images, _, _ in feed(learn, 64, 40, seed + 1)))
    return model
