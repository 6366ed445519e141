"""Proves that Spark and `ocellus worker` answer every request exactly once, also when an executor is killed.

    pip install -r requirements.txt
    python3 exactly_once.py 100000 --program ../../.build/release/ocellus

Requests about small pictures, one in a hundred broken in ten ways, are answered by one process and by executors, both
through RDD.pipe and mapInPandas: once undisturbed, and once with an executor killed (`kill -9`) in the middle. Every
time the rows must be those of the one process, each there once, with an error where the picture is broken and nowhere
else; and `ocellus merge` must find the same root. The exit code is 1 where that is not so.

Needs a JRE. In local mode (`--master 'local[2]'`) there are no executors, and none is killed.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import pyarrow.parquet
import pyspark

from answer_requests import PASSING, WAYS
from make_requests import BREAKAGES, write_requests
from process_tree import processes_below

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE.parent.parent / "Models/scenes-labeler/model.tflite"
PARTITIONS = 24


class Workplace:
    """A folder with what a job needs: the program, a model, and requests."""

    def __init__(self, folder, program, model, count):
        self.folder = pathlib.Path(folder)
        shutil.copy(program, self.folder / "ocellus")
        shutil.copy(model, self.folder / "model.tflite")
        write_requests(count, self.folder / "requests.jsonl")
        # Executors on one machine leave their folders in Spark's own: this one goes with the workplace.
        self.spark = self.folder / "spark"
        self.spark.mkdir()
        for entry in pathlib.Path(pyspark.__file__).parent.iterdir():
            if entry.name != "work":
                (self.spark / entry.name).symlink_to(entry)

    def answers_of_one_process(self):
        """The lines that one worker says, with both of its jobs."""
        command = ["./ocellus", "worker", "label", "-m", "model.tflite", "--jobs", "2", "--receipt"]
        with open(self.folder / "requests.jsonl") as requests:
            said = subprocess.run(command, cwd=self.folder, stdin=requests, capture_output=True, text=True, check=True)
        return said.stdout.splitlines()

    def root(self, records):
        """The root that `ocellus merge` finds over lines."""
        (self.folder / "records.jsonl").write_text("".join(record + "\n" for record in records))
        said = subprocess.run(
            ["./ocellus", "merge", "records.jsonl", "--json"], cwd=self.folder, capture_output=True, check=True
        )
        return json.loads(said.stdout)["root"]

    def start_job(self, master, way, results):
        """Starts Spark, whose messages go to a file."""
        size = (self.folder / "requests.jsonl").stat().st_size
        command = [
            pathlib.Path(sys.executable).parent / "spark-submit", "--master", master,
            "--conf", f"spark.sql.files.maxPartitionBytes={size // PARTITIONS + 1}",
            "--files", "./ocellus,model.tflite", "--py-files", HERE / "asked_worker.py",
            HERE / "answer_requests.py", "label", "model.tflite", "requests.jsonl", results, "--way", way,
        ]  # fmt: skip
        environment = {**os.environ, "SPARK_HOME": str(self.spark), "PYSPARK_PYTHON": sys.executable}
        with open(self.folder / "spark.log", "w") as log:
            return subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)

    def wait_for(self, job):
        if job.wait() != 0:
            sys.exit("Spark failed:\n" + (self.folder / "spark.log").read_text()[-4000:])


def kill_an_executor(job, results):
    """Kills an executor as soon as a third of the results are there."""
    while job.poll() is None:
        done = len(list(results.glob("_temporary/0/task_*")))
        if done >= PARTITIONS // 3:
            os.kill(executors_of(job.pid)[0], signal.SIGKILL)
            return f"an executor killed after {done} of about {PARTITIONS} tasks"
        time.sleep(0.05)
    sys.exit("the job was over before an executor could be killed: ask for more requests")


def executors_of(ancestor):
    """The processes of executors below a process."""
    found = []
    for process in processes_below(ancestor):
        with contextlib.suppress(OSError):  # of a process that has ended by now
            if "CoarseGrainedExecutorBackend" in pathlib.Path(f"/proc/{process}/cmdline").read_text():
                found.append(process)
    return sorted(found)


def faults(rows, expected):
    """What is wrong with the rows of a table, in words."""
    counts = collections.Counter(row["id"] for row in rows)
    if missing := expected.keys() - counts.keys():
        yield f"{len(missing)} requests have no answer, such as {min(missing)}"
    if repeated := [name for name, count in counts.items() if count > 1]:
        yield f"{len(repeated)} requests have several answers, such as {min(repeated)}"
    for row in rows:
        # The ids of broken ones say how they are broken.
        if (row["error"] is None) == ("-" in row["id"]):
            yield f"{row['id']}: the error is {row['error']}"
        if row["record"] != expected.get(row["id"]):
            yield f"{row['id']}: is not as from one process: {row['record']}"


def judge(workplace, table, expected, root):
    """Compares the table of a job with what one process said; whether they are the same."""
    rows = pyarrow.parquet.read_table(table).to_pylist()
    found = list(faults(rows, expected))
    if (other := workplace.root(row["record"] for row in rows)) != root:
        found.append(f"the root is {other}")
    for fault in found[:10]:
        print("  " + fault)
    errors = sum(row["error"] is not None for row in rows)
    print(f"  {len(rows)} answers, {errors} of them errors: {'wrong' if found else 'each once, and the same root'}")
    return not found


def print_errors(records):
    """An error of each kind."""
    for name in BREAKAGES:
        said = [json.loads(record)["error"] for key, record in records.items() if key.endswith("-" + name)]
        if said:
            print(f"  {name}: {len(said)} times “{said[0]}”")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--program", required=True, help="ocellus")
    parser.add_argument("--model", default=MODEL, help="a classifier")
    parser.add_argument("--master", default="local-cluster[2,1,1024]", help="two executors unless you say otherwise")
    parser.add_argument("--way", choices=sorted(WAYS), action="append", help="only this one")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        workplace = Workplace(folder, arguments.program, arguments.model, arguments.count)
        start = time.monotonic()
        expected = records_by_id(workplace.answers_of_one_process())
        root = workplace.root(expected.values())
        print(f"one process, {time.monotonic() - start:.0f} s: root {root}")
        print_errors(expected)
        is_fine = len(expected) == arguments.count
        for way in arguments.way or sorted(WAYS):
            for is_killed in [False] if arguments.master.startswith("local[") else [False, True]:
                start = time.monotonic()
                results = workplace.folder / f"{way}-{is_killed}"
                job = workplace.start_job(arguments.master, way, results)
                event = kill_an_executor(job, results) if is_killed else "undisturbed"
                workplace.wait_for(job)
                print(f"{way} on {arguments.master}, {event}, {time.monotonic() - start:.0f} s:")
                is_fine &= judge(workplace, results, expected, root)
        return 0 if is_fine else 1


def records_by_id(lines):
    """Lines of answers as they stand in the column `record`, by the requests' ids."""
    return {json.loads(line)["id"]: re.sub(PASSING, "", line) for line in lines}


if __name__ == "__main__":
    sys.exit(main())
