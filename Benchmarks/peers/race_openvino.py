#!/usr/bin/env python3
"""Races models against OpenVINO, which reads .tflite files itself.

    race_openvino.py OCELLUS MODEL.tflite... [--threads 1,2] [--precision f32,default,bfloat16] [--json FILE]

The two take turns, each turn in a new process that loads the model, runs it some times and takes the median.
A round's figure is OpenVINO's median divided by ours: above 1, Ocellus is faster. The result of a model is the
median of the rounds. With `default`, OpenVINO computes floats as it prefers to, in bfloat16 where the processor
multiplies it; with `f32`, as the model says; with `bfloat16`, it does as by default, and Ocellus runs with
`--numerics bfloat16`. Models that OpenVINO refuses are listed with its reason.

Needs: pip install openvino numpy
"""
import argparse
import datetime
import json
import math
import pathlib
import statistics
import subprocess
import sys
import time


def run_peer(path, threads, precision):
    """Times OpenVINO in this process, and prints the result as JSON."""
    import numpy as np
    import openvino

    options = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY"}
    if precision == "f32":
        options["INFERENCE_PRECISION_HINT"] = "f32"
    core = openvino.Core()
    model = core.read_model(path)
    # Extents that the file leaves open, mostly the number of pictures, are 1, as with Ocellus.
    shapes = {port: [1 if extent.is_dynamic else extent.get_length() for extent in port.partial_shape]
              for port in model.inputs if port.partial_shape.rank.is_static}
    model.reshape(shapes)
    compiled = core.compile_model(model, "CPU", options)
    request = compiled.create_infer_request()
    for index, port in enumerate(compiled.inputs):
        request.set_input_tensor(index, openvino.Tensor(made_up(index, port)))
    started = time.perf_counter()
    request.infer()
    count = round_count(time.perf_counter() - started)
    times = []
    for _ in range(count):
        started = time.perf_counter()
        request.infer()
        times.append(time.perf_counter() - started)
    print(json.dumps({"median": 1000 * statistics.median(times[count // 4:]), "version": openvino.__version__}))


def made_up(index, port):
    """Returns floats from 0 to 1, any 8-bit or 16-bit integers, or 0 and 1 for wider integers."""
    import numpy as np

    generator = np.random.default_rng(index)
    kind, shape = port.element_type.to_dtype(), list(port.shape)
    if np.issubdtype(kind, np.floating):
        return generator.random(shape).astype(kind)
    if kind in (np.int8, np.uint8, np.int16):
        limits = np.iinfo(kind)
        return generator.integers(limits.min, limits.max, shape, dtype=kind, endpoint=True)
    return generator.integers(0, 2, shape).astype(kind)


def round_count(seconds):
    """Returns how many runs take about half a second."""
    return max(8, min(400, int(0.5 / max(seconds, 1e-6))))


class Refusal(Exception):
    """One of the two does not run the model."""


def last_line(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        raise Refusal((done.stderr.strip().splitlines() or ["no output"])[-1][:120])
    return json.loads(lines[-1])


def race(ocellus, path, threads, precision, rounds):
    """Returns the medians of both, in milliseconds, and the ratio."""
    peer = [sys.executable, __file__, "--peer", str(path), str(threads), precision]
    own = [ocellus, "bench", str(path), "--threads", str(threads), "--json"]
    if precision == "bfloat16":
        own += ["--numerics", "bfloat16"]
    ours_first = last_line(own + ["--runs", "8"])
    runs = round_count(ours_first["invoke_ms"]["median"] / 1000)
    ours, theirs = [], []
    for _ in range(rounds):
        result = last_line(own + ["--runs", str(runs)])
        ours.append(result["invoke_ms"]["median"])
        theirs.append(last_line(peer))
    ratios = [peer["median"] / time for peer, time in zip(theirs, ours)]
    return {
        "tier": result["instruction_set"], "model": path.name, "threads": threads, "precision": precision,
        "ratio": round(statistics.median(ratios), 4), "ours_ms": round(statistics.median(ours), 4),
        "peer_ms": round(statistics.median(peer["median"] for peer in theirs), 4),
    }, theirs[0]["version"]


def processor():
    with open("/proc/cpuinfo") as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown")


def report(rows):
    for threads, precision in sorted({(row["threads"], row["precision"]) for row in rows}):
        ratios = [row["ratio"] for row in rows if (row["threads"], row["precision"]) == (threads, precision)]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"threads {threads}, {precision}: geometric mean {mean:.2f}, worst {min(ratios):.2f}, "
              f"slower on {sum(ratio < 1 for ratio in ratios)} of {len(ratios)}")


def main():
    if sys.argv[1:2] == ["--peer"]:
        return run_peer(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ocellus")
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--threads", default="1")
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    rows, refused, version = [], [], "unknown"
    for path in arguments.models:
        for threads in map(int, arguments.threads.split(",")):
            for precision in arguments.precision.split(","):
                try:
                    row, version = race(arguments.ocellus, path, threads, precision, arguments.rounds)
                except (Refusal, subprocess.TimeoutExpired) as reason:
                    refused.append({"model": path.name, "reason": str(reason)})
                    print(f"{path.name:44} {threads} {precision:8} not run: {reason}", flush=True)
                    continue
                rows.append(row)
                print(f"{path.name:44} {threads} {precision:8} {row['ours_ms']:9.3f} {row['peer_ms']:9.3f} "
                      f"{row['ratio']:6.2f}", flush=True)
    report(rows)
    if arguments.json:
        arguments.json.write_text(json.dumps({
            "date": datetime.date.today().isoformat(), "peer": f"OpenVINO {version}", "machine": processor(),
            "rounds": arguments.rounds, "meaning": "ratio: OpenVINO's time over ours",
            "results": rows, "refused": refused}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
