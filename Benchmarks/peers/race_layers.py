"""Races one-layer models against LiteRT and reports which families of layers are slow, and why.

    race_layers.py OCELLUS FOLDER [--rounds N] [--only PATTERN] [--json FILE]

FOLDER has models named OPERATOR-TYPE-NUMBER-SIZE.tflite. LiteRT runs them in this process on one thread,
alternating with `OCELLUS profile`; the best median of the rounds counts on both sides. A family is an
operator, a type and a size class (by the results' elements: small below 2¹⁴, large from 2¹⁸ on). The
output has the ratio (LiteRT's time divided by ours), and the share of the limit that this machine's
arithmetic and caches impose.

Needs ai-edge-litert and numpy.
"""

import argparse
import collections
import json
import math
import pathlib
import re
import statistics
import subprocess
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter


def fill(index, shape, dtype):
    """Returns floats between -1 and 1, any 8-bit or 16-bit integers, or 0 and 1 for wider integers."""
    generator = np.random.default_rng(index)
    if np.issubdtype(dtype, np.floating):
        return generator.uniform(-1, 1, shape).astype(dtype)
    if dtype in (np.int8, np.uint8, np.int16):
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    return generator.integers(0, 2, shape).astype(dtype)


class Peer:
    """A model in the official runtime, with its inputs filled."""

    def __init__(self, path):
        self.interpreter = Interpreter(model_path=str(path), num_threads=1)
        self.interpreter.allocate_tensors()
        for index, detail in enumerate(self.interpreter.get_input_details()):
            self.interpreter.set_tensor(
                detail["index"], fill(index, detail["shape"], detail["dtype"]))
        started = time.perf_counter()
        self.interpreter.invoke()
        # A measurement takes about 30 ms.
        self.runs = max(8, min(400, int(0.03 / max(time.perf_counter() - started, 1e-6))))

    def median_ms(self):
        times = []
        for _ in range(self.runs):
            started = time.perf_counter()
            self.interpreter.invoke()
            times.append(1000 * (time.perf_counter() - started))
        return statistics.median(times)


def profile(ocellus, path, runs):
    command = [ocellus, "profile", str(path), "--threads", "1", "--runs", str(runs), "--json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def size_class(steps):
    """Returns the size class by the elements of the largest result."""
    counts = [math.prod(json.loads(step["output"])) for step in steps if step["output"]]
    largest = max(counts, default=0)
    return "small" if largest < 1 << 14 else "large" if largest >= 1 << 18 else "middle"


def race(ocellus, path, rounds):
    peer = Peer(path)
    theirs, ours = [], []
    for _ in range(rounds):
        theirs.append(peer.median_ms())
        ours.append(profile(ocellus, path, peer.runs))
    best = min(ours, key=lambda result: result["run_ms"]["median"])
    bound = sum(step["bound_ms"] or 0 for step in best["steps"])
    operator, kind = path.stem.split("-")[:2]
    milliseconds = best["run_ms"]["median"]
    return {
        "layer": path.stem, "operator": operator, "type": kind, "size": size_class(best["steps"]),
        "ours_ms": milliseconds, "litert_ms": min(theirs), "ratio": min(theirs) / milliseconds,
        "of_limit": bound / milliseconds,
        "kernel": ", ".join(sorted({step["kernel"] or "" for step in best["steps"]})),
    }


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def report(results):
    print("type   mean  layers  below 1  below 0.9")
    for kind in sorted({result["type"] for result in results}):
        ratios = [result["ratio"] for result in results if result["type"] == kind]
        print(f"{kind:5} {geometric_mean(ratios):5.2f}  {len(ratios):6}  "
              f"{sum(ratio < 1 for ratio in ratios):7}  {sum(ratio < 0.9 for ratio in ratios):9}")
    families = collections.defaultdict(list)
    for result in results:
        families[result["operator"], result["type"], result["size"]].append(result)
    print("\nThe slowest families:\n ratio  worst  of limit  family")
    ranked = sorted(families.items(), key=lambda entry: min(r["ratio"] for r in entry[1]))
    for (operator, kind, size), members in ranked[:40]:
        ratios = [member["ratio"] for member in members]
        worst = min(members, key=lambda member: member["ratio"])
        print(f"{geometric_mean(ratios):6.2f} {worst['ratio']:6.2f} {worst['of_limit']:8.0%}  "
              f"{operator} {kind} {size}: {worst['layer']}, {worst['kernel']}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ocellus")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    paths = [path for path in sorted(arguments.folder.glob("*.tflite"))
             if re.search(arguments.only, path.stem)]
    results = [race(arguments.ocellus, path, arguments.rounds) for path in paths]
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    report(results)


if __name__ == "__main__":
    main()
