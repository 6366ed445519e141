"""Measures what a worker costs beside `ocellus detect` and `ocellus label`, which do the same in one process.

    python3 measure_worker.py ../../.build/release/ocellus [--soak MINUTES]

Rates of two jobs are compared with two processes that have half of the pictures each, in turns; then come peaks of
memory, the time to start, and how long single pictures take: what plan_fleet.py computes with. They are written to
measured.json. With --soak a worker answers for so long instead, while its memory is looked at.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

from make_requests import picture

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MODELS = REPOSITORY / "Models"
MEASURED = pathlib.Path(__file__).with_name("measured.json")
ROUNDS = 5


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


def soak(load, program, minutes):
    """Feeds a worker without end, and prints its memory twenty times."""
    command = [program, "worker", load.task, "-m", load.model, "--jobs", "2"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    lines = "".join(file + "\n" for file in load.pictures[:1000]).encode()
    start, answered, samples = time.monotonic(), 0, 0
    while time.monotonic() - start < minutes * 60:
        process.stdin.write(lines)
        answered += 1000
        if time.monotonic() - start >= (samples + 1) * minutes * 3:
            print(f"after {answered} requests: {resident_mib(process.pid, 'VmRSS'):.1f} MiB", flush=True)
            samples += 1
    process.communicate()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--soak", type=float, metavar="MINUTES")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        loads = workloads(folder)
        if arguments.soak:
            soak(loads[0], arguments.program, arguments.soak)
            return
        figures = [measure(load, arguments.program, folder) for load in loads]
    for each in figures:
        print_figures(each)
    MEASURED.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
