"""Measures what a worker costs beside `ocellus detect` and `ocellus label`, which do the same in one process.

    python3 measure_worker.py ../../.build/release/ocellus
    python3 measure_worker.py ../../.build/release/ocellus --soak 60 --rate 20 --table memory.tsv

Rates of two jobs are compared with two processes that have half of the pictures each, in turns; then come peaks of
memory, the time to start, and how long single pictures take: what plan_fleet.py computes with. They are written to
measured.json. With --soak a worker is asked for so many minutes instead, --rate times a second, while its memory is
looked at: in the end every request has one answer, and every broken picture an error.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from make_requests import BROKEN_SHARE, picture, request

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MODELS = REPOSITORY / "Models"
MEASURED = pathlib.Path(__file__).with_name("measured.json")
ROUNDS = 5
JOBS = 2


class Workload:
    """A task for the program, a model for it, and pictures."""

    def __init__(self, name, task, model, pictures):
        self.name, self.task, self.model, self.pictures = name, task, str(MODELS / model), pictures

    def worker(self, program, jobs, requests):
        return [program, "worker", self.task, "-m", self.model, "--jobs", str(jobs), "--requests", requests]

    def in_process(self, program, pictures):
        return [program, self.task, "-m", self.model, "--jsonl", *pictures]

    def write_requests(self, folder):
        path = os.path.join(folder, self.task)
        pathlib.Path(path).write_text("".join(file + "\n" for file in self.pictures))
        return path


def workloads(folder):
    """Small pictures for the labeler, and ones of about 640×480 for the detector."""
    small = []
    for number in range(1000):
        small.append(os.path.join(folder, f"{number}.jpg"))
        pathlib.Path(small[-1]).write_bytes(picture(number))
    photos = sorted(str(file) for file in (MODELS / "samples").glob("*.jpg"))
    return [
        Workload("small pictures, labeler", "label", "scenes-labeler/model.tflite", small * 4),
        Workload("photos, detector", "detect", "scenes-detector.tflite", photos * 50),
    ]


@dataclasses.dataclass
class Cost:
    """What processes took that ran at the same time."""

    seconds: float
    core_seconds: float
    mib: float  # the most that the last one had resident


def cost(*commands):
    start = time.monotonic()
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands]
    core_seconds = mib = 0
    for process in processes:
        while not (ended := os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)):
            # What the system counts for children begins with the size of this process: they are looked at themselves.
            mib = resident_mib(process.pid, "VmHWM") or mib
            time.sleep(0.01)
        usage = os.wait4(process.pid, 0)[2]
        core_seconds += usage.ru_utime + usage.ru_stime
        if ended.si_status:
            raise RuntimeError(f"failed: {commands[0][:4]}")
    return Cost(time.monotonic() - start, core_seconds, mib)


def resident_mib(process, field):
    """A line of a process' status; `None` of one that has ended."""
    found = re.search(field + r":\s*(\d+) kB", pathlib.Path(f"/proc/{process}/status").read_text())
    return found and int(found[1]) / 1024


def compare(load, program, requests):
    """Two processes, and a worker with two jobs, in turns."""
    alone, worker = [], []
    for _ in range(ROUNDS):
        alone.append(cost(*(load.in_process(program, load.pictures[part::2]) for part in range(2))))
        worker.append(cost(load.worker(program, 2, requests)))
    ratio = {
        field: statistics.median(getattr(one, field) / getattr(other, field) for one, other in zip(alone, worker))
        for field in ("seconds", "core_seconds")
    }
    return {
        "rate": len(load.pictures) / min(each.seconds for each in worker),
        "rate_over_in_process": ratio["seconds"],
        "rate_of_core_over_in_process": ratio["core_seconds"],
    }


def measure(load, program, folder):
    requests = load.write_requests(folder)
    said = subprocess.run(load.worker(program, 1, requests), capture_output=True, text=True, check=True).stdout
    times = [json.loads(line)["milliseconds"] for line in said.splitlines()]
    one = os.path.join(folder, "one")
    pathlib.Path(one).write_text(load.pictures[0] + "\n")
    bench = [program, "bench", load.model, "--runs", "200", "--json"]
    network = json.loads(subprocess.run(bench, capture_output=True, check=True).stdout)
    return {
        "workload": load.name,
        **compare(load, program, requests),
        "bytes": statistics.mean(os.path.getsize(file) for file in load.pictures),
        "network_milliseconds": network["invoke_ms"]["median"],
        "picture_milliseconds": statistics.quantiles(times, n=100, method="inclusive"),
        "start_seconds": statistics.median(cost(load.worker(program, 1, one)).seconds for _ in range(9)),
        "mib_in_process": cost(load.in_process(program, load.pictures[:400])).mib,
        "mib_by_jobs": {jobs: cost(load.worker(program, jobs, requests)).mib for jobs in (1, 2, 4)},
    }


