"""A server as one would write it with FastAPI, ai-edge-litert and Pillow: POST /detect with a picture.

  MODEL=ssd.tflite LABELS=labels.txt uvicorn serve_fastapi:app --workers 2 --port 5001

Each worker is a process with an interpreter of its own; the model must have the four outputs of an
SSD with post-processing.
"""

import io
import os
import threading

import numpy
from ai_edge_litert.interpreter import Interpreter
from fastapi import FastAPI, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from PIL import Image, ImageOps

app = FastAPI()
interpreter = Interpreter(os.environ["MODEL"], num_threads=1)
interpreter.allocate_tensors()
lock = threading.Lock()
entry = interpreter.get_input_details()[0]
_, height, width, _ = entry["shape"]
outputs = [output["index"] for output in interpreter.get_output_details()]
labels = open(os.environ["LABELS"]).read().splitlines() if "LABELS" in os.environ else []


def detect(body):
    picture = ImageOps.exif_transpose(Image.open(io.BytesIO(body))).convert("RGB")
    size = picture.size
    small = numpy.asarray(picture.resize((width, height), Image.BILINEAR))[None]
    if entry["dtype"] == numpy.float32:
        small = (small.astype(numpy.float32) - 127.5) / 127.5
    with lock:
        interpreter.set_tensor(entry["index"], small)
        interpreter.invoke()
        boxes, classes, scores, _ = (interpreter.get_tensor(index)[0] for index in outputs)
    found = []
    for box, label, score in zip(boxes, classes, scores):
        if score < 0.25:
            continue
        top, left, bottom, right = (float(edge) for edge in box)
        found.append({
            "box": {"left": left * size[0], "top": top * size[1],
                    "right": right * size[0], "bottom": bottom * size[1]},
            "score": float(score),
            "label": labels[int(label)] if int(label) < len(labels) else None,
        })
    return {"width": size[0], "height": size[1], "detections": found}


@app.post("/detect")
async def answer(request: Request):
    body = await request.body()
    try:
        return await run_in_threadpool(detect, body)
    except OSError as error:
        raise HTTPException(422, str(error))
