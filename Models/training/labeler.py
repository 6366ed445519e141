"""Training of the labeler: one name for a picture that one thing fills."""

import keras
import numpy as np
import tensorflow as tf

import learning
import network
import pictures
from recipes import PORTRAITS


def loss(model, batch):
    images, names = batch
    scores = model(learning.normalized(images), training=True)
    wanted = tf.one_hot(names, scores.shape[-1])
    entropy = keras.losses.categorical_crossentropy(wanted, scores, label_smoothing=0.05)
    hits = tf.argmax(scores, -1, tf.int32) == names
    return {"loss": tf.reduce_mean(entropy), "top1": tf.reduce_mean(tf.cast(hits, tf.float32))}


def feed(learn, size, steps, seed):
    # In a few pictures the thing found no place.
    usable = np.flatnonzero(learn.things[:, 0] >= 0)
    for numbers, rng in learning.batches(len(usable), size, steps, seed):
        numbers = usable[numbers]
        images = learn.images[numbers]
        mirrored = rng.uniform(size=size) < 0.5
        images[mirrored] = images[mirrored, :, ::-1]
        yield images, learn.things[numbers, 0].astype(np.int32)


def top1(scores_of, judge):
    """Which part of the pictures gets its own name first; `scores_of` takes images."""
    hits = [
        scores_of(judge.images[first : first + 50]).argmax(1) == judge.things[first : first + 50, 0]
        for first in range(0, len(judge.images), 50)
    ]
    return float(np.concatenate(hits)[judge.things[:, 0] >= 0].mean())


def trained(cache, curve, steps=3000, size=64, rate=4e-3, seed=41):
    """The network, trained, in the same words every time."""
    learn = pictures.load(PORTRAITS["learn"], cache)
    model = network.labeler()
    learning.train(
        model,
        feed(learn, size, steps, seed),
        lambda batch: loss(model, batch),
        learning.cosine(steps, rate),
        curve,
    )
    learning.settle(model, (images for images, _ in feed(learn, 128, 40, seed + 1)))
    return model