def print_figures(figures):
    jobs = ", ".join(f"{mib:.0f} with {count} jobs" for count, mib in figures["mib_by_jobs"].items())
    times = figures["picture_milliseconds"]
    print(
        f"{figures['workload']}\n"
        f"  {figures['rate']:.0f} pictures a second with two jobs, {figures['rate_over_in_process']:.3f} of two processes,"
        f" {figures['rate_of_core_over_in_process']:.3f} for each second of a core\n"
        f"  half of the pictures within {times[49]:.2f} ms, 99 % within {times[98]:.2f};"
        f" the network alone {figures['network_milliseconds']:.2f}\n"
        f"  {figures['start_seconds'] * 1000:.0f} ms to start and answer one request\n"
        f"  MiB: {figures['mib_in_process']:.0f} in one process, {jobs}"
    )


class Soak:
    """A worker that is asked at a steady rate for a long time, and what becomes of its memory.

    Every hundredth request is about a broken picture.
    """

    INTERVAL = 10.0

    def __init__(self, load, program, table):
        command = [program, "worker", load.task, "-m", load.model, "--jobs", str(JOBS)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.pictures = load.pictures
        self.table = table
        self.asked = self.broken = self.answers = self.errors = 0
        self.samples = []

    def run(self, seconds, rate):
        """Asks, and says whether every request was answered as it should be."""
        reader = threading.Thread(target=self.count_answers)
        reader.start()
        start = time.monotonic()
        while (passed := time.monotonic() - start) < seconds:
            if passed >= len(self.samples) * self.INTERVAL:
                self.take_sample(passed)
            self.ask()
            time.sleep(max(0, start + self.asked / rate - time.monotonic()))
        self.take_sample(seconds)
        self.process.stdin.close()
        reader.join()
        return self.process.wait() == 0 and (self.answers, self.errors) == (self.asked, self.broken)

    def ask(self):
        picture = self.pictures[self.asked % len(self.pictures)]
        self.asked += 1
        line = picture
        if self.asked % BROKEN_SHARE == 0:
            line = json.dumps(request(self.asked - 1))
            self.broken += 1
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def count_answers(self):
        for line in self.process.stdout:
            self.answers += 1
            self.errors += "error" in json.loads(line)

    def take_sample(self, passed):
        self.samples.append(resident_mib(self.process.pid, "VmRSS"))
        fields = f"{passed:.0f}", self.asked, self.answers, self.errors, f"{self.samples[-1]:.2f}"
        print(*fields, sep="\t", file=self.table, flush=True)


def soak(load, program, arguments):
    """Prints what a soak found, in words and as a table; the exit code."""
    alone = cost(load.in_process(program, load.pictures[:400])).mib
    with open(arguments.table, "w") as table:
        print("seconds", "asked", "answers", "errors", "MiB", sep="\t", file=table)
        soaked = Soak(load, program, table)
        is_fine = soaked.run(arguments.soak * 60, arguments.rate)
    samples = soaked.samples[1:]  # the first one is from before any request
    tenth = max(1, len(samples) // 10)
    early, late = samples[:tenth], samples[-tenth:]
    print(
        f"{load.name}: {soaked.asked} requests, {soaked.answers} answers, {soaked.errors} of them errors:"
        f" {'as many as there should be' if is_fine else 'wrong'}\n"
        f"  MiB: {statistics.median(early):.1f} in the first tenth of the time, {statistics.median(late):.1f} in the last,"
        f" {max(soaked.samples):.1f} at most: {max(soaked.samples) / JOBS:.1f} for each job, {alone:.1f} in one process"
    )
    return 0 if is_fine else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--soak", type=float, metavar="MINUTES")
    parser.add_argument("--rate", type=float, default=20, help="requests a second of a soak")
    parser.add_argument("--table", default=os.devnull, help="where a soak leaves what it saw every ten seconds")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        loads = workloads(folder)
        if arguments.soak:
            return soak(loads[1], arguments.program, arguments)
        figures = [measure(load, arguments.program, folder) for load in loads]
    for each in figures:
        print_figures(each)
    MEASURED.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
