"""From trained networks to .tflite files: 8 bits wide and, for the detector, its float twin."""

import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

import boxes
import learning
import network
import things

MOST_DETECTIONS = 25
# Below this no answer is kept at all; what a program shows is for its own threshold.
LEAST_SCORE = 0.05
MOST_OVERLAP = 0.5


def attribute(name, kind, value):
    return f'attr {{ key: "{name}" value {{ {kind}: {value} }} }}'


def post_process():
    """The operator that decodes and suppresses, as the converter knows it: by this signature."""
    parts = ['name: "TFLite_Detection_PostProcess"']
    parts += [
        attribute("max_detections", "i", MOST_DETECTIONS),
        attribute("max_classes_per_detection", "i", 1),
        attribute("use_regular_nms", "b", "false"),
        attribute("nms_score_threshold", "f", LEAST_SCORE),
        attribute("nms_iou_threshold", "f", MOST_OVERLAP),
        attribute("num_classes", "i", len(things.CATEGORIES)),
    ]
    parts += [attribute(name, "f", value) for name, value in boxes.SCALES.items()]

    @tf.function(experimental_implements=" ".join(parts))
    def operator(encodings, scores, anchors):
        nothing = tf.constant(0.0)
        return nothing, nothing, nothing, nothing

    return operator


def frozen(model):
    """The network as a function whose weights are constants."""
    shape = tf.TensorSpec((1, *model.input.shape[1:]), tf.float32, name="picture")
    function = tf.function(lambda picture: model(picture, training=False))
    return convert_variables_to_constants_v2(function.get_concrete_function(shape)), shape


def detector(model):
    """The network with the operator behind it."""
    network_of, shape = frozen(model)
    operator = post_process()
    anchors = network.anchors()

    @tf.function(input_signature=[shape])
    def whole(picture):
        encodings, scores = network_of(picture)
        return operator(encodings, scores, tf.constant(anchors))

    return whole


def labeler(model):
    """The network alone."""
    network_of, shape = frozen(model)

    @tf.function(input_signature=[shape])
    def whole(picture):
        return network_of(picture)[0]

    return whole


def converted(whole, examples=None, output=tf.float32):
    """The file; 8 bits wide when there are examples to measure the ranges with."""
    module = tf.Module()
    module.whole = whole
    converter = tf.lite.TFLiteConverter.from_concrete_functions(
        [whole.get_concrete_function()], module
    )
    converter.allow_custom_ops = True
    if examples is not None:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: (
            [learning.normalized(image[None])] for image in examples
        )
        converter.inference_input_type = tf.uint8
        converter.inference_output_type = output
    return converter.convert()
