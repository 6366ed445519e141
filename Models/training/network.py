"""The networks: a small depthwise trunk, the labeler on it, the detector's pyramid and heads."""

import keras
import numpy as np
from keras import layers

import things
from recipes import DETECTOR_SIDE, LABELER_SIDE

STRIDES = [8, 16, 32, 64]
# How many strides long the one square anchor of each cell is.
ANCHOR_STRIDES = 4
# Filters of the trunk's stages at strides 4, 8, 16 and 32, and the blocks after each first one.
WIDTHS = [32, 64, 160, 256]
DEPTHS = [1, 1, 3, 2]
PYRAMID_WIDTH = 64


def activated(x):
    return layers.ReLU(6.0)(layers.BatchNormalization(momentum=0.98)(x))


def convolution(x, filters, kernel=1, stride=1):
    x = layers.Conv2D(filters, kernel, stride, "same", use_bias=False)(x)
    return activated(x)


def separable(x, filters, stride=1):
    x = layers.DepthwiseConv2D(3, stride, "same", use_bias=False)(x)
    return convolution(activated(x), filters)


def trunk(side):
    """The picture, and its feature maps at strides 4, 8, 16 and 32."""
    picture = keras.Input((side, side, 3), name="picture")
    x = convolution(picture, 16, 3, 2)
    maps = []
    for width, depth in zip(WIDTHS, DEPTHS):
        x = separable(x, width, 2)
        for _ in range(depth):
            x = layers.Add()([x, separable(x, width)])
        maps.append(x)
    maps[-1] = layers.Identity(name="features")(x)
    return picture, maps


def trunk_of(model):
    """The part of a network that is alike in both, for handing on what was learned."""
    return keras.Model(model.input, model.get_layer("features").output)


def labeler():
    """Picture in -1…1 to one score for each fine name."""
    picture, maps = trunk(LABELER_SIDE)
    x = layers.GlobalAveragePooling2D()(convolution(maps[-1], 384))
    x = layers.Dropout(0.1)(x)
    scores = layers.Dense(len(things.load()), activation="softmax", name="scores")(x)
    return keras.Model(picture, scores, name="scenes_labeler")


def pyramid(maps):
    """Levels of one width, in which every finer one has seen the coarser ones."""
    level = convolution(maps[-1], PYRAMID_WIDTH)
    levels = [level]
    for features in reversed(maps[:-1]):
        coarser = layers.Resizing(*features.shape[1:3], "nearest")(level)
        level = layers.Add()([convolution(features, PYRAMID_WIDTH), coarser])
        levels.insert(0, level)
    return levels


def detector():
    """Picture in -1…1 to box encodings [1360, 4] and the categories' scores [1360, 6]."""
    picture, maps = trunk(DETECTOR_SIDE)
    maps = maps[1:] + [separable(maps[-1], 128, 2)]
    categories = len(things.CATEGORIES)
    # A rare object among 1360 anchors: begin with the score that most anchors should have.
    rare = keras.initializers.Constant(-np.log((1 - 0.01) / 0.01))
    boxes, scores = [], []
    for stride, level in zip(STRIDES, pyramid(maps)):
        level = separable(separable(level, PYRAMID_WIDTH), PYRAMID_WIDTH)
        box = layers.Conv2D(4, 1, name=f"boxes_{stride}")(level)
        score = layers.Conv2D(categories, 1, bias_initializer=rare, name=f"scores_{stride}")(level)
        boxes.append(layers.Reshape((-1, 4))(box))
        scores.append(layers.Reshape((-1, categories))(score))
    boxes = layers.Concatenate(1, name="boxes")(boxes)
    logits = layers.Concatenate(1, name="logits")(scores)
    scores = layers.Activation("sigmoid", name="scores")(logits)
    return keras.Model(picture, [boxes, scores], name="scenes_detector")


def anchors():
    """(y, x, height, width) of every anchor, in parts of the side and the heads' order."""
    rows = []
    for stride in STRIDES:
        centers = (np.arange(DETECTOR_SIDE // stride) + 0.5) * stride
        y, x = np.meshgrid(centers, centers, indexing="ij")
        side = np.full(y.size, stride * ANCHOR_STRIDES)
        rows.append(np.stack([y.ravel(), x.ravel(), side, side], 1))
    return (np.concatenate(rows) / DETECTOR_SIDE).astype(np.float32)
