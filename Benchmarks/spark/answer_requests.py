"""A Spark job that has pictures looked at by `ocellus worker`, and leaves a table in Parquet.

    spark-submit --files ocellus,model.tflite --py-files asked_worker.py \
      answer_requests.py detect model.tflite REQUESTS RESULTS

REQUESTS is a file of requests (lines of JSON with `id`, and `path` or `data`; the name ends with .jsonl), or a folder
of pictures, on anything that Spark can read: s3a://…, hdfs://…. A task starts `./ocellus`, which `--files` puts into
every executor's folder; in local mode, where there is no such folder, be in the one where the files are.

A row says the same whichever executor made it and however often it was tried: times are left out, and which
instructions the processor has.
"""

import argparse
import functools

import pandas
from pyspark.sql import SparkSession, functions

from asked_worker import AskedWorker

CATEGORY = "struct<index: int, label: string, score: double>"
BOX = "struct<left: double, top: double, right: double, bottom: double>"
FINDINGS = {
    "label": f"labels array<{CATEGORY}>",
    "detect": f"detections array<struct<box: {BOX}, score: double, categories: array<{CATEGORY}>>>",
}
RECEIPT = "receipt struct<input_sha256: string, result_sha256: string, leaf: string>"
# What another machine or another time would say otherwise. A quote in a text has a backslash in front of it in JSON,
# so this is found where these members are, and nowhere else.
PASSING = r', "(milliseconds": [-+.0-9e]+|instruction_set": "[^"]*")'


def requests_of(spark, source):
    """A table of one column, `request`: lines for the worker."""
    if source.endswith(".jsonl"):
        return spark.read.text(source).withColumnRenamed("value", "request")
    files = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(source)
    request = functions.struct(
        functions.col("path").alias("id"), functions.base64("content").alias("data")
    )
    return files.select(functions.to_json(request).alias("request"))


def answers_by_pipe(spark, requests, command):
    """Every partition is piped through a worker by Spark itself."""
    lines = requests.rdd.map(lambda row: row.request)
    # Without `checkCode` a worker that is killed would only make the partition shorter.
    answers = lines.pipe(" ".join(command), checkCode=True)
    return spark.createDataFrame(answers.map(lambda line: (line,)), "answer string")


def answers_by_pandas(spark, requests, command):
    """Every partition is handed to a worker batch by batch."""
    return requests.mapInPandas(functools.partial(answer_batches, command), "answer string")


def answer_batches(command, batches):
    """Runs in the executors."""
    with AskedWorker(command) as worker:
        for batch in batches:
            yield pandas.DataFrame({"answer": worker.answers(batch["request"])})


WAYS = {"pipe": answers_by_pipe, "pandas": answers_by_pandas}


def table_of(answers, task):
    """Answers as columns; `record` has all of an answer for `ocellus merge`."""
    schema = f"id string, image string, width int, height int, {FINDINGS[task]}, error string, {RECEIPT}"
    record = functions.regexp_replace("answer", PASSING, "").alias("record")
    return answers.select(functions.from_json("answer", schema).alias("said"), record).select(
        "said.*", "record"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("task", choices=sorted(FINDINGS))
    parser.add_argument("model", help="the name of the model among --files")
    parser.add_argument("requests")
    parser.add_argument("results")
    parser.add_argument("--way", choices=sorted(WAYS), default="pandas")
    parser.add_argument("--overwrite", action="store_true", help="results that are there already go")
    arguments = parser.parse_args()

    # One job: Spark gives a task one core, and shares out the cores itself.
    command = ["./ocellus", "worker", arguments.task, "-m", arguments.model, "--jobs", "1", "--receipt"]
    spark = SparkSession.builder.appName("ocellus").getOrCreate()
    answers = WAYS[arguments.way](spark, requests_of(spark, arguments.requests), command)
    mode = "overwrite" if arguments.overwrite else "errorifexists"
    table_of(answers, arguments.task).write.mode(mode).parquet(arguments.results)
    spark.stop()


if __name__ == "__main__":
    main()
