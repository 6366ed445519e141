"""Measures the worker in Spark beside the official runtime, called from mapInPandas on the same pictures.

    pip install -r requirements.txt ai-edge-litert==2.3.0
    python3 measure_spark.py ../../.build/release/ocellus

Everything runs in one session of local[2], in turns, without writing results: the worker through mapInPandas and
through RDD.pipe, LiteRT with one thread for each task and pictures decoded by Pillow, and Spark with nothing to do,
which is its own share. What a picture costs, and a task that has one request only, is added to measured.json.
"""

import argparse
import base64
import functools
import io
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

import numpy
import pandas
from PIL import Image
from pyspark.sql import SparkSession

from answer_requests import answers_by_pandas, answers_by_pipe
from measure_worker import MEASURED, workloads
from process_tree import core_seconds_below

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = 2
CORES = 2
TASKS = 16


def answers_by_litert(model, spark, requests, command):
    return requests.mapInPandas(functools.partial(litert_batches, model), "answer string")


def litert_batches(model, batches):
    """What one writes around the official runtime: decode, resize, run, and the outputs as JSON."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model, num_threads=1)
    interpreter.allocate_tensors()
    shown = interpreter.get_input_details()[0]
    height, width = (int(side) for side in shown["shape"][1:3])

    def answer(request):
        request = json.loads(request)
        picture = Image.open(io.BytesIO(base64.b64decode(request["data"])))
        pixels = picture.convert("RGB").resize((width, height), Image.BILINEAR)
        interpreter.set_tensor(shown["index"], numpy.asarray(pixels)[numpy.newaxis])
        interpreter.invoke()
        outputs = [interpreter.get_tensor(each["index"]).tolist() for each in interpreter.get_output_details()]
        return json.dumps({"id": request["id"], "outputs": outputs})

    for batch in batches:
        yield pandas.DataFrame({"answer": [answer(request) for request in batch["request"]]})


def answers_of_nobody(spark, requests, command):
    return requests.mapInPandas(unanswered_batches, "answer string")


def unanswered_batches(batches):
    for batch in batches:
        yield batch.set_axis(["answer"], axis="columns")


def costs(ways, spark, requests, command):
    """Seconds of a core that each way takes, Spark's own among them, and seconds of a clock.

    The medians of several turns behind a first one that nobody counts.
    """
    times = {name: [] for name in ways}
    for _ in range(ROUNDS + 1):
        for name, way in ways.items():
            start = core_seconds_below(os.getpid()), time.monotonic()
            way(spark, requests, command).write.format("noop").mode("overwrite").save()
            end = core_seconds_below(os.getpid()), time.monotonic()
            times[name].append([after - before for before, after in zip(start, end)])
    return {name: [statistics.median(kind) for kind in zip(*each[1:])] for name, each in times.items()}


def write_requests(load, path):
    with open(path, "w") as file:
        for number, picture in enumerate(load.pictures):
            data = base64.b64encode(pathlib.Path(picture).read_bytes()).decode()
            file.write(json.dumps({"id": str(number), "data": data}) + "\n")


def measure(load, spark, folder):
    path = os.path.join(folder, f"{load.task}.jsonl")
    write_requests(load, path)
    # As many parts as there are cores: nobody waits for the other one's rest.
    spark.conf.set("spark.sql.files.maxPartitionBytes", os.path.getsize(path) // CORES + 1)
    command = ["./ocellus", "worker", load.task, "-m", load.model, "--jobs", "1"]
    ways = {
        "worker, mapInPandas": answers_by_pandas,
        "worker, RDD.pipe": answers_by_pipe,
        "LiteRT, mapInPandas": functools.partial(answers_by_litert, load.model),
        "Spark alone": answers_of_nobody,
    }
    requests = spark.read.text(path).toDF("request")
    count, found = len(load.pictures), costs(ways, spark, requests, command)
    by_peer, seconds_of_peer = found["LiteRT, mapInPandas"]
    print(f"{load.name}\n  in milliseconds of a core for each picture, and pictures a second of {CORES} cores:")
    for name, (core_seconds, seconds) in found.items():
        print(
            f"  {name}: {core_seconds / count * 1000:.2f} ms, {count / seconds:.0f} a second;"
            f" {by_peer / core_seconds:.2f} and {seconds_of_peer / seconds:.2f} of LiteRT's rate"
        )
    task = task_seconds(spark, command, path)
    print(f"  a task with one request: {task:.3f} s of a core", flush=True)
    in_spark = {name: core_seconds / count * 1000 for name, (core_seconds, _) in found.items()}
    return {"spark_core_milliseconds": in_spark, "task_seconds": task}


def task_seconds(spark, command, path):
    """What a task costs beside its requests, in seconds of a core."""
    with open(path) as file:
        lines = [(next(file).rstrip("\n"),) for _ in range(TASKS)]
    tasks = spark.createDataFrame(spark.sparkContext.parallelize(lines, TASKS), "request string")
    return costs({"worker": answers_by_pandas}, spark, tasks, command)["worker"][0] / TASKS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    arguments = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(arguments.program, os.path.join(folder, "ocellus"))
        loads = workloads(folder)
        os.chdir(folder)  # where tasks in local mode find ./ocellus
        quiet = {"spark.ui.enabled": False, "spark.ui.showConsoleProgress": False}
        spark = SparkSession.builder.master(f"local[{CORES}]").config(map=quiet).getOrCreate()
        for module in ("asked_worker", "answer_requests", "measure_spark", "measure_worker", "make_requests", "process_tree"):
            spark.sparkContext.addPyFile(str(HERE / f"{module}.py"))
        spark.sparkContext.setLogLevel("ERROR")
        measured = {figures["workload"]: figures for figures in json.loads(MEASURED.read_text())}
        for load in loads:
            measured[load.name].update(measure(load, spark, folder))
            MEASURED.write_text(json.dumps(list(measured.values()), indent=1) + "\n")
        spark.stop()


if __name__ == "__main__":
    main()
