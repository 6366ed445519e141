"""TFLite Metadata: what a program must know of a model, put into the file itself.

The tables are those of metadata_schema.fbs (identifier M001), written field by field, because
the tools that write them install only with old versions of Python. Associated files
are a zip archive behind the model, as the format wants it.
"""

import dataclasses
import io
import zipfile

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema

AUTHOR = "Ocellus"
LICENSE = "Apache-2.0. Trained on pictures rendered from Noto Color Emoji (SIL OFL 1.1)."

# Values of the schema's enumerations.
NORMALIZATION, SCORE_THRESHOLDING = 1, 3
FEATURE, IMAGE, BOUNDING_BOX = 1, 2, 3
RGB, BOUNDARIES, RATIO = 1, 1, 0
AXIS_LABELS, VALUE_LABELS = 2, 3


@dataclasses.dataclass(frozen=True)
class Number:
    """A scalar field and how wide it is: a name of flatbuffers.number_types."""

    value: float
    kind: str


def byte(value):
    return Number(value, "Uint8Flags")


def integer(value):
    return Number(value, "Uint32Flags")


def real(value):
    return Number(value, "Float32Flags")


def written(builder, value):
    """Writes what a field refers to and answers its offset; a table is a {field: value}."""
    if isinstance(value, str):
        return builder.CreateString(value)
    if isinstance(value, np.ndarray):
        return builder.CreateNumpyVector(value)
    if isinstance(value, list):
        offsets = [written(builder, element) for element in value]
        builder.StartVector(4, len(offsets), 4)
        for offset in reversed(offsets):
            builder.PrependUOffsetTRelative(offset)
        return builder.EndVector()
    offsets = {
        field: written(builder, part)
        for field, part in value.items()
        if not isinstance(part, Number)
    }
    builder.StartObject(max(value, default=-1) + 1)
    for field, part in value.items():
        if isinstance(part, Number):
            builder.Prepend(getattr(flatbuffers.number_types, part.kind), part.value)
            builder.Slot(field)
        else:
            builder.PrependUOffsetTRelativeSlot(field, offsets[field], 0)
    return builder.EndObject()


def floats(*values):
    return np.array(values, np.float32)


def labels_file(name, description, kind):
    return {0: name, 1: description, 2: byte(kind)}


def content(kind, properties, count=None):
    table = {0: byte(kind), 1: properties}
    if count is not None:
        table[2] = {0: integer(count), 1: integer(count)}
    return table


def unit(kind, options):
    return {0: byte(kind), 1: options}


def picture(side):
    """The input: any picture, scaled to `side`, its bytes taken from 0…255 to -1…1."""
    return {
        0: "image",
        1: "The picture, scaled to the input's size without regard to its proportions.",
        3: content(IMAGE, {0: byte(RGB), 1: {0: integer(side), 1: integer(side)}}),
        4: [unit(NORMALIZATION, {0: floats(127.5), 1: floats(127.5)})],
        5: {0: floats(1), 1: floats(-1)},
    }


def detector_outputs(labels, threshold):
    boxes = {0: np.array([1, 0, 3, 2], np.uint32), 1: byte(BOUNDARIES), 2: byte(RATIO)}
    return [
        {
            0: "location",
            1: "Top, left, bottom and right of each object, in parts of the picture.",
            3: content(BOUNDING_BOX, boxes, 2),
        },
        {
            0: "category",
            1: "The number of each object's category.",
            3: content(FEATURE, {}, 2),
            6: [labels_file(labels, "The categories' names.", VALUE_LABELS)],
        },
        {
            0: "score",
            1: "How sure each answer is.",
            3: content(FEATURE, {}, 2),
            4: [unit(SCORE_THRESHOLDING, {0: real(threshold)})],
        },
        {0: "number of detections", 1: "How many answers there are.", 3: content(FEATURE, {})},
    ]


def labeler_outputs(labels, threshold):
    return [
        {
            0: "probability",
            1: "How well each name fits.",
            3: content(FEATURE, {}),
            4: [unit(SCORE_THRESHOLDING, {0: real(threshold)})],
            5: {0: floats(1), 1: floats(0)},
            6: [labels_file(labels, "The names.", AXIS_LABELS)],
        }
    ]


def metadata(name, description, side, outputs):
    subgraph = {2: [picture(side)], 3: outputs}
    if len(outputs) == 4:
        groups = ["location", "category", "score"]
        subgraph[8] = [{0: "detection_result", 1: groups}]
    model = {
        0: name,
        1: description,
        2: "1",
        3: [subgraph],
        4: AUTHOR,
        5: LICENSE,
        7: "1.2.0",
    }
    builder = flatbuffers.Builder(1024)
    builder.Finish(written(builder, model), b"M001")
    return bytes(builder.Output())


class AlignedBuffer(schema.BufferT):
    """A buffer that begins at a multiple of 16, as the schema demands and Python's code forgets."""

    def Pack(self, builder):
        data = bytes(self.data)
        builder.StartVector(1, len(data), 16)
        builder.head -= len(data)
        builder.Bytes[builder.head : builder.head + len(data)] = data
        offset = builder.EndVector()
        schema.BufferStart(builder)
        schema.BufferAddData(builder, offset)
        return schema.BufferEnd(builder)


def aligned(buffer):
    if buffer.data is None or len(buffer.data) == 0:
        return buffer
    result = AlignedBuffer()
    result.data = buffer.data
    return result


def name_detections(graph):
    """The detector's outputs in the order of its last operator, by their customary names."""
    last = graph.operators[-1]
    if len(last.outputs) == 4:
        graph.outputs = last.outputs
        for place, tensor in enumerate(last.outputs):
            suffix = f":{place}" if place else ""
            graph.tensors[tensor].name = ("TFLite_Detection_PostProcess" + suffix).encode()


def packed(model, description, tables, files):
    """The model with those metadata tables inside and those files (name: text) behind it."""
    tree = schema.ModelT.InitFromPackedBuf(model, 0)
    tree.description = description
    name_detections(tree.subgraphs[0])
    record = schema.MetadataT()
    record.name, record.buffer = b"TFLITE_METADATA", len(tree.buffers)
    # What the converter writes down of itself (its options, its minimum runtime) stays.
    tree.metadata = (tree.metadata or []) + [record]
    buffer = schema.BufferT()
    buffer.data = np.frombuffer(tables, np.uint8)
    tree.buffers = [aligned(b) for b in tree.buffers + [buffer]]
    builder = flatbuffers.Builder(len(model) + 65536)
    builder.Finish(tree.Pack(builder), b"TFL3")
    file = io.BytesIO(bytes(builder.Output()))
    file.seek(0, io.SEEK_END)
    with zipfile.ZipFile(file, "a") as archive:
        for name, text in files.items():
            # A time of its own for every run would give every run another hash.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    return file.getvalue()
