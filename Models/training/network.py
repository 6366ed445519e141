"""The networks: a small depthwise trunk, the labeler on it, the detector's pyramid and heads."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

import things
from recipes import DETECTOR_SIDE, LABELER_SIDE

STRIDES = [8, 16, 32]
# How many strides long the one square anchor of each cell is.
ANCHOR_STRIDES = 6
# Filters of the trunk's stages at strides 4, 8, 16 and 32, and the blocks after each first one.
WIDTHS = [32, 72, 160, 256]
DEPTHS = [1, 2, 3, 2]
PYRAMID_WIDTH = 96


class Normalization(layers.BatchNormalization):
    """Batch normalization whose training is one fused operator: a quarter of Keras's own time."""

    def call(self, x, training=None, mask=None):
        if not training:
            return super().call(x, training=False)
        x, mean, variance, *_ = tf.raw_ops.FusedBatchNormV3(
            x=x, scale=self.gamma, offset=self.beta, mean=[], variance=[], epsilon=self.epsilon
        )
        for moving, now in ((self.moving_mean, mean), (self.moving_variance, variance)):
            moving.assign(self.momentum * moving + (1 - self.momentum) * now)
        return x


def activated(x):
    return layers.ReLU(6.0)(Normalization(momentum=0.98)(x))


def convolution(x, filters, kernel=1, stride=1):
    x = layers.Conv2D(filters, kernel, stride, "same", use_bias=False)(x)
    return activated(x)


def separable(x, filters, stride=1):
    x = layers.DepthwiseConv2D(3, stride, "same", use_bias=False)(x)
    return convolution(activated(x), filters)


def trunk(picture):
    """Feature maps of the picture at strides 4, 8, 16 and 32."""
    x = convolution(picture, 16, 3, 2)
    maps = []
    for width, depth in zip(WIDTHS, DEPTHS):
        x = separable(x, width, 2)
        for _ in range(depth):
            x = layers.Add()([x, separable(x, width)])
        maps.append(x)
    maps[-1] = layers.Identity(name="features")(x)
    return maps


def trunk_of(model):
    """The part of a network that is alike in both, for handing on what was learned."""
    return keras.Model(model.input, model.get_layer("features").output)


def labeler():
    """Picture in -1…1 to one score for each fine name."""
    picture = keras.Input((LABELER_SIDE, LABELER_SIDE, 3), name="picture")
    maps = trunk(picture)
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
    """Picture in -1…1 to box encodings [1344, 4] and the categories' scores [1344, 6].

    A category's score is how likely an anchor has some thing, times how likely its fine names are
    in sum: names are learned much faster than categories, in which apples are with hamburgers.
    Answers the network, and what learns.
    """
    picture = keras.Input((DETECTOR_SIDE, DETECTOR_SIDE, 3), name="picture")
    count = len(things.load())
    # A rare object among 1344 anchors: begin with the score that most anchors should have.
    rare = keras.initializers.Constant(-np.log((1 - 0.01) / 0.01))
    name = layers.Conv2D(count, 1, name="name")
    features, boxes, objects, names = [], [], [], []
    for stride, level in zip(STRIDES, pyramid(trunk(picture)[1:])):
        level = separable(separable(level, PYRAMID_WIDTH), PYRAMID_WIDTH)
        box = layers.Conv2D(4, 1, name=f"boxes_{stride}")(level)
        thing = layers.Conv2D(1, 1, bias_initializer=rare, name=f"objects_{stride}")(level)
        features.append(layers.Reshape((-1, PYRAMID_WIDTH))(level))
        boxes.append(layers.Reshape((-1, 4))(box))
        objects.append(layers.Reshape((-1, 1))(thing))
        names.append(layers.Reshape((-1, count))(name(level)))
    features, boxes, objects, names = (
        layers.Concatenate(1)(parts) for parts in (features, boxes, objects, names)
    )
    categories = layers.Dense(len(things.CATEGORIES), use_bias=False, name="categories")
    likely = categories(layers.Softmax()(names))
    categories.set_weights([np.eye(len(things.CATEGORIES))[things.categories()]])
    categories.trainable = False
    scores = layers.Multiply(name="scores")([likely, layers.Activation("sigmoid")(objects)])
    model = keras.Model(picture, [boxes, scores], name="scenes_detector")
    return model, Learner(keras.Model(picture, [boxes, objects, features]), name)


class Learner:
    """What the detector learns by: logits, and those of names only where there is a thing.

    Nearly all anchors have none, and to name them all would be the dearest part of a step.
    """

    def __init__(self, body, name):
        self.body, self.name = body, name

    def __call__(self, pictures):
        """Encodings [batch, anchors, 4], objects' logits [batch, anchors], features."""
        boxes, objects, features = self.body(pictures, training=True)
        return boxes, objects[..., 0], features

    def names(self, features):
        """The names' logits for rows of features."""
        return features @ self.name.kernel[0, 0] + self.name.bias


def anchors():
    """(y, x, height, width) of every anchor, in parts of the side and the heads' order."""
    rows = []
    for stride in STRIDES:
        centers = (np.arange(DETECTOR_SIDE // stride) + 0.5) * stride
        y, x = np.meshgrid(centers, centers, indexing="ij")
        side = np.full(y.size, stride * ANCHOR_STRIDES)
        rows.append(np.stack([y.ravel(), x.ravel(), side, side], 1))
    return (np.concatenate(rows) / DETECTOR_SIDE).astype(np.float32)
