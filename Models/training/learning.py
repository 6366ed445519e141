"""What both trainings share: batches, the schedule, the loop, and the curve written down."""

import csv
import time

import keras
import numpy as np
import tensorflow as tf


def normalized(images):
    """Pixels as the networks want them: -1…1, as the metadata of the models say."""
    return (tf.cast(images, tf.float32) - 127.5) / 127.5


def batches(count, size, steps, seed):
    """Sorted numbers of pictures: `steps` batches, every picture once before any comes twice."""
    rng = np.random.default_rng(seed)
    order = np.zeros(0, int)
    for _ in range(steps):
        if len(order) < size:
            order = np.concatenate([order, rng.permutation(count)])
        yield np.sort(order[:size]), rng
        order = order[size:]


WARM_UP = 300


def cosine(steps, rate):
    """Learning rates that warm up and cool down along a cosine, to a twentieth."""
    def at(step):
        if step < WARM_UP:
            return rate * (0.05 + 0.95 * step / WARM_UP)
        progress = min((step - WARM_UP) / (steps - WARM_UP), 1)
        return rate * (0.05 + 0.95 * (0.5 + 0.5 * np.cos(np.pi * progress)))

    return at


def trapezoid(steps, rate, cooling=0.35):
    """Learning rates that warm up, stay, and in the last part of the steps fall to nothing."""
    def at(step):
        return rate * min(0.05 + 0.95 * step / WARM_UP, (steps - step) / (steps * cooling), 1)

    return at


def train(model, feed, loss, schedule, curve, momentum=0.998, decay=0.02, report=100):
    """Runs the loop; `loss(batch)` answers a dictionary whose "loss" is made small."""
    moves = keras.optimizers.AdamW(
        schedule(0), weight_decay=decay, clipnorm=10.0, use_ema=True, ema_momentum=momentum
    )
    moves.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])

    @tf.function
    def step(batch):
        with tf.GradientTape() as tape:
            parts = loss(batch)
        gradients = tape.gradient(parts["loss"], model.trainable_variables)
        moves.apply_gradients(zip(gradients, model.trainable_variables))
        return parts

    begin, sums = time.time(), {}
    with open(curve, "w", newline="") as file:
        table = None
        for number, batch in enumerate(feed, 1):
            moves.learning_rate.assign(schedule(number - 1))
            for name, value in step(batch).items():
                sums[name] = sums.get(name, 0) + float(value) / report
            if number % report == 0:
                row = {"step": number} | {n: f"{v:.4f}" for n, v in sums.items()}
                table = table or csv.DictWriter(file, row.keys(), lineterminator="\n")
                if number == report:
                    table.writeheader()
                table.writerow(row)
                file.flush()
                print(row, f"{time.time() - begin:.0f} s", flush=True)
                sums = {}
    moves.finalize_variable_values(model.trainable_variables)


def settle(model, inputs):
    """Gives batch normalization the statistics of the averaged weights."""
    norms = [l for l in model.layers if isinstance(l, keras.layers.BatchNormalization)]
    for norm in norms:
        norm.momentum = 0.9
    for images in inputs:
        model(normalized(images), training=True)
